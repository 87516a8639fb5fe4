// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// The journals as a database holds them that may be damaged: what cannot be read is left out, and nothing is believed
/// that does not hash to what follows it.
struct StoredJournals {
    struct Device {
        let id: Int64
        let name: DeviceName
        let signingKey: Bytes32
        let isCopied: Bool
        /// Whether its name hashes its person and keys.
        let isGenuine: Bool
    }

    struct Branch {
        let id: Int64
        let device: Device
        let journal: Journal
        let parent: Int64?
        let leaves: UInt32
        let tip: UInt32
        let tipHash: HeaderHash
    }

    /// Why a walk along a branch ended.
    enum End: Equatable {
        /// There are no further rows.
        case tip(HeaderHash)
        /// The header at this sequence is not there.
        case hole(UInt32)
        /// The row at this sequence is not what was written.
        case altered(UInt32)
    }

    private let event: EventID
    private(set) var devices: [Int64: Device] = [:]
    /// Parents come before the branches that left them.
    private(set) var branches: [Branch] = []
    private(set) var epochs: [Int64: EpochID] = [:]
    /// Rows of the journal by branch and sequence.
    private var rows: [Int64: [UInt32: Int64]] = [:]
    /// Whether all tables could be read to their ends.
    private(set) var isComplete = true

    init(_ db: Database, event: EventID) throws {
        self.event = event
        try loadDevices(db)
        try loadEpochs(db)
        try loadBranches(db)
        try loadRows(db)
    }

    /// The highest sequence that a branch has a row for; where it leaves its parent if it has none.
    func height(of branch: Branch) -> UInt32 { rows[branch.id]?.keys.max() ?? branch.leaves }

    /// Hands out a branch's deltas from its beginning on, as long as they hang together.
    func walk(_ branch: Branch, in db: Database, _ body: (Delta) throws -> Void) throws -> End {
        guard let beginning = try beginning(of: branch, in: db) else { return .hole(branch.leaves) }
        var context = beginning
        let height = height(of: branch)
        while context.sequence <= height, context.sequence > 0 {
            guard let row = rows[branch.id]?[context.sequence] else { return .hole(context.sequence) }
            guard let delta = delta(in: row, of: db, context) else { return .altered(context.sequence) }
            try body(delta)
            context.advance(past: delta.hash, epoch: delta.header.epoch)
        }
        return .tip(context.previous)
    }

    /// Stands before a branch's first header; nil if the one that it follows cannot be read.
    private func beginning(of branch: Branch, in db: Database) throws -> HeaderContext? {
        var previous = HeaderHash.none
        if branch.leaves > 0 {
            guard let parent = branch.parent, let hash = hash(along: parent, at: branch.leaves, in: db) else {
                return nil
            }
            previous = hash
        }
        return HeaderContext(
            event: event,
            device: branch.device.name,
            journal: branch.journal,
            sequence: branch.leaves + 1,
            previous: previous
        )
    }

    private func hash(along id: Int64, at sequence: UInt32, in db: Database) -> HeaderHash? {
        guard let branch = branches.first(where: { $0.id == id }) else { return nil }
        if sequence <= branch.leaves, let parent = branch.parent { return hash(along: parent, at: sequence, in: db) }
        guard let row = rows[id]?[sequence] else { return nil }
        return try? db.first("SELECT hash FROM journal WHERE rowid = ?") {
            $0.add(row)
        } read: {
            HeaderHash(try $0.bytes32(0))
        }
    }

    /// The delta in a row; nil if that does not hash to what it says of itself.
    private func delta(in row: Int64, of db: Database, _ context: HeaderContext) -> Delta? {
        try? db.first("SELECT hash, epoch, header, payload, signature FROM journal WHERE rowid = ?") {
            $0.add(row)
        } read: { columns -> Delta in
            var context = context
            let epoch = columns.integer(1)
            guard let name = epoch == 0 ? .plaintext : epochs[epoch] else { throw WireError.invalid("epoch") }
            context.epoch = name
            let payload = columns.bytes(3)
            let header = try Header(stored: columns.bytes(2) ?? [], in: context, payload: payload)
            let hash = HeaderHash(try columns.bytes32(0))
            guard header.hash == hash else { throw WireError.invalid("hash") }
            if let payload, Blake2b.hash(.payload, payload) != header.payloadHash { throw WireError.invalid("payload") }
            let signature = columns.bytes(4).flatMap { Signature($0) }
            return Delta(header: header, hash: hash, payload: payload, signature: signature)
        }
    }
}

extension Delta {
    /// Whether every author signs it and every node keeps that: what stands before it is proved by it (protocol.md, section 3).
    var mustBeSigned: Bool { header.sequence % UInt32(Limits.runLength) == 0 }
}

// MARK: - Loading

extension StoredJournals {
    private mutating func loadDevices(_ db: Database) throws {
        let persons = try read("person", ["name"], of: db) { PersonID(try $0.bytes32(1)) }
        let rows = try read("device", ["name", "person", "signing_key", "agreement_key", "copied"], of: db) { columns in
            (
                name: DeviceName(try columns.bytes32(1)), person: columns.integer(2), signing: try columns.bytes32(3),
                agreement: try columns.bytes32(4), isCopied: columns.integer(5) != 0
            )
        }
        for (id, row) in rows {
            let name = persons[row.person].map {
                Certificate.deviceName(event: event, person: $0, signingKey: row.signing, agreementKey: row.agreement)
            }
            devices[id] = Device(
                id: id,
                name: row.name,
                signingKey: row.signing,
                isCopied: row.isCopied,
                isGenuine: name == row.name
            )
        }
    }

    private mutating func loadEpochs(_ db: Database) throws {
        epochs = try read("epoch", ["name"], of: db) { EpochID(try $0.bytes32(1)) }
    }

    private mutating func loadBranches(_ db: Database) throws {
        let rows = try read("branch", ["device", "journal", "parent", "leaves", "tip_sequence", "tip_hash"], of: db) {
            columns in
            (
                device: columns.integer(1), journal: columns.integer(2),
                parent: columns.isNull(3) ? nil : columns.integer(3), leaves: UInt32(clamping: columns.integer(4)),
                tip: UInt32(clamping: columns.integer(5)), tipHash: HeaderHash(try columns.bytes32(6))
            )
        }
        for (id, row) in rows.sorted(by: { ($0.value.leaves, $0.key) < ($1.value.leaves, $1.key) }) {
            guard let device = devices[row.device], let journal = Journal(rawValue: UInt8(clamping: row.journal)) else {
                isComplete = false
                continue
            }
            branches.append(
                Branch(
                    id: id,
                    device: device,
                    journal: journal,
                    parent: row.parent,
                    leaves: row.leaves,
                    tip: row.tip,
                    tipHash: row.tipHash
                )
            )
        }
    }

    private mutating func loadRows(_ db: Database) throws {
        let places = try read("journal", ["branch", "sequence"], of: db) { columns in
            (branch: columns.integer(1), sequence: UInt32(clamping: columns.integer(2)))
        }
        for (row, place) in places { rows[place.branch, default: [:]][place.sequence] = row }
    }

    private mutating func read<Value>(
        _ table: String,
        _ columns: [String],
        of db: Database,
        _ body: (Columns) throws -> Value
    ) throws -> [Int64: Value] {
        var scan = TableScan(table: table, columns: columns)
        let values = try scan.run(db, body)
        isComplete = isComplete && scan.isComplete
        return values
    }
}
