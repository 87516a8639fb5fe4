// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// A door of the event, as its hosts see it.
package struct ShownDoor: Hashable, Sendable {
    /// The machine, as somebody of the event.
    package let person: ShownPerson
    /// The link that it and its guests came by.
    package let invitation: InvitationID
    /// Whether it and its guests take part: no host has closed it.
    package let isOpen: Bool
    /// Who came by it, itself left out, in the order of their coming.
    package let guests: [PersonID]
}

extension Replica {
    /// The doors of the event, as far as they said so themselves.
    package func doors() throws -> [ShownDoor] {
        try view { viewer in
            let sql = """
                SELECT DISTINCT admission.person, admission.invitation FROM visible_profile AS profile
                JOIN admission ON admission.person = profile.author
                JOIN invitation ON invitation.id = admission.invitation AND invitation.door
                WHERE profile.door = 1 AND profile.target = 0 ORDER BY admission.person
                """
            return try viewer.rows(sql, []).map { row in
                let guests = try viewer.rows(
                    """
                    SELECT person.name FROM admission JOIN person ON person.id = admission.person
                    WHERE invitation = ? AND person.id <> ? AND person.level IS NOT NULL ORDER BY made, person.id
                    """,
                    [row["invitation"], row["person"]]
                )
                let person = try viewer.person(row["person"])
                return ShownDoor(
                    person: person,
                    invitation: InvitationID(try Bytes32(column: row["invitation"])),
                    isOpen: person.level != nil,
                    guests: try guests.map { try PersonID(column: $0["name"]) }
                )
            }
        }
    }
}
