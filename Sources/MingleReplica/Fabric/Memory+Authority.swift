// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Who made a cut.
enum CutMaker {
    /// The owner of a private audience, of whom an invite's end is.
    case owners
    /// Somebody else than whom it cuts.
    case others
    /// Whom it cuts, by the delta at a row.
    case thePerson(Int64)
}

/// Who cut a journal at one place.
struct CutMakers {
    /// Nobody.
    static let none = CutMakers()

    /// Whether somebody else did.
    var isByOthers = false
    /// The rows of the deltas by which the person did.
    var own: Set<Int64> = []
}

extension Memory {
    /// Reads what is known about levels, once persons, devices and branches are.
    func loadAuthority(_ db: Database) throws {
        let founders = "SELECT name FROM person WHERE base = \(Level.founder.rawValue)"
        for row in try Row.fetchAll(db, sql: founders) { authority.found(try PersonID(column: row["name"])) }
        try read(db, "invitation", "said.id, said.level, said.asks") { row in
            // One that asks puts nobody anywhere.
            guard let level = Level(column: row["level"]), !(row["asks"] as Bool) else { return nil }
            return .invitation(InvitationID(try Bytes32(column: row["id"])), level)
        }
        try read(db, "granted", "said.person, said.level") { row in
            guard let person = persons[row["person"]]?.name else { return nil }
            return Level(column: row["level"]).map { .grant(person, $0) }
        }
        try read(db, "cut", "payload, journal.hash, said.delta") { row in
            guard let speaker = place(of: row), let payload: Data = row["payload"],
                case .cut(let terms)? = try? FabricPayload(decoding: [UInt8](payload))
            else { return nil }
            let id = Reference(
                device: speaker.journal.device,
                journal: .fabric,
                sequence: speaker.position.sequence,
                hash: try HeaderHash(column: row["hash"])
            )
            let isOwn = persons[row["maker"]]?.name == terms.person
            return .cut(try cut(terms, id: id, by: isOwn ? .thePerson(row["delta"]) : .others, db))
        }
        try loadClosings(db)
        for row in try Row.fetchAll(db, sql: "SELECT person, invitation FROM admission") {
            guard let person = persons[row["person"]]?.name else { continue }
            authority.admit(person, by: InvitationID(try Bytes32(column: row["invitation"])))
        }
        // Levels are what the persons' rows say already.
        for change in authority.settle() {
            if let person = persons.id(of: change.person) { set(change.new, of: person) }
        }
    }

    /// Whom the owners of private audiences invited, by the rows of these.
    func readGuests(_ db: Database) throws -> [Int64: Guests] {
        var invites: [Int64: [Guests.Invite]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT id, author, audience, person, ends FROM invite") {
            let audience: Int64 = row["audience"]
            guard case .guests(let owner, _)? = audiences[audience], persons[row["author"]]?.name == owner,
                let bytes: Data = row["person"], let person = PersonID(bytes: bytes)
            else { continue }
            let id = try Names(db).reference(row["id"])
            let ends = (row["ends"] as Data?).map { [UInt8]($0) }
            let invite = Guests.Invite(
                id,
                of: person,
                end: try ends.map { try cut(person, ends: $0, id: id, db) },
                concern: ends.map { EpochMaking.concern(ofEnd: $0, of: id) }
            )
            invites[audience, default: []].append(invite)
        }
        return invites.mapValues { Guests($0) }
    }

    private func cut(_ person: PersonID, ends: [UInt8], id: Reference, _ db: Database) throws -> Cut {
        let length = FrontierEntry.encodedLength
        let entries = stride(from: 0, to: ends.count - ends.count % length, by: length).compactMap {
            try? FrontierEntry(decoding: Array(ends[$0..<$0 + length]))
        }
        return try cut(CutTerms(person: person, level: nil, ends: entries), id: id, by: .owners, db)
    }

    /// A cut with the places that its ends name, of those headers that are held.
    func cut(_ terms: CutTerms, id: Reference, by maker: CutMaker, _ db: Database) throws -> Cut {
        var ends: [Place.Journal: [Cut.End]] = [:]
        for entry in terms.ends {
            let journal = Place.Journal(entry.device, entry.journal)
            noteEnd(at: entry.sequence, of: journal, cutting: terms.person, by: maker)
            let position = try position(of: entry, db)
            // Of several branches none is the one that is meant, as far as is known: else who was cut could displace that one.
            guard position != nil || !hasForked(journal) else { continue }
            ends[journal, default: []].append(Cut.End(sequence: entry.sequence, position: position))
        }
        return Cut(
            id: id,
            person: terms.person,
            device: terms.device,
            level: terms.level,
            ends: ends,
            overwrites: Set(terms.overwrites)
        )
    }

    private func hasForked(_ journal: Place.Journal) -> Bool {
        devices[journal.device].map { branches(of: $0.id, journal.journal).count > 1 } ?? false
    }

    private func position(of entry: FrontierEntry, _ db: Database) throws -> BranchPosition? {
        guard let device = devices[entry.device] else { return nil }
        for branch in branches(of: device.id, entry.journal) {
            guard let hash = try db.hash(branch: branch.id, sequence: entry.sequence), hash.raw.prefix == entry.tip
            else { continue }
            return position(branch: branch.id, sequence: entry.sequence)
        }
        return nil
    }

    /// One statement for each delta, however many people it lists.
    private func loadClosings(_ db: Database) throws {
        var lists: [Authority.Speaker: [InvitationID: Set<PersonID>]] = [:]
        try forEach(db, "closing", "invitation, admitted") { row, speaker in
            let invitation = InvitationID(try Bytes32(column: row["invitation"]))
            // That it is closed stands in a row of nobody's.
            let admitted = persons[row["admitted"]].map { Set([$0.name]) } ?? []
            lists[speaker, default: [:]][invitation, default: []].formUnion(admitted)
        }
        for (speaker, closings) in lists {
            for (invitation, admitted) in closings { authority.state(.closing(invitation, admitted), by: speaker) }
        }
    }

    private func read(
        _ db: Database,
        _ table: String,
        _ columns: String,
        _ statement: (Row) throws -> Authority.Statement?
    ) throws {
        try forEach(db, table, columns) { row, speaker in
            if let statement = try statement(row) { authority.state(statement, by: speaker) }
        }
    }

    private func forEach(
        _ db: Database,
        _ table: String,
        _ columns: String,
        _ body: (Row, Authority.Speaker) throws -> Void
    ) throws {
        let sql = """
            SELECT maker, branch, sequence, \(columns)
            FROM \(table) AS said JOIN journal ON journal.id = said.delta
            """
        for row in try Row.fetchAll(db, sql: sql) {
            guard let maker = persons[row["maker"]]?.name, let place = place(of: row) else { continue }
            try body(row, Authority.Speaker(maker, at: place))
        }
    }

    private func place(of row: Row) -> Place? {
        place(branch: row["branch"], sequence: UInt32(truncatingIfNeeded: row["sequence"] as Int64))
    }
}
