// SPDX-License-Identifier: Apache-2.0

/// One delta's say about a record, with what merging needs to know of its header.
package struct Contribution: Hashable, Sendable {
    /// The delta, as others mention it.
    package let reference: Reference
    /// The delta's full name, which breaks the last tie.
    package let hash: HeaderHash
    /// What its device's clock said, which breaks ties between concurrent changes.
    package let timestamp: Timestamp
    /// Where it stands among its journal's branches.
    package let branch: BranchPosition
    /// What it asserts.
    package let changes: [Change]

    /// Describes a delta's say.
    package init(
        reference: Reference,
        hash: HeaderHash,
        timestamp: Timestamp,
        branch: BranchPosition,
        changes: [Change]
    ) {
        (self.reference, self.hash, self.timestamp) = (reference, hash, timestamp)
        (self.branch, self.changes) = (branch, changes)
    }

    /// Whether this delta's value is shown rather than a concurrent one's.
    func outranks(_ other: Contribution) -> Bool { (timestamp, hash) > (other.timestamp, other.hash) }
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
    package private(set) var values: [UInt32: Value]
    /// Fields of which several concurrent values live; who may edit is told.
    package private(set) var conflicts: Set<UInt32>

    /// Merges what `contributions` say about a record of `kind`.
    package init(kind: Kind, contributions: [Contribution]) {
        values = [:]
        conflicts = []
        if contributions.count == 1 {
            settle(contributions[0], kind: kind)
        } else {
            for field in kind.fields { settle(field, contributions) }
        }
    }

    /// Whether every field that the kind requires is there.
    package func isComplete(_ kind: Kind) -> Bool {
        kind.fields.allSatisfy { !$0.isRequired || values[$0.number] != nil }
    }

    /// The plain case: one delta says it all.
    private mutating func settle(_ contribution: Contribution, kind: Kind) {
        for (field, value) in zip(kind.fields, kind.values(after: contribution.changes)) {
            values[field.number] = value
        }
    }

    /// Those whose say about a field nothing overwrites yet: an edit that has seen them names them.
    package static func living(_ field: Field, among contributions: [Contribution]) -> [Contribution] {
        Assertion.living(among: Assertion.all(about: field, contributions)).map(\.contribution)
    }

    private mutating func settle(_ field: Field, _ contributions: [Contribution]) {
        let assertions = Assertion.all(about: field, contributions)
        switch field.merge {
        case .maximum: values[field.number] = Assertion.maximum(of: assertions)
        case .register:
            let living = Assertion.living(among: assertions)
            let shown = living.max { $1.contribution.outranks($0.contribution) }
            if let value = shown?.change.value, value != .cleared { values[field.number] = value }
            if Set(living.map(\.change.value)).count > 1 { conflicts.insert(field.number) }
        }
    }
}

extension Kind {
    /// What a record shows of which one delta says it all, in the order of the fields.
    package func values(after changes: [Change]) -> [Value?] {
        var values = [Value?](repeating: nil, count: fields.count)
        for change in changes {
            guard let index = index(of: change.field), fields[index].type.admits(change.value) else { continue }
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

/// One delta's say about one field.
private struct Assertion {
    let contribution: Contribution
    let change: Change

    init(by contribution: Contribution, change: Change) { (self.contribution, self.change) = (contribution, change) }

    static func all(about field: Field, _ contributions: [Contribution]) -> [Assertion] {
        contributions.compactMap { contribution in
            // Of several changes of one field in one delta, the last is meant.
            contribution.changes.last { $0.field == field.number && field.type.admits($0.value) }
                .map { Assertion(by: contribution, change: $0) }
        }
    }

    /// What is overwritten neither by name nor by a later change of its own branch.
    static func living(among assertions: [Assertion]) -> [Assertion] {
        let overwritten = Set(assertions.flatMap(\.change.overwrites))
        // First the last of each branch: an author may have edited one record ten thousand times.
        var latest: [BranchPosition.Lineage: Assertion] = [:]
        for assertion in assertions {
            let branch = assertion.contribution.branch
            if let other = latest[branch.lineage], branch.precedes(other.contribution.branch) { continue }
            latest[branch.lineage] = assertion
        }
        return latest.values.filter { assertion in
            !overwritten.contains(assertion.contribution.reference)
                && !latest.values.contains { assertion.contribution.branch.precedes($0.contribution.branch) }
        }
    }

    static func maximum(of assertions: [Assertion]) -> Value? {
        let numbers = assertions.compactMap { assertion -> Int64? in
            if case .number(let number) = assertion.change.value { number } else { nil }
        }
        return numbers.max().map(Value.number)
    }
}
