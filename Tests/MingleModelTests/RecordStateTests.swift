// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// Merging one record: what ``RecordLaw`` does not say of all kinds at once.
struct RecordStateTests {
    // MARK: - Over seeds

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `an edit that names all that lives settles the field`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let contributions = numbers.contributions(count: 9)
        let living = RecordState.living(TestKind.text, among: contributions)
        let change = Change(field: 1, value: .text("settled"), overwrites: living.map(\.reference))
        // Its clock is far behind: being seen counts, not being late.
        let state = RecordState(contributions + [Contribution(200, at: 0, change)])
        #expect(state.text == "settled" && !state.conflicts.contains(1))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `the histories of these tests hold what they are meant to`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let histories = (0..<300).map { _ in numbers.contributions(count: 9) }
        #expect(histories.contains { !RecordState($0).conflicts.isEmpty })
        #expect(histories.contains { RecordState($0).values.count == 3 })
        #expect(histories.contains { RecordState.living(TestKind.text, among: $0).count < $0.count / 2 })
    }

    // MARK: - Registers

    @Test func `an edit of what never goes back names nothing, as it overwrites nothing`() {
        let contributions = [Contribution(1, at: 900, .count(3)), Contribution(2, at: 100, .count(2))]
        let field = TestKind.kind.fields[1]
        let named = RecordState.named(byEditAt: Timestamp(milliseconds: 500), of: field, among: contributions)
        #expect(named.isEmpty)
    }

    @Test func `nothing said is nothing shown`() {
        let state = RecordState([])
        #expect(state.values.isEmpty && state.conflicts.isEmpty && !state.isComplete(TestKind.kind))
    }

    @Test func `a later change of the same branch overwrites without naming`() {
        let first = BranchPosition(branch: 1, sequence: 4)
        let later = BranchPosition(branch: 1, sequence: 5)
        // The clock was put back in between.
        let state = RecordState([
            Contribution(1, branch: first, at: 900, .text("old")),
            Contribution(2, branch: later, at: 100, .text("new")),
        ])
        #expect(state.text == "new" && state.conflicts.isEmpty)
    }

    @Test func `of ten thousand edits of one branch the last is shown`() {
        var numbers = SplitMix(seed: 1)
        let edits = (1...10_000 as ClosedRange<UInt32>).map { sequence in
            Contribution(1, branch: BranchPosition(branch: 1, sequence: sequence), at: 5, .text("\(sequence)"))
        }
        let state = RecordState(edits.shuffled(using: &numbers))
        #expect(state.text == "10000" && state.conflicts.isEmpty)
    }

    @Test func `between branches the clock decides, and both are told of`() {
        let state = RecordState([Contribution(1, at: 20, .text("late")), Contribution(2, at: 10, .text("early"))])
        #expect(state.text == "late" && state.conflicts == [1])
    }

    @Test func `at the same time the greater name decides`() {
        let state = RecordState([Contribution(3, at: 5, .text("three")), Contribution(4, at: 5, .text("four"))])
        #expect(state.text == "four" && state.conflicts == [1])
    }

    @Test func `two who say the same are in no conflict`() {
        let state = RecordState([Contribution(1, .text("same")), Contribution(2, .text("same"))])
        #expect(state.text == "same" && state.conflicts.isEmpty)
    }

    @Test func `a change that names another overwrites it whatever the clocks say`() {
        let state = RecordState([Contribution(1, at: 900, .text("old")), Contribution(2, at: 1, .text("new", over: 1))])
        #expect(state.text == "new" && state.conflicts.isEmpty)
    }

    @Test func `what was overwritten still overwrites`() {
        let state = RecordState([
            Contribution(1, at: 900, .text("a")), Contribution(2, at: 1, .text("b", over: 1)),
            Contribution(3, at: 0, .text("c", over: 2)),
        ])
        #expect(state.text == "c" && state.conflicts.isEmpty)
    }

    @Test func `naming overwrites only the field that it is said of`() {
        let size = Change(field: 7, value: .number(4))
        let state = RecordState([Contribution(1, at: 9, .text("old"), size), Contribution(2, .text("new", over: 1))])
        #expect(state.values == [1: .text("new"), 7: .number(4)])
    }

    @Test func `a cleared field shows nothing`() {
        let cleared = Change(field: 1, value: .cleared, overwrites: [.to(1)])
        let state = RecordState([Contribution(1, .text("said")), Contribution(2, cleared)])
        #expect(state.values.isEmpty && state.conflicts.isEmpty && !state.isComplete(TestKind.kind))
    }

    @Test func `clearing and saying at once are in conflict`() {
        let cleared = Change(field: 1, value: .cleared)
        let state = RecordState([Contribution(1, at: 1, .text("said")), Contribution(2, at: 2, cleared)])
        #expect(state.values.isEmpty && state.conflicts == [1])
    }

    @Test(arguments: [[], [Contribution(9, .count(1))]])
    func `of several changes of a field in one delta the last is meant`(others: [Contribution]) {
        let state = RecordState([Contribution(1, .text("first"), .text("last"))] + others)
        #expect(state.text == "last" && state.conflicts.isEmpty)
    }

    // MARK: - Maximum

    @Test func `a maximum never goes back, not even on its own branch`() {
        let (first, later) = (BranchPosition(branch: 1, sequence: 1), BranchPosition(branch: 1, sequence: 2))
        let lower = Change(field: 2, value: .number(3), overwrites: [.to(1)])
        let state = RecordState([Contribution(1, branch: first, .count(8)), Contribution(2, branch: later, lower)])
        #expect(state.values == [2: .number(8)] && state.conflicts.isEmpty)
    }

    @Test func `a maximum is not cleared`() {
        let cleared = Change(field: 2, value: .cleared, overwrites: [.to(1)])
        #expect(RecordState([Contribution(1, .count(8)), Contribution(2, cleared)]).values == [2: .number(8)])
    }

    // MARK: - What does not fit

    @Test func `fields that this version does not know are left out`() {
        let unknown = Change(field: 40, value: .text("of the future"))
        #expect(RecordState([Contribution(1, .text("known"), unknown)]).values == [1: .text("known")])
        #expect(RecordState([Contribution(1, .text("known")), Contribution(2, unknown)]).values == [1: .text("known")])
    }

    @Test(arguments: [.text("more than eight"), .text("a\0"), .number(3), .data([1])] as [Value])
    func `a value that the field does not admit is as if it were not said`(value: Value) {
        let bad = Change(field: 1, value: value, overwrites: [.to(1)])
        #expect(RecordState([Contribution(2, bad)]).values.isEmpty)
        // It overwrites nothing either, by name or by its place.
        let (first, later) = (BranchPosition(branch: 1, sequence: 1), BranchPosition(branch: 1, sequence: 2))
        let state = RecordState([Contribution(1, branch: first, .text("good")), Contribution(2, branch: later, bad)])
        #expect(state.text == "good" && state.conflicts.isEmpty)
        // Within one delta the last that is admitted is meant.
        #expect(RecordState([Contribution(1, .text("good"), bad)]).text == "good")
    }

    @Test func `a record is complete with what is required, and only then`() {
        #expect(RecordState([Contribution(1, .text("here"))]).isComplete(TestKind.kind))
        #expect(!RecordState([Contribution(1, .count(3))]).isComplete(TestKind.kind))
    }

    // MARK: - Forks

    /// A journal that forked behind its third header.
    private let trunk = (1...5 as ClosedRange<UInt32>).map { BranchPosition(branch: 1, sequence: $0) }
    private let fork = (4...6 as ClosedRange<UInt32>).map {
        BranchPosition(branch: 2, sequence: $0, leaving: BranchPosition(branch: 1, sequence: 3))
    }

    @Test func `a place precedes those that come after it on their own branch`() {
        #expect(trunk[0].precedes(trunk[1]) && !trunk[1].precedes(trunk[0]) && !trunk[0].precedes(trunk[0]))
        // What the fork left behind it belongs to both, what came on the trunk afterwards does not.
        #expect(trunk[2].precedes(fork[0]) && trunk[0].precedes(fork[2]))
        #expect(!trunk[3].precedes(fork[0]) && !trunk[3].precedes(fork[2]))
        #expect(!fork[0].precedes(trunk[4]) && !fork[0].precedes(trunk[0]))
        #expect(fork[0].precedes(fork[1]) && !fork[1].precedes(fork[0]))
    }

    @Test func `places of two journals precede nowhere`() {
        let other = BranchPosition(branch: 9, sequence: 9)
        #expect(!trunk[0].precedes(other) && !other.precedes(trunk[0]))
    }

    @Test func `a fork of a fork comes after what both left behind them`() {
        let second = BranchPosition(branch: 3, sequence: 6, leaving: fork[1])
        #expect(trunk[2].precedes(second) && fork[0].precedes(second) && fork[1].precedes(second))
        #expect(!trunk[3].precedes(second) && !fork[2].precedes(second) && !second.precedes(fork[2]))
    }

    @Test func `both sides of a fork overwrite what came before it, and neither the other`() {
        let before = Contribution(1, branch: trunk[2], at: 900, .text("before"))
        let onTrunk = Contribution(2, branch: trunk[3], at: 20, .text("trunk"))
        let onFork = Contribution(3, branch: fork[0], at: 10, .text("fork"))
        let state = RecordState([before, onTrunk, onFork])
        #expect(state.text == "trunk" && state.conflicts == [1])
        #expect(RecordState([before, onFork]).text == "fork")
        #expect(RecordState([before, onFork]).conflicts.isEmpty)
    }

    @Test func `a later header of the trunk does not overwrite the fork`() {
        let onTrunk = Contribution(2, branch: trunk[4], at: 1, .text("trunk"))
        let onFork = Contribution(3, branch: fork[0], at: 10, .text("fork"))
        #expect(RecordState([onTrunk, onFork]).text == "fork")
        #expect(RecordState.living(TestKind.text, among: [onTrunk, onFork]).count == 2)
    }
}
