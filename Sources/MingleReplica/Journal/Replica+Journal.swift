// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
package import MingleWire

/// A header by place and short hash: what a peer says that it holds of one journal.
package struct HeldHeader: Hashable, Sendable {
    /// Its place in the journal.
    package let sequence: UInt32
    /// First eight bytes of its hash.
    package let hash: UInt64

    /// Names a header.
    package init(sequence: UInt32, hash: UInt64) { (self.sequence, self.hash) = (sequence, hash) }
}

/// What is held of a payload that a peer asks for.
package enum StoredPayload: Hashable, Sendable {
    /// The payload as sealed.
    case held([UInt8])
    /// It has not come here either.
    case absent
    /// Its record was deleted.
    case erased
    /// It was here, and this relay's policy let it go.
    case evicted
}

/// Runs of one journal for a peer.
package struct Served: Sendable {
    /// The runs, each behind a header that the peer holds or that comes before it.
    package internal(set) var runs: [Run] = []
    /// Whether the limit left runs out.
    package internal(set) var hasMore = false
    /// Whether a branch has none of the headers that the peer named, and these did not go back to the first.
    package internal(set) var needsOlder = false
}

extension Replica {
    /// How far every journal is held.
    package func frontier() throws -> Frontier {
        try read { db in
            let entries = try db.all(
                """
                SELECT device.name, branch.journal, tip_sequence, tip_hash
                FROM branch JOIN device ON device.id = branch.device WHERE tip_sequence > 0
                """
            ) { _ in
            } read: { columns in
                FrontierEntry(
                    device: DeviceName(try columns.bytes32(0)),
                    journal: Journal(rawValue: UInt8(truncatingIfNeeded: columns.integer(1))) ?? .content,
                    sequence: UInt32(truncatingIfNeeded: columns.integer(2)),
                    tip: try columns.bytes32(3).prefix
                )
            }
            return Frontier(entries)
        }
    }

    /// When those who wrote in each journal say that they did so last.
    package func lastWrites() throws -> [Place.Journal: Timestamp] {
        try read { db in
            // A compact header has its time behind one byte.
            let writes = try db.all(
                """
                SELECT device.name, branch.journal, max(substr(journal.header, 2, 8))
                FROM branch JOIN device ON device.id = branch.device
                JOIN journal ON journal.branch = branch.id AND journal.sequence = branch.tip_sequence
                GROUP BY branch.device, branch.journal
                """
            ) { _ in
            } read: { columns in
                let journal = Journal(rawValue: UInt8(truncatingIfNeeded: columns.integer(1))) ?? .content
                let time = (columns.bytes(2) ?? []).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return (
                    Place.Journal(DeviceName(try columns.bytes32(0)), journal),
                    Timestamp(milliseconds: Int64(truncatingIfNeeded: time))
                )
            }
            return Dictionary(writes) { first, _ in first }
        }
    }

    /// Runs of one journal that lie behind the headers that a peer holds, oldest first.
    ///
    /// Every run ends where a signature is kept, so the last may go beyond `byteLimit` by one run.
    package func runs(
        of device: DeviceName,
        _ journal: Journal,
        after held: [HeldHeader],
        byteLimit: Int
    ) throws -> [Run] {
        try read { db in
            let shelf = try Shelf(db, event: event, device: device, journal: journal)
            return try shelf.serve(after: Set(held), byteLimit: byteLimit).runs
        }
    }

    /// What a peer lacks of one journal, with what it takes to go on.
    package func serve(
        _ device: DeviceName,
        _ journal: Journal,
        after held: [HeldHeader],
        byteLimit: Int
    ) throws -> Served {
        try read { db in
            let shelf = try Shelf(db, event: event, device: device, journal: journal)
            return try shelf.serve(after: Set(held), byteLimit: byteLimit)
        }
    }

    /// Headers of one journal by which a peer finds where its copy and ours part: the tips, and ever older ones.
    package func locator(of device: DeviceName, _ journal: Journal) throws -> [HeldHeader] {
        try read { db in try Shelf(db, event: event, device: device, journal: journal).locator() }
    }

    /// Which of these frontier entries name headers that are held here.
    package func holds(_ entries: [FrontierEntry]) throws -> [Bool] {
        try read { db in
            try entries.map { entry in
                try Shelf(db, event: event, device: entry.device, journal: entry.journal)
                    .holds(HeldHeader(sequence: entry.sequence, hash: entry.tip))
            }
        }
    }

    /// The payloads that a peer asks for, in the order asked.
    package func payloads(_ references: [Reference]) throws -> [StoredPayload] {
        try read { db in
            try references.map { reference in
                let payload = try db.first(
                    """
                    SELECT payload, erased FROM device JOIN branch ON branch.device = device.id
                    JOIN journal ON journal.branch = branch.id
                    WHERE device.name BETWEEN ?1 AND ?2 AND branch.journal = ?3 AND sequence = ?4
                        AND substr(hash, 1, 8) = ?5
                    ORDER BY hash LIMIT 1
                    """
                ) {
                    $0.add(reference)
                } read: { columns -> StoredPayload in
                    switch columns.integer(1) {
                    case 1: .erased
                    // What a quota let go of may be taken back; what a policy did is not.
                    case 2: own.isRelay ? .evicted : .absent
                    default: columns.bytes(0).map(StoredPayload.held) ?? .absent
                    }
                }
                return payload ?? .absent
            }
        }
    }

    /// Deltas whose payload has not come, at most `limit`.
    package func missingPayloads(limit: Int) throws -> [MissingPayload] {
        try missingPayloads(after: 0, limit: limit).payloads
    }

    /// Deltas whose payload has not come, in the order in which they did: what is asked for after a start.
    ///
    /// - Returns: at most `limit` behind `row`, and the last one's row, behind which there may be more; nil if there are not.
    package func missingPayloads(after row: Int64, limit: Int) throws -> (payloads: [MissingPayload], last: Int64?) {
        try read { db in
            let names = try Names(db)
            let rows = try Row.fetchAll(
                try db.cachedStatement(
                    sql: """
                        SELECT id, header FROM journal WHERE id > ? AND payload IS NULL AND erased = 0 ORDER BY id LIMIT ?
                        """
                ),
                arguments: [row, limit]
            )
            let payloads = try rows.map { row in
                MissingPayload(
                    reference: try names.reference(row["id"]),
                    length: try Header.storedPayloadLength([UInt8](row["header"] as Data))
                )
            }
            return (payloads, rows.count < limit ? nil : rows.last?["id"])
        }
    }

    /// All tips of one journal.
    package func tips(of device: DeviceName, _ journal: Journal) throws -> [FrontierEntry] {
        try tips(of: [(device, journal)]).first ?? []
    }

    /// All tips of some journals, as they stand at one time: a list for each journal, in the order asked.
    package func tips(of journals: [(device: DeviceName, journal: Journal)]) throws -> [[FrontierEntry]] {
        try read { db in
            try journals.map { device, journal in
                try db.branches(of: device, journal, "tip_sequence, tip_hash") { columns in
                    FrontierEntry(
                        device: device,
                        journal: journal,
                        sequence: UInt32(truncatingIfNeeded: columns.integer(0)),
                        tip: try columns.bytes32(1).prefix
                    )
                }
            }
        }
    }
}

extension Database {
    /// What `read` makes of these columns of every branch of a journal on which anything is held.
    func branches<Result>(
        of device: DeviceName,
        _ journal: Journal,
        _ columns: String,
        read: (Columns) throws -> Result
    ) throws -> [Result] {
        try all(
            """
            SELECT \(columns) FROM branch JOIN device ON device.id = branch.device
            WHERE device.name = ? AND journal = ? AND tip_sequence > 0
            """,
            binding: { row in
                row.add(device.raw)
                row.add(Int64(journal.rawValue))
            },
            read: read
        )
    }
}

extension UInt64 {
    /// The eight bytes, as a column.
    var blob: Data {
        var bytes: [UInt8] = []
        appendBigEndian(to: &bytes)
        return Data(bytes)
    }
}
