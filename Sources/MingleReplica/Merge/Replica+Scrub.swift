// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Whether everything that was erased is gone from the files; kept in the database's header.
enum DueScrub: Int {
    case nothing
    /// Pages and the log may hold copies of what was erased.
    case files
}

extension Replica {
    /// Removes from the database's files what was erased from its tables.
    ///
    /// SQLite zeroes what it deletes, but not the copies that it leaves in the gaps of pages that it splits or fills
    /// anew, and not the write-ahead log. So the log is emptied, and then all gaps are cleared in the file itself. It takes
    /// no room, nothing is moved, and a power cut in the midst of it leaves every page as good as it was. Both block
    /// writing: for as long as it takes to read the file.
    ///
    /// - Returns: false if a reader was in the way, and it has to be gone on with.
    package func scrub() throws -> Bool {
        try access {
            do {
                try pool.writeWithoutTransaction { db in
                    _ = try db.checkpoint(.truncate)
                    try db.clearGaps()
                    try writer.memory.note(.nothing, db)
                }
                return true
            } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
                return false
            }
        }
    }

    /// Whether something was erased since the last scrub that ended well, be it in an earlier run.
    package func needsScrub() throws -> Bool { try read { db in try DueScrub(db) != .nothing } }
}

extension Database {
    /// Clears what stands in the gaps of the file's pages; the log must be empty, and nobody writing.
    fileprivate func clearGaps() throws {
        guard let file = DatabaseFile(of: self) else { return }
        let size = try file.size()
        var page = [UInt8](repeating: 0, count: try Int.fetchOne(self, sql: "PRAGMA page_size") ?? 0)
        var hasCleared = false
        for offset in stride(from: 0, to: size, by: max(1, page.count)) {
            try file.read(&page, at: offset)
            // All bytes in one go: what may stop at each of them takes ten times as long.
            guard let gap = PageGap.range(in: page, isFirst: offset == 0), page[gap].reduce(0, |) != 0
            else { continue }
            try file.clear(gap.count, at: offset + Int64(gap.lowerBound))
            hasCleared = true
        }
        if hasCleared { try file.synchronize() }
        // What this connection remembers of the pages has the gaps as they were, and would be written again.
        forgetPages()
    }
}

extension DueScrub {
    /// Reads what the database's header says.
    init(_ db: Database) throws {
        self = try Int.fetchOne(db, sql: "PRAGMA user_version").flatMap(DueScrub.init) ?? .files
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
        if memory.dueScrub != .files { try memory.note(.files, db) }
    }
}
