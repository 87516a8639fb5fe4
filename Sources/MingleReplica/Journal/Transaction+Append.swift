// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

extension Transaction {
    /// Where a run's first new header goes.
    private enum Attachment {
        /// Behind the tip of a branch.
        case tip(Int64)
        /// As a new branch, behind the header at `leaves` of another, or as a journal's first.
        case fork(parent: Int64?, leaves: UInt32)

        var isFork: Bool { if case .fork = self { true } else { false } }
    }

    /// Appends those deltas of a proved run that are not held, and applies each.
    func append(_ opened: OpenedRun, of device: DeviceRow) throws -> Result<RunNews, MergeRefusal> {
        let deltas = opened.run.deltas
        if try holdsAll(of: opened.run, device: device) { return .success(.nothing) }
        var start = 0
        // A run that overlaps what is held may still bring payloads that were missing.
        while start < deltas.count, let held = try heldRow(of: deltas[start], device: device) {
            try fill(held, from: deltas[start], content: opened.contents[start], device: device)
            start += 1
        }
        guard start < deltas.count else { return .success(.some) }
        let first = deltas[start].header
        if replica.isHere(device.name) { try noteCopy(of: device) }
        guard let attachment = try attachment(of: first, device: device) else { return .failure(.gap) }
        guard let branch = try branch(for: attachment, first: deltas[start], device: device) else {
            return .failure(.tooManyBranches)
        }
        var (kept, headers, contents) = (deltas, opened.headers, opened.contents)
        let beyondQuota = try takeIn(deltas[start...], of: device)
        for index in beyondQuota {
            (kept[index].payload, contents[index]) = (nil, .letGo)
            headers[index] = deltas[index].header.stored(payloadIsHeld: false)
        }
        let row = try insert(
            kept[start...],
            headers: headers[start...],
            kinds: contents[start...].map(\.madeKind),
            branch: branch,
            isTipSigned: true
        )
        for index in beyondQuota {
            try run("UPDATE journal SET erased = 2 WHERE id = ?", [row + Int64(index - start)])
        }
        noteFork(
            first.journal,
            of: device,
            isNew: attachment.isFork,
            headers: first.sequence...deltas[deltas.count - 1].header.sequence
        )
        for (offset, index) in (start..<deltas.count).enumerated() {
            try list(deltas[index], at: row + Int64(offset), by: device.person)
            try apply(row + Int64(offset), kept[index], contents[index], device: device)
        }
        try storeNewRecords()
        try moveTip(of: branch, to: deltas[deltas.count - 1], isSignatureStored: true)
        return .success(start == 0 ? .all : .some)
    }

    /// Stops a device of this node from writing: a header came with its signature that was never made here.
    ///
    /// Nobody else has the key, unless the folder was copied, or restored from a backup.
    private func noteCopy(of device: DeviceRow) throws {
        if device.name == replica.own.name { outcome.ownKeyUsedElsewhere = true }
        try run("UPDATE device SET copied = 1 WHERE id = ?", [device.id])
        memory.markCopied(device.id)
    }

    /// Stores deltas at the end of `branch` and returns the row of the first; the others follow it.
    ///
    /// - Parameters:
    ///   - headers: The headers' stored forms.
    ///   - kinds: The kinds of the records that they make, as far as they could be read.
    ///   - isTipSigned: Whether the last delta, which is to be the branch's tip, is stored with its signature.
    func insert(
        _ deltas: ArraySlice<Delta>,
        headers: ArraySlice<[UInt8]>,
        kinds: [UInt32?],
        branch: Int64,
        isTipSigned: Bool = false
    ) throws -> Int64 {
        let first = memory.nextRow
        let now = replica.clock?()
        var row = first
        for batch in Insertions.batches(of: deltas) {
            let epochs = try batch.map { try epochRow($0.header.epoch) }
            try noteWriter(of: branch, under: epochs, from: row)
            try db.run(insertions.deltas(count: batch.count, db)) { columns in
                for (index, epoch) in zip(batch.indices, epochs) {
                    columns.add(row + Int64(index - batch.startIndex))
                    columns.add(branch)
                    columns.add(Int64(deltas[index].header.sequence))
                    columns.add(deltas[index].hash.raw)
                    columns.add(epoch)
                    columns.add(headers[index])
                    columns.add(deltas[index].payload)
                    let isTip = isTipSigned && index == deltas.endIndex - 1
                    columns.add(isTip ? deltas[index].signature?.bytes : keptSignature(of: deltas[index]))
                    columns.add(kinds[index - deltas.startIndex].map(Int64.init))
                    columns.add(
                        note(
                            ShownAt.late(deltas[index].header, storedAt: now),
                            at: row + Int64(index - batch.startIndex)
                        )
                    )
                }
            }
            row += Int64(batch.count)
        }
        memory.nextRow = row
        outcome.newHeaders += deltas.count
        for (index, row) in zip(deltas.indices, first...) {
            let reference = deltas[index].reference
            memory.remember(reference, at: row)
            if try isShadowed(reference, at: row) { mustRecompute = true }
        }
        return first
    }

    private func note(_ late: Int64?, at row: Int64) -> Int64? {
        if let late { lateRows[row] = late }
        return late
    }

    /// Makes `delta` the tip of its branch; the tip before it keeps its signature only where all nodes do.
    ///
    /// - Parameter isSignatureStored: whether the new tip was stored with its signature.
    func moveTip(of branch: Int64, to delta: Delta, isSignatureStored: Bool = false) throws {
        let sequence = delta.header.sequence
        if let old = memory.branches[branch], old.tipSequence > 0, old.journal == .content,
            old.tipSequence % UInt32(Limits.runLength) != 0
        {
            try db.run("UPDATE journal SET signature = NULL WHERE branch = ? AND sequence = ?") { row in
                row.add(branch)
                row.add(Int64(old.tipSequence))
            }
        }
        if !isSignatureStored, let signature = delta.signature, keptSignature(of: delta) == nil {
            try db.run("UPDATE journal SET signature = ? WHERE branch = ? AND sequence = ?") { row in
                row.add(signature.bytes)
                row.add(branch)
                row.add(Int64(sequence))
            }
        }
        try db.run("UPDATE branch SET tip_sequence = ?, tip_hash = ? WHERE id = ?") { row in
            row.add(Int64(sequence))
            row.add(delta.hash.raw)
            row.add(branch)
        }
        memory.moveTip(of: branch, to: sequence, hash: delta.hash)
        outcome.lastWrites[Place.Journal(delta.header.device, delta.header.journal)] = delta.header.timestamp
        replica.heights.raise(delta.header.journal, of: delta.header.device, to: sequence)
        outcome.advanced.append(
            FrontierEntry(
                device: delta.header.device,
                journal: delta.header.journal,
                sequence: sequence,
                tip: delta.hash.raw.prefix
            )
        )
    }

    /// Signatures are kept every 64 headers and in fabric journals; that of a tip is set when the tip moves.
    private func keptSignature(of delta: Delta) -> [UInt8]? {
        let isKept = delta.header.journal == .fabric || delta.header.sequence % UInt32(Limits.runLength) == 0
        return isKept ? delta.signature?.bytes : nil
    }

    private func attachment(of header: Header, device: DeviceRow) throws -> Attachment? {
        let branches = memory.branches(of: device.id, header.journal)
        for branch in branches where branch.tipHash == header.previous && branch.tipSequence + 1 == header.sequence {
            return .tip(branch.id)
        }
        if header.sequence == 1 { return .fork(parent: nil, leaves: 0) }
        for branch in branches {
            let parent = try row(
                "SELECT 1 FROM journal WHERE branch = ? AND sequence = ? AND hash = ?",
                [branch.id, Int64(header.sequence - 1), header.previous.column]
            )
            if parent != nil { return .fork(parent: branch.id, leaves: header.sequence - 1) }
        }
        return nil
    }

    /// The branch to append to; nil if it is not among those that count.
    private func branch(for attachment: Attachment, first: Delta, device: DeviceRow) throws -> Int64? {
        switch attachment {
        case .tip(let branch): branch
        case .fork(let parent, let leaves): try fork(first, of: device, parent: parent, leaves: leaves)
        }
    }

    /// Adds an empty branch; its tip follows with its first header.
    func makeBranch(of device: DeviceRow, _ journal: Journal, parent: Int64?, leaves: UInt32) throws -> Int64 {
        try run(
            """
            INSERT INTO branch (device, journal, parent, leaves, tip_sequence, tip_hash) VALUES (?, ?, ?, ?, 0, ?)
            """,
            [device.id, Int64(journal.rawValue), parent, Int64(leaves), HeaderHash.none.column]
        )
        let id = db.lastInsertedRowID
        memory.add(
            BranchRow(
                id: id,
                device: device.id,
                journal: journal,
                parent: parent,
                leaves: leaves,
                tipSequence: 0,
                tipHash: .none
            )
        )
        return id
    }

    /// Whether all headers of a run are held, each with its payload unless that was erased or evicted.
    private func holdsAll(of run: Run, device: DeviceRow) throws -> Bool {
        let (first, last) = (run.first.header.sequence, run.last.header.sequence)
        for branch in memory.branches(of: device.id, run.first.header.journal)
        where branch.leaves < first && last <= branch.tipSequence {
            let held = try db.first(
                """
                SELECT count(*), max(sequence = ?3 AND hash = ?4) FROM journal
                WHERE branch = ?1 AND sequence BETWEEN ?2 AND ?3 AND (payload IS NOT NULL OR erased <> 0)
                """
            ) { row in
                row.add(branch.id)
                row.add(Int64(first))
                row.add(Int64(last))
                row.add(run.last.hash.raw)
            } read: { columns in
                columns.integer(0) == Int64(run.deltas.count) && columns.integer(1) == 1
            }
            // The last hash stands for those before it.
            if held == true { return true }
        }
        return false
    }

    /// The row of a delta that is held already, on whichever branch.
    private func heldRow(of delta: Delta, device: DeviceRow) throws -> Int64? {
        for branch in memory.branches(of: device.id, delta.header.journal)
        where delta.header.sequence <= branch.tipSequence {
            let held = try row(
                "SELECT id FROM journal WHERE branch = ? AND sequence = ? AND hash = ?",
                [branch.id, Int64(delta.header.sequence), delta.hash.column]
            )
            if let held { return held["id"] }
        }
        return nil
    }

    /// Notes under which epochs deltas of a branch are that follow each other from a row on.
    private func noteWriter(of branch: Int64, under epochs: [Int64], from first: Int64) throws {
        for (row, epoch) in zip(first..., epochs) where epoch != 0 && memory.noteWriting(on: branch, under: epoch) {
            try run("INSERT OR IGNORE INTO epoch_writer (epoch, branch, delta) VALUES (?, ?, ?)", [epoch, branch, row])
        }
    }

    /// The local key of an epoch, made at its first mention.
    func epochRow(_ epoch: EpochID) throws -> Int64 {
        if epoch == .plaintext { return 0 }
        if let id = memory.epochIDs[epoch] { return id }
        try run("INSERT INTO epoch (name) VALUES (?)", [epoch.column])
        memory.add(epoch: db.lastInsertedRowID, name: epoch)
        return db.lastInsertedRowID
    }
}
