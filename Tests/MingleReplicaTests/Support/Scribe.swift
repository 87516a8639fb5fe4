// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// An epoch whose key somebody has.
struct TestEpoch {
    let id: EpochID
    let key: Secret
    var audience = Audience.event

    init(_ randomness: Randomness, event: EventID) {
        key = randomness.secret()
        id = EpochSlots.id(key: key, event: event, audience: EpochSlots.eventAudience(event))
    }

    /// An epoch that a device makes for a private audience.
    init(
        _ randomness: Randomness,
        event: EventID,
        for audience: Audience,
        by maker: DeviceName,
        obeying obeyed: [UInt64] = [],
        carrying old: [TestEpoch] = []
    ) {
        key = randomness.secret()
        self.audience = audience
        let keys = old.map { EpochMaking.Key($0.key, rules: EpochMaking(obeys: [], carried: []).rules(maker: maker)) }
        let making = EpochMaking(obeys: obeyed, carried: EpochMaking.carry(keys, under: key))
        terms = PrivateTerms(audience: audience, maker: maker, making: making, recipients: [])
        id = EpochSlots.id(
            key: key,
            event: event,
            audience: audience.id(in: event),
            rules: making.rules(maker: maker)
        )
    }

    /// An epoch whose key somebody handed on.
    init(id: EpochID, key: Secret, audience: Audience) { (self.id, self.key, self.audience) = (id, key, audience) }

    private var terms: PrivateTerms?

    /// What brings a private epoch's key, or another one in its place, to a device, written by another.
    func payload(
        from author: AgreementKey,
        to recipient: Bytes32,
        _ randomness: Randomness,
        insteadOfKey other: Secret? = nil
    ) throws -> [UInt8] {
        guard let terms else { return [] }
        let secret = try author.sharedSecret(with: recipient)
        let slot = PrivateEpoch.slot(key: other ?? key, epoch: id, secret: secret)
        return try PrivateEpoch(id: id, key: key, slots: [slot], terms: terms, randomness: randomness).encoded()
    }

    /// The epoch as its maker publishes it, sealed to one recipient.
    func slots(
        event: EventID,
        author: AgreementKey,
        label: UInt64,
        recipient: Bytes32
    ) throws -> FabricPayload {
        let slot = try EpochSlots.slot(key: key, epoch: id, label: label, author: author, recipient: recipient)
        return .epoch(EpochSlots(id: id, audience: EpochSlots.eventAudience(event), slots: [slot]))
    }
}

/// Writes whatever it is told, also what no honest node would: the hand of a device that has no replica.
struct Scribe {
    /// What a delta is to say.
    struct Entry {
        var journal = Journal.content
        var time: Int64 = 0
        var root = Root.none
        var isDeletion = false
        var plain: [UInt8] = []
        /// What seals the payload; nil leaves it in the clear.
        var epoch: TestEpoch?
        var blobs: [BlobListing] = []
        var extensionBytes: [UInt8] = []
    }

    let keys: TestKeys
    let own: OwnDevice
    let event: EventID
    let randomness: Randomness

    init(_ keys: TestKeys, event: EventID, invitation: InvitationKeys? = nil, randomness: Randomness) {
        (self.keys, self.event, self.randomness) = (keys, event, randomness)
        own = keys.own(in: event, invitation: invitation)
    }

    /// Signs a delta that follows `parent`, or begins a journal.
    func write(_ entry: Entry, after parent: Delta?) -> Delta {
        var header = Header(
            event: event,
            device: own.name,
            journal: entry.journal,
            sequence: (parent?.header.sequence ?? 0) + 1,
            previous: parent?.hash ?? .none,
            timestamp: Timestamp(milliseconds: entry.time),
            salt: UInt64(bigEndianAt: 0, of: randomness.bytes(8).span),
            epoch: entry.epoch?.id ?? .plaintext,
            root: entry.root,
            isDeletion: entry.isDeletion,
            blobs: entry.blobs,
            extensionBytes: entry.extensionBytes
        )
        var payload = entry.plain
        if let epoch = entry.epoch {
            payload = Sealing.seal(
                payload,
                key: epoch.key,
                nonce: header.nonce,
                associatedData: header.sealedPrefix
            )
        }
        header.payloadLength = UInt32(payload.count)
        header.payloadHash = Blake2b.hash(.payload, payload)
        return sign(header, payload: payload, hash: header.hash)
    }

    /// Signs any header under any name.
    func sign(_ header: Header, payload: [UInt8]?, hash: HeaderHash) -> Delta {
        Delta(header: header, hash: hash, payload: payload, signature: own.signing.sign(hash.bytes))
    }

    /// The certificate that begins the fabric journal, and the admission by an invitation.
    func introduction(by invitation: InvitationKeys?, foundingSalt: Bytes32? = nil, time: Int64 = 0) throws -> [Delta] {
        let certificate = FabricPayload.certificate(keys.certificate(in: event, foundingSalt: foundingSalt))
        let first = try fabric(certificate, after: nil, time: time)
        guard let invitation else { return [first] }
        return [first, try fabric(admission(by: invitation), after: first, time: time)]
    }

    /// The admission of this device's person by whoever holds the keys.
    func admission(by invitation: InvitationKeys) -> FabricPayload {
        let statement = FabricPayload.admissionStatement(event: event, person: keys.person)
        return .admission(invitation: invitation.id, signature: invitation.signing.sign(statement))
    }

    /// A fabric delta.
    func fabric(_ payload: FabricPayload, after parent: Delta?, time: Int64 = 0) throws -> Delta {
        write(Entry(journal: .fabric, time: time, plain: try payload.encoded()), after: parent)
    }

    /// A delta that makes an epoch of the event which obeys some ends, with one slot, for a device.
    func epoch(obeying ends: [UInt64], sealedTo device: OwnDevice, after parent: Delta) throws -> (id: EpochID, Delta) {
        let key = randomness.secret()
        let making = EpochMaking(obeys: ends, carried: [])
        let rules = making.rules(maker: own.name)
        let audience = EpochSlots.eventAudience(event)
        let id = EpochSlots.id(key: key, event: event, audience: audience, rules: rules)
        let slot = try EpochSlots.slot(
            key: key,
            epoch: id,
            label: device.name.raw.prefix,
            author: keys.agreement,
            recipient: device.agreement.publicKey
        )
        let slots = EpochSlots(id: id, audience: audience, rules: rules, slots: [slot], making: making)
        return (id, try fabric(.epoch(slots), after: parent))
    }
}

extension Run {
    /// A run as it travels: signed at its end and wherever every node keeps a signature.
    init(travelling deltas: some Collection<Delta>) {
        var deltas = Array(deltas)
        for index in deltas.indices.dropLast()
        where deltas[index].header.sequence % UInt32(Limits.runLength) != 0 {
            deltas[index].signature = nil
        }
        self.init(deltas)
    }
    /// The run without the payloads of some deltas.
    func withoutPayloads(where isLeftOut: (Delta) -> Bool) -> Run {
        Run(
            deltas.map { delta in
                guard isLeftOut(delta) else { return delta }
                var bare = delta
                bare.payload = nil
                return bare
            }
        )
    }
}
