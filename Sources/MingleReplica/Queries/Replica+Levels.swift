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

    /// The person behind a device, once admitted; nil for a retired one.
    package func admittedPerson(of device: DeviceName) throws -> PersonID? {
        try admittedPersons(of: [device])[0]
    }

    /// The persons behind some devices, where they are admitted and the devices not retired, in the same order.
    package func admittedPersons(of devices: [DeviceName]) throws -> [PersonID?] {
        let sql = """
            SELECT person.name FROM device JOIN person ON person.id = device.person
            WHERE device.name = ? AND level IS NOT NULL AND NOT device.retired
            """
        return try read { db in
            try devices.map { device in
                try db.first(sql) {
                    $0.add(device.raw)
                } read: {
                    PersonID(try $0.bytes32(0))
                }
            }
        }
    }

    /// Whether an invitation is here that this person made, be it one that does not count: there may have been no right to it by then.
    package func hasOwn(_ invitation: InvitationID) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM invitation JOIN person ON person.id = maker WHERE invitation.id = ? AND person.name = ?
            )
            """
        return try read { db in
            try db.holds(sql) {
                $0.add(invitation.raw)
                $0.add(own.person.raw)
            }
        }
    }

    /// An invitation that somebody certified who may; nil if none did.
    package func invitation(_ id: InvitationID) throws -> ShownInvitation? {
        try view { try $0.invitations("invitation.id = ?", [id.column]).first }
    }

    /// All invitations, oldest first.
    package func invitations() throws -> [ShownInvitation] { try view { try $0.invitations("true", []) } }

    /// Whether an invitation that leads to `level` lets a person in, who may be new: see ``Authority``.
    package func isOpen(_ id: InvitationID, at level: Level, for person: PersonID) throws -> Bool {
        try read { db in
            let sql = """
                SELECT count(*) = 0 OR count(*) FILTER (WHERE person.name = ?2) > 0
                FROM closing LEFT JOIN person ON person.id = closing.admitted
                WHERE closing.invitation = ?1 AND rank <= \(Level.host.rawValue) AND rank < ?3
                """
            return try db.holds(sql) {
                $0.add(id.raw)
                $0.add(person.raw)
                $0.add(level.column)
            }
        }
    }

    /// Those who came by an invitation that does not let them in, the latest of them first, at most 500.
    ///
    /// It was closed before anybody knew of them, or whoever made it is no host any more. For the founder also those by whose
    /// invitation nothing is known here: every disk may have lost it, and nobody else hears them. They come last, as an invitation
    /// is easily made up.
    package func waitingPeople() throws -> [ShownPerson] {
        let isFounder = try level(of: own.person) == .founder
        return try view { viewer in
            let sql = """
                SELECT admission.person AS id, max(admission.made) AS came
                FROM admission JOIN person ON person.id = admission.person
                    LEFT JOIN invitation ON invitation.id = admission.invitation
                WHERE person.level IS NULL AND NOT EXISTS (\(Self.removal)) AND NOT EXISTS (\(Self.leaving))
                    AND (invitation.id IS NOT NULL OR ?)
                GROUP BY admission.person ORDER BY min(invitation.level) IS NULL, came DESC, person.name LIMIT 500
                """
            return try viewer.rows(sql, [isFounder]).map { try viewer.person($0["id"]) }
        }
    }

    /// How many people wait for a word of this node's person, by open invitations that ask for one; 0 for who lets nobody in.
    ///
    /// Whoever else waits is listed, too, and does not call for attention: closing an invitation ends that.
    func waitingCount() throws -> Int64 {
        guard let level = try level(of: own.person), level >= .host else { return 0 }
        let (host, relay) = (Level.host.rawValue, Level.relay.rawValue)
        return try read { db in
            try db.number(
                """
                SELECT count(DISTINCT admission.person)
                FROM admission JOIN person ON person.id = admission.person
                    JOIN invitation ON invitation.id = admission.invitation
                WHERE person.level IS NULL AND NOT EXISTS (\(Self.removal)) AND NOT EXISTS (\(Self.leaving))
                    AND invitation.asks AND invitation.level < \(relay)
                    AND invitation.rank <= \(host) AND invitation.rank < invitation.level
                    AND NOT EXISTS (
                        SELECT 1 FROM closing
                        WHERE closing.invitation = invitation.id AND closing.rank <= \(host) AND closing.rank < invitation.level
                    )
                """
            ) ?? 0
        }
    }

    /// Finds whether `person` was removed.
    static let removal = """
        SELECT 1 FROM cut
        WHERE cut.person = person.id AND cut.maker <> person.id AND cut.counts = 1 AND cut.level IS NULL
        """

    /// Finds whether `person` has left; whoever was never let in may say so, too.
    static let leaving = """
        SELECT 1 FROM cut
        WHERE cut.person = person.id AND cut.maker = person.id AND cut.device IS NULL AND cut.level IS NULL
            AND (cut.counts = 1 OR person.base IS NULL)
        """

    /// Whether a person waits to be let in by an invitation that is known here: see ``waitingPeople()``.
    package func isWaiting(_ person: PersonID) throws -> Bool {
        try waits(person, where: "EXISTS (SELECT 1 FROM invitation WHERE invitation.id = admission.invitation)")
    }

    /// Whether a person waits to be let in by invitations of which none is known here, so that nobody knows what they lead to.
    package func isWaitingUnknown(_ person: PersonID) throws -> Bool {
        let known =
            "SELECT 1 FROM admission AS known JOIN invitation ON invitation.id = known.invitation WHERE known.person = person.id"
        return try waits(person, where: "NOT EXISTS (\(known))")
    }

    private func waits(_ person: PersonID, where condition: String) throws -> Bool {
        try read { db in
            let sql = """
                SELECT 1 FROM person JOIN admission ON admission.person = person.id
                WHERE person.name = ? AND person.level IS NULL AND NOT EXISTS (\(Self.removal))
                    AND NOT EXISTS (\(Self.leaving)) AND \(condition)
                """
            return try db.holds(sql) { $0.add(person.raw) }
        }
    }
}

extension Viewer {
    fileprivate func invitations(_ condition: String, _ arguments: StatementArguments) throws -> [ShownInvitation] {
        // Of several terms those that lead highest, of those the ones by the highest maker, and of those the first.
        let sql = """
            SELECT *, (SELECT count(*) FROM admission WHERE admission.invitation = terms.id) AS used,
                EXISTS (
                    SELECT 1 FROM closing
                    WHERE closing.invitation = terms.id
                        AND closing.rank <= \(Level.host.rawValue) AND closing.rank < terms.level
                ) AS is_closed
            FROM (
                SELECT invitation.*, row_number() OVER (
                    PARTITION BY invitation.id
                    ORDER BY invitation.level, rank, made, ifnull(expires, -1), ifnull(uses, -1), maker.name
                ) AS place
                FROM invitation JOIN person AS maker ON maker.id = invitation.maker
                WHERE rank <= \(Level.host.rawValue) AND rank < invitation.level AND \(condition)
            ) AS terms
            WHERE place = 1 ORDER BY made, id
            """
        return try rows(sql, arguments)
            .compactMap { row in
                guard let level = Level(column: row["level"]) else { return nil }
                let terms = InvitationTerms(
                    id: InvitationID(try Bytes32(column: row["id"])),
                    agreementKey: try Bytes32(column: row["agreement_key"]),
                    level: level,
                    expires: (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) },
                    uses: (row["uses"] as Int64?).map { UInt32($0) },
                    asks: row["asks"],
                    isForDoor: row["door"]
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
