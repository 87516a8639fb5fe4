// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleAPI
import MingleCrypto
package import MingleMedia
package import MingleModel
package import MingleReplica
package import MingleWire

/// What a person can do in one event, over the person's replica of it.
///
/// It is made anew for each request and has neither queues nor locks: who calls it hands in the time, who is connected,
/// and how deltas are written. It throws ``API/Problem`` for a request that makes no sense, and passes on what the
/// replica throws, which the node translates in one place.
package struct EventService: Sendable {
    /// Stores an uploaded picture for a record of a kind, hands its values and blobs to its last argument, which writes
    /// the record, and forgets the picture.
    package typealias Attach =
        @Sendable (
            _ picture: String,
            _ kind: Kind,
            _ body: (_ values: [String: Value], _ blobs: [BlobListing]) throws -> Void
        ) throws -> Void

    /// Writes what its argument hands over, all of it or nothing, tells everybody, and returns the names of the deltas.
    package typealias Author =
        @Sendable (_ body: (_ write: (Draft) throws -> Reference) throws -> Void) throws -> [Reference]

    package let replica: Replica
    package let blobs: BlobStore
    /// The time by which rules are judged.
    package let now: Timestamp
    /// The time zone of events that name none.
    package let timeZone: TimeZone
    /// Persons of whom a device is connected.
    package let present: Set<PersonID>
    let attach: Attach
    private let author: Author

    /// Makes the service of one request.
    package init(
        replica: Replica,
        blobs: BlobStore,
        now: Timestamp,
        timeZone: TimeZone,
        present: Set<PersonID>,
        attach: @escaping Attach,
        author: @escaping Author
    ) {
        (self.replica, self.blobs, self.now, self.present) = (replica, blobs, now, present)
        (self.timeZone, self.attach, self.author) = (timeZone, attach, author)
    }

    /// This node's person.
    package var me: PersonID { replica.own.person }

    /// Writes deltas of this person, all of them or none, and returns their names.
    @discardableResult
    package func author(_ drafts: [Draft]) throws -> [Reference] {
        for case let kind? in drafts.map(\.kind) {
            try replica.requireMayWrite(kind)
            try requireOn(kind)
        }
        return try author { write in for draft in drafts { _ = try write(draft) } }
    }

    /// The same for deltas of which a later one names an earlier one.
    @discardableResult
    package func write(_ body: (_ write: (Draft) throws -> Reference) throws -> Void) throws -> [Reference] {
        try author(body)
    }

    /// The event's time zone.
    func zone() throws -> TimeZone {
        try replica.settings().timeZone.flatMap { TimeZone(identifier: $0) } ?? timeZone
    }

    /// What this person may do; nil: not let in.
    package func ownLevel() throws -> Level? { try replica.level(of: me) }

    /// Every record that this person sees, one on a line.
    package func dump() throws -> [String] { try replica.dump() }

    /// Somebody as the API tells of them.
    package func person(_ person: ShownPerson) -> API.Person { API.Person(person, here: present) }

    /// This node's person.
    package func ownPerson() throws -> API.Person { person(try replica.person(me)) }
}
