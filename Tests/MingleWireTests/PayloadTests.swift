// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import TestSupport
import Testing

@testable import MingleWire

struct PayloadTests {
    private func payload(_ changes: [Change]) -> RecordPayload {
        RecordPayload(kind: 9, target: .nothing, changes: changes)
    }

    private func any(_ numbers: inout SplitMix) -> RecordPayload {
        let targets: [Target] = [.nothing, .record(numbers.reference()), .person(PersonID(numbers.bytes32()))]
        let changes = (0..<Int.random(in: 0...64, using: &numbers)).map { _ in
            Change(
                field: UInt32.random(in: 0...UInt32.max, using: &numbers),
                value: value(&numbers),
                overwrites: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in numbers.reference() }
            )
        }
        return RecordPayload(
            kind: UInt32.random(in: 0...UInt32.max, using: &numbers),
            target: targets.randomElement(using: &numbers) ?? .nothing,
            changes: changes
        )
    }

    private func value(_ numbers: inout SplitMix) -> Value {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: .cleared
        case 1: .text(["", "Grüße", "a\0b", "日本語 🎉"].randomElement(using: &numbers) ?? "")
        case 2: .number([.min, -1, 0, 1, .max].randomElement(using: &numbers) ?? 0)
        case 3: .data(numbers.bytes(Int.random(in: 0...40, using: &numbers)))
        default:
            .media(
                Media(
                    root: numbers.bytes32(),
                    size: UInt64.random(in: 1...(4 << 30), using: &numbers),
                    key: numbers.bytes(32),
                    type: "image/jpeg"
                )
            )
        }
    }

    // MARK: - Records

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a payload survives its form`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let payload = any(&numbers)
        let bytes = try payload.encoded()
        #expect(try RecordPayload(decoding: bytes) == payload)
        #expect(try RecordPayload(decodingByLibrary: bytes) == payload)
    }

    @Test(arguments: [Int64.min, -(1 << 62), -1, 0, 1, 63, 64, 1 << 62, .max])
    func `a number survives, whatever its size`(number: Int64) throws {
        let payload = payload([Change(field: 1, value: .number(number))])
        #expect(try RecordPayload(decoding: payload.encoded()) == payload)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `both readers say the same of damaged payloads`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        var small = any(&numbers)
        small.changes = Array(small.changes.prefix(4))
        let bytes = try small.encoded()
        var agreed = 0
        func compare(_ bytes: [UInt8]) {
            guard let plain = RecordPayload(plain: bytes) else { return }
            #expect((try? RecordPayload(decodingByLibrary: bytes)) == plain)
            agreed += 1
        }
        for index in bytes.indices {
            compare(Array(bytes.prefix(index)))
            for _ in 0..<4 {
                var changed = bytes
                changed[index] = UInt8(truncatingIfNeeded: numbers.next())
                compare(changed)
            }
            var missing = bytes
            missing.remove(at: index)
            compare(missing)
        }
        compare(bytes + bytes)
        #expect(agreed > 0)
    }

    /// Forms that this program does not write, and what they mean.
    static let unusual: [(bytes: [UInt8], kind: UInt32)] = [
        ([], 0),
        // The kind twice: the last counts. A varint that is longer than it need be. One of 64 bits: the low 32 count.
        ([0x08, 1, 0x08, 2], 2), ([0x08, 0x83, 0x80, 0x00], 3),
        ([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .max),
        // Fields that this version does not know, in each encoding.
        ([0x08, 4, 0x78, 1], 4), ([0x08, 5, 0x7A, 2, 1, 2], 5), ([0x08, 6, 0x7D, 1, 2, 3, 4], 6),
        ([0x08, 7, 0x79, 1, 2, 3, 4, 5, 6, 7, 8], 7), ([0x80, 0x01, 1, 0x08, 8], 8),
        // A bad target before a good one: the last counts.
        ([0x08, 9, 0x12, 1, 1, 0x12, 0], 9),
    ]

    @Test(arguments: unusual)
    func `an unusual form is read as protocol buffers are`(bytes: [UInt8], kind: UInt32) throws {
        let read = try RecordPayload(decoding: bytes)
        #expect(read == RecordPayload(kind: kind, target: .nothing, changes: []))
    }

    @Test func `of several values of one change the last counts, and none is as if cleared`() throws {
        // text "a", then number -1.
        let twice = try RecordPayload(decoding: [0x1A, 7, 0x08, 3, 0x12, 1, 0x61, 0x18, 1])
        #expect(twice.changes == [Change(field: 3, value: .number(-1))])
        let none = try RecordPayload(decoding: [0x1A, 2, 0x08, 3])
        #expect(none.changes == [Change(field: 3, value: .cleared)])
    }

    @Test(
        arguments: [
            [0x08], [0x1A, 1], [0x12, 3, 1, 2], [0x1A, 2, 0x12, 5], [0xFF], [0x0F], [0x1A, 3, 0x12, 1, 0xFF],
            [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ] as [[UInt8]]
    )
    func `what is no protocol buffer is refused`(bytes: [UInt8]) {
        #expect(throws: WireError.invalid("payload")) { try RecordPayload(decoding: bytes) }
    }

    @Test(arguments: [1, 20, 22, 31, 33])
    func `a target is nothing, a reference or a person`(count: Int) {
        let bytes = [0x12, UInt8(count)] + [UInt8](repeating: 1, count: count)
        #expect(throws: WireError.invalid("target")) { try RecordPayload(decoding: bytes) }
    }

    @Test func `a target that names no journal is refused`() {
        let bytes: [UInt8] = [0x12, 21] + [UInt8](repeating: 2, count: 21)
        #expect(throws: WireError.invalid("target")) { try RecordPayload(decoding: bytes) }
    }

    @Test func `a payload has at most 64 changes`() throws {
        let changes = (0..<65).map { Change(field: $0, value: .number(1)) }
        let most = payload(Array(changes.dropLast()))
        #expect(try RecordPayload(decoding: most.encoded()) == most)
        let bytes = try payload(changes).encoded()
        #expect(throws: WireError.tooLarge("changes")) { try RecordPayload(decoding: bytes) }
    }

    @Test func `of what a change overwrites the first 64 names count`() throws {
        var numbers = SplitMix(seed: 3)
        let names = (0..<70).map { _ in numbers.reference() }
        let payload = payload([Change(field: 1, value: .cleared, overwrites: names)])
        let read = try RecordPayload(decoding: payload.encoded())
        #expect(read.changes.map(\.overwrites) == [Array(names.prefix(64))])
    }

    @Test func `a name that is no reference overwrites nothing`() throws {
        let reference = Reference(device: 1, journal: .content, sequence: 2, hash: 3)
        let change: [UInt8] = [0x08, 1, 0x18, 4, 0x42, 1, 9, 0x42, 21] + reference.bytes
        let read = try RecordPayload(decoding: [0x1A, UInt8(change.count)] + change)
        #expect(read.changes == [Change(field: 1, value: .number(2), overwrites: [reference])])
    }

    @Test func `media are of an allowed size, with a key and a short type`() throws {
        func media(size: UInt64 = 1, key: Int = 32, type: Int = 3) -> RecordPayload {
            let key = [UInt8](repeating: 1, count: key)
            let type = String(repeating: "t", count: type)
            return payload([Change(field: 1, value: .media(Media(root: .all(1), size: size, key: key, type: type)))])
        }
        for good in [media(), media(size: 4 << 30), media(type: 0), media(type: 100)] {
            #expect(try RecordPayload(decoding: good.encoded()) == good)
        }
        let bad = [
            media(size: 0), media(size: 4 << 30 + 1), media(size: .max), media(key: 31), media(key: 0), media(key: 33),
            media(type: 101),
        ]
        for bad in bad {
            let bytes = try bad.encoded()
            #expect(throws: WireError.invalid("media")) { try RecordPayload(decoding: bytes) }
        }
    }

    // MARK: - Fabric

    private let identity = SigningKey(seed: Secret([UInt8](repeating: 31, count: 32)))
    private let signing = SigningKey(seed: Secret([UInt8](repeating: 32, count: 32)))

    private func certificate(in event: EventID, salt: Bytes32? = nil) -> Certificate {
        let name = Certificate.deviceName(
            event: event,
            person: PersonID(identity.publicKey),
            signingKey: signing.publicKey,
            agreementKey: .all(33)
        )
        return Certificate(
            person: PersonID(identity.publicKey),
            signingKey: signing.publicKey,
            agreementKey: .all(33),
            signature: identity.sign(name.bytes),
            foundingSalt: salt
        )
    }

    private func terms(level: Level = .attendee, expires: Int64? = nil, uses: UInt32? = nil) -> InvitationTerms {
        InvitationTerms(
            id: InvitationID(.all(1)),
            agreementKey: .all(2),
            level: level,
            expires: expires.map(Timestamp.init),
            uses: uses
        )
    }

    private func epoch(slots: Int, of length: Int = EpochSlots.slotLength) -> FabricPayload {
        let slot = [UInt8](repeating: 1, count: length)
        let slots = [[UInt8]](repeating: slot, count: slots)
        return .epoch(EpochSlots(id: EpochID(.all(1)), audience: .all(2), slots: slots))
    }

    @Test func `what a fabric delta says survives its form`() throws {
        let event = Sample.eventID(1)
        let said: [FabricPayload] = [
            .certificate(certificate(in: event)), .certificate(certificate(in: event, salt: .all(9))),
            .invitation(terms()), .invitation(terms(expires: 1, uses: 1)),
            .invitation(terms(expires: .max, uses: .max)),
            .admission(invitation: InvitationID(.all(4)), signature: signing.sign([1])),
            epoch(slots: 0), epoch(slots: 3), epoch(slots: 1000), .wrongSlots(by: DeviceName(.all(5))),
        ]
        for payload in said { #expect(try FabricPayload(decoding: payload.encoded()) == payload) }
    }

    @Test func `no invitation makes founders`() throws {
        let bytes = try FabricPayload.invitation(terms(level: .founder)).encoded()
        #expect(throws: WireError.invalid("invitation")) { try FabricPayload(decoding: bytes) }
        #expect(Level.attendee < .founder)
    }

    @Test func `an epoch has at most 1000 slots, each of its length`() throws {
        let many = try epoch(slots: 1001).encoded()
        #expect(throws: WireError.tooLarge("slots")) { try FabricPayload(decoding: many) }
        for length in [0, 55, 57] {
            let odd = try epoch(slots: 2, of: length).encoded()
            #expect(throws: WireError.invalid("epoch")) { try FabricPayload(decoding: odd) }
        }
    }

    @Test(
        arguments: [
            [], [0x0A, 0], [0x12, 0], [0x1A, 0], [0x22, 0], [0x42, 0], [0x7A, 1, 1], [0xFF], [0x0A, 9],
        ] as [[UInt8]]
    )
    func `what says nothing that this version knows is refused`(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try FabricPayload(decoding: bytes) }
    }

    @Test func `every truncation of a certificate is refused`() throws {
        let bytes = try FabricPayload.certificate(certificate(in: Sample.eventID(1), salt: .all(9))).encoded()
        for count in bytes.indices {
            #expect(throws: WireError.self) { try FabricPayload(decoding: Array(bytes.prefix(count))) }
        }
    }

    @Test func `a certificate is good in its event only, and nobody else can claim its device`() {
        let event = Sample.eventID(1)
        let mine = certificate(in: event)
        #expect(mine.isValid(in: event) && !mine.isValid(in: Sample.eventID(2)))
        let variants = [
            Certificate(
                person: PersonID(signing.publicKey),
                signingKey: mine.signingKey,
                agreementKey: mine.agreementKey,
                signature: mine.signature
            ),
            Certificate(
                person: mine.person,
                signingKey: .all(7),
                agreementKey: mine.agreementKey,
                signature: mine.signature
            ),
            Certificate(
                person: mine.person,
                signingKey: mine.signingKey,
                agreementKey: .all(7),
                signature: mine.signature
            ),
        ]
        for variant in variants {
            #expect(!variant.isValid(in: event) && variant.deviceName(in: event) != mine.deviceName(in: event))
        }
    }

    @Test func `a founder is who made the event's name`() {
        let event = Certificate.eventID(founder: PersonID(identity.publicKey), salt: .all(9))
        #expect(certificate(in: event, salt: .all(9)).isFounding(event))
        #expect(!certificate(in: event, salt: .all(8)).isFounding(event))
        #expect(!certificate(in: event).isFounding(event))
        #expect(!certificate(in: event, salt: .all(9)).isFounding(Sample.eventID(1)))
    }

    @Test func `an admission is of one person to one event`() {
        let statements: Set<[UInt8]> = [
            FabricPayload.admissionStatement(event: Sample.eventID(1), person: PersonID(.all(1))),
            FabricPayload.admissionStatement(event: Sample.eventID(2), person: PersonID(.all(1))),
            FabricPayload.admissionStatement(event: Sample.eventID(1), person: PersonID(.all(2))),
        ]
        #expect(statements.count == 3)
    }
}
