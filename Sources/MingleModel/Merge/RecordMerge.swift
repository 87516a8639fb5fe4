// SPDX-License-Identifier: Apache-2.0

/// What deltas say about one record, added one after the other, in any order and any number of times.
///
/// It grows with the branches and with what is overwritten by name, not with how often a record was edited.
package struct RecordMerge: Hashable, Sendable {
    private var fields: [FieldAssertions]
    /// The highest time at which something was said; nil before anything was.
    package private(set) var lastSaid: Timestamp?

    /// The latest time at which this node shows what was said.
    package private(set) var lastShown: Timestamp?

    /// Nothing was said yet about a record of `kind`; of its shared fields see ``SharedField``.
    package init(kind: Kind) { fields = kind.ownFields.map { FieldAssertions($0) } }

    /// About how many bytes of memory it takes, also where nothing was said.
    package var weight: Int { fields.reduce(100) { $0 + $1.weight } }

    /// Adds what a delta says that counts; nothing takes it back.
    package mutating func add(_ contribution: Contribution) {
        for place in fields.indices { fields[place].add(contribution) }
        lastShown = max(lastShown ?? contribution.shownAt, contribution.shownAt)
        lastSaid = max(lastSaid ?? contribution.timestamp, contribution.timestamp)
    }

    /// What the record shows by all that.
    package var state: RecordState {
        var state = RecordState()
        for field in fields { field.settle(&state) }
        return state
    }
}
