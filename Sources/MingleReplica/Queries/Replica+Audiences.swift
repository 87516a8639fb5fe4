// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// For whom a record was sealed; nil while its key is not held.
    package func audience(of record: Reference) throws -> Audience? {
        try view { viewer in
            let sql = """
                SELECT epoch.audience, terms FROM journal JOIN epoch ON epoch.id = journal.epoch
                LEFT JOIN audience ON audience.id = epoch.audience WHERE journal.id = ?
                """
            guard let row = try viewer.rows(sql, [viewer.row(of: record)]).first,
                let audience = row["audience"] as Int64?
            else { return nil }
            return audience == 0 ? .event : (row["terms"] as Data?).flatMap { Audience(bytes: [UInt8]($0)) }
        }
    }

    /// The photo that its creator chose for a moment to be shown by, while that is shown; nil: whichever is there.
    package func chosenCover(of moment: Reference) throws -> Reference? {
        try view { viewer in
            let found = try viewer.rows("SELECT cover FROM moment WHERE id = ?", [viewer.row(of: moment)])
            return try found.first.flatMap { try viewer.chosenCover(of: $0) }
        }
    }
}
