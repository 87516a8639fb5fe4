// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleCrypto
package import MingleModel
import MingleWire

extension ShownInvitation {
    /// Whether somebody could come by it, as far as this replica knows.
    package func isOpen(at now: Timestamp) -> Bool {
        !isClosed && (terms.expires.map { $0 > now } ?? true) && (terms.uses.map { used < Int($0) } ?? true)
    }
}

/// That anyone nearby may come.
package struct NearbyOpening: Sendable {
    /// What lets them in.
    package let seed: Secret
    /// The invitation that it is of.
    package let id: InvitationID
    /// When that ends by itself; nil: never.
    package let ends: Timestamp?
}

extension Replica {
    /// The opening by which anyone nearby may come, as the founder says; nil where nobody may.
    ///
    /// Its invitation counts only while it is open, makes attendees and nothing more, and lets them in without a host's word.
    package func nearbyOpening(at now: Timestamp) throws -> NearbyOpening? {
        guard let seed = try nearbySetting() else { return nil }
        let invitation = try invitation(InvitationKeys(seed: seed).id)
        guard let invitation, invitation.isOpen(at: now), invitation.terms.level == .attendee, !invitation.terms.asks
        else { return nil }
        return NearbyOpening(seed: seed, id: invitation.terms.id, ends: invitation.terms.expires)
    }

    /// What the founder said, be it open or not; nil also once the founder has left.
    package func nearbySetting() throws -> Secret? {
        // The founder's words alone come into this table.
        let sql = """
            SELECT event.nearby FROM visible_event AS event JOIN person ON person.id = event.author
            WHERE person.level = ? ORDER BY event.made DESC LIMIT 1
            """
        let said = try view { try $0.rows(sql, [Level.founder.column]) }
        return Self.nearbySeed(said.first?["nearby"])
    }

    /// The invitations that the founder ever named so, the present one included: what was on the air stays known.
    package func namedOpenings() throws -> Set<InvitationID> {
        try write(isDurable: false) { try $0.namedOpenings() }
    }

    /// The seed of an invitation that the event's record names; nil if it is none.
    static func nearbySeed(_ text: String?) -> Secret? {
        guard let bytes = text.flatMap({ Base32.decode($0) }), bytes.count == 32 else { return nil }
        return Secret(bytes)
    }
}

extension Transaction {
    /// The invitations that the founder ever named as those by which anyone nearby may come.
    func namedOpenings() throws -> Set<InvitationID> {
        let said = try rows("SELECT id FROM event", []).flatMap { try contributions(to: $0["id"], of: .event) }
        let number = Kind.event.field(named: "nearby")?.number
        let texts = Set(said.flatMap(\.changes).filter { $0.field == number }.map(\.value))
        return Set(
            texts.compactMap { value in
                guard case .text(let text) = value else { return nil }
                return Replica.nearbySeed(text).map { InvitationKeys(seed: $0).id }
            }
        )
    }
}
