// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleWire

/// What founder and hosts say about others; whether it counts is decided wherever it is merged.
extension Replica {
    /// Opens an invitation: certifies it and seals the current epochs for whoever comes by it.
    ///
    /// To one that `asks` nothing is sealed, and a host has to let in each who comes. A door and its guests come by one
    /// for a door.
    package func invite(
        _ keys: InvitationKeys,
        as level: Level = .attendee,
        expires: Timestamp?,
        uses: UInt32?,
        asks: Bool = false,
        isForDoor: Bool = false,
        at now: Timestamp,
        randomness: Randomness
    ) throws -> Authored {
        let terms = InvitationTerms(
            id: keys.id,
            agreementKey: keys.agreement.publicKey,
            level: level,
            expires: expires,
            uses: uses,
            asks: asks,
            isForDoor: isForDoor
        )
        return try author([.open(terms)], at: now, randomness: randomness)
    }

    /// Closes an invitation: of those who came by it, only who takes part by now, as far as this node knows, goes on to.
    ///
    /// A new key shuts out who holds the link and never came, unless the invitation asks and nothing was sealed to it.
    package func close(_ invitation: InvitationID, at now: Timestamp, randomness: Randomness) throws -> Authored {
        let asks = try self.invitation(invitation)?.terms.asks ?? false
        return try author([.close(invitation)] + (asks ? [] : [.renewKey]), at: now, randomness: randomness)
    }

    /// Puts a person at a level from now on, higher or lower than before.
    package func setLevel(of person: PersonID, to level: Level, at now: Timestamp, randomness: Randomness) throws
        -> Authored
    {
        try author([.setLevel(person, level)], at: now, randomness: randomness)
    }

    /// Removes a person: all that came so far stays, nothing that follows counts, and a new key is made.
    ///
    /// - Parameter keepsLinks: Whether invitations of many uses stay open that the person neither made nor came by.
    package func remove(_ person: PersonID, keepsLinks: Bool, at now: Timestamp, randomness: Randomness) throws
        -> Authored
    {
        try author([.remove(person, keepsLinks: keepsLinks)], at: now, randomness: randomness)
    }

    /// Keeps out a person who waits to be let in.
    ///
    /// - Throws: `ReplicaError.decidedAbove` for whom somebody has let in.
    package func decline(_ person: PersonID, at now: Timestamp, randomness: Randomness) throws -> Authored {
        try author([.decline(person)], at: now, randomness: randomness)
    }

    /// Says that this node's person has left; what came so far stays, and others make a new key.
    package func leave(at now: Timestamp, randomness: Randomness) throws -> Authored {
        try author([.leave], at: now, randomness: randomness)
    }

    /// Retires another device of this node's person; what is held of it stays, and a new key is made.
    package func retire(_ device: DeviceName, at now: Timestamp, randomness: Randomness) throws -> Authored {
        try author([.retire(device)], at: now, randomness: randomness)
    }
}
