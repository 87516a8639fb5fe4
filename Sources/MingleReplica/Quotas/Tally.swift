// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What counts together with a device's words and keys, while payloads of it are taken in one after the other.
struct Tally {
    /// Whether a payload is taken in.
    enum Verdict: Equatable {
        case fits
        /// There are too many bytes.
        case beyondBytes
        /// There is too much of one hour; of others there may be less.
        case beyondHour(Int64)
    }

    private struct Hour {
        /// Words that count together.
        var shared: Int
        /// Words that were taken in of the device.
        var taken = 0

        mutating func take() { (shared, taken) = (shared + 1, taken + 1) }
    }

    /// What may be held; nil is without a limit.
    let quota: Quota?
    private var shared: Usage
    private var hours: [Int64: Hour] = [:]
    /// What changes of what is held of the device.
    private(set) var change = Usage()

    init(within quota: Quota?, beside shared: Usage) { (self.quota, self.shared) = (quota, shared) }

    /// Words taken in by their hours, in order.
    var takenByHour: [(hour: Int64, words: Int)] {
        hours.filter { $0.value.taken > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.taken) }
    }

    /// Whether anything fits; if not, nothing need be looked at.
    func hasRoom(forKeys isKey: Bool) -> Bool { quota.map { shared.hasRoom(for: 1, isKey: isKey, within: $0) } ?? true }

    /// Takes a payload in where it fits, as deletions always do.
    ///
    /// - Parameter counted: asks how many words of an hour count together already.
    mutating func take(_ weight: Weight, _ counted: (_ hour: Int64) throws -> Int) rethrows -> Verdict {
        if let quota, weight.length > 0 {
            guard shared.hasRoom(for: weight.length, isKey: weight.isKey, within: quota) else { return .beyondBytes }
            if weight.isTimed, try words(in: weight.hour, counted) >= quota.hourly { return .beyondHour(weight.hour) }
        }
        shared.count(weight.length, isKey: weight.isKey)
        change.count(weight.length, isKey: weight.isKey)
        if weight.isTimed {
            hours[weight.hour, default: Hour(shared: 0)].take()
        }
        return .fits
    }

    /// Counts deltas that are let go of, or less than none for such that are taken back.
    mutating func letGo(of count: Int) { change.letGo += count }

    private mutating func words(in hour: Int64, _ counted: (_ hour: Int64) throws -> Int) rethrows -> Int {
        if let known = hours[hour] { return known.shared }
        let count = try counted(hour)
        hours[hour] = Hour(shared: count)
        return count
    }
}

extension Transaction {
    /// Begins to take in payloads of a device.
    func tally(of device: DeviceRow) -> Tally { Tally(within: quota(of: device), beside: sharedUsage(of: device)) }

    /// Takes a payload of a device in where it fits.
    func take(_ weight: Weight, of device: DeviceRow, in tally: inout Tally) throws -> Tally.Verdict {
        try tally.take(weight) { try words(in: $0, sharedBy: device) }
    }

    /// Counts what was taken in of a device.
    func store(_ tally: Tally, of device: DeviceRow) throws {
        set(usage(of: device.id) + tally.change, of: device.id)
        for (hour, words) in tally.takenByHour { try count(words, in: hour, of: device) }
    }
}
