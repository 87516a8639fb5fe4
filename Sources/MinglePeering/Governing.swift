// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleWire

/// What founder and hosts say about others; whether it counts is decided wherever it is merged.
extension Replica {
    /// Opens an invitation: certifies it and seals the current epochs for whoever comes by it.
    package func invite(
        _ keys: InvitationKeys,
        as level: Level = .attendee,
        expires: Timestamp?,
        uses: UInt32?,
        at now: Timestamp,
        randomness: Randomness
    ) throws -> Authored {
        let audience = EpochSlots.eventAudience(event)
        let terms = InvitationTerms(
            id: keys.id,
            agreementKey: keys.agreement.publicKey,
            level: level,
            expires: expires,
            uses: uses
        )
        let keysAtHand = try epochKeys()
        // Nobody else would hand the key to whoever comes by it.
        guard !keysAtHand.isEmpty else { throw ReplicaError.locked }
        let slots = try keysAtHand.map { epoch, key in
            let slot = try EpochSlots.slot(
                key: key,
                epoch: epoch,
                label: keys.id.raw.prefix,
                author: own.agreement,
                recipient: keys.agreement.publicKey
            )
            return Draft.fabric(.epoch(EpochSlots(id: epoch, audience: audience, slots: [slot])))
        }
        return try author([.fabric(.invitation(terms))] + slots, at: now, randomness: randomness)
    }

    /// Closes an invitation: of those who came by it, only who takes part by now, as far as this node knows, goes on to.
    package func close(_ invitation: InvitationID, at now: Timestamp, randomness: Randomness) throws -> Authored {
        try author([.close(invitation)], at: now, randomness: randomness)
    }

    /// Puts a person at a level.
    package func grant(_ level: Level, to person: PersonID, at now: Timestamp, randomness: Randomness) throws
        -> Authored
    {
        try author([.fabric(.grant(person: person, level: level))], at: now, randomness: randomness)
    }
}
