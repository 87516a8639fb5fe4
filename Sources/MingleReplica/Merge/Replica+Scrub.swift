// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Replica {
    /// Removes from the database's files what was erased from its tables: free pages are zeroed as they are freed, and
    /// the write-ahead log is emptied.
    ///
    /// - Returns: false if a reader was in the way, and it has to be done again.
    package func scrub() throws -> Bool {
        try access {
            do {
                try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
                return true
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                return false
            }
        }
    }
}
