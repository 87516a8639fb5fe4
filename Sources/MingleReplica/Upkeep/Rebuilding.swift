// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
package import MingleModel
import MingleWire

/// What became of a replica that was built anew from one that is damaged.
package struct Rebuild: Sendable {
    /// A journal that ends earlier than it did.
    package struct Shortened: Hashable, Sendable {
        /// Whose journal.
        package let device: DeviceName
        /// Which of the two.
        package let journal: Journal
        /// The first header that is lost.
        package let from: UInt32
        /// The last one of which there was a trace.
        package let through: UInt32

        fileprivate var count: Int { Int(through - from) + 1 }
    }

    /// Deltas that were saved.
    package internal(set) var saved = 0
    /// Journals that have to be fetched again from some header on.
    package internal(set) var shortened: [Shortened] = []
    /// Whether anything could be read.
    package internal(set) var isReadable = false
    /// Whether all is there that this device ever wrote; if not, it must not write any more, but another device may.
    package internal(set) var ownIsWhole = false

    /// Whether all are muted still who were.
    package internal(set) var mutedAreWhole = false

    /// Whether all that there were traces of was saved.
    package var isWhole: Bool { isReadable && ownIsWhole && mutedAreWhole && shortened.isEmpty }

    /// Deltas that are lost, as far as there were traces of them.
    package var lost: Int { shortened.reduce(0) { $0 + $1.count } }

    /// Those of one device.
    package func lost(of device: DeviceName) -> Int {
        shortened.filter { $0.device == device }.reduce(0) { $0 + $1.count }
    }
}

extension Replica {
    /// Builds a replica anew in `new`, where there is none yet, from what can be read and proved of the one in `path`, which
    /// nobody has open.
    ///
    /// Every header is proved again by hashes and signatures, so nothing that was altered comes along. Records are worked
    /// out anew. What is lost ends its journal, and is fetched like what other nodes have written since.
    package static func rebuild(
        from path: String,
        into new: String,
        event: EventID,
        own: OwnDevice,
        connections: Connections = .several
    ) throws -> Rebuild {
        // What is here stays, however much it is.
        let replica = try Replica(path: new, event: event, own: own, connections: connections, quota: nil)
        defer { try? replica.close() }
        var rebuilding = Rebuilding(into: replica)
        do {
            let damaged = try connections.openDamaged(path: path)
            defer { try? damaged.close() }
            try damaged.writeWithoutTransaction { db in
                try Schema.requireNoOtherVersion(of: db, path: path)
                try rebuilding.save(db)
            }
        } catch let error as DatabaseError where error.isDamage {
            // What cannot even be opened leaves nothing to save.
        }
        try replica.checkpoint()
        return rebuilding.result
    }
}

/// Saves what a damaged database holds into a new replica.
private struct Rebuilding {
    private static let headersAtOnce = 4096
    /// Headers from the future that keep their places.
    private static let lateRows = 100_000

    private let replica: Replica
    private var runs: [Run] = []
    private var waiting = 0
    private(set) var result = Rebuild()

    init(into replica: Replica) { self.replica = replica }

    mutating func save(_ db: Database) throws {
        let journals = try StoredJournals(db, event: replica.event)
        result.isReadable = !journals.branches.isEmpty
        var isOwnWhole = journals.isComplete
        // Certificates come before what they vouch for.
        for journal in [Journal.fabric, .content] {
            for branch in journals.branches where branch.journal == journal {
                let isWhole = try save(branch, of: journals, in: db)
                if branch.device.name == replica.own.name, !isWhole { isOwnWhole = false }
            }
            try merge()
        }
        try saveKeys(db)
        try saveMuted(db)
        try saveLate(db)
        let own = journals.devices.values.first { $0.name == replica.own.name }
        result.ownIsWhole = isOwnWhole && own.map { $0.isGenuine && !$0.isCopied } ?? false
        // What came of its own looked as if it had been written elsewhere.
        if result.ownIsWhole { try replica.markOwnWhole() }
    }

    /// Saves when headers were stored that are dated later, so that what they show stands where it stood (``ShownAt``).
    ///
    /// The records are derived again when the new file is next opened.
    private func saveLate(_ db: Database) throws {
        var times: [Bytes32: Int64] = [:]
        var scan = TableScan(table: "journal", columns: ["hash", "late"])
        _ = try scan.run(db) { columns in
            guard !columns.isNull(2), times.count < Self.lateRows else { return }
            times[try columns.bytes32(1)] = columns.integer(2)
        }
        guard !times.isEmpty else { return }
        try replica.write(isDurable: false) { transaction in
            let rows = try transaction.db.all("SELECT id, hash FROM journal") { _ in
            } read: {
                (row: $0.integer(0), time: times[try $0.bytes32(1)])
            }
            for case (let row, let time?) in rows {
                try transaction.run("UPDATE journal SET late = ? WHERE id = ?", [time, row])
            }
            try transaction.run("UPDATE derivation SET version = 0", [])
        }
    }

    /// Saves a branch as far as it hangs together, and returns whether that is as far as it went.
    private mutating func save(
        _ branch: StoredJournals.Branch,
        of journals: StoredJournals,
        in db: Database
    ) throws -> Bool {
        var part: [Delta] = []
        var reach = branch.leaves
        var isBroken = false
        let end = try journals.walk(branch, in: db) { delta in
            guard !isBroken else { return }
            part.append(delta)
            guard delta.header.sequence % UInt32(Limits.runLength) == 0 else { return }
            isBroken = delta.signature == nil
            if !isBroken { reach = try add(part, by: branch.device) ?? reach }
            part = []
        }
        if !isBroken { reach = try add(part, by: branch.device) ?? reach }
        let through = max(branch.tip, journals.height(of: branch))
        if reach < through {
            result.shortened.append(
                Rebuild.Shortened(
                    device: branch.device.name,
                    journal: branch.journal,
                    from: reach + 1,
                    through: through
                )
            )
        }
        return end == .tip(branch.tipHash) && reach == branch.tip && branch.tip == through
    }

    /// Takes deltas up to the last that a signature proves, and returns its sequence.
    private mutating func add(_ deltas: [Delta], by device: StoredJournals.Device) throws -> UInt32? {
        var deltas = deltas
        if device.name == replica.own.name, let last = deltas.last, last.signature == nil {
            // The same signature as before: Ed25519 leaves nothing to chance.
            deltas[deltas.count - 1].signature = replica.own.signing.sign(last.hash.bytes)
        }
        let isValid = deltas.map { delta in
            delta.signature.map { $0.isValid(for: delta.hash.bytes, by: device.signingKey) } ?? !delta.mustBeSigned
        }
        deltas = Array(deltas.prefix(isValid.firstIndex(of: false) ?? deltas.count))
        guard let last = deltas.lastIndex(where: { $0.signature != nil }) else { return nil }
        runs.append(Run(Array(deltas[...last])))
        waiting += last + 1
        if waiting >= Self.headersAtOnce { try merge() }
        return deltas[last].header.sequence
    }

    private mutating func merge() throws {
        result.saved += try replica.merge(runs).newHeaders
        (runs, waiting) = ([], 0)
    }

    /// Keeps muted who was: by name, as who they are may come with the next peer only.
    private mutating func saveMuted(_ db: Database) throws {
        guard db.mayHaveTable("muted") else {
            result.mutedAreWhole = true
            return
        }
        var scan = TableScan(table: "muted", columns: ["name"])
        let muted = try scan.run(db) { PersonID(try $0.bytes32(1)) }
        result.mutedAreWhole = scan.isComplete
        try replica.keepMuted(muted.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Holds keys that no slot may give back to this device, if they are what their epochs are named by.
    private func saveKeys(_ db: Database) throws {
        let known = Dictionary(try replica.read { try HeldKey.rules(in: $0) }) { first, _ in first }
        for key in try HeldKey.all(in: db) {
            let rules = [known[key.epoch] ?? nil, key.rules]
            guard let audience = key.audience, rules.contains(where: { key.fits($0, in: replica.event) }) else {
                continue
            }
            _ = try replica.hold(key.key, of: key.epoch, for: audience)
        }
    }
}

extension Replica {
    /// Lets this device write on the journals that are held.
    fileprivate func markOwnWhole() throws {
        try write(isDurable: true) { try $0.run("UPDATE device SET copied = 0 WHERE name = ?", [own.name.column]) }
    }
}

extension Database {
    /// Returns whether there is such a table, or a part of the schema cannot be read.
    fileprivate func mayHaveTable(_ name: String) -> Bool {
        // GRDB's own look ends the process over a row of the schema that a damage has emptied.
        (try? holds("SELECT 1 FROM sqlite_master WHERE name = ? OR name IS NULL") { $0.add(name) }) ?? true
    }
}

extension HeldKey {
    /// What the names of the epochs that were made commit to.
    fileprivate static func rules(in db: Database) throws -> [(EpochID, Bytes32?)] {
        try db.all("SELECT name, rules FROM epoch WHERE delta IS NOT NULL") { _ in
        } read: { columns in
            (EpochID(try columns.bytes32(0)), columns.isNull(1) ? nil : try columns.bytes32(1))
        }
    }
}
