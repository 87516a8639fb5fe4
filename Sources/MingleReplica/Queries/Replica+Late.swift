// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

extension Replica {
    /// The records of a kind that came from the future, and when this node shows each: see ``ShownAt``.
    ///
    /// - Parameter kind: A kind of records that a delta makes; a keyed record has several times.
    package func late(_ kind: Kind) throws -> [(record: Reference, shownAt: Timestamp)] {
        try view { viewer in
            try viewer.rows("SELECT id, shown_at FROM \(kind.name) WHERE shown_at <> made", []).map { row in
                (try viewer.names.reference(row["id"]), Timestamp(milliseconds: row["shown_at"]))
            }
        }
    }
}
