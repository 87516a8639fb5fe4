// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleWire
import Testing

/// The protocol's bytes, rebuilt from fixed seeds and held against `Tests/Vectors/protocol.json`.
///
/// `Tests/Python/verify_vectors.py` checks the same file by another implementation. `MINGLE_WRITE_VECTORS=FOLDER` writes
/// it anew; a difference is a change of the protocol.
struct VectorTests {
    @Test func `the bytes of the protocol are those that were committed`() throws {
        let sections = try Vectors().sections
        if let folder = ProcessInfo.processInfo.environment["MINGLE_WRITE_VECTORS"] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(sections) + Data("\n".utf8)
            try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent("protocol.json"))
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/protocol.json")
        let committed = try JSONDecoder().decode([String: [String: String]].self, from: Data(contentsOf: file))
        #expect(committed.keys.sorted() == sections.keys.sorted())
        for (name, section) in sections { #expect(committed[name] == section, "\(name)") }
    }

    @Test func `what the vectors hold is read back as it was written`() throws {
        let vectors = try Vectors()
        for run in [vectors.fabricRun, vectors.contentRun] {
            let read = try Run(decoding: run.encoded()[...], event: vectors.event)
            #expect(read == run && read.isProved(by: vectors.signing.publicKey))
        }
        #expect(try Header(decoding: vectors.header.encoded()) == vectors.header)
        let link = try InvitationLink(vectors.link.text)
        #expect(link.event == vectors.event && link.hints == vectors.link.hints)
        let key = vectors.slots.openSlot(
            label: vectors.invitation.id.raw.prefix,
            own: vectors.invitation.agreement,
            author: vectors.agreement.publicKey,
            event: vectors.event
        )
        #expect(key?.exposed() == vectors.epochKey.exposed())
        #expect(try vectors.records.misread == [])
    }
}

/// One small event with its founder, an invitation, an epoch and a few deltas; bytes are written in hexadecimal.
private struct Vectors {
    // Every secret is one byte, 32 times.
    let identity = SigningKey(seed: Self.secret(1))
    let signing = SigningKey(seed: Self.secret(2))
    let agreement = AgreementKey(secret: Self.secret(3))
    let seed = Self.secret(4)
    let psk = Self.secret(5)
    let epochKey = Self.secret(6)
    let guest = SigningKey(seed: Self.secret(7))
    let salt = Bytes32(at: 0, of: [UInt8](repeating: 8, count: 32).span)

    let event: EventID
    let device: DeviceName
    let certificate: Certificate
    let invitation: InvitationKeys
    let terms: InvitationTerms
    let slots: EpochSlots
    let link: InvitationLink
    let header: Header
    let payload: RecordPayload
    let fabricRun: Run
    let contentRun: Run

    private static func secret(_ byte: UInt8) -> Secret { Secret([UInt8](repeating: byte, count: 32)) }

    init() throws {
        let person = PersonID(identity.publicKey)
        event = Certificate.eventID(founder: person, salt: salt)
        device = Certificate.deviceName(
            event: event,
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey
        )
        certificate = Certificate(
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey,
            signature: identity.sign(device.bytes),
            foundingSalt: salt
        )
        invitation = InvitationKeys(seed: seed)
        terms = InvitationTerms(
            id: invitation.id,
            agreementKey: invitation.agreement.publicKey,
            expires: Timestamp(milliseconds: 1_800_000_000_000),
            uses: 40
        )
        slots = try Self.slots(epochKey, event, device, agreement, invitation)
        link = InvitationLink(event: event, psk: psk, seed: seed, hints: ["192.0.2.7:4781", "[fe80::1%eth0]:4781"])
        payload = Self.payload(device)
        header = Self.header(event, device, slots.id)
        var fabric = Scribe(event: event, device: device, journal: .fabric, signing: signing, key: nil)
        try fabric.write(.certificate(certificate))
        try fabric.write(.epoch(slots))
        try fabric.write(.invitation(terms))
        fabricRun = fabric.run
        let key = (slots.id, epochKey)
        var content = Scribe(event: event, device: device, journal: .content, signing: signing, key: key)
        let root = try content.write(payload, root: .itself)
        let edit = RecordPayload(
            kind: 9,
            target: .nothing,
            changes: [Change(field: 1, value: .text("Lovely."), overwrites: [root])]
        )
        _ = try content.write(edit, root: .reference(root))
        content.delete(root)
        contentRun = content.run
    }

    private static func slots(
        _ key: Secret,
        _ event: EventID,
        _ device: DeviceName,
        _ agreement: AgreementKey,
        _ invitation: InvitationKeys
    ) throws -> EpochSlots {
        let audience = EpochSlots.eventAudience(event)
        let epoch = EpochSlots.id(key: key, event: event, audience: audience)
        let recipients = [
            (device.raw.prefix, agreement.publicKey), (invitation.id.raw.prefix, invitation.agreement.publicKey),
        ]
        let slots = try recipients.map { label, recipient in
            try EpochSlots.slot(key: key, epoch: epoch, label: label, author: agreement, recipient: recipient)
        }
        return EpochSlots(id: epoch, audience: audience, slots: slots)
    }

    /// A comment that also says everything else that a change can say.
    private static func payload(_ device: DeviceName) -> RecordPayload {
        let photo = Reference(device: device.raw.prefix, journal: .content, sequence: 7, hash: 0x0102_0304_0506_0708)
        let media = Media(root: .zero, size: 1, key: [UInt8](repeating: 9, count: 32), type: "image/jpeg")
        return RecordPayload(
            kind: 9,
            target: .record(photo),
            changes: [
                Change(field: 1, value: .text("Schön!")),
                Change(field: 2, value: .number(-5)),
                Change(field: 3, value: .data(photo.bytes)),
                Change(field: 4, value: .media(media)),
                Change(field: 5, value: .cleared, overwrites: [photo]),
            ]
        )
    }

    /// A header with everything in it that a header can have.
    private static func header(_ event: EventID, _ device: DeviceName, _ epoch: EpochID) -> Header {
        let root = Reference(device: device.raw.prefix, journal: .content, sequence: 7, hash: 0x0102_0304_0506_0708)
        return Header(
            event: event,
            device: device,
            journal: .content,
            sequence: 65,
            previous: HeaderHash(Bytes32(at: 0, of: [UInt8](repeating: 10, count: 32).span)),
            timestamp: Timestamp(milliseconds: 1_700_000_000_123),
            salt: 0x1122_3344_5566_7788,
            epoch: epoch,
            root: .reference(root),
            payloadLength: 4096,
            payloadHash: Bytes32(at: 0, of: [UInt8](repeating: 11, count: 32).span),
            blobs: [
                BlobListing(name: BlobName(.zero), size: 1), BlobListing(name: BlobName(device.raw), size: 4 << 30),
            ],
            extensionBytes: [0xCA, 0xFE]
        )
    }
}

/// Writes consecutive deltas of one journal, one millisecond apart.
private struct Scribe {
    let event: EventID
    let device: DeviceName
    let journal: Journal
    let signing: SigningKey
    let key: (epoch: EpochID, key: Secret)?
    private var deltas: [Delta] = []

    init(event: EventID, device: DeviceName, journal: Journal, signing: SigningKey, key: (EpochID, Secret)?) {
        (self.event, self.device, self.journal, self.signing, self.key) = (event, device, journal, signing, key)
    }

    var run: Run {
        var deltas = deltas
        for index in deltas.indices where journal == .fabric || index == deltas.count - 1 {
            deltas[index].signature = signing.sign(deltas[index].hash.bytes)
        }
        return Run(deltas)
    }

    mutating func write(_ payload: FabricPayload) throws { append(next(.none), try payload.encoded()) }

    mutating func write(_ payload: RecordPayload, root: Root) throws -> Reference {
        var header = next(root)
        guard let key else { return header.reference(hash: header.hash) }
        header.epoch = key.epoch
        let sealed = Sealing.seal(
            try payload.encoded(),
            key: key.key,
            nonce: header.nonce,
            associatedData: header.sealedPrefix
        )
        append(header, sealed)
        return deltas[deltas.count - 1].reference
    }

    mutating func delete(_ root: Reference) {
        var header = next(.reference(root))
        header.isDeletion = true
        append(header, [])
    }

    private func next(_ root: Root) -> Header {
        Header(
            event: event,
            device: device,
            journal: journal,
            sequence: UInt32(deltas.count + 1),
            previous: deltas.last?.hash ?? .none,
            timestamp: Timestamp(milliseconds: 1_700_000_000_000 + Int64(deltas.count)),
            salt: 0xA0A0_A0A0_A0A0_A000 + UInt64(deltas.count),
            epoch: .plaintext,
            root: root
        )
    }

    private mutating func append(_ header: Header, _ payload: [UInt8]) {
        var header = header
        header.payloadLength = UInt32(payload.count)
        header.payloadHash = Blake2b.hash(.payload, payload)
        deltas.append(Delta(header: header, hash: header.hash, payload: payload, signature: nil))
    }
}

// MARK: - As text

extension Vectors {
    var sections: [String: [String: String]] {
        get throws {
            [
                "base32": base32, "certificate": try certificateSection, "invitation": try invitationSection,
                "admission": try admissionSection, "epoch": try epochSection,
                "private_epoch": try privateEpochSection, "header": headerSection,
                "payload": try payloadSection, "fabric_run": section(of: fabricRun),
                "content_run": section(of: contentRun), "frontier": frontierSection, "link": linkSection,
                "device_link": deviceLinkSection,
                "discovery": discoverySection, "session": sessionSection, "records": try records.section,
            ]
        }
    }

    var records: RecordVectors { RecordVectors(device: device, person: PersonID(guest.publicKey)) }

    private var base32: [String: String] {
        let bytes: [UInt8] = [0, 1, 2, 250, 251, 252, 253]
        let reference = Reference(device: device, journal: .content, sequence: 300, hash: header.hash)
        return [
            "bytes": hex(bytes), "text": Base32.encode(bytes), "reference": hex(reference.bytes),
            "reference_word": reference.description, "reference_device": hex(device.bytes),
            "reference_sequence": "300", "reference_hash": hex(header.hash.bytes),
        ]
    }

    private var certificateSection: [String: String] {
        get throws {
            [
                "identity_seed": hex(identity.seed.exposed()), "signing_seed": hex(signing.seed.exposed()),
                "agreement_secret": hex(agreement.secret.exposed()), "person": hex(certificate.person.bytes),
                "signing_key": hex(signing.publicKey.bytes), "agreement_key": hex(agreement.publicKey.bytes),
                "founding_salt": hex(salt.bytes), "event": hex(event.bytes), "device": hex(device.bytes),
                "signature": hex(certificate.signature.bytes),
                "payload": hex(try FabricPayload.certificate(certificate).encoded()),
            ]
        }
    }

    private var invitationSection: [String: String] {
        get throws {
            [
                "seed": hex(seed.exposed()), "signing_seed": hex(invitation.signing.seed.exposed()),
                "agreement_secret": hex(invitation.agreement.secret.exposed()), "id": hex(invitation.id.bytes),
                "agreement_key": hex(invitation.agreement.publicKey.bytes), "level": "5", "expires": "1800000000000",
                "uses": "40", "payload": hex(try FabricPayload.invitation(terms).encoded()),
            ]
        }
    }

    private var admissionSection: [String: String] {
        get throws {
            let person = PersonID(guest.publicKey)
            let statement = FabricPayload.admissionStatement(event: event, person: person)
            let signature = invitation.signing.sign(statement)
            let payload = FabricPayload.admission(invitation: invitation.id, signature: signature)
            return [
                "person": hex(person.bytes), "statement": hex(statement), "signature": hex(signature.bytes),
                "payload": hex(try payload.encoded()),
            ]
        }
    }

    private var epochSection: [String: String] {
        get throws {
            [
                "key": hex(epochKey.exposed()), "audience": hex(slots.audience.bytes), "id": hex(slots.id.bytes),
                "founder_slot": hex(slots.slots[0]), "invitation_slot": hex(slots.slots[1]),
                "payload": hex(try FabricPayload.epoch(slots).encoded()),
            ]
        }
    }

    /// An epoch for the founder's guests that carries one of two people, sealed to the invitation's key as if it were a device's.
    private var privateEpochSection: [String: String] {
        get throws {
            let owner = certificate.person
            let audience = Audience.guests(owner: owner, salt: [UInt8](repeating: 9, count: Audience.saltLength))
            let carried = EpochMaking.carry([EpochMaking.Key(epochKey, rules: .zero)], under: seed)
            let terms = PrivateTerms(
                audience: audience,
                maker: device,
                making: EpochMaking(obeys: [3, 9], carried: carried),
                recipients: [invitation.id.raw.prefix]
            )
            let id = terms.id(of: seed, in: event)
            let secret = try agreement.sharedSecret(with: invitation.agreement.publicKey)
            let slot = PrivateEpoch.slot(key: seed, epoch: id, secret: secret)
            let noise = Randomness { [UInt8](repeating: 13, count: $0) }
            let epoch = try PrivateEpoch(id: id, key: seed, slots: [slot], terms: terms, randomness: noise)
            let pair = Audience.between(owner, and: PersonID(guest.publicKey))
            let invite = Reference(device: 1, journal: .content, sequence: 2, hash: 3)
            let ends = [UInt8](repeating: 7, count: FrontierEntry.encodedLength)
            return [
                "invite": hex(invite.bytes), "ends": hex(ends),
                "concern": hex(EpochMaking.concern(ofEnd: ends, of: invite).bigEndianBytes),
                "key": hex(seed.exposed()), "audience": hex(audience.bytes),
                "audience_id": hex(audience.id(in: event).bytes), "pair": hex(pair.bytes),
                "pair_id": hex(pair.id(in: event).bytes),
                "own_id": hex(Audience.own(owner).id(in: event).bytes), "id": hex(id.bytes), "slot": hex(slot),
                "terms": hex(try terms.encoded()), "sealed": hex(epoch.sealed), "payload": hex(try epoch.encoded()),
            ]
        }
    }

    private var headerSection: [String: String] {
        [
            "sequence": "65", "timestamp": "1700000000123", "salt": "1122334455667788", "payload_length": "4096",
            "extension": hex(header.extensionBytes), "blob_sizes": "1 4294967296", "epoch": hex(header.epoch.bytes),
            "encoded": hex(header.encoded()), "hash": hex(header.hash.bytes), "nonce": hex(header.nonce),
            "sealed_prefix": hex(header.sealedPrefix),
        ]
    }

    private var payloadSection: [String: String] {
        get throws {
            [
                "plain": hex(try payload.encoded()), "sealed": hex(contentRun.first.payload ?? []),
                "hash": hex(contentRun.first.header.payloadHash.bytes), "nonce": hex(contentRun.first.header.nonce),
                "associated_data": hex(contentRun.first.header.sealedPrefix), "kind": "9", "text": "Schön!",
                "number": "-5", "target": hex(payload.target.bytes), "media_type": "image/jpeg",
            ]
        }
    }

    private func section(of run: Run) -> [String: String] {
        [
            "encoded": hex(run.encoded()),
            "hashes": run.deltas.map { hex($0.hash.bytes) }.joined(separator: " "),
            "headers": run.deltas.map { hex($0.header.encoded()) }.joined(separator: " "),
            "signature": hex(run.last.signature?.bytes ?? []),
            "signing_key": hex(signing.publicKey.bytes),
        ]
    }

    private var frontierSection: [String: String] {
        let other = DeviceName(guest.publicKey)
        let frontier = Frontier([
            FrontierEntry(device: other, journal: .fabric, sequence: 2, tip: 0x0807_0605_0403_0201),
            FrontierEntry(device: device, journal: .content, sequence: 3, tip: contentRun.last.hash.raw.prefix),
            FrontierEntry(device: device, journal: .fabric, sequence: 3, tip: fabricRun.last.hash.raw.prefix),
        ])
        return [
            "entries": frontier.entries.map { hex($0.bytes) }.joined(separator: " "),
            "digest": hex(frontier.digest.bytes),
            "buckets": frontier.bucketDigests.map { hex($0) }.joined(separator: " "),
        ]
    }

    private var linkSection: [String: String] {
        [
            "text": link.text, "event": hex(event.bytes), "psk": hex(psk.exposed()), "seed": hex(seed.exposed()),
            "hints": link.hints.joined(separator: " "),
        ]
    }

    // The node puts proof, tag and statements together itself, from the same hashes.

    private var deviceLinkSection: [String: String] {
        let person = PersonID(guest.publicKey)
        let link = InvitationLink(
            event: event,
            psk: psk,
            seed: seed,
            hints: ["192.0.2.7:4781"],
            kind: .device(of: person)
        )
        let handshakeHash = [UInt8](repeating: 12, count: 32)
        let proof = { (role: UInt8) in
            var hash = Blake2b(.linking, key: seed)
            hash.update(handshakeHash + [role])
            hash.update(device.raw)
            return hash.finalize()
        }
        return [
            "text": link.text, "event": hex(event.bytes), "psk": hex(psk.exposed()), "seed": hex(seed.exposed()),
            "person": hex(person.bytes), "hints": link.hints.joined(separator: " "),
            "handshake_hash": hex(handshakeHash), "device": hex(device.bytes),
            "initiator_proof": hex(proof(1)), "responder_proof": hex(proof(0)),
        ]
    }

    private var discoverySection: [String: String] {
        let random: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        var hash = Blake2b(.discovery, key: psk)
        hash.update(random)
        let tag = hash.finalize().prefix(8)
        return ["psk": hex(psk.exposed()), "random": hex(random), "tag": hex(tag), "name": Base32.encode(random + tag)]
    }

    private var sessionSection: [String: String] {
        let handshakeHash = [UInt8](repeating: 12, count: 32)
        let person = PersonID(guest.publicKey)
        return [
            "handshake_hash": hex(handshakeHash), "person": hex(person.bytes),
            "initiator": hex(Blake2b.hash(.session, handshakeHash + [1]).bytes),
            "responder": hex(Blake2b.hash(.session, handshakeHash + [0]).bytes),
            "initiator_with_person": hex(Blake2b.hash(.session, handshakeHash + [1] + person.bytes).bytes),
        ]
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
}

func hex(_ number: UInt64) -> String { hex((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }) }
