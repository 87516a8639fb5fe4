// SPDX-License-Identifier: Apache-2.0

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleWire

/// Payloads of records and of the fabric, and keys of private audiences, as they are once they are opened.
///
/// What a payload says does not depend on which of the two readers read it; what is read is written and read again as
/// the same, and is within the limits.
enum PayloadTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: try record(input.rest())
        case 1: try fabric(input.rest())
        case 2: try privateEpoch(input.rest())
        default: try privateTerms(input.rest())
        }
    }

    private static func record(_ bytes: [UInt8]) throws {
        let plain = RecordPayload(plain: bytes)
        let byLibrary = Result { try RecordPayload(decodingByLibrary: bytes) }
        if let plain { require(same(plain, try? byLibrary.get()), "both readers agree") }
        let payload = try byLibrary.get()
        let encoded = try payload.encoded()
        require(same(payload, try? RecordPayload(decoding: encoded)), "a payload is read as it was written")
        require(RecordPayload(plain: encoded) != nil || payload.hasLargeNumber, "what is written is in the plain form")
        require(payload.changes.count <= Limits.changesPerPayload, "a payload has few changes")
        for change in payload.changes {
            require(change.overwrites.count <= Limits.overwritesPerChange, "a change overwrites few")
            if case .data(let bytes) = change.value, let hours = OpeningHours(bytes: bytes) {
                require(hours.bytes == bytes && hours.spans.count <= OpeningHours.limit, "one week has one form")
            }
            if case .media(let media) = change.value {
                require((1...Limits.blobLength).contains(media.size) && media.key.count == 32, "media are possible")
            }
        }
    }

    /// Whether two payloads are equal byte by byte; texts that are equal only to readers are not.
    private static func same(_ left: RecordPayload, _ right: RecordPayload?) -> Bool {
        guard let right, left == right else { return false }
        return (try? left.encoded()) == (try? right.encoded())
    }

    private static func fabric(_ bytes: [UInt8]) throws {
        let payload = try FabricPayload(decoding: bytes)
        let encoded = try payload.encoded()
        require((try? FabricPayload(decoding: encoded)) == payload, "a payload is read as it was written")
        let event = TestAuthor.event
        switch payload {
        case .certificate(let certificate): _ = (certificate.isValid(in: event), certificate.isFounding(event))
        case .invitation(let terms): require(terms.level < .founder, "no invitation makes a founder")
        case .admission, .wrongSlots: break
        case .grant(_, let level): require(level < .founder, "no grant makes a founder")
        case .closing(_, let admitted):
            require(admitted.count <= Limits.admissionsPerClosing, "a closing lists few")
        case .cut(let terms):
            require(terms.ends.count <= Limits.endsPerCut, "a cut has few ends")
            require(terms.overwrites.count <= Limits.overwritesPerCut, "a cut replaces few")
            require(terms.device == nil || terms.level == nil, "a device is cut to nothing")
        case .epoch(let epoch):
            let making = epoch.making
            require(making?.obeys.count ?? 0 <= Limits.obeyedPerEpoch, "an epoch obeys few")
            require(making?.carried.count ?? 0 <= Limits.carriedPerEpoch, "an epoch carries few")
            _ = making?.open(under: Secret([UInt8](repeating: 7, count: 32)))
            require(epoch.slots.count <= Limits.slotsPerEpoch, "an epoch has few slots")
            guard epoch.slots.count < 4, let first = epoch.slots.first else { return }
            let own = AgreementKey(secret: Secret([UInt8](repeating: 7, count: 32)))
            let label = UInt64(bigEndianAt: 0, of: first.span)
            let key = epoch.openSlot(label: label, own: own, author: epoch.audience, event: event)
            let isCommitted = key.map {
                EpochSlots.id(key: $0, event: event, audience: epoch.audience, rules: epoch.rules) == epoch.id
            }
            require(isCommitted ?? true, "a key is the one that the epoch's name commits to")
        }
    }

    private static func privateEpoch(_ bytes: [UInt8]) throws {
        let epoch = try PrivateEpoch(decoding: bytes)
        require((try? PrivateEpoch(decoding: epoch.encoded())) == epoch, "an epoch is read as it was written")
        require(epoch.slots.count <= Limits.slotsPerEpoch, "an epoch has few slots")
        let (key, own) = privateKeys
        guard epoch.slots.count < 16, let secret = try? own.sharedSecret(with: own.publicKey) else { return }
        let opened = epoch.openSlot(secret: secret) ?? key
        let terms = epoch.terms(under: opened, in: TestAuthor.event)
        let isCommitted = terms.map { $0.id(of: opened, in: TestAuthor.event) == epoch.id } ?? true
        require(isCommitted, "the id commits to the terms")
    }

    private static func privateTerms(_ bytes: [UInt8]) throws {
        let terms = try PrivateTerms(decoding: bytes)
        require((try? PrivateTerms(decoding: terms.encoded())) == terms, "terms are read as they were written")
        require(Audience(bytes: terms.audience.bytes) == terms.audience, "an audience is read as it was written")
        require(terms.audience != .event, "the event has no private terms")
        require(terms.making.obeys.count <= Limits.obeyedPerEpoch, "an epoch obeys few")
        require(terms.making.carried.count <= Limits.carriedPerEpoch, "an epoch carries few")
        require(terms.recipients.count <= Limits.slotsPerEpoch, "an epoch has few recipients")
        _ = terms.making.open(under: Secret([UInt8](repeating: 7, count: 32)))
    }

    private static var privateKeys: (key: Secret, own: AgreementKey) {
        let secret = Secret([UInt8](repeating: 7, count: 32))
        return (secret, AgreementKey(secret: secret))
    }

    private static func privateSeeds(_ person: PersonID, _ other: PersonID) throws -> [[UInt8]] {
        let (key, own) = privateKeys
        let salt = [UInt8](repeating: 3, count: Audience.saltLength)
        let audiences: [Audience] = [
            .guests(owner: person, salt: salt), .moderators(owner: person, salt: salt), .between(person, and: other),
            .own(person),
        ]
        let carried = EpochMaking.carry([EpochMaking.Key(key, rules: person.raw)], under: key)
        let all = audiences.map { audience in
            PrivateTerms(
                audience: audience,
                maker: DeviceName(person.raw),
                making: EpochMaking(obeys: [3, 9], carried: carried),
                recipients: [5]
            )
        }
        let id = all[0].id(of: key, in: TestAuthor.event)
        let slot = PrivateEpoch.slot(key: key, epoch: id, secret: try own.sharedSecret(with: own.publicKey))
        let noise = Randomness { [UInt8](repeating: 5, count: $0) }
        let epoch = try PrivateEpoch(id: id, key: key, slots: [slot], terms: all[0], randomness: noise)
        return [joined([2], try epoch.encoded())] + (try all.map { joined([3], try $0.encoded()) })
    }

    static var seeds: [[UInt8]] {
        get throws {
            var author = TestAuthor(1)
            let deltas = author.write([0, 40], behind: [], in: .fabric)
            let (raw, reference) = (deltas[0].hash.raw, deltas[1].reference)
            let media = Media(root: raw, size: 77_000, key: raw.bytes, type: "image/jpeg")
            let hours: [UInt8] = [0, 2, 28, 4, 56]
            let values: [Value] = [
                .text("Zoë"), .number(-5), .data([1, 2]), .media(media), .cleared, .data(hours),
            ]
            let changes = values.enumerated().map { number, value in
                Change(
                    field: UInt32(number),
                    value: value,
                    overwrites: number == 0 ? [reference] : [],
                    isPinned: number < 2
                )
            }
            let targets: [Target] = [.nothing, .record(reference), .person(PersonID(raw))]
            let records = try zip(targets, targets.reversed()).map { target, subject in
                try joined(
                    [0],
                    RecordPayload(kind: 3, target: target, subject: subject, changes: changes).encoded()
                )
            }
            let signature = author.key.sign([])
            let certificate = Certificate(
                person: PersonID(raw),
                signingKey: raw,
                agreementKey: raw,
                signature: signature,
                foundingSalt: raw
            )
            let terms = InvitationTerms(id: InvitationID(raw), agreementKey: raw, expires: Timestamp(milliseconds: 9))
            let own = AgreementKey(secret: Secret([UInt8](repeating: 7, count: 32)))
            let (secret, audience) = (Secret(raw.bytes), own.publicKey)
            let id = EpochSlots.id(key: secret, event: TestAuthor.event, audience: audience)
            let slot = try EpochSlots.slot(key: secret, epoch: id, label: 5, author: own, recipient: own.publicKey)
            let carried = EpochMaking.carry([EpochMaking.Key(secret, rules: raw)], under: secret)
            let making = EpochMaking(obeys: [3, 9], carried: carried)
            let end = FrontierEntry(device: DeviceName(raw), journal: .content, sequence: 9, tip: 8)
            let fabric: [FabricPayload] = [
                .certificate(certificate), .invitation(terms),
                .admission(invitation: InvitationID(raw), signature: signature),
                .epoch(EpochSlots(id: id, audience: audience, slots: [slot])),
                .epoch(EpochSlots(id: id, audience: audience, rules: raw, slots: [slot], making: making)),
                .grant(person: PersonID(raw), level: .host),
                .closing(invitation: InvitationID(raw), admitted: [PersonID(raw), PersonID(audience)]),
                .cut(CutTerms(person: PersonID(raw), level: nil, ends: [end], overwrites: [reference])),
                .cut(CutTerms(person: PersonID(raw), device: DeviceName(raw), level: nil, ends: [end])),
            ]
            return records + (try fabric.map { try joined([1], $0.encoded()) })
                + (try privateSeeds(PersonID(raw), PersonID(audience)))
        }
    }
}

extension RecordPayload {
    /// Whether a number takes all ten bytes of a varint, which the plain form does not have.
    fileprivate var hasLargeNumber: Bool {
        changes.contains { change in
            if case .number(let number) = change.value { number > .max / 2 || number < .min / 2 } else { false }
        }
    }
}
