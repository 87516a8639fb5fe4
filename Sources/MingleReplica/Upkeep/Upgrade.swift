// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// Brings a database of an earlier version to the form of this one.
///
/// It is done in a copy, which takes the file's place once it has proved sound. Until then the file stays as it was.
struct Upgrade {
    /// How a database stands to this version.
    enum State {
        /// There is nothing in it yet.
        case empty
        case current
        /// An earlier version wrote it.
        case earlier
    }

    let path: String
    private var copy: String { path + ".new" }

    init(_ path: String) { self.path = path }

    /// Looks at a database.
    ///
    /// - Throws: `ReplicaError.newer` if a later version has written it.
    func state(of db: Database) throws -> State {
        guard try db.tableExists("grdb_migrations") else { return .empty }
        if try Schema.migrator.hasBeenSuperseded(db) { throw ReplicaError.newer(path: path) }
        guard try Schema.migrator.hasCompletedMigrations(db), db.hasPageSums else { return .earlier }
        return try Int.fetchOne(db, sql: "SELECT version FROM derivation") == Schema.derivation ? .current : .earlier
    }

    /// Puts a copy in the form of this version in the place of the database, which nobody else has open; `pool` is closed.
    ///
    /// - Throws: `ReplicaError.damaged` if the copy does not prove sound, and what the disk says; the file is as it was then.
    func perform(on pool: any DatabaseWriter, _ open: (_ copy: String) throws -> Replica) throws {
        ReplicaFiles.remove(copy)
        do {
            try pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
            let replica = try open(copy)
            defer { try? replica.close() }
            let inspection = try replica.inspect(copyingTo: nil)
            if let damage = inspection.damages.first {
                throw ReplicaError.damaged(path: path, detail: "\(damage.place): \(damage.detail)")
            }
            try replica.checkpoint()
        } catch {
            try? pool.close()
            ReplicaFiles.remove(copy)
            throw isFull(error) ? ReplicaError.noRoomToUpgrade(path: path) : error
        }
        try pool.close()
        try ReplicaFiles.replace(path, by: copy)
    }

    private func isFull(_ error: any Error) -> Bool {
        let meaning = (error as? DatabaseError).map { ReplicaError($0, path: copy) } ?? error as? ReplicaError
        return meaning == .noSpace(path: copy)
    }
}
