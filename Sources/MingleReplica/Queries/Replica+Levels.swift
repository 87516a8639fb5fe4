// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
package import MingleWire

/// An invitation as the members see it.
package struct ShownInvitation: Hashable, Sendable {
    /// What it says of itself.
    package var terms: InvitationTerms
    /// How many people came by it.
    package var used: Int
    /// Whether it lets nobody else in, because somebody closed it.
    package var isClosed: Bool
    /// Who made it.
    package var maker: ShownPerson
}

extension Replica {
    /// A person's level; nil: not let in, or not any more.
    package func level(of person: PersonID) throws -> Level? {
        try read { db in
            try db.first("SELECT level FROM person WHERE name = ? AND level IS NOT NULL") {
                $0.add(person.raw)
            } read: {
                Level(column: $0.integer(0))
            } ?? nil
        }
    }

    /// Whether a person was let in.
    package func isAdmitted(_ person: PersonID) throws -> Bool { try level(of: person) != nil }

    /// The person behind a device, once admitted.
    package func admittedPerson(of device: DeviceName) throws -> PersonID? {
        try read { db in
            try db.first(
                """
                SELECT person.name FROM device JOIN person ON person.id = device.person
                WHERE device.name = ? AND level IS NOT NULL
                """
            ) {
                $0.add(device.raw)
            } read: {
                PersonID(try $0.bytes32(0))
            }
        }
    }

    /// An invitation that somebody certified who may; nil if none did.
    package func invitation(_ id: InvitationID) throws -> ShownInvitation? {
        try view { try $0.invitations("invitation.id = ?", [id.column]).first }
    }

    /// All invitations, oldest first.
    package func invitations() throws -> [ShownInvitation] { try view { try $0.invitations("true", []) } }

    /// Who came by an invitation, of those who take part.
    package func admitted(by id: InvitationID) throws -> [PersonID] {
        try read { db in
            let sql = """
                SELECT person.name FROM admission JOIN person ON person.id = admission.person
                WHERE invitation = ? AND person.level IS NOT NULL ORDER BY person.name
                """
            return try Data.fetchAll(db, sql: sql, arguments: [id.column]).map { try PersonID(column: $0) }
        }
    }

    /// Whether an invitation that leads to `level` lets a person in, who may be new: see ``Authority``.
    package func isOpen(_ id: InvitationID, at level: Level, for person: PersonID) throws -> Bool {
        try read { db in
            let sql = """
                SELECT count(*) = 0 OR count(*) FILTER (WHERE person.name = ?2) > 0
                FROM closing JOIN person AS closer ON closer.id = closing.maker
                    LEFT JOIN person ON person.id = closing.admitted
                WHERE closing.invitation = ?1 AND closer.level <= \(Level.host.rawValue) AND closer.level < ?3
                """
            return try Bool.fetchOne(db, sql: sql, arguments: [id.column, person.column, level.column]) ?? true
        }
    }

    /// People who came by an invitation that does not let them in: it was closed before anybody knew of them.
    package func waitingPeople() throws -> [ShownPerson] {
        try view { viewer in
            let sql = """
                SELECT person.id FROM person WHERE level IS NULL AND EXISTS (
                    SELECT 1 FROM admission JOIN invitation ON invitation.id = admission.invitation
                        JOIN person AS maker ON maker.id = invitation.maker
                    WHERE admission.person = person.id AND \(Self.mayInvite)
                ) ORDER BY person.id
                """
            return try viewer.rows(sql, []).map { try viewer.person($0["id"]) }
        }
    }

    /// That a maker governs the level of the invitation: see ``Level/governs(_:)``.
    fileprivate static let mayInvite = "maker.level <= \(Level.host.rawValue) AND maker.level < invitation.level"
}

extension Viewer {
    fileprivate func invitations(_ condition: String, _ arguments: StatementArguments) throws -> [ShownInvitation] {
        // Of several terms those that lead highest, and of those the first.
        let sql = """
            SELECT invitation.*, min(invitation.level * 281474976710656 + invitation.made),
                (SELECT count(*) FROM admission WHERE admission.invitation = invitation.id) AS used,
                EXISTS (
                    SELECT 1 FROM closing JOIN person AS closer ON closer.id = closing.maker
                    WHERE closing.invitation = invitation.id
                        AND closer.level <= \(Level.host.rawValue) AND closer.level < invitation.level
                ) AS is_closed
            FROM invitation JOIN person AS maker ON maker.id = invitation.maker
            WHERE \(Replica.mayInvite) AND \(condition)
            GROUP BY invitation.id ORDER BY invitation.made, invitation.id
            """
        return try rows(sql, arguments)
            .compactMap { row in
                guard let level = Level(column: row["level"]) else { return nil }
                let terms = InvitationTerms(
                    id: InvitationID(try Bytes32(column: row["id"])),
                    agreementKey: .zero,
                    level: level,
                    expires: (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) },
                    uses: (row["uses"] as Int64?).map { UInt32($0) }
                )
                return ShownInvitation(
                    terms: terms,
                    used: row["used"],
                    isClosed: row["is_closed"],
                    maker: try person(row["maker"])
                )
            }
    }
}
