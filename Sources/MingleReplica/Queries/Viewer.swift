// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
package import MingleModel
import MingleWire

/// Reads records as this node's person sees them, inside one read.
struct Viewer {
    let db: Database
    let names: Names
    let own: PersonID
    /// This node's person's row; 0 before there is one.
    let me: Int64
    /// Whether this node's person sees what is hidden.
    let moderates: Bool
    /// Whether this person sees only records of the person's own.
    private let seesOnlyOwn: Bool
    /// Milliseconds since 1970.
    private let now: Int64
    private let known = KnownPeople()

    /// Persons that a read has met: those of a list are mostly the same.
    private final class KnownPeople {
        var people: [Int64: ShownPerson] = [:]
        /// What the door of each door's invitation is called.
        var doors: [Data: String]?
    }

    init(_ db: Database, own: PersonID, seesOnlyOwn: Bool, now: Int64) throws {
        self.db = db
        (self.own, self.seesOnlyOwn, self.now) = (own, seesOnlyOwn, now)
        names = try Names(db)
        let sql = "SELECT id, ifnull(level <= \(Hiding.writers.rawValue), 0) FROM person WHERE name = ?"
        let found = try db.first(sql) {
            $0.add(own.raw)
        } read: {
            (id: $0.integer(0), moderates: $0.integer(1) == 1)
        }
        (me, moderates) = (found?.id ?? 0, found?.moderates ?? false)
    }

    /// The records of a kind that this person sees: those that everybody does, one's own, and for moderators all.
    ///
    /// A deal that has not begun is its author's alone. A query with this is read by ``rows(_:_:)``. Parameters with
    /// numbers stand before it: `:me` and `:now` get the next numbers.
    func seen(_ kind: Kind) -> String { seen("standing_\(kind.name)", kind) }

    /// The same with those that are switched off.
    func seenOnOrOff(_ kind: Kind) -> String {
        seen(kind.isSwitched ? "complete_\(kind.name)" : "standing_\(kind.name)", kind)
    }

    private func seen(_ view: String, _ kind: Kind) -> String {
        // Who moderated once has the keys to what was said then.
        let isOwn = seesOnlyOwn || kind.audience == .moderators && !moderates
        if isOwn { return "(SELECT * FROM \(view) WHERE author = :me)" }
        var conditions = moderates ? [] : ["(NOT concealed OR author = :me)"]
        if kind == .deal { conditions.append("(start <= :now OR author = :me)") }
        return conditions.isEmpty ? view : "(SELECT * FROM \(view) WHERE \(conditions.joined(separator: " AND ")))"
    }

    /// A person by row; one that was read already is not read again.
    func person(_ row: Int64) throws -> ShownPerson {
        if let known = known.people[row] { return known }
        let person = try readPerson(row)
        known.people[row] = person
        return person
    }

    private func readPerson(_ row: Int64) throws -> ShownPerson {
        let statement = try db.cachedStatement(
            sql: """
                SELECT person.name AS key, level, base, profile.name, profile.door, EXISTS (\(Replica.removal)) AS is_removed,
                    EXISTS (\(Replica.leaving)) AS has_left,
                    EXISTS (SELECT 1 FROM muted WHERE muted.name = person.name) AS is_muted,
                    CASE WHEN level IS NULL THEN (\(Self.invitedTo)) END AS invited_to,
                    (SELECT min(made) FROM admission WHERE admission.person = person.id) AS joined,
                    (SELECT min(invitation) FROM admission WHERE admission.person = person.id) AS came_by,
                    (SELECT lower(hex(substr(journal.hash, 1, 8)))
                        FROM visible_profile_picture AS picture, journal
                        WHERE picture.author = person.id AND profile.picture IS NOT NULL
                            AND journal.id = picture.id
                            AND substr(journal.hash, 1, 8) = substr(profile.picture, 14, 8)
                    ) AS picture_version
                FROM person LEFT JOIN visible_profile AS profile ON profile.author = person.id AND profile.target = 0
                WHERE person.id = ?
                """
        )
        guard let found = try Row.fetchOne(statement, arguments: [row]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a record without its author")
        }
        let id = try PersonID(column: found["key"])
        let fingerprint = id.fingerprint
        let (level, base) = (Self.level(found["level"]), Self.level(found["base"]))
        let (isRemoved, hasLeft): (Bool, Bool) = (found["is_removed"], found["has_left"])
        let door = try (found["came_by"] as Data?).flatMap { try doors()[$0] }
        let isDoor = door != nil && (found["door"] as Int64?) == 1
        let isDeclined = try isRemoved && self.isDeclined(row)
        let invitedTo = Self.level(found["invited_to"])
        // What a declined person was granted is what says that.
        let isRelay = (isDeclined ? invitedTo : level ?? base ?? invitedTo) == .relay
        return ShownPerson(
            id: id,
            name: found["name"] ?? "\(isRelay ? "Relay" : "Guest") \(fingerprint.prefix(4))",
            hasName: (found["name"] as String?) != nil,
            picture: (found["picture_version"] as String?).map { "/api/v1/media/\(id)/picture?v=\($0)" },
            me: id == own,
            level: level,
            base: base,
            isRemoved: isRemoved,
            isDeclined: isDeclined,
            hasLeft: hasLeft,
            isRelay: isRelay,
            isMuted: found["is_muted"],
            isDoor: isDoor,
            byDoor: isDoor ? nil : door,
            invitedTo: isDeclined || !isRemoved && !hasLeft ? invitedTo : nil,
            fingerprint: fingerprint,
            joined: found["joined"]
        )
    }

    /// What the doors of the event are called, by the invitations that they came by.
    private func doors() throws -> [Data: String] {
        if let doors = known.doors { return doors }
        let sql = """
            SELECT admission.invitation, profile.name FROM visible_profile AS profile
            JOIN admission ON admission.person = profile.author JOIN invitation ON invitation.id = admission.invitation
            WHERE profile.door = 1 AND profile.target = 0 AND invitation.door ORDER BY profile.author DESC
            """
        let doors = Dictionary(try rows(sql, []).map { ($0["invitation"] as Data, $0["name"] as String) }) { $1 }
        known.doors = doors
        return doors
    }

    /// The highest level that an invitation leads to of those by which a person came.
    private static let invitedTo = """
        SELECT min(invitation.level) FROM admission JOIN invitation ON invitation.id = admission.invitation
        WHERE admission.person = person.id
        """

    private static func level(_ column: Int64?) -> Level? { column.flatMap(Level.init(column:)) }

    /// Whether a person who was taken out had never been in: right behind every such cut stands the grant that it takes.
    private func isDeclined(_ row: Int64) throws -> Bool {
        let sql = """
            SELECT NOT EXISTS (
                SELECT 1 FROM cut JOIN journal AS said ON said.id = cut.delta
                WHERE cut.person = ? AND cut.maker <> cut.person AND cut.counts = 1 AND cut.level IS NULL
                    AND NOT EXISTS (
                        SELECT 1 FROM granted JOIN journal AS next ON next.id = granted.delta
                        WHERE granted.person = cut.person AND granted.maker = cut.maker AND granted.level = \(Level.relay.rawValue)
                            AND next.branch = said.branch AND next.sequence = said.sequence + 1
                    )
            )
            """
        return try db.holds(sql) { $0.add(row) }
    }

    /// The row that a reference means, or `notFound`.
    func row(of reference: Reference) throws -> Int64 {
        guard let row = try names.row(of: reference) else { throw ReplicaError.notFound(reference.description) }
        return row
    }

    /// Reads rows; `:me` in a query is this node's person's row, and `:now` the time.
    ///
    /// Each connection keeps the statements of all queries for as long as it is open, so the text of a query does not
    /// depend on who asks.
    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: arguments + ["me": me, "now": now])
    }
}

extension PersonID {
    /// Twelve characters that follow from the key, in groups of four, for two people to compare.
    package var fingerprint: String {
        let word = Base32.encode(Blake2b.hash(.fingerprint, bytes).bytes).prefix(12)
        return [word.prefix(4), word.dropFirst(4).prefix(4), word.suffix(4)].joined(separator: " ")
    }
}

extension Replica {
    /// Whether this node's person sees a record.
    package func sees(_ kind: Kind, _ reference: Reference) throws -> Bool {
        try view { viewer in
            guard let row = try viewer.names.row(of: reference) else { return false }
            return try !viewer.rows("SELECT 1 FROM \(viewer.seen(kind)) WHERE id = ?", [row]).isEmpty
        }
    }

    /// Runs `body` with a viewer on a consistent view.
    func view<Result>(_ body: (Viewer) throws -> Result) throws -> Result {
        // Where nothing tells the time, all has begun.
        let now = clock?().milliseconds ?? .max
        return try read { db in
            try body(Viewer(db, own: own.person, seesOnlyOwn: own.seesOnlyOwn, now: now))
        }
    }
}
