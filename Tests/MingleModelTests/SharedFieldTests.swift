// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// What is shown of a field that several people write.
struct SharedFieldTests {
    private static let field = Field(7, "hours", .number(0...9), writers: .attendees)

    private func said(
        _ number: UInt8,
        _ value: Int64,
        branch: BranchPosition? = nil,
        at time: Int64? = nil,
        over named: [UInt8] = [],
        isPinned: Bool = false,
        byModerator isModerator: Bool = true
    ) throws -> SharedAssertion {
        let change = Change(
            field: Self.field.number,
            value: .number(value),
            overwrites: named.map(Reference.to),
            isPinned: isPinned
        )
        let contribution = Contribution(number, branch: branch, at: time, change)
        return try #require(SharedAssertion(contribution, about: Self.field, worth: isModerator ? .pinned : .usual))
    }

    private func shown(_ said: [SharedAssertion]) -> Value? { SharedField.shown(said)?.value }

    @Test func `nobody's word is shown where nobody said anything`() {
        #expect(SharedField.shown([]) == nil && SharedField.named(byEditAfter: [], limit: 64).isEmpty)
    }

    @Test func `what nothing names comes before what is named, whatever the clocks say`() throws {
        let old = try said(1, 1, at: 900)
        let new = try said(2, 2, at: 100, over: [1])
        #expect(shown([old, new]) == .number(2) && shown([new, old]) == .number(2))
    }

    @Test func `of words that nothing names the latest is shown, then the one with the highest hash`() throws {
        #expect(shown([try said(1, 1, at: 5), try said(2, 2, at: 4)]) == .number(1))
        #expect(shown([try said(1, 1, at: 5), try said(2, 2, at: 5)]) == .number(2))
    }

    @Test func `a later word on the same branch stands for the earlier one, with what it names`() throws {
        let first = try said(1, 1, branch: BranchPosition(branch: 1, sequence: 1), at: 9, over: [3])
        let second = try said(2, 2, branch: BranchPosition(branch: 1, sequence: 2), at: 1)
        let other = try said(3, 3, at: 5)
        // The second no longer names the other one.
        #expect(shown([first, second, other]) == .number(3))
    }

    @Test func `only a pinned word overwrites a pinned one`() throws {
        let pinned = try said(1, 1, at: 1, isPinned: true)
        let edit = try said(2, 2, at: 9, over: [1])
        #expect(shown([pinned, edit]) == .number(1))
        let decided = try said(3, 3, at: 0, over: [1], isPinned: true)
        #expect(shown([pinned, edit, decided]) == .number(3))
    }

    @Test func `a pin of somebody who does not moderate has no effect`() throws {
        let pinned = try said(1, 1, at: 1, isPinned: true, byModerator: false)
        #expect(shown([pinned, try said(2, 2, at: 9)]) == .number(2))
    }

    @Test func `a pinned word stays behind a later one of the same person that is not pinned`() throws {
        let pinned = try said(1, 1, branch: BranchPosition(branch: 1, sequence: 1), isPinned: true)
        let later = try said(2, 2, branch: BranchPosition(branch: 1, sequence: 2))
        #expect(shown([pinned, later]) == .number(1))
    }

    @Test func `an edit names the living, highest first, and then what these name`() throws {
        let all = [try said(1, 1, at: 1), try said(2, 2, at: 2, over: [1, 9]), try said(3, 3, at: 3)]
        #expect(SharedField.named(byEditAfter: all, limit: 64) == [3, 2, 1, 9].map(Reference.to))
        #expect(SharedField.named(byEditAfter: all, limit: 2) == [3, 2].map(Reference.to))
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `neither order nor repetition matters`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let all = try (1...9 as ClosedRange<UInt8>).map { number in
            try said(
                number,
                Int64(number % 10),
                branch: BranchPosition(branch: random.pick(1...4), sequence: UInt32(number)),
                at: random.pick(0...3),
                over: (1...9).filter { _ in random.chance(15) },
                isPinned: random.chance(20),
                byModerator: random.chance(70)
            )
        }
        let expected = SharedField.shown(all)
        for _ in 0..<10 {
            #expect(SharedField.shown(all.shuffled(using: &random) + all) == expected)
        }
    }
}
