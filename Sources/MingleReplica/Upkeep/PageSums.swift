// SPDX-License-Identifier: Apache-2.0

import CPageSums
import GRDB

/// Checksums of a database's pages, so that nothing is shown or served that was altered on the disk.
enum PageSums {
    /// Puts them between SQLite and its files; more often than once does no harm.
    static func install() throws {
        guard page_sums_install() else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
    }
}

extension Database {
    /// Asks for sums in a database that is about to be made, or written anew.
    func requestPageSums() { unsafe page_sums_request(sqliteConnection) }

    /// Whether the database has sums.
    var hasPageSums: Bool { unsafe page_sums_are_kept(sqliteConnection) }

    /// Reads from here on also what does not fit its sum.
    func ignorePageSums() { unsafe page_sums_ignore(sqliteConnection) }
}
