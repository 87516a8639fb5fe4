// SPDX-License-Identifier: Apache-2.0

import MingleClient
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// A device that seals and signs runs without keeping a replica.
struct Author {
    private struct Tip {
        var sequence: UInt32 = 0
        var hash = HeaderHash.none
        var pending: [Delta] = []
    }

    let keys: AuthorKeys
    let event: EventID
    private var tips: [Journal: Tip] = [.fabric: Tip(), .content: Tip()]

    init(keys: AuthorKeys, event: EventID) { (self.keys, self.event) = (keys, event) }

    /// Writes something that everybody can read.
    mutating func write(_ payload: FabricPayload, at time: Timestamp) throws {
        _ = append(try payload.encoded(), to: .fabric, root: .none, epoch: nil, blobs: [], at: time)
    }

    /// Seals changes of a record for the event.
    mutating func seal(_ payload: RecordPayload, root: Root, epoch: EpochKey, at time: Timestamp) throws -> Reference {
        let blobs = payload.changes.compactMap { change -> BlobListing? in
            guard case .media(let media) = change.value else { return nil }
            return BlobListing(name: media.name(owner: keys.person), size: media.size)
        }
        return append(try payload.encoded(), to: .content, root: root, epoch: epoch, blobs: blobs, at: time)
    }

    /// Signs what was written since the last run; nil if that is nothing.
    mutating func finishRun(of journal: Journal) -> Run? {
        guard var tip = tips[journal], let last = tip.pending.indices.last else { return nil }
        tip.pending[last].signature = keys.signing.sign(tip.pending[last].hash.bytes)
        let run = Run(tip.pending)
        tip.pending = []
        tips[journal] = tip
        return run
    }

    /// How many deltas wait for a signature.
    func pendingCount(of journal: Journal) -> Int { tips[journal]?.pending.count ?? 0 }

    private mutating func append(
        _ plain: [UInt8],
        to journal: Journal,
        root: Root,
        epoch: EpochKey?,
        blobs: [BlobListing],
        at time: Timestamp
    ) -> Reference {
        var tip = tips[journal] ?? Tip()
        tips[journal] = nil
        var header = Header(
            event: event,
            device: keys.name(in: event),
            journal: journal,
            sequence: tip.sequence + 1,
            previous: tip.hash,
            timestamp: time,
            salt: UInt64(bigEndianAt: 0, of: Randomness.system.bytes(8).span),
            epoch: epoch?.id ?? .plaintext,
            root: root,
            blobs: blobs
        )
        let payload = epoch.map { epoch in
            Sealing.seal(plain, key: epoch.key, nonce: header.nonce, associatedData: header.sealedPrefix)
        }
        header.payloadLength = UInt32((payload ?? plain).count)
        header.payloadHash = Blake2b.hash(.payload, payload ?? plain)
        let delta = Delta(header: header, hash: header.hash, payload: payload ?? plain, signature: nil)
        (tip.sequence, tip.hash) = (header.sequence, delta.hash)
        tip.pending.append(delta)
        tips[journal] = tip
        return delta.reference
    }
}

/// An epoch and its key.
struct EpochKey {
    let id: EpochID
    let key: Secret
}

/// One person's keys.
struct AuthorKeys {
    var identity = SigningKey(seed: Randomness.system.secret())
    let agreement = AgreementKey(secret: Randomness.system.secret())
    let signing = SigningKey(seed: Randomness.system.secret())

    var person: PersonID { PersonID(identity.publicKey) }

    /// Keys of another device of the same person.
    var anotherDevice: AuthorKeys {
        var keys = AuthorKeys()
        keys.identity = identity
        return keys
    }

    func name(in event: EventID) -> DeviceName {
        Certificate.deviceName(
            event: event,
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey
        )
    }

    /// The device as a replica of its own knows it.
    func own(in event: EventID, invitation: InvitationKeys) -> OwnDevice {
        OwnDevice(
            person: person,
            name: name(in: event),
            signing: signing,
            agreement: agreement,
            invitation: invitation
        )
    }

    func certificate(in event: EventID, foundingSalt: Bytes32? = nil) -> FabricPayload {
        .certificate(
            Certificate(
                person: person,
                signingKey: signing.publicKey,
                agreementKey: agreement.publicKey,
                signature: identity.sign(name(in: event).bytes),
                foundingSalt: foundingSalt
            )
        )
    }

    /// The event's key for whoever holds the invitation.
    func epoch(_ epoch: EpochKey, of event: EventID, for invitation: InvitationKeys) throws -> FabricPayload {
        let slot = try EpochSlots.slot(
            key: epoch.key,
            epoch: epoch.id,
            label: invitation.id.raw.prefix,
            author: agreement,
            recipient: invitation.agreement.publicKey
        )
        return .epoch(EpochSlots(id: epoch.id, audience: EpochSlots.eventAudience(event), slots: [slot]))
    }
}
