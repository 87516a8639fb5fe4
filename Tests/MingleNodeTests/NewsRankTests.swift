// SPDX-License-Identifier: Apache-2.0

import MingleEvent
import MingleModel
import MingleReplica
import TestSupport
import Testing

/// The formula of the news, and what is told as one.
struct NewsRankTests {
    private typealias Ranked = RankedEntry<Int, Int, Int>
    private static let now: Int64 = 1_000_000_000
    private static let minute: Int64 = 60_000

    private static func story(_ random: inout SplitMix) -> [Ranked] {
        (0..<Int.random(in: 2...40, using: &random)).map { number in
            Ranked(
                entry: number,
                author: Int.random(in: 0...5, using: &random),
                place: number,
                rank: NewsRank(
                    at: now - Int64.random(in: -10...5000, using: &random) * minute,
                    people: random.chance(50) ? 0 : Int.random(in: 0...80, using: &random),
                    isRunning: random.chance(20),
                    isConnected: random.chance(20),
                    isMine: random.chance(20)
                )
            )
        }
    }

    private static func place(of entry: Int, in entries: [Ranked]) -> Int {
        Ranked.ordered(entries, at: now).firstIndex { $0.entry == entry } ?? -1
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `more people, a later time or a reason more never lower an entry, whatever else there is`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let entries = Self.story(&random)
        let chosen = Int.random(in: 0..<entries.count, using: &random)
        let place = Self.place(of: chosen, in: entries)
        func changed(_ change: (inout NewsRank) -> Void) -> [Ranked] {
            var copy = entries
            var rank = copy[chosen].rank
            change(&rank)
            let old = copy[chosen]
            copy[chosen] = Ranked(entry: old.entry, author: old.author, place: old.place, rank: rank)
            return copy
        }
        let better = [
            changed { $0.people += Int.random(in: 1...50, using: &random) },
            changed { $0.at += Int64.random(in: 1...900, using: &random) * Self.minute },
            changed { $0.isRunning = true }, changed { $0.isConnected = true }, changed { $0.isMine = true },
        ]
        for entries in better { #expect(Self.place(of: chosen, in: entries) <= place) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the order does not depend on the order in which entries are found`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let entries = Self.story(&random)
        let order = Ranked.ordered(entries, at: Self.now).map(\.entry)
        #expect(Ranked.ordered(entries.shuffled(using: &random), at: Self.now).map(\.entry) == order)
        #expect(order.sorted() == Array(0..<entries.count))
    }

    @Test func `of equal entries the later stands first, and who shares without end gives way`() {
        func entry(_ number: Int, by author: Int, _ minutes: Int64) -> Ranked {
            let rank = NewsRank(at: Self.now - minutes * Self.minute, people: 0)
            return Ranked(entry: number, author: author, place: number, rank: rank)
        }
        #expect(Ranked.ordered([entry(1, by: 1, 5), entry(2, by: 2, 5)], at: Self.now).map(\.entry) == [2, 1])
        let flood = (10..<20).map { entry($0, by: 1, 1) } + [entry(1, by: 2, 30)]
        #expect(Ranked.ordered(flood, at: Self.now).map(\.entry).firstIndex(of: 1) == 1)
    }

    @Test func `the figures of the document hold`() {
        func score(_ minutes: Int64, _ people: Int) -> Int64 {
            NewsRank(at: Self.now - minutes * Self.minute, people: people).score(at: Self.now)
        }
        #expect(score(0, 0) == 4_000_000 && score(180, 0) == 2_000_000 && score(540, 0) == 1_000_000)
        #expect(score(0, 1) == 8_000_000 && score(0, 3) == 12_000_000 && score(0, 7) == 16_000_000)
        // A time ahead is as fresh as now.
        #expect(score(-600, 0) == score(0, 0))
    }

    // MARK: - What is told as one

    private static func happening(_ kind: Kind, _ row: Int64, by author: Int64, at minute: Int64, on target: Int64 = 0)
        -> Happening
    {
        Happening(kind: kind, row: row, author: author, target: target, at: minute * Self.minute, tie: row)
    }

    @Test func `photos of one person at one moment are one entry until there is a pause`() {
        let photos = [
            Self.happening(.photo, 9, by: 1, at: 200, on: 7), Self.happening(.photo, 8, by: 2, at: 199, on: 7),
            Self.happening(.photo, 7, by: 1, at: 198, on: 7), Self.happening(.photo, 6, by: 1, at: 197),
            Self.happening(.photo, 5, by: 1, at: 160, on: 7), Self.happening(.photo, 4, by: 1, at: 100, on: 7),
        ]
        let rows = NewsEntry.gathered(photos).map { $0.records.map(\.row) }
        #expect(rows == [[9, 7, 5], [8], [6], [4]])
    }

    @Test func `comments stand beneath what they are about, or by themselves where that is not new`() {
        let photo = Self.happening(.photo, 3, by: 1, at: 90)
        let old = Self.happening(.photo, 2, by: 1, at: 1)
        let happenings = [
            Self.happening(.comment, 9, by: 2, at: 99, on: 2), Self.happening(.comment, 8, by: 3, at: 98, on: 3),
            Self.happening(.comment, 7, by: 3, at: 97, on: 2), Self.happening(.comment, 6, by: 3, at: 96, on: 1), photo,
        ]
        let entries = NewsEntry.gathered(happenings, about: [2: old, 3: photo])
        #expect(entries.map(\.kind) == [.photo, .comment])
        #expect(entries[0].comments.map(\.row) == [8] && entries[0].newest.row == 8)
        // What a comment of row 6 is about is not to be seen.
        #expect(entries[1].records.map(\.row) == [9, 7] && entries[1].thing == old)
    }
}
