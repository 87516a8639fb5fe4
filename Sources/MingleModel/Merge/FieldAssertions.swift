// SPDX-License-Identifier: Apache-2.0

/// What deltas say about one field, added one after the other: what it shows follows from that, whatever comes next and in
/// whatever order.
struct FieldAssertions: Hashable, Sendable {
    let field: Field
    /// Of each branch the last say: an author may have edited one record ten thousand times.
    private var latest: [BranchPosition.Lineage: Assertion] = [:]
    /// What was overwritten by name, also by what was overwritten since.
    private var overwritten: Set<Reference> = []
    /// The largest number that was said.
    private var maximum: Int64?

    /// Nothing was said yet.
    init(_ field: Field) { self.field = field }

    /// How much is kept.
    var count: Int { latest.count + overwritten.count }

    /// Adds what a delta says about the field, if it does.
    mutating func add(_ contribution: Contribution) {
        // Of several changes of one field in one delta, the last is meant.
        let change = contribution.changes.last { $0.field == field.number && field.type.admits($0.value) }
        guard let change else { return }
        if case .number(let number) = change.value { maximum = max(maximum ?? number, number) }
        overwritten.formUnion(change.overwrites)
        let branch = contribution.branch
        if let other = latest[branch.lineage], branch.precedes(other.contribution.branch) { return }
        latest[branch.lineage] = Assertion(contribution: contribution, change: change)
    }

    /// What is overwritten neither by name nor by a later change of its own branch.
    var living: [Assertion] {
        latest.values.filter { assertion in
            !overwritten.contains(assertion.contribution.reference)
                && !latest.values.contains { assertion.contribution.branch.precedes($0.contribution.branch) }
        }
    }

    /// Tells what the field shows.
    func settle(_ state: inout RecordState) {
        switch field.merge {
        case .maximum: state.values[field.number] = maximum.map(Value.number)
        case .register:
            let living = living
            let shown = living.max { $1.contribution.outranks($0.contribution) }
            if let value = shown?.change.value, value != .cleared { state.values[field.number] = value }
            if Set(living.map(\.change.value)).count > 1 { state.conflicts.insert(field.number) }
        }
    }
}

/// One delta's say about one field.
struct Assertion: Hashable, Sendable {
    let contribution: Contribution
    let change: Change
}
