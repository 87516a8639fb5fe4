// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// A device of somebody's.
package struct ShownDevice: Hashable, Sendable {
    /// Its name.
    package let name: DeviceName
    /// Whether it is this one.
    package let isOwn: Bool
    /// Whether its person said that it is not to be used any more.
    package let isRetired: Bool
    /// When it came to the event, by its own clock, in milliseconds since 1970.
    package let since: Int64
    /// When it wrote what came last of it, by its own clock, in milliseconds since 1970.
    package let lastWrote: Int64
}

extension Replica {
    /// The devices of a person of which something is held, in the order in which they came by their own clocks.
    package func devices(of person: PersonID) throws -> [ShownDevice] {
        try read { db in
            // A stored header holds its time in the eight bytes behind the first.
            let sql = """
                SELECT device.name, retired, min(substr(header, 2, 8)) AS since, max(substr(header, 2, 8)) AS latest
                FROM device JOIN person ON person.id = device.person JOIN branch ON branch.device = device.id
                    JOIN journal ON journal.branch = branch.id AND sequence IN (1, tip_sequence)
                WHERE person.name = ? GROUP BY device.id ORDER BY since, device.name
                """
            return try Row.fetchAll(db, sql: sql, arguments: [person.column]).map { row in
                let name = try DeviceName(column: row["name"])
                return ShownDevice(
                    name: name,
                    isOwn: name == own.name,
                    isRetired: row["retired"],
                    since: Self.time(row["since"]),
                    lastWrote: Self.time(row["latest"])
                )
            }
        }
    }

    private static func time(_ bytes: Data) -> Int64 {
        bytes.count == 8 ? Int64(bigEndianAt: 0, of: [UInt8](bytes).span) : 0
    }

    /// Records that this node's person made and has not deleted, on whichever device, the oldest first; without invitations, which
    /// are taken back and not deleted, and without what has no name of its own.
    package func ownRecords(limit: Int) throws -> [Reference] {
        try read { db in
            // The lowest four bits of a stored header: it is about itself, and lists blobs or does not.
            let sql = """
                SELECT journal.id FROM person JOIN device ON device.person = person.id
                    JOIN branch ON branch.device = device.id JOIN journal ON journal.branch = branch.id
                WHERE person.name = ? AND branch.journal = \(Journal.content.rawValue) AND erased = 0 AND journal.root IS NULL
                    AND substr(hex(substr(header, 1, 1)), 2, 1) IN ('0', '8')
                    AND journal.id NOT IN (SELECT id FROM invite)
                ORDER BY journal.id LIMIT ?
                """
            let rows = try Row.fetchAll(db, sql: sql, arguments: [own.person.column, limit])
            return try rows.map { try Names(db).reference($0["id"]) }
        }
    }

    /// Who has left, in the order of their coming, at most 500.
    package func leftPeople() throws -> [ShownPerson] {
        try view { viewer in
            let joined = "(SELECT min(made) FROM admission WHERE admission.person = person.id)"
            let sql = """
                SELECT id FROM person WHERE level IS NULL AND NOT EXISTS (\(Self.removal)) AND EXISTS (\(Self.leaving))
                ORDER BY \(joined), id LIMIT 500
                """
            return try viewer.rows(sql, []).map { try viewer.person($0["id"]) }
        }
    }

    /// All who have left.
    package func personsWhoLeft() throws -> Set<PersonID> {
        try read { db in
            let sql = "SELECT name FROM person WHERE level IS NULL AND EXISTS (\(Self.leaving))"
            let rows = try Row.fetchAll(try db.cachedStatement(sql: sql))
            return Set(try rows.map { try PersonID(column: $0["name"]) })
        }
    }

    /// Whether a person has left, also one who was never let in.
    package func hasLeft(_ person: PersonID) throws -> Bool {
        try read { db in
            let sql =
                "SELECT EXISTS (SELECT 1 FROM person WHERE name = ? AND level IS NULL AND EXISTS (\(Self.leaving)))"
            return try db.holds(sql) { $0.add(person.raw) }
        }
    }

    /// Whose a device is, in or out; nil if nothing was heard of it.
    package func owner(of device: DeviceName) throws -> PersonID? {
        try read { db in
            let sql = "SELECT person.name FROM device JOIN person ON person.id = device.person WHERE device.name = ?"
            return try db.first(sql) {
                $0.add(device.raw)
            } read: {
                PersonID(try $0.bytes32(0))
            }
        }
    }

    /// Whether a device's person said that it is not to be used any more.
    package func isRetired(_ device: DeviceName) throws -> Bool {
        try read { db in try db.holds("SELECT retired FROM device WHERE name = ?") { $0.add(device.raw) } }
    }

    /// The same of a device of which nothing may be held yet.
    package func isRetired(_ device: DeviceName, of person: PersonID) throws -> Bool {
        try read { db in
            let sql = """
                SELECT EXISTS (
                    SELECT 1 FROM cut JOIN person ON person.id = cut.person
                    WHERE cut.device = ? AND counts = 1 AND person.name = ?
                )
                """
            return try db.holds(sql) {
                $0.add(device.raw)
                $0.add(person.raw)
            }
        }
    }

    /// The open invitations of which a person's devices have the keys, as the person came by them or made them.
    package func openInvitations(knownTo person: PersonID) throws -> [InvitationID] {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            return try transaction.invitationsToClose(removing: person, keepsLinks: true, keepsOpenings: true)
        }
    }
}
