// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// A delta as read back from the journal.
struct StoredDelta {
    let row: Int64
    let branch: Int64
    let delta: Delta
    let isErased: Bool
    /// Whether the payload went by a relay's policy, or did not fit its author's quota.
    var isEvicted = false
    let device: DeviceRow
    /// The kind of the record that it makes, once it could be read.
    var kind: UInt32?
}

extension Transaction {
    /// Keys and devices as this transaction knows them.
    var opener: Opener { memory.opener(event: replica.event, replica.knownSignatures) }

    /// Reads one delta back.
    func stored(_ id: Int64) throws -> StoredDelta? {
        let row = try db.first(
            "SELECT branch, sequence, hash, epoch, header, payload, signature, erased, kind, late FROM journal WHERE id = ?"
        ) {
            $0.add(id)
        } read: {
            try JournalRow(id: id, $0)
        }
        guard let row else { return nil }
        if let late = row.late { lateRows[id] = late }
        return try StoredDelta(row, previous: try hash(branch: row.branch, sequence: row.sequence - 1), in: self)
    }

    /// The hash of the header at `sequence` of a branch or of those that it left; none at the beginning.
    func hash(branch id: Int64, sequence: UInt32) throws -> HeaderHash {
        guard sequence > 0, let branch = memory.branches[id] else { return .none }
        if sequence <= branch.leaves, let parent = branch.parent { return try hash(branch: parent, sequence: sequence) }
        if sequence == branch.tipSequence { return branch.tipHash }
        guard let hash = try db.hash(branch: id, sequence: sequence) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a journal has a gap")
        }
        return hash
    }

    /// The row of the delta that `reference` means, if it has come: of several that fit, the lowest hash.
    func resolve(_ reference: Reference) throws -> Int64? {
        if let row = memory.row(of: reference) { return row }
        var best: (hash: HeaderHash, row: Int64)?
        for device in memory.devices.beginning(with: reference.device) {
            for branch in memory.branches(of: device.id, reference.journal) {
                let found = try db.first("SELECT id, hash FROM journal WHERE branch = ? AND sequence = ?") { row in
                    row.add(branch.id)
                    row.add(Int64(reference.sequence))
                } read: { columns in
                    (hash: HeaderHash(try columns.bytes32(1)), row: columns.integer(0))
                }
                guard let found, found.hash.raw.prefix == reference.hash else { continue }
                if best.map({ found.hash < $0.hash }) ?? true { best = found }
            }
        }
        if let best { memory.remember(reference, at: best.row) }
        return best?.row
    }
}

extension Database {
    /// The hash of the header at `sequence` of a branch itself; nil if it has none there.
    func hash(branch: Int64, sequence: UInt32) throws -> HeaderHash? {
        try first("SELECT hash FROM journal WHERE branch = ? AND sequence = ?") { row in
            row.add(branch)
            row.add(Int64(sequence))
        } read: { columns in
            HeaderHash(try columns.bytes32(0))
        }
    }
}

/// A row of the journal as it stands.
private struct JournalRow {
    let id, branch: Int64
    let sequence: UInt32
    let hash: HeaderHash
    let epoch: Int64
    let header: [UInt8]
    let payload, signature: [UInt8]?
    let isErased, isEvicted: Bool
    let kind: UInt32?
    let late: Int64?

    init(id: Int64, _ columns: Columns) throws {
        (self.id, branch, sequence) = (id, columns.integer(0), UInt32(truncatingIfNeeded: columns.integer(1)))
        (hash, epoch) = (HeaderHash(try columns.bytes32(2)), columns.integer(3))
        header = columns.bytes(4) ?? []
        (payload, signature) = (columns.bytes(5), columns.bytes(6))
        (isErased, isEvicted) = (columns.integer(7) == 1, columns.integer(7) == 2)
        kind = columns.isNull(8) ? nil : UInt32(truncatingIfNeeded: columns.integer(8))
        late = columns.isNull(9) ? nil : columns.integer(9)
    }
}

extension StoredDelta {
    /// Rebuilds a delta from its row and the hash before it.
    fileprivate init(_ row: JournalRow, previous: HeaderHash, in transaction: Transaction) throws {
        let memory = transaction.memory
        guard let branch = memory.branches[row.branch], let device = memory.devices[branch.device] else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a delta of an unknown device")
        }
        let header = try Header(
            stored: row.header,
            in: HeaderContext(
                event: transaction.replica.event,
                device: device.name,
                journal: branch.journal,
                sequence: row.sequence,
                previous: previous,
                epoch: memory.epochNames[row.epoch] ?? .plaintext
            ),
            payload: row.payload
        )
        self.init(
            row: row.id,
            branch: row.branch,
            delta: Delta(
                header: header,
                hash: row.hash,
                payload: row.payload,
                signature: row.signature.flatMap { Signature($0) }
            ),
            isErased: row.isErased,
            isEvicted: row.isEvicted,
            device: device,
            kind: row.kind
        )
    }
}
