// SPDX-License-Identifier: Apache-2.0

/// Whom the owner of a private audience invited to it, and where the part of some of them ended.
///
/// It is a function of the set of invitations, whatever the order in which they came. Whoever has one without an end belongs
/// to the audience, and all that such a person ever wrote there counts; of others counts what some end spares.
package struct Guests: Hashable, Sendable {
    /// One invitation of one person.
    package struct Invite: Hashable, Sendable {
        /// The record.
        package let id: Reference
        /// Who is invited.
        package let person: PersonID
        /// Where that person's part ended; nil: it goes on.
        package let end: Cut?
        /// How keys obey that end; nil: there is none.
        package let concern: UInt64?

        /// States an invitation.
        package init(_ id: Reference, of person: PersonID, end: Cut? = nil, concern: UInt64? = nil) {
            (self.id, self.person, self.end, self.concern) = (id, person, end, concern)
        }
    }

    private let invites: [PersonID: Set<Invite>]

    /// Nobody.
    package init() { invites = [:] }

    /// Those who follow from some invitations.
    package init(_ invites: some Sequence<Invite>) {
        self.invites = invites.reduce(into: [:]) { $0[$1.person, default: []].insert($1) }
    }

    /// Everybody who belongs to the audience now.
    package var people: Set<PersonID> { Set(invites.keys.filter(contains)) }

    /// Everybody who belongs to it or did.
    package var everInvited: Set<PersonID> { Set(invites.keys) }

    /// Whether somebody belongs to the audience now.
    package func contains(_ person: PersonID) -> Bool { invites[person]?.contains { $0.end == nil } ?? false }

    /// Whether what a person wrote at a place counts there.
    package func admits(_ person: PersonID, at place: Place) -> Bool {
        invites[person]?.contains { $0.end?.spares(place) ?? true } ?? false
    }

    /// Whether some of what a person wrote may count for less than the rest.
    package func isCut(_ person: PersonID) -> Bool { invites[person]?.contains { $0.end != nil } ?? false }

    /// What a key for the audience has to obey: the ends of the invitations of people who have no other.
    package var concerns: [UInt64] {
        invites.filter { !contains($0.key) }.values.flatMap { $0 }.compactMap(\.concern)
    }

    /// The open invitations of a person, in order.
    package func open(for person: PersonID) -> [Reference] {
        (invites[person] ?? []).filter { $0.end == nil }.map(\.id).sorted()
    }

    /// The persons whose part differs from what it was.
    package func changes(since old: Guests) -> Set<PersonID> {
        everInvited.union(old.everInvited).filter { invites[$0] != old.invites[$0] }
    }
}
