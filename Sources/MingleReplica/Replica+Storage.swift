// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// Bytes of a page of a file that a replica makes.
    static let pageSize = 8192

    /// How every connection is set up, but for what is told some of them besides: for a merge that is mostly appending, in bounded
    /// memory.
    ///
    /// Pages are larger than SQLite's usual ones because a photo's rows take most of one of those. With recursive
    /// triggers, a record that is replaced counts as deleted first.
    package static let settings = """
        PRAGMA page_size = \(pageSize);
        PRAGMA auto_vacuum = NONE;
        PRAGMA secure_delete = ON;
        PRAGMA recursive_triggers = ON;
        PRAGMA cache_size = -16384;
        PRAGMA wal_autocheckpoint = 2048;
        PRAGMA journal_size_limit = 67108864;
        """

    /// Brings all that was merged to the disk, and from the log to the database file.
    package func checkpoint() throws {
        try access {
            try pool.writeWithoutTransaction { db in
                try setDurability(true, db)
                _ = try db.checkpoint(.truncate)
            }
        }
    }

    /// Has all that was merged so far outlive a power cut; nothing for a replica in memory.
    package func synchronize() throws {
        let log = path + "-wal"
        guard FileManager.default.fileExists(atPath: log) else { return }
        try ReplicaFiles.synchronize(log)
    }

    /// Lets go of statements and pages that are kept at hand, where many replicas are open and this one is hardly used any more.
    package func releaseMemory() throws {
        try access { pool.writeWithoutTransaction { $0.releaseMemory() } }
    }

    /// How many records of a kind are shown.
    package func visibleCount(of kind: Kind) throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM visible_\(kind.name)") ?? 0 }
    }

    /// The version of the databases that this program writes and reads; it reads no other.
    package static var schemaVersion: Int { Schema.version }

    /// The SQL that makes a kind's table and its indexes.
    package static func tableDefinition(of kind: Kind) -> String { Schema.table(of: kind) }
}
