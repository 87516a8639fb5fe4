// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// Claims of places, which hosts answer by an ownership.
extension Viewer {
    /// That no host has answered a claim: its author owns the place, or an ownership that is off came after the claim.
    static func isOpen(claim: String) -> String {
        """
        NOT EXISTS (
            SELECT 1 FROM complete_ownership AS owned JOIN person ON person.name = owned.person
            WHERE owned.target = \(claim).target AND person.id = \(claim).author AND NOT owned.concealed
                AND (owned."on" = 1 OR owned.made >= \(claim).made)
        )
        """
    }

    /// Whether this person may make owners of places.
    func isHost() throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE id = ? AND level <= \(Level.host.rawValue))"
        return try db.holds(sql) { $0.add(me) }
    }
}
