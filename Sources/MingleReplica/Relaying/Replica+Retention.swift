// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
import MingleWire

/// Something that a relay is to hold and may let go of.
package struct Holding: Hashable, Sendable {
    /// What it is.
    package enum What: Hashable, Sendable {
        /// The payload of the delta in a row of the journal.
        case payload(row: Int64)
        /// A blob, as deltas of its person list it.
        case blob(BlobName)
    }

    /// What it is.
    package let what: What
    /// Whose it is, by local key.
    package let person: Int64
    /// The person's device that brought it, by local key, if it counts by itself since it was retired; nil for all others together.
    package let apart: Int64?
    /// Bytes that it takes, as its person says.
    package let bytes: Int
    /// Bytes of it that are on the disk, and that room is made by letting go of.
    package var held: Int
    /// The row of the delta that brought it: the lower the earlier.
    package let row: Int64
    /// Of a blob, how many smaller ones its header lists.
    package let place: Int
    /// Of words, the hour within which their person dates them; nil for what is in no rate.
    package let hour: Int64?

    /// Describes something that is all on the disk.
    package init(
        _ what: What,
        person: Int64,
        apart: Int64? = nil,
        bytes: Int,
        row: Int64,
        place: Int = 0,
        hour: Int64? = nil
    ) {
        (self.what, self.person, self.apart, self.bytes, self.row) = (what, person, apart, bytes, row)
        (self.place, self.hour) = (place, hour)
        held = bytes
    }
}

/// What a relay lets go of, so that it does not fill its disk.
extension Replica {
    /// All content payloads that are held, and all blobs that those list who may share them, but for what was given up.
    ///
    /// Whether a blob is on the disk, and whose it is there, the caller knows.
    ///
    /// - Parameter byHour: Whether to say of which hour words are, for which every header is read.
    package func holdings(byHour: Bool = false) throws -> [Holding] {
        try write(isDurable: false) { try $0.heldPayloads(byHour: byHour) + $0.claimedBlobs() }
    }

    /// The name of a person with a local key.
    package func person(at row: Int64) throws -> PersonID { try read { try Names($0).person(row) } }

    /// Lets go of things for good: their headers stay, and peers are told that they are not here any more.
    ///
    /// The outcome lists the blobs as unlisted: their files are the caller's to delete, after this, where they are the
    /// person's who listed them.
    package func evict(_ holdings: [Holding]) throws -> MergeOutcome {
        try write(isDurable: true) { transaction in
            for holding in holdings { try transaction.evict(holding) }
            for case (.blob(let name), let person) in holdings.map({ ($0.what, $0.person) }) {
                if let blob = try transaction.released(name, by: person) { transaction.outcome.unlisted.append(blob) }
            }
            return transaction.outcome
        }
    }

    /// Those of some blobs that were given up and that nobody lists otherwise.
    package func givenUp(among names: [BlobName]) throws -> Set<BlobName> {
        try read { db in
            let given = try names.filter { name in
                let sql = """
                    SELECT 1 FROM given_up WHERE blob = ?1
                        AND NOT EXISTS (SELECT 1 FROM listing WHERE listing.blob = ?1 AND \(Transaction.isKept))
                    """
                return try db.first(sql) {
                    $0.add(name.raw)
                } read: { _ in
                    true
                } ?? false
            }
            return Set(given)
        }
    }

    /// Of some blobs those that were given up, each with whose words it had gone with.
    package func givers(of names: Set<BlobName>) throws -> [BlobName: Set<PersonID>] {
        try read { db in
            let sql = "SELECT blob, person.name FROM given_up JOIN person ON person.id = given_up.person"
            let given = try db.all(sql) { _ in
            } read: {
                (name: BlobName(try $0.bytes32(0)), person: PersonID(try $0.bytes32(1)))
            }
            return given.reduce(into: [:]) { givers, given in
                if names.contains(given.name) { givers[given.name, default: []].insert(given.person) }
            }
        }
    }

    /// How many payloads and blobs were let go of.
    package func evictedCounts() throws -> (payloads: Int, blobs: Int) {
        try read { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            return (
                try count("SELECT count(*) FROM journal WHERE erased = 2"),
                try count(
                    """
                    SELECT count(DISTINCT blob) FROM given_up AS gone
                    WHERE NOT EXISTS (SELECT 1 FROM listing WHERE listing.blob = gone.blob AND \(Transaction.isKept))
                    """
                )
            )
        }
    }

    /// Begins with a policy, described in words; what another one let go of is asked for again.
    package func begin(policy: String) throws {
        try write(isDurable: false) { transaction in
            guard try transaction.row("SELECT 1 FROM retention WHERE policy = ?", [policy]) == nil else { return }
            try transaction.run("UPDATE retention SET policy = ?", [policy])
            try transaction.run("UPDATE journal SET erased = 0 WHERE erased = 2", [])
            try transaction.run("DELETE FROM given_up", [])
            try transaction.recountUsage()
        }
    }

    /// Looks at the clock, and says for how long this relay has run without anything new in the event.
    ///
    /// A clock that was set, or a relay that was off, counts for at most a day.
    package func quietTime(at now: Timestamp) throws -> Duration {
        try write(isDurable: false) { transaction in
            guard let known = try transaction.row("SELECT row, seen, quiet FROM retention", []) else { return .zero }
            let (row, seen, quiet): (Int64, Int64, Int64) = (known["row"], known["seen"], known["quiet"])
            let newest = transaction.memory.nextRow - 1
            let passed = min(max(now.milliseconds &- seen, 0), Self.longestStep)
            let total = newest == row && seen > 0 ? quiet + passed : 0
            try transaction.run(
                "UPDATE retention SET row = ?, seen = ?, quiet = ?",
                [newest, now.milliseconds, total]
            )
            return .milliseconds(total)
        }
    }

    private static let longestStep: Int64 = 86_400_000
}

extension Transaction {
    fileprivate func evict(_ holding: Holding) throws {
        switch holding.what {
        case .blob(let name):
            try run("INSERT OR IGNORE INTO given_up (blob, person) VALUES (?, ?)", [name.column, holding.person])
        case .payload(let row):
            guard let stored = try stored(row), stored.delta.payload != nil, !stored.delta.header.isDeletion,
                stored.delta.header.journal == .content
            else { return }
            try run(
                "UPDATE journal SET payload = NULL, erased = 2, header = ? WHERE id = ?",
                [Data(stored.delta.header.stored(payloadIsHeld: false)), row]
            )
            try releaseUsage(of: stored, isLetGo: true)
            try noteErasure()
        }
    }

    fileprivate func heldPayloads(byHour: Bool) throws -> [Holding] {
        let time = byHour ? "CASE epoch WHEN 0 THEN NULL ELSE \(Schema.storedTime) END" : "NULL"
        return try db.all(
            """
            SELECT journal.id, device.person, device.id, length(payload), \(time) FROM journal
            JOIN branch ON branch.id = journal.branch JOIN device ON device.id = branch.device
            WHERE branch.journal = \(Journal.content.rawValue) AND length(payload) > 0
            """
        ) { _ in
        } read: {
            Holding(
                .payload(row: $0.integer(0)),
                person: $0.integer(1),
                apart: apart($0.integer(2), of: $0.integer(1)),
                bytes: Int($0.integer(3)),
                row: $0.integer(0),
                hour: $0.bytes(4).flatMap(Timestamp.init(stored:))?.hour
            )
        }
    }

    /// A device that counts by itself; nil for one that counts together with its person's others.
    private func apart(_ device: Int64, of person: Int64) -> Int64? {
        memory.share(of: person).apart.contains(device) ? device : nil
    }

    /// What people list who may share it, once for each blob and person.
    ///
    /// What several devices of a person list is of those that count together, if one of these does.
    fileprivate func claimedBlobs() throws -> [Holding] {
        struct Claim: Hashable {
            let blob: BlobName
            let person: Int64
        }
        var seen: Set<Claim> = []
        let claims = try db.all(
            """
            SELECT blob, listing.person, size, delta, place, branch.device FROM listing
            JOIN journal ON journal.id = delta JOIN branch ON branch.id = journal.branch
            WHERE \(Self.isKept) ORDER BY delta, place
            """
        ) { _ in
        } read: {
            Holding(
                .blob(BlobName(try $0.bytes32(0))),
                person: $0.integer(1),
                apart: apart($0.integer(5), of: $0.integer(1)),
                bytes: Int($0.integer(2)),
                row: $0.integer(3),
                place: Int($0.integer(4))
            )
        }
        return try (claims.filter { $0.apart == nil } + claims.filter { $0.apart != nil }).filter { claim in
            guard case .blob(let name) = claim.what,
                try level(of: claim.row, by: claim.person).map(\.isPeople) ?? false
            else { return false }
            return seen.insert(Claim(blob: name, person: claim.person)).inserted
        }
    }
}
