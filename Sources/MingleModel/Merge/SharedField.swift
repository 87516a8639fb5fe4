// SPDX-License-Identifier: Apache-2.0

/// What one delta says about a field that several people write.
package struct SharedAssertion: Hashable, Sendable {
    /// The delta, as others mention it.
    package let reference: Reference
    /// The delta's full name, which breaks the last tie.
    package let hash: HeaderHash
    /// What its device's clock said.
    package let timestamp: Timestamp
    /// Where it stands among its journal's branches.
    package let branch: BranchPosition
    /// What the field is to show.
    package let value: Value
    /// The deltas whose word about the field it overwrites.
    package let overwrites: [Reference]
    /// Whether a moderator pinned it.
    package let isPinned: Bool

    /// Describes what a delta says about a field; nil if it says nothing.
    ///
    /// - Parameter mayPin: Whether its author may pin it: who moderates where the delta stands, and is not speaking
    ///   about hiding an own record.
    package init?(_ contribution: Contribution, about field: Field, mayPin: Bool) {
        guard let change = field.change(in: contribution.changes) else { return nil }
        (reference, hash, timestamp) = (contribution.reference, contribution.hash, contribution.timestamp)
        (branch, value, overwrites) = (contribution.branch, change.value, change.overwrites)
        isPinned = change.isPinned && mayPin
    }

    /// Whether a later word on the same branch stands in its place.
    package func isReplaced(by other: SharedAssertion) -> Bool {
        (!isPinned || other.isPinned) && branch.precedes(other.branch)
    }
}

/// How what several people say about one field becomes what is shown: a function of the set of assertions that count.
///
/// Of each branch the last word counts, with what it names, and the last pinned one. Pinned ones rank first, and only
/// pinned ones overwrite them. Then come those that nothing names, then the highest (timestamp, hash).
package enum SharedField {
    /// The assertions, highest first, of which the first is shown.
    package static func ranked(_ said: [SharedAssertion]) -> [SharedAssertion] {
        let counting = said.filter { one in !said.contains { one.isReplaced(by: $0) } }
        let named = names(of: counting)
        return counting.sorted { one, other in
            rank(one, named) > rank(other, named)
        }
    }

    /// The assertion that is shown; nil: nobody said anything.
    package static func shown(_ said: [SharedAssertion]) -> SharedAssertion? { ranked(said).first }

    /// What an edit names that has seen `said`: the living, highest first, then what these name.
    ///
    /// - Parameter limit: How many an edit names; beyond that a moderator decides.
    package static func named(byEditAfter said: [SharedAssertion], limit: Int) -> [Reference] {
        let ranked = ranked(said)
        let named = names(of: ranked)
        let living = ranked.filter { !isOverwritten($0, named) }
        var all: [Reference] = []
        for reference in living.map(\.reference) + living.flatMap(\.overwrites) where !all.contains(reference) {
            guard all.count < limit else { break }
            all.append(reference)
        }
        return all
    }

    private struct Names {
        var byPinned: Set<Reference> = []
        var byAny: Set<Reference> = []
    }

    private static func names(of said: [SharedAssertion]) -> Names {
        said.reduce(into: Names()) { names, one in
            names.byAny.formUnion(one.overwrites)
            if one.isPinned { names.byPinned.formUnion(one.overwrites) }
        }
    }

    private static func isOverwritten(_ one: SharedAssertion, _ names: Names) -> Bool {
        (one.isPinned ? names.byPinned : names.byAny).contains(one.reference)
    }

    private static func rank(_ one: SharedAssertion, _ names: Names) -> Rank {
        Rank(one.isPinned, !isOverwritten(one, names), one.timestamp, one.hash)
    }

    private struct Rank: Comparable {
        let isPinned: Bool
        let isUnnamed: Bool
        let timestamp: Timestamp
        let hash: HeaderHash

        init(_ isPinned: Bool, _ isUnnamed: Bool, _ timestamp: Timestamp, _ hash: HeaderHash) {
            (self.isPinned, self.isUnnamed, self.timestamp, self.hash) = (isPinned, isUnnamed, timestamp, hash)
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isPinned != right.isPinned { return right.isPinned }
            if left.isUnnamed != right.isUnnamed { return right.isUnnamed }
            return (left.timestamp, left.hash) < (right.timestamp, right.hash)
        }
    }
}
