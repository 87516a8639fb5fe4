// SPDX-License-Identifier: Apache-2.0

/// One delta's say about a record, with what merging needs to know of its header.
package struct Contribution: Hashable, Sendable {
    /// The delta, as others mention it.
    package let reference: Reference
    /// The delta's full name, which breaks the last tie.
    package let hash: HeaderHash
    /// What its device's clock said, which breaks ties between concurrent changes.
    package let timestamp: Timestamp
    /// When this node shows it; no merge depends on it.
    package let shownAt: Timestamp
    /// Where it stands among its journal's branches.
    package let branch: BranchPosition
    /// What it asserts.
    package let changes: [Change]

    /// Describes a delta's say.
    package init(
        reference: Reference,
        hash: HeaderHash,
        timestamp: Timestamp,
        shownAt: Timestamp? = nil,
        branch: BranchPosition,
        changes: [Change]
    ) {
        self.shownAt = shownAt ?? timestamp
        (self.reference, self.hash, self.timestamp) = (reference, hash, timestamp)
        (self.branch, self.changes) = (branch, changes)
    }
}

/// A header's place in a journal that may have forked.
package struct BranchPosition: Hashable, Sendable {
    /// From the journal's beginning: each branch on the way, with the last sequence that belongs to it.
    private let path: [Step]

    private struct Step: Hashable, Sendable {
        let branch: Int64
        let last: UInt32
    }

    /// All that places on one branch have in common.
    struct Lineage: Hashable, Sendable {
        fileprivate let branches: [Int64]
    }

    /// The branches from the journal's beginning to this place.
    var lineage: Lineage { Lineage(branches: path.map(\.branch)) }

    /// The header at `sequence` of a branch that began as the journal did.
    package init(branch: Int64, sequence: UInt32) { path = [Step(branch: branch, last: sequence)] }

    /// The header at `sequence` of a branch that left another behind the header at `parent`.
    package init(branch: Int64, sequence: UInt32, leaving parent: BranchPosition) {
        path = parent.path + [Step(branch: branch, last: sequence)]
    }

    /// Whether the header at this place comes before the one at `other` on that one's own branch.
    package func precedes(_ other: BranchPosition) -> Bool {
        guard let mine = path.last, path.count <= other.path.count else { return false }
        let theirs = other.path[path.count - 1]
        guard theirs.branch == mine.branch else { return false }
        return path.count < other.path.count ? mine.last <= theirs.last : mine.last < theirs.last
    }

    /// The place in the journal, from 1.
    package var sequence: UInt32 { path.last?.last ?? 0 }
}

/// What a record shows: a function of the set of deltas that count, whatever their order.
package struct RecordState: Hashable, Sendable {
    /// What each field shows, by the field's number; cleared and unset fields are absent.
    package internal(set) var values: [UInt32: Value] = [:]
    /// Fields of which several concurrent values live; who may edit is told.
    package internal(set) var conflicts: Set<UInt32> = []

    /// Nothing yet.
    init() {}

    /// Merges what `contributions` say about a record of `kind`.
    package init(kind: Kind, contributions: [Contribution]) {
        var merge = RecordMerge(kind: kind)
        for contribution in contributions { merge.add(contribution) }
        self = merge.state
    }

    /// Whether every field that the kind requires is there.
    package func isComplete(_ kind: Kind) -> Bool {
        kind.fields.allSatisfy { !$0.isRequired || values[$0.number] != nil }
    }

    /// Those whose say about a field nothing overwrites yet: an edit that has seen them names them.
    package static func living(_ field: Field, among contributions: [Contribution]) -> [Assertion] {
        var merge = FieldAssertions(field)
        for contribution in contributions { merge.add(contribution) }
        return merge.living
    }

    /// What an edit of a field has to name that is dated `time` and has seen `contributions`, the most needful first.
    ///
    /// It is what nothing overwrites yet, and then whatever else was said with a clock that runs ahead of the edit's: that would be shown
    /// rather than the edit where something counts no more that had overwritten it, as behind the end of a lost device.
    package static func named(
        byEditAt time: Timestamp,
        of field: Field,
        among contributions: [Contribution]
    ) -> [Reference] {
        // The largest number counts, whatever names it.
        guard field.merge != .maximum else { return [] }
        let living = living(field, among: contributions).map(\.reference).sorted()
        let ahead = contributions.filter { contribution in
            contribution.timestamp >= time && !living.contains(contribution.reference)
                && contribution.changes.contains { $0.field == field.number }
        }
        return living + ahead.sorted { ($0.timestamp, $0.hash) > ($1.timestamp, $1.hash) }.map(\.reference)
    }
}

extension Kind {
    /// What a record shows of which one delta says it all, in the order of the fields.
    package func values(after changes: [Change]) -> [Value?] {
        var values = [Value?](repeating: nil, count: fields.count)
        for change in changes {
            guard let index = index(of: change.field), fields[index].admits(change.value) else { continue }
            if case .cleared = change.value { values[index] = nil } else { values[index] = change.value }
        }
        return values
    }

    private func index(of field: UInt32) -> Int? {
        // Most kinds number their fields from 1 without a gap.
        let likely = Int(field) - 1
        if fields.indices.contains(likely), fields[likely].number == field { return likely }
        return fields.firstIndex { $0.number == field }
    }
}
