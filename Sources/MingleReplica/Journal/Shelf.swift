// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// One journal of one device, read for a peer: all branches, inside one transaction.
struct Shelf {
    private let db: Database
    private let event: EventID
    private let device: DeviceName
    private let journal: Journal
    private let branches: [Int64: Branch]

    private struct Branch {
        let id: Int64
        let parent: Int64?
        let leaves: UInt32
        let tip: UInt32
    }

    init(_ db: Database, event: EventID, device: DeviceName, journal: Journal) throws {
        (self.db, self.event, self.device, self.journal) = (db, event, device, journal)
        let found = try db.branches(of: device, journal, "branch.id, parent, leaves, tip_sequence") { columns in
            Branch(
                id: columns.integer(0),
                parent: columns.isNull(1) ? nil : columns.integer(1),
                leaves: UInt32(truncatingIfNeeded: columns.integer(2)),
                tip: UInt32(truncatingIfNeeded: columns.integer(3))
            )
        }
        branches = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// Whether a header is held, on whichever branch.
    func holds(_ header: HeldHeader) throws -> Bool {
        try branches.values.contains {
            try db.hash(branch: $0.id, sequence: header.sequence)?.raw.prefix == header.hash
        }
    }

    /// Runs behind what a peer holds, branch by branch, up to about `byteLimit`.
    func serve(after held: Set<HeldHeader>, byteLimit: Int) throws -> Served {
        var served = Served()
        var byteCount = 0
        var known = held
        for branch in branches.values.sorted(by: { $0.id < $1.id }) {
            var sequence = try common(of: branch, with: known)
            if sequence == 0, let oldest = held.map(\.sequence).min(), oldest > 1 {
                served.needsOlder = true
                continue
            }
            while sequence < branch.tip {
                guard byteCount < byteLimit || served.runs.isEmpty else {
                    served.hasMore = true
                    break
                }
                let deltas = try deltas(of: branch, after: sequence)
                guard let last = deltas.last, last.signature != nil else { break }
                sequence = last.header.sequence
                known.insert(HeldHeader(sequence: sequence, hash: last.hash.raw.prefix))
                byteCount += deltas.reduce(0) { $0 + 100 + ($1.payload?.count ?? 0) }
                served.runs.append(Run(deltas))
            }
        }
        return served
    }

    /// The tip of every branch, then headers ever further back: at most 20 a branch.
    func locator() throws -> [HeldHeader] {
        var headers: [HeldHeader] = []
        for branch in branches.values.sorted(by: { $0.id < $1.id }) {
            var step: UInt32 = 1
            var sequence = branch.tip
            while sequence > 0 {
                if let hash = try db.hash(branch: branch.id, sequence: sequence) {
                    headers.append(HeldHeader(sequence: sequence, hash: hash.raw.prefix))
                }
                // The last step is to the first header, so that whoever holds any of the journal finds a common one.
                sequence = sequence > step ? sequence - step : sequence > 1 ? 1 : 0
                step *= 2
            }
        }
        return headers
    }

    /// The last sequence on the way to a branch's tip that a peer holds, 0 if it holds none of it.
    private func common(of branch: Branch, with held: Set<HeldHeader>) throws -> UInt32 {
        for header in held.sorted(by: { $0.sequence > $1.sequence }) where header.sequence <= branch.tip {
            if try hash(along: branch, at: header.sequence)?.raw.prefix == header.hash { return header.sequence }
        }
        return 0
    }

    /// Up to the next kept signature: at most 64 deltas that follow `sequence` on the way to a branch's tip.
    private func deltas(of branch: Branch, after sequence: UInt32) throws -> [Delta] {
        let length = UInt32(Limits.runLength)
        let end = min(branch.tip, (sequence / length + 1) * length)
        var context = HeaderContext(
            event: event,
            device: device,
            journal: journal,
            sequence: sequence + 1,
            previous: try hash(along: branch, at: sequence) ?? .none
        )
        var deltas: [Delta] = []
        for segment in segments(of: branch, from: sequence + 1, through: end) {
            deltas += try db.all(
                """
                SELECT hash, header, payload, signature, epoch.name FROM journal
                LEFT JOIN epoch ON epoch.id = journal.epoch
                WHERE branch = ? AND sequence BETWEEN ? AND ? ORDER BY sequence
                """
            ) { row in
                row.add(segment.branch)
                row.add(Int64(segment.from))
                row.add(Int64(segment.through))
            } read: { columns in
                try delta(from: columns, in: &context)
            }
        }
        return deltas
    }

    private func delta(from columns: Columns, in context: inout HeaderContext) throws -> Delta {
        let payload = columns.bytes(2)
        context.epoch = columns.isNull(4) ? .plaintext : EpochID(try columns.bytes32(4))
        let header = try Header(stored: columns.bytes(1) ?? [], in: context, payload: payload)
        let hash = HeaderHash(try columns.bytes32(0))
        // Whoever got something else would end the session, and every one that follows.
        guard header.hash == hash else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a header does not match its hash")
        }
        context.advance(past: hash, epoch: header.epoch)
        // Large payloads follow once their headers are proved.
        let inline = payload.flatMap { $0.count <= Limits.inlinePayloadLength || journal == .fabric ? $0 : nil }
        let signature = columns.bytes(3).flatMap { Signature($0) }
        return Delta(header: header, hash: hash, payload: inline, signature: signature)
    }

    /// Which branches hold the sequences from `from` through `through` on the way to a branch's tip.
    private func segments(
        of branch: Branch,
        from: UInt32,
        through: UInt32
    ) -> [(branch: Int64, from: UInt32, through: UInt32)] {
        guard from <= through else { return [] }
        var segments: [(branch: Int64, from: UInt32, through: UInt32)] = []
        if from <= branch.leaves, let parent = branch.parent.flatMap({ branches[$0] }) {
            segments = self.segments(of: parent, from: from, through: min(through, branch.leaves))
        }
        let first = max(from, branch.leaves + 1)
        return first <= through ? segments + [(branch.id, first, through)] : segments
    }

    /// The hash at a sequence on the way to a branch's tip.
    private func hash(along branch: Branch, at sequence: UInt32) throws -> HeaderHash? {
        if sequence <= branch.leaves, let parent = branch.parent.flatMap({ branches[$0] }) {
            return try hash(along: parent, at: sequence)
        }
        return try db.hash(branch: branch.id, sequence: sequence)
    }
}
