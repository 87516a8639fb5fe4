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

    /// About how many bytes of memory it takes.
    var weight: Int { latest.values.reduce(200 + 50 * overwritten.count) { $0 + 300 + $1.value.weight } }

    /// Adds what a delta says about the field, if it does.
    mutating func add(_ contribution: Contribution) {
        guard let change = field.change(in: contribution.changes) else { return }
        if case .number(let number) = change.value { maximum = max(maximum ?? number, number) }
        overwritten.formUnion(change.overwrites)
        let branch = contribution.branch
        if let other = latest[branch.lineage], branch.precedes(other.branch) { return }
        latest[branch.lineage] = Assertion(contribution, value: change.value)
    }

    /// What is overwritten neither by name nor by a later change of its own branch.
    var living: [Assertion] {
        latest.values.filter { assertion in
            !overwritten.contains(assertion.reference)
                && !latest.values.contains { assertion.branch.precedes($0.branch) }
        }
    }

    /// Tells what the field shows.
    func settle(_ state: inout RecordState) {
        switch field.merge {
        case .maximum: state.values[field.number] = maximum.map(Value.number)
        case .register:
            let living = living
            let shown = living.max { $1.outranks($0) }
            if let value = shown?.value, value != .cleared { state.values[field.number] = value }
            if Set(living.map(\.value)).count > 1 { state.conflicts.insert(field.number) }
        }
    }
}

/// One delta's say about one field.
///
/// Nothing else of the delta is kept with it: whoever wrote it may have said anything about other fields, or unknown ones.
package struct Assertion: Hashable, Sendable {
    /// The delta, as others mention it.
    package let reference: Reference
    /// The delta's full name, which breaks the last tie.
    package let hash: HeaderHash
    let timestamp: Timestamp
    let branch: BranchPosition
    /// What the field is to show.
    package let value: Value

    fileprivate init(_ contribution: Contribution, value: Value) {
        (reference, hash, timestamp) = (contribution.reference, contribution.hash, contribution.timestamp)
        (branch, self.value) = (contribution.branch, value)
    }

    /// Whether its value is shown rather than a concurrent one's.
    func outranks(_ other: Assertion) -> Bool { (timestamp, hash) > (other.timestamp, other.hash) }
}

extension Value {
    /// Bytes that it takes besides itself.
    fileprivate var weight: Int {
        switch self {
        case .cleared, .number, .media: 0
        case .text(let text): text.utf8.count
        case .data(let bytes): bytes.count
        }
    }
}
