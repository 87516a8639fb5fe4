// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleCrypto
package import MingleModel

/// What an event holds, in numbers.
package struct EventCounts: Hashable, Sendable {
    /// People who were admitted, without relays.
    package var people: Int64
    /// Visible photos of people who are not muted.
    package var photos: Int64
    /// Visible moments, likewise.
    package var moments: Int64
    /// Deltas held.
    package var deltas: Int64
    /// Reported records that wait for a moderator; 0 for who does not moderate.
    package var reports: Int64
    /// People who ask this node's person to connect.
    package var requests: Int
    /// People who wait for this node's person's word, by open invitations that ask for one; 0 for who lets nobody in.
    package var waiting: Int64
}

extension Replica {
    /// What the event is called; nil until the founder's settings have come.
    package func title() throws -> String? {
        try read { db in
            try String.fetchOne(
                try db.cachedStatement(
                    sql: """
                        SELECT title FROM visible_event AS event JOIN person ON person.id = event.author
                        WHERE base = ? ORDER BY event.made DESC LIMIT 1
                        """
                ),
                arguments: [Level.founder.column]
            )
        }
    }

    /// What else the founder has set; what nobody has set is as in a new event.
    package func settings() throws -> EventSettings {
        try read { db in
            let sql = """
                SELECT areas, time_zone, currency, who_invites FROM visible_event AS event
                JOIN person ON person.id = event.author WHERE base = ? ORDER BY event.made DESC LIMIT 1
                """
            guard let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [Level.founder.column]) else {
                return EventSettings()
            }
            return EventSettings(
                areas: (row["areas"] as Int64?).map(Area.areas) ?? EventPreset.usual.areas,
                timeZone: row["time_zone"],
                currency: row["currency"],
                whoInvites: (row["who_invites"] as Int64?).flatMap(WhoInvites.init) ?? .anybody
            )
        }
    }

    /// When the event was founded, in milliseconds since 1970; nil until the founder's first word has come.
    package func created() throws -> Int64? {
        try read { db in
            // A stored header holds its time in the eight bytes behind the first. To find the least of them SQLite
            // would go through all journals if it chose the order of the tables.
            let sql = """
                SELECT min(substr(header, 2, 8)) FROM person CROSS JOIN device ON device.person = person.id
                    CROSS JOIN branch ON branch.device = device.id AND branch.journal = \(Journal.fabric.rawValue)
                    CROSS JOIN journal ON journal.branch = branch.id AND journal.sequence = 1
                WHERE person.base = \(Level.founder.rawValue)
                """
            let bytes = try Data.fetchOne(try db.cachedStatement(sql: sql))
            guard let bytes, bytes.count == 8 else { return nil }
            return Int64(bigEndianAt: 0, of: [UInt8](bytes).span)
        }
    }

    /// Whether anybody else takes part, or was removed: then this replica knows who came.
    package func hasMetOthers() throws -> Bool {
        try read { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM person WHERE level IS NOT NULL AND name <> ?)
                    OR EXISTS (SELECT 1 FROM cut WHERE maker <> person)
                """
            return try Bool.fetchOne(try db.cachedStatement(sql: sql), arguments: [own.person.column]) ?? false
        }
    }

    /// What the event holds, in numbers.
    package func counts() throws -> EventCounts {
        let reports = try view { try $0.waitingReports() }
        let requests = try connections().count { $0.state == .asks }
        let waiting = try waitingCount()
        return try read { db in
            func count(_ sql: String) throws -> Int64 { try db.number(sql) ?? 0 }
            return EventCounts(
                people: try count("SELECT count(*) FROM person WHERE level < \(Level.relay.rawValue)"),
                photos: try count(
                    """
                    SELECT ifnull(sum(photo.count), 0) FROM \(Schema.talliedPhotos)
                    WHERE \(Schema.showsPhotos) AND \(Viewer.isHeard("photo.author"))
                    """
                ),
                moments: try count("SELECT count(*) FROM visible_moment WHERE \(Viewer.isHeard("author"))"),
                deltas: try count("SELECT coalesce(max(id), 0) FROM journal"),
                reports: reports,
                requests: requests,
                waiting: waiting
            )
        }
    }

    /// Everybody who was admitted, in the order of their coming; see ``relays()`` for those.
    package func people() throws -> [ShownPerson] { try admitted("level < \(Level.relay.rawValue)") }

    /// The relays that were admitted, in the order of their coming.
    package func relays() throws -> [ShownPerson] { try admitted("level = \(Level.relay.rawValue)") }

    private func admitted(_ condition: String) throws -> [ShownPerson] {
        try view { viewer in
            let joined = "(SELECT min(made) FROM admission WHERE admission.person = person.id)"
            let rows = try viewer.rows("SELECT id FROM person WHERE \(condition) ORDER BY \(joined), name", [])
            return try rows.map { try viewer.person($0["id"]) }
        }
    }

    /// One person.
    package func person(_ id: PersonID) throws -> ShownPerson {
        try view { viewer in
            guard let row = try viewer.rows("SELECT id FROM person WHERE name = ?", [id.column]).first else {
                throw ReplicaError.notFound(id.description)
            }
            return try viewer.person(row["id"])
        }
    }

    /// A person's profile picture.
    package func profilePicture(of id: PersonID) throws -> Media? {
        try view { viewer in
            let profile = try viewer.rows(
                """
                SELECT profile.picture FROM visible_profile AS profile JOIN person ON person.id = profile.author
                WHERE person.name = ?
                """,
                [id.column]
            )
            guard let reference = viewer.reference(profile.first?["picture"]),
                let row = try viewer.names.row(of: reference)
            else { return nil }
            let picture = try viewer.rows(
                """
                SELECT thumbnail FROM visible_profile_picture AS picture JOIN person ON person.id = picture.author
                WHERE picture.id = ? AND person.name = ?
                """,
                [row, id.column]
            )
            return Media(column: picture.first?["thumbnail"])
        }
    }

    /// Whether content of this event can be read and written.
    package func hasKey() throws -> Bool { try read { db in try db.holdsKey() } }

    /// Every blob that records speak of, also hidden ones, of `limit` records at a time: what is fetched after a start.
    package func mentions(after row: Int64, limit: Int) throws -> (mentions: [MediaMention], last: Int64?) {
        try view { viewer in
            var found: [(row: Int64, mentions: [MediaMention])] = []
            for kind in Kind.all where !kind.mediaFields.isEmpty {
                let has = kind.mediaFields.map { "\"\($0.name)\" IS NOT NULL" }.joined(separator: " OR ")
                let sql = "SELECT * FROM \(kind.name) WHERE id > ? AND (\(has)) ORDER BY id LIMIT ?"
                for record in try viewer.rows(sql, [row, limit]) {
                    found.append((record["id"], try viewer.mentions(in: record, of: kind)))
                }
            }
            found.sort { $0.row < $1.row }
            let page = found.prefix(limit)
            return (page.flatMap(\.mentions), found.count >= limit ? page.last?.row : nil)
        }
    }
}

extension Viewer {
    func reference(_ column: Data?) -> Reference? { column.flatMap { Reference(bytes: [UInt8]($0)) } }

    fileprivate func mentions(in row: Row, of kind: Kind) throws -> [MediaMention] {
        let owner = try names.person(row["author"])
        return kind.mediaFields.compactMap { field in
            Media(column: row[field.name])
                .map { MediaMention(name: $0.name(owner: owner), media: $0, owner: owner, role: field.mediaRole) }
        }
    }
}

extension Replica {
    /// The epochs of all audiences whose keys are held, be it that they count or not.
    package func heldEpochs() throws -> Set<EpochID> {
        try read { db in
            let names = try db.all("SELECT name FROM epoch WHERE key IS NOT NULL") { _ in
            } read: {
                EpochID(try $0.bytes32(0))
            }
            return Set(names)
        }
    }

    /// The epochs of an audience whose keys are held; of the event's those that count.
    package func epochKeys(of audience: Audience = .event) throws -> [(EpochID, Secret)] {
        try read { db in
            let row = try db.number("SELECT id FROM audience WHERE terms = ?") { $0.add(audience.bytes) }
            guard audience == .event || row != nil else { return [] }
            let sql = """
                SELECT name, key FROM epoch
                WHERE audience = ? AND key IS NOT NULL AND (audience > 0 OR rank <= \(Level.attendee.rawValue))
                ORDER BY name
                """
            return try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: [row ?? 0])
                .map { (try EpochID(column: $0["name"]), Secret([UInt8]($0["key"] as Data))) }
        }
    }
}

extension Database {
    /// Whether a key of the event's is held that counts.
    func holdsKey() throws -> Bool {
        let level = Level.attendee.rawValue
        let sql = "SELECT 1 FROM epoch WHERE audience = 0 AND rank <= \(level) AND key IS NOT NULL"
        return try first(sql) { _ in
        } read: { _ in
            true
        } ?? false
    }
}
