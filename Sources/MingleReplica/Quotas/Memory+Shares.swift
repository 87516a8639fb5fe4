// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What is held of everybody, kept at hand together with what changes it.
extension Memory {
    func set(_ usage: Usage, of device: Int64) {
        let change = usage - (self.usage.updateValue(usage, forKey: device) ?? Usage())
        guard let person = devices[device]?.person else { return }
        shares[person]?.count(change, of: device)
    }

    /// Takes what was counted anew.
    func replaceUsage(with usage: [Int64: Usage]) { (self.usage, shares) = (usage, [:]) }

    /// What is held of a person's devices.
    func share(of person: Int64) -> Share {
        if let share = shares[person] { return share }
        var share = Share(apart: devicesApart(of: person))
        for device in devicesByPerson[person] { share.count(usage[device] ?? Usage(), of: device) }
        shares[person] = share
        return share
    }

    /// A person's retired devices that count by themselves: the first few, else who retires one after the other would have no limit.
    private func devicesApart(of person: Int64) -> Set<Int64> {
        let retired = Set(persons[person]?.standing?.retirements.compactMap(\.device) ?? [])
        guard !retired.isEmpty else { return [] }
        let apart = devicesByPerson[person].filter { device in
            devices[device].map { retired.contains($0.name) } ?? false
        }
        return Set(apart.prefix(Standing.retiredDevices))
    }
}
