// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Replica {
    /// Removes from the database's files what was erased from its tables.
    ///
    /// SQLite zeroes what it deletes, but not the copies that it leaves in the gaps of pages that it splits or fills
    /// anew, and not the write-ahead log. So the database is written anew, and the log emptied. Both block writing, about
    /// a second for a hundred thousand records, and need as much room as the database takes.
    ///
    /// - Returns: false if a reader was in the way, and it has to be done again.
    package func scrub() throws -> Bool {
        try access {
            do {
                try pool.writeWithoutTransaction { db in
                    try db.execute(sql: "VACUUM")
                    try db.execute(sql: "PRAGMA user_version = 0")
                    writer.memory.needsScrub = false
                    _ = try db.checkpoint(.truncate)
                }
                return true
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                return false
            }
        }
    }

    /// Whether something was erased since the last scrub that ended well, be it in an earlier run.
    package func needsScrub() throws -> Bool {
        try read { db in try Self.needsScrub(db) }
    }

    static func needsScrub(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA user_version") != 0
    }
}

extension Transaction {
    /// Notes in the database's header that it has to be scrubbed, as part of the transaction that goes on.
    func noteErasure() throws {
        outcome.hasErased = true
        guard !memory.needsScrub else { return }
        try db.execute(sql: "PRAGMA user_version = 1")
        memory.needsScrub = true
    }
}
