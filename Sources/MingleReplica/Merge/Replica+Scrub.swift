// SPDX-License-Identifier: Apache-2.0

import GRDB

extension Replica {
    /// Removes from the database's files what was erased from its tables: free pages are zeroed as they are freed, and
    /// the write-ahead log is emptied.
    package func scrub() throws {
        try access {
            do {
                try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                // A reader is in the way; the next scrub, or the next checkpoint, does it.
            }
        }
    }
}
