// SPDX-License-Identifier: Apache-2.0

import Foundation
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
    let device: DeviceRow
}

extension Transaction {
    /// Keys and devices as this transaction knows them.
    var opener: Opener { memory.opener(event: replica.event, replica.knownSignatures) }

    /// Reads one delta back.
    func stored(_ id: Int64) throws -> StoredDelta? {
        guard let row = try row("SELECT * FROM journal WHERE id = ?", [id]) else { return nil }
        let branch: Int64 = row["branch"]
        let sequence: UInt32 = row["sequence"]
        let previous = try hash(branch: branch, sequence: sequence - 1)
        return try StoredDelta(row, previous: previous, event: replica.event, memory: memory)
    }

    /// The hash of the header at `sequence` of a branch or of those that it left; none at the beginning.
    func hash(branch id: Int64, sequence: UInt32) throws -> HeaderHash {
        guard sequence > 0, let branch = memory.branches[id] else { return .none }
        if sequence <= branch.leaves, let parent = branch.parent { return try hash(branch: parent, sequence: sequence) }
        guard
            let row = try row(
                "SELECT hash FROM journal WHERE branch = ? AND sequence = ?",
                [id, Int64(sequence)]
            )
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a journal has a hole") }
        return try HeaderHash(column: row["hash"])
    }

    /// The row of the delta that `reference` means, if it has come: of several that fit, the lowest hash.
    func resolve(_ reference: Reference) throws -> Int64? {
        if let row = memory.row(of: reference) { return row }
        var best: (hash: HeaderHash, row: Int64)?
        for device in memory.devicesByPrefix[reference.device] ?? [] {
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

extension StoredDelta {
    /// Rebuilds a delta from its row and the hash before it.
    init(_ row: Row, previous: HeaderHash, event: EventID, memory: Memory) throws {
        let branchID: Int64 = row["branch"]
        guard let branch = memory.branches[branchID], let device = memory.devicesByID[branch.device] else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a delta of no known device")
        }
        let payload: Data? = row["payload"]
        let signature: Data? = row["signature"]
        let header = try Header(
            stored: [UInt8](row["header"] as Data),
            in: HeaderContext(
                event: event,
                device: device.name,
                journal: branch.journal,
                sequence: row["sequence"],
                previous: previous,
                epoch: memory.epochNames[row["epoch"]] ?? .plaintext
            ),
            payload: payload.map { [UInt8]($0) }
        )
        self.init(
            row: row["id"],
            branch: branchID,
            delta: Delta(
                header: header,
                hash: try HeaderHash(column: row["hash"]),
                payload: payload.map { [UInt8]($0) },
                signature: signature.flatMap { Signature($0) }
            ),
            isErased: row["erased"],
            device: device
        )
    }
}
