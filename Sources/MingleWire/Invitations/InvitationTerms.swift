// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel

/// The keys that an invitation's seed yields; who holds the seed holds the invitation.
package struct InvitationKeys: Sendable {
    /// Signs admissions.
    package let signing: SigningKey
    /// Opens the epochs' slots.
    package let agreement: AgreementKey

    /// Derives both from 32 secret bytes.
    package init(seed: Secret) {
        signing = SigningKey(seed: Self.derive("sign", seed))
        agreement = AgreementKey(secret: Self.derive("open", seed))
    }

    /// The invitation that the keys belong to.
    package var id: InvitationID { InvitationID(signing.publicKey) }

    private static func derive(_ use: String, _ seed: Secret) -> Secret {
        var hash = Blake2b(.invitation, key: seed)
        hash.update(Array(use.utf8))
        return Secret(hash.finalize())
    }
}

/// What a host certifies about an invitation, for everybody to read.
package struct InvitationTerms: Hashable, Sendable {
    /// The invitation: its Ed25519 public key.
    package let id: InvitationID
    /// Its X25519 public key, to which epochs are sealed.
    package let agreementKey: Bytes32
    /// What whoever comes by it becomes.
    package let level: Level
    /// When doors stop admitting by it; nil for never.
    package let expires: Timestamp?
    /// How many people may come by it; nil for any number.
    package let uses: UInt32?
    /// Whether nobody is let in by it alone: who comes by it waits for a grant.
    package let asks: Bool
    /// Whether it is for a door: who comes by it are the door and its guests.
    package let isForDoor: Bool

    /// States terms.
    package init(
        id: InvitationID,
        agreementKey: Bytes32,
        level: Level = .attendee,
        expires: Timestamp? = nil,
        uses: UInt32? = nil,
        asks: Bool = false,
        isForDoor: Bool = false
    ) {
        (self.id, self.agreementKey, self.level) = (id, agreementKey, level)
        (self.expires, self.uses, self.asks, self.isForDoor) = (expires, uses, asks, isForDoor)
    }
}

extension ProtoInvitation {
    init(_ terms: InvitationTerms) {
        self.init()
        id = .init(terms.id.bytes)
        agreementKey = .init(terms.agreementKey.bytes)
        level = terms.level.rawValue
        expires = UInt64(terms.expires?.milliseconds ?? 0)
        uses = terms.uses ?? 0
        (asks, door) = (terms.asks, terms.isForDoor)
    }
}

extension InvitationTerms {
    init(_ message: ProtoInvitation) throws(WireError) {
        guard let id = InvitationID(bytes: message.id), let agreementKey = Bytes32(message.agreementKey),
            let level = Level(rawValue: message.level), level < .founder, message.expires <= UInt64(Int64.max)
        else { throw .invalid("invitation") }
        self.init(
            id: id,
            agreementKey: agreementKey,
            level: level,
            expires: message.expires == 0 ? nil : Timestamp(milliseconds: Int64(message.expires)),
            uses: message.uses == 0 ? nil : message.uses,
            asks: message.asks,
            isForDoor: message.door
        )
    }
}
