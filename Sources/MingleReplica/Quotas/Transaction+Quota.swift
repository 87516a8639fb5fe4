// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

// What is held of each device, from what the writer keeps at hand.
extension Transaction {
    func usage(of device: Int64) -> Usage { memory.usage[device] ?? Usage() }

    func set(_ usage: Usage, of device: Int64) {
        memory.set(usage, of: device)
        staleUsage.insert(device)
    }

    /// What counts against the quota together with what a device writes: all that is of its person's devices in use.
    ///
    /// A retired one counts by itself, so a thief uses up nothing of the owner's.
    func sharedUsage(of device: DeviceRow) -> Usage {
        let share = memory.share(of: device.person)
        return share.apart.contains(device.id) ? usage(of: device.id) : share.used
    }

    /// What is kept of a device's person.
    ///
    /// This node's own has no limit, as nobody else may have what the person wrote; but what a retired device of the person's wrote has,
    /// as it may be a thief's.
    func quota(of device: DeviceRow) -> Quota? {
        let isOwn = device.person == memory.persons.id(of: replica.own.person)
        guard !isOwn || memory.share(of: device.person).apart.contains(device.id) else { return nil }
        return replica.quota?.raised(for: memory.persons[device.person]?.standing?.base)
    }

    /// Counts deltas that are about to be stored.
    ///
    /// - Returns: those whose payload does not fit, by their places.
    func takeIn(_ deltas: ArraySlice<Delta>, of device: DeviceRow) throws -> [Int] {
        guard deltas.first?.header.journal == .content else { return [] }
        var tally = tally(of: device)
        let beyond = try deltas.indices.filter {
            try take(Weight(deltas[$0].header), of: device, in: &tally) != .fits
        }
        tally.letGo(of: beyond.count)
        outcome.letGo.formUnion(beyond.map { deltas[$0].reference })
        try store(tally, of: device)
        return beyond
    }

    /// Lets go of a payload that has come for a header, if its author is beyond the quota by now.
    ///
    /// What is waited for is counted, so it fits but where that was another quota's, or what had given room does not count any more.
    func letGoBeyondQuota(_ row: Int64, _ delta: Delta, of device: DeviceRow) throws -> Bool {
        let weight = Weight(delta.header)
        guard delta.header.journal == .content, weight.length > 0, try isBeyondQuota(weight, of: device) else {
            return false
        }
        try run("UPDATE journal SET erased = 2 WHERE id = ? AND payload IS NULL AND erased = 0", [row])
        guard db.changesCount > 0 else { return true }
        try release(weight, of: device, isLetGo: true)
        outcome.letGo.insert(delta.reference)
        outcome.settledPayloads.append(delta.reference)
        return true
    }

    private func isBeyondQuota(_ weight: Weight, of device: DeviceRow) throws -> Bool {
        guard let quota = quota(of: device) else { return false }
        if sharedUsage(of: device).exceeds(quota, inKeys: weight.isKey) { return true }
        return try weight.isTimed && words(in: weight.hour, sharedBy: device) > quota.hourly
    }

    /// Notes that a payload is neither held nor to be fetched any more.
    ///
    /// - Parameter isLetGo: whether it may be taken back; else its record was deleted.
    func releaseUsage(of stored: StoredDelta, isLetGo: Bool = false) throws {
        guard stored.delta.header.journal == .content, !stored.isErased else { return }
        if stored.isEvicted {
            var usage = usage(of: stored.device.id)
            usage.letGo += isLetGo ? 0 : -1
            set(usage, of: stored.device.id)
        } else {
            try release(Weight(stored.delta.header), of: stored.device, isLetGo: isLetGo)
        }
        noteRoom(of: stored.device.person)
    }

    /// Counts a payload no more.
    private func release(_ weight: Weight, of device: DeviceRow, isLetGo: Bool) throws {
        var usage = usage(of: device.id)
        usage.count(-weight.length, isKey: weight.isKey)
        if isLetGo { usage.letGo += 1 }
        set(usage, of: device.id)
        if weight.isTimed { try count(-1, in: weight.hour, of: device) }
    }

    /// Notes that there may be room for what was let go of a person.
    func noteRoom(of person: Int64) {
        guard !outcome.hasRoom, !replica.own.isRelay else { return }
        outcome.hasRoom = memory.share(of: person).letGo > 0
    }

    /// Stores what changed of the counts, before the transaction ends.
    func storeUsage() throws {
        for device in staleUsage.sorted() { try usage(of: device).store(of: device, db) }
        staleUsage = []
    }

    /// Counts all anew, where much has changed at once.
    func recountUsage() throws {
        let counts = try Counts.counted(db)
        try db.execute(sql: "DELETE FROM usage; DELETE FROM hourly;")
        memory.replaceUsage(with: counts.usage)
        staleUsage = Set(memory.usage.keys)
        try counts.storeHours(db)
        if !replica.own.isRelay { outcome.hasRoom = memory.usage.values.contains { $0.letGo > 0 } }
    }
}
