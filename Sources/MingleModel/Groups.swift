// SPDX-License-Identifier: Apache-2.0

package import OrderedCollections

/// Members by key, in the order in which they came, for where nearly every key has one: it takes no array.
///
/// Every node keeps several of them of everybody at an event. A `Dictionary` leaves up to five of eight places empty, each as wide as
/// a key and a member. An `OrderedDictionary` has room for up to twice as many as it holds.
package struct Groups<Key: Hashable & Sendable, Member: Sendable>: Sendable {
    @usableFromInline
    var firsts: OrderedDictionary<Key, Member> = [:]
    @usableFromInline
    var others: [Key: [Member]] = [:]

    /// No members.
    @inlinable
    package init() {}

    /// The keys that have members.
    @inlinable
    package var keys: some Collection<Key> { firsts.keys }

    /// The members of a key.
    @inlinable
    package subscript(key: Key) -> [Member] {
        guard let first = firsts[key] else { return [] }
        return [first] + others(of: key)
    }

    /// How many members a key has.
    @inlinable
    package func count(of key: Key) -> Int { firsts[key] == nil ? 0 : 1 + others(of: key).count }

    /// The first member of a key of which something is so.
    @inlinable
    package func first(of key: Key, where isSo: (Member) -> Bool) -> Member? {
        guard let first = firsts[key] else { return nil }
        return isSo(first) ? first : others(of: key).first(where: isSo)
    }

    /// Adds a member to a key's.
    @inlinable
    package mutating func add(_ member: Member, to key: Key) {
        if firsts[key] == nil { firsts[key] = member } else { others[key, default: []].append(member) }
    }

    @inlinable
    func others(of key: Key) -> [Member] { others.isEmpty ? [] : others[key] ?? [] }
}
