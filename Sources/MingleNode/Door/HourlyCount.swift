// SPDX-License-Identifier: Apache-2.0

/// How often something happened at each address in the hour that goes on: a value without any I/O or clock.
struct HourlyCount: Sendable {
    /// Addresses that are remembered.
    private static let addresses = 4096

    let limit: Int
    private var hour: Int64 = 0
    private var counts: [String: Int] = [:]

    init(limit: Int) { self.limit = limit }

    /// Counts once more; false if it was as often as it may be.
    mutating func take(_ address: String, at now: Duration) -> Bool {
        let current = now.components.seconds / 3600
        if current != hour { (hour, counts) = (current, [:]) }
        let count = counts[address] ?? 0
        guard count < limit, count > 0 || counts.count < Self.addresses else { return false }
        counts[address] = count + 1
        return true
    }
}
