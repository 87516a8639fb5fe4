// SPDX-License-Identifier: Apache-2.0

/// What one delta says about a field that several people write.
package struct SharedAssertion: Hashable, Sendable {
    /// What a word is worth beside others, whatever their times.
    package enum Weight: Int, Comparable, Sendable {
        /// The author's about hiding an own record: it overrules nobody.
        case own
        /// Anybody else's who writes the field.
        case usual
        /// A moderator's that is to stand.
        case pinned

        package static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
    }

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
    /// What it is worth.
    package let weight: Weight

    /// Describes what a delta says about a field; nil if it says nothing.
    ///
    /// - Parameter most: What it is worth if it is pinned: `pinned` if its author moderates where the delta stands.
    package init?(_ contribution: Contribution, about field: Field, worth most: Weight) {
        guard let change = field.change(in: contribution.changes) else { return nil }
        (reference, hash, timestamp) = (contribution.reference, contribution.hash, contribution.timestamp)
        (branch, value, overwrites) = (contribution.branch, change.value, change.overwrites)
        weight = change.isPinned ? most : min(most, .usual)
    }

    /// Whether a later word on the same branch stands in its place.
    package func isReplaced(by other: SharedAssertion) -> Bool {
        weight <= other.weight && branch.precedes(other.branch)
    }
}

/// How what several people say about one field becomes what is shown: a function of the set of assertions that count.
///
/// Of each branch the last word of each weight counts that nothing heavier follows, with what it names. Heavier ones
/// rank first, and nothing lighter overwrites them. Then come those that nothing names, then the highest (timestamp,
/// hash).
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

    /// What is named, and the greatest weight of the words that name it.
    private typealias Names = [Reference: SharedAssertion.Weight]

    private static func names(of said: [SharedAssertion]) -> Names {
        said.reduce(into: [:]) { names, one in
            for reference in one.overwrites { names[reference] = max(names[reference] ?? one.weight, one.weight) }
        }
    }

    private static func isOverwritten(_ one: SharedAssertion, _ names: Names) -> Bool {
        names[one.reference].map { $0 >= one.weight } ?? false
    }

    private static func rank(_ one: SharedAssertion, _ names: Names) -> Rank {
        Rank(one.weight, !isOverwritten(one, names), one.timestamp, one.hash)
    }

    private struct Rank: Comparable {
        let weight: SharedAssertion.Weight
        let isUnnamed: Bool
        let timestamp: Timestamp
        let hash: HeaderHash

        init(_ weight: SharedAssertion.Weight, _ isUnnamed: Bool, _ timestamp: Timestamp, _ hash: HeaderHash) {
            (self.weight, self.isUnnamed, self.timestamp, self.hash) = (weight, isUnnamed, timestamp, hash)
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.weight != right.weight { return left.weight < right.weight }
            if left.isUnnamed != right.isUnnamed { return right.isUnnamed }
            return (left.timestamp, left.hash) < (right.timestamp, right.hash)
        }
    }
}
