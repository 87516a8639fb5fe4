// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What is left to do until nothing that was erased is in the files; kept in the database's header.
enum DueScrub: Int {
    case nothing
    /// Pages may hold copies of what was erased.
    case rewriting
    /// The database is written anew, and the log may hold pages from before.
    case emptyingLog
}

extension Replica {
    /// Removes from the database's files what was erased from its tables.
    ///
    /// SQLite zeroes what it deletes, but not the copies that it leaves in the gaps of pages that it splits or fills
    /// anew, and not the write-ahead log. So the database is written anew, and the log emptied. Both block writing, and
    /// need twice the room that the database takes: a copy in the folder for SQLite's temporary files, and the log.
    ///
    /// - Returns: false if a reader was in the way, and it has to be gone on with.
    package func scrub() throws -> Bool {
        try access {
            do {
                try pool.writeWithoutTransaction { db in
                    if try DueScrub(db) == .rewriting {
                        try db.execute(sql: "VACUUM")
                        try writer.memory.note(.emptyingLog, db)
                    }
                    _ = try db.checkpoint(.truncate)
                    try writer.memory.note(.nothing, db)
                }
                return true
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                return false
            }
        }
    }

    /// Bytes that the next scrub takes on the disk until it has ended.
    package func roomToScrub() throws -> Int {
        try read { db in
            guard try DueScrub(db) == .rewriting else { return 0 }
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return try 2 * pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
    }

    /// Whether something was erased since the last scrub that ended well, be it in an earlier run.
    package func needsScrub() throws -> Bool { try read { db in try DueScrub(db) != .nothing } }
}

extension DueScrub {
    /// Reads what the database's header says.
    init(_ db: Database) throws {
        self = try Int.fetchOne(db, sql: "PRAGMA user_version").flatMap(DueScrub.init) ?? .rewriting
    }
}

extension Memory {
    /// Notes in the database's header what is left to do.
    fileprivate func note(_ due: DueScrub, _ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(due.rawValue)")
        dueScrub = due
    }
}

extension Transaction {
    /// Notes that the database has to be scrubbed, as part of the transaction that goes on.
    func noteErasure() throws {
        outcome.hasErased = true
        if memory.dueScrub != .rewriting { try memory.note(.rewriting, db) }
    }
}
