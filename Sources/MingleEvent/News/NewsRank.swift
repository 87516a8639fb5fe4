// SPDX-License-Identifier: Apache-2.0

/// What ranks an entry of the news, and the one formula that does (docs/ranking.md).
package struct NewsRank: Hashable, Sendable {
    /// After so many minutes an entry counts half.
    package static let halfLife: Int64 = 180

    /// When its newest record is shown, in milliseconds since 1970.
    package var at: Int64
    /// How many people, besides its author, fave, comment on, join or check in.
    package var people: Int
    /// Whether it is at a moment that goes on now.
    package var isRunning: Bool
    /// Whether its author and the viewer are connected.
    package var isConnected: Bool
    /// Whether it is at a moment that the viewer made or takes part in.
    package var isMine: Bool

    /// Describes an entry.
    package init(at: Int64, people: Int, isRunning: Bool = false, isConnected: Bool = false, isMine: Bool = false) {
        (self.at, self.people, self.isRunning) = (at, people, isRunning)
        (self.isConnected, self.isMine) = (isConnected, isMine)
    }

    /// How high it stands before ``damped(_:before:)``: freshness times interest, in integers so that all nodes agree.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package func score(at now: Int64) -> Int64 {
        let minutes = max(0, now - at) / 60_000
        let freshness = 1_000_000 * Self.halfLife / (Self.halfLife + min(minutes, 1 << 32))
        let interest = 4 + Self.quarterLogarithm(people)
        return freshness * (interest + (isRunning ? 4 : 0) + (isConnected ? 2 : 0) + (isMine ? 2 : 0))
    }

    /// What an entry keeps of its score where others of its author stand before it.
    package static func damped(_ score: Int64, before others: Int) -> Int64 { score * 3 / Int64(3 + others) }

    /// Four times the binary logarithm of people and one, rounded down.
    private static func quarterLogarithm(_ people: Int) -> Int64 {
        let count = Int64(min(max(people, 0), 10_000) + 1)
        let power = count * count * count * count
        return Int64(Int64.bitWidth - 1 - power.leadingZeroBitCount)
    }
}

/// An entry with what ranks it.
package struct RankedEntry<Entry, Author: Hashable, Place: Comparable> {
    package let entry: Entry
    package let author: Author
    package let place: Place
    package let rank: NewsRank

    /// Puts an entry beside what ranks it.
    package init(entry: Entry, author: Author, place: Place, rank: NewsRank) {
        (self.entry, self.author, self.place, self.rank) = (entry, author, place, rank)
    }

    /// Entries in the order of the news: of each author the second and later ones give way, and of equal ones the later
    /// stands first.
    package static func ordered(_ entries: [RankedEntry], at now: Int64) -> [RankedEntry] {
        let scored = entries.map { (entry: $0, score: $0.rank.score(at: now)) }
            .sorted { ($0.score, $0.entry.place) > ($1.score, $1.entry.place) }
        var before: [Author: Int] = [:]
        let damped = scored.map { entry, score in
            defer { before[entry.author, default: 0] += 1 }
            return (entry: entry, score: NewsRank.damped(score, before: before[entry.author, default: 0]))
        }
        return damped.sorted { ($0.score, $0.entry.place) > ($1.score, $1.entry.place) }.map(\.entry)
    }
}
