// SPDX-License-Identifier: Apache-2.0

package import MingleReplica

/// How much a relay holds, and for how long; nil means without a limit.
///
/// What goes, goes for good: its header stays, and whoever asks is told. Nothing else depends on it.
package struct RetentionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of blobs of all events together.
    package var blobBytes: Int?
    /// Bytes of payloads and blobs of one event.
    package var eventBytes: Int?
    /// Bytes of payloads and blobs of one person in one event; as much again of each device that the person retired.
    package var authorBytes: Int?
    /// Payloads of one person in one event that are dated within one hour by the person's clock; as many again of each retired device.
    package var authorHourly: Int?
    /// Days that an event is held after the last news of it.
    package var days: Int?

    /// States a policy; all without limits hold everything for ever.
    package init(
        blobBytes: Int? = nil,
        eventBytes: Int? = nil,
        authorBytes: Int? = nil,
        authorHourly: Int? = nil,
        days: Int? = nil
    ) {
        (self.blobBytes, self.eventBytes, self.days) = (blobBytes, eventBytes, days)
        (self.authorBytes, self.authorHourly) = (authorBytes, authorHourly)
    }

    /// Whether anything ever goes.
    package var hasLimits: Bool { self != RetentionPolicy() }

    package var description: String {
        let limits = [
            blobBytes.map { "blobs \($0)" }, eventBytes.map { "event \($0)" }, authorBytes.map { "author \($0)" },
            authorHourly.map { "hourly \($0)" }, days.map { "days \($0)" },
        ]
        return limits.compactMap { $0 }.joined(separator: ", ")
    }

    /// What goes of one event, in the order in which it does.
    ///
    /// What its author says that something takes counts for the author's own quota alone; room is made by what is on the
    /// disk.
    ///
    /// - Parameters:
    ///   - holdings: all that is to be held of the event.
    ///   - quiet: how long nothing new has come.
    ///   - excess: bytes of blobs that have to go for the sake of all events together.
    package func evictions(of holdings: [Holding], quiet: Duration, excess: Int = 0) -> [Holding] {
        if let days, quiet > .seconds(days * 86_400) { return holdings.sorted(by: Self.goesFirst) }
        let beyondQuotas = beyondQuotas(of: holdings)
        let rest = Set(holdings).subtracting(beyondQuotas).filter { $0.held > 0 }.sorted(by: Self.goesFirst)
        let held = rest.reduce(0) { $0 + $1.held }
        let beyondEvent = Self.first(of: rest, bytes: eventBytes.map { held - $0 } ?? 0)
        let gone = (beyondQuotas + beyondEvent).reduce(0) { $0 + ($1.isBlob ? $1.held : 0) }
        let blobs = rest.dropFirst(beyondEvent.count).filter(\.isBlob)
        return beyondQuotas + beyondEvent + Self.first(of: blobs, bytes: excess - gone)
    }

    /// How many bytes of blobs have to go of each event, the one in which nothing has happened for longest first.
    package func excess(of events: [(bytes: Int, quiet: Duration)]) -> [Int] {
        var left = blobBytes.map { events.reduce(-$0) { $0 + $1.bytes } } ?? 0
        var excess = events.map { _ in 0 }
        for place in events.indices.sorted(by: { (events[$1].quiet, $0) < (events[$0].quiet, $1) }) where left > 0 {
            excess[place] = min(left, events[place].bytes)
            left -= excess[place]
        }
        return excess
    }

    /// Of each person what came last and does not fit any more: nobody loses something by sharing more, nor by a retired device, which
    /// counts by itself as it does at members' nodes.
    private func beyondQuotas(of holdings: [Holding]) -> [Holding] {
        guard authorBytes != nil || authorHourly != nil else { return [] }
        struct Share: Hashable {
            let person: Int64
            let apart: Int64?
            var hour: Int64?
        }
        // By the share for bytes, and by the share and the hour for words.
        var (totals, counts): ([Share: Int], [Share: Int]) = ([:], [:])
        return holdings.sorted { ($0.row, $0.place) < ($1.row, $1.place) }.filter { holding in
            let share = Share(person: holding.person, apart: holding.apart)
            let total = totals[share, default: 0] + holding.bytes
            let hour = holding.hour.map { Share(person: holding.person, apart: holding.apart, hour: $0) }
            let count = hour.map { counts[$0, default: 0] + 1 } ?? 0
            guard total <= authorBytes ?? .max, count <= authorHourly ?? .max else { return true }
            totals[share] = total
            if let hour { counts[hour] = count }
            return false
        }
    }

    private static func first(of holdings: [Holding], bytes: Int) -> [Holding] {
        var left = bytes
        return Array(
            holdings.prefix { holding in
                defer { left -= holding.held }
                return left > 0
            }
        )
    }

    /// Originals go before previews, these before thumbnails, blobs before words; of each the oldest first.
    private static func goesFirst(_ left: Holding, _ right: Holding) -> Bool {
        (left.isBlob ? 0 : 1, -left.place, left.row, left.bytes) < (
            right.isBlob ? 0 : 1, -right.place, right.row, right.bytes
        )
    }
}

extension Holding {
    fileprivate var isBlob: Bool { if case .blob = what { true } else { false } }
}
