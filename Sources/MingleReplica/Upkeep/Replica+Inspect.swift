// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire

extension Replica {
    /// Looks at all that is stored: the file, the hashes and signatures of journals, keys, and whether the records are
    /// those that follow from them.
    ///
    /// It disturbs nobody who reads or writes meanwhile.
    ///
    /// - Parameter copy: The path of a copy to work on, which takes as much room as the replica and is removed; nil leaves
    ///   out whether the records follow.
    /// - Parameter halfway: Called when the journals are looked at, and only the records are not.
    package func inspect(copyingTo copy: String?, halfway: () -> Void = {}) throws -> ReplicaInspection {
        var inspection = try ReplicaInspection(of: event) { try apart($0) }
        halfway()
        guard let copy, inspection.isSound else { return inspection }
        defer { ReplicaFiles.remove(copy) }
        try self.copy(to: copy)
        let replica = try Replica(path: copy, event: event, own: own, connections: .one)
        defer { try? replica.close() }
        let before = try replica.derived()
        _ = try replica.recompute()
        inspection.compare(before, with: try replica.derived())
        return inspection
    }

    /// Makes a copy of the database as it stands now, on the disk and read again when this returns; there may be no such
    /// file yet.
    ///
    /// - Throws: `ReplicaError.damaged` if the copy is not what it should be.
    package func copy(to path: String) throws {
        try apart { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        // Where there is one connection the file may be in no folder.
        try connections.finish(copy: path)
    }

    /// Uses the file by a connection of its own, which has read nothing before, where there may be several.
    private func apart<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try access {
            guard let connection = try connections.openAgain(path: path) else {
                return try pool.writeWithoutTransaction(body)
            }
            defer { try? connection.close() }
            return try connection.writeWithoutTransaction(body)
        }
    }

    /// All that is worked out from the journals, in lines that do not depend on the order in which these came.
    private func derived() throws -> [String] {
        let rows = try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT 'person ' || hex(name) || ' ' || coalesce(level, '') FROM person
                    UNION ALL SELECT 'erased ' || id FROM journal WHERE erased <> 0
                    UNION ALL SELECT 'about ' || id || ' ' || root FROM journal WHERE root IS NOT NULL
                    UNION ALL SELECT 'held of ' || device || ': ' || words || ' ' || keys || ' ' || let_go FROM usage
                        WHERE words <> 0 OR keys <> 0 OR let_go <> 0
                    UNION ALL SELECT 'counted ' || kind || ' on ' || target || ' for ' || audience || ' by ' || part || ': ' || count
                        FROM tally WHERE count <> 0
                    UNION ALL SELECT 'in hour ' || hour || ' of ' || person || ' by ' || device || ': ' || words FROM hourly
                    """
            )
        }
        return try (rows + dump()).sorted()
    }
}

extension Connections {
    /// Has a copy of a database on the disk, and reads it again.
    func finish(copy path: String) throws {
        guard let copy = try openAgain(path: path) else { return }
        defer { try? copy.close() }
        try ReplicaFiles.synchronize(path)
        do {
            let verdict = try copy.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            if let verdict, verdict != "ok" { throw ReplicaError.damaged(path: path, detail: verdict) }
        } catch let error as DatabaseError {
            throw ReplicaError(error, path: path)
        }
    }
}

extension ReplicaInspection {
    /// Damages of one kind that are listed.
    private static let listed = 100

    /// Looks at the file, the journals and the keys, by connections that have read nothing before.
    init(of event: EventID, _ connect: (_ look: (Database) throws -> Void) throws -> Void) throws {
        try connect { db in
            lookAtFile(db)
            do {
                try db.transact(.deferred) { lookAtJournals(try StoredJournals(db, event: event), in: db) }
            } catch let error as DatabaseError where !isSound {
                // SQLite ends a transaction that met a page which is not what was written; that has been noted.
                guard error.resultCode == .SQLITE_ABORT || error.isDamage else { throw error }
            }
        }
        try connect { lookAtKeys($0, of: event) }
    }

    fileprivate mutating func note(_ place: ReplicaDamage.Place, _ detail: String) {
        damages.append(ReplicaDamage(place, detail))
    }

    fileprivate mutating func lookAtFile(_ db: Database) {
        do {
            let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.listed))")
            for line in lines where line != "ok" { note(.database, line) }
        } catch {
            note(.database, ReplicaError.detail(of: error))
        }
    }

    fileprivate mutating func lookAtJournals(_ journals: StoredJournals, in db: Database) {
        if !journals.isComplete { note(.database, "some of the journals cannot be read") }
        for device in journals.devices.values.sorted(by: { $0.name < $1.name }) where !device.isGenuine {
            note(.device(device.name), "its name does not match its keys")
        }
        for branch in journals.branches where damages.count < 2 * Self.listed { look(at: branch, of: journals, in: db) }
    }

    private mutating func look(at branch: StoredJournals.Branch, of journals: StoredJournals, in db: Database) {
        var wrong: UInt32?
        var isTipSigned = false
        let end = try? journals.walk(branch, in: db) { delta in
            headers += 1
            if wrong == nil, !isSigned(delta, by: branch.device.signingKey) { wrong = delta.header.sequence }
            isTipSigned = delta.signature != nil
        }
        func note(_ sequence: UInt32, _ detail: String) {
            self.note(.journal(branch.device.name, branch.journal, from: sequence), detail)
        }
        if let wrong { note(wrong, "its signature is not valid") }
        switch end {
        case .tip(let hash) where hash == branch.tipHash && journals.height(of: branch) == branch.tip:
            if !isTipSigned { note(branch.tip, "the last header is not signed") }
        case .tip: note(journals.height(of: branch), "it does not end at \(branch.tip) as it should")
        case .hole(let sequence): note(sequence, "it is missing")
        case .altered(let sequence): note(sequence, "its content has changed")
        case nil: note(branch.leaves, "it cannot be read")
        }
    }

    /// Whether a delta has the signature that it must have, and the one that it has is valid.
    private mutating func isSigned(_ delta: Delta, by key: Bytes32) -> Bool {
        guard let signature = delta.signature else { return !delta.mustBeSigned }
        signatures += 1
        return signature.isValid(for: delta.hash.bytes, by: key)
    }

    fileprivate mutating func lookAtKeys(_ db: Database, of event: EventID) {
        do {
            for key in try HeldKey.all(in: db) where key.isWrong(in: event) {
                note(.key(key.epoch), "it is not the key of its epoch")
            }
        } catch {
            note(.database, ReplicaError.detail(of: error))
        }
    }

    fileprivate mutating func compare(_ stored: [String], with derived: [String]) {
        guard stored != derived else { return }
        let (stored, derived) = (Set(stored), Set(derived))
        let (more, less) = (stored.subtracting(derived).count, derived.subtracting(stored).count)
        note(.derived, "\(more) lines do not follow from the journals, and \(less) lines are missing")
    }
}
