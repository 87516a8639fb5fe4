// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import Testing

struct EpochSlotsTests {
    private let event = Sample.eventID(1)
    private let key = Secret([UInt8](repeating: 40, count: 32))
    private let author = Sample.key(41)
    private let recipient = Sample.key(42)
    private let label: UInt64 = 0x4242_4242_4242_4242

    private var audience: Bytes32 { EpochSlots.eventAudience(event) }
    private var epoch: EpochID { EpochSlots.id(key: key, event: event, audience: audience) }

    private func slot(
        _ key: Secret? = nil,
        label: UInt64? = nil,
        for recipient: AgreementKey? = nil
    ) throws -> [UInt8] {
        try EpochSlots.slot(
            key: key ?? self.key,
            epoch: epoch,
            label: label ?? self.label,
            author: author,
            recipient: (recipient ?? self.recipient).publicKey
        )
    }

    private func open(_ slots: [[UInt8]], by own: AgreementKey? = nil, label: UInt64? = nil) -> [UInt8]? {
        EpochSlots(id: epoch, audience: audience, slots: slots)
            .openSlot(label: label ?? self.label, own: own ?? recipient, author: author.publicKey, event: event)?
            .exposed()
    }

    @Test func `a slot gives the key to whom it is sealed for`() throws {
        let slot = try slot()
        #expect(slot.count == EpochSlots.slotLength)
        #expect(open([slot]) == key.exposed())
        // Two static keys share the same secret from both sides, so the author reads it again.
        let again = EpochSlots(id: epoch, audience: audience, slots: [slot])
            .openSlot(label: label, own: author, author: recipient.publicKey, event: event)
        #expect(again?.exposed() == key.exposed())
    }

    @Test func `a slot gives nothing to others`() throws {
        let slots = EpochSlots(id: epoch, audience: audience, slots: [try slot()])
        #expect(open(slots.slots, by: Sample.key(43)) == nil)
        #expect(open(slots.slots, label: label + 1) == nil)
        #expect(open([]) == nil)
        let stranger = Sample.key(44).publicKey
        #expect(slots.openSlot(label: label, own: recipient, author: stranger, event: event) == nil)
        let other = Sample.eventID(2)
        #expect(slots.openSlot(label: label, own: recipient, author: author.publicKey, event: other) == nil)
        // A public key of zeros would make a secret that anybody knows.
        #expect(slots.openSlot(label: label, own: recipient, author: .zero, event: event) == nil)
    }

    @Test func `a slot in which any byte was changed gives nothing`() throws {
        let slot = try slot()
        for index in slot.indices {
            var changed = slot
            changed[index] ^= 1
            #expect(open([changed]) == nil)
        }
        for count in slot.indices { #expect(open([Array(slot.prefix(count))]) == nil) }
        #expect(open([slot + [0]]) == nil)
    }

    @Test func `a key that the epoch does not commit to is not taken`() throws {
        let other = Secret([UInt8](repeating: 45, count: 32))
        #expect(open([try slot(other)]) == nil)
        let elsewhere = EpochSlots(id: epoch, audience: .all(9), slots: [try slot()])
        #expect(elsewhere.openSlot(label: label, own: recipient, author: author.publicKey, event: event) == nil)
    }

    @Test func `among many slots, and others with the same label, the right one is found`() throws {
        let others = try (1...20).map { try slot(label: UInt64($0), for: Sample.key(UInt8($0))) }
        let twin = try slot(for: Sample.key(43))
        #expect(open(others + [twin, try slot()]) == key.exposed())
        #expect(open(others + [twin]) == nil)
    }

    @Test func `an epoch is named by its key, event and audience`() {
        let other = Secret([UInt8](repeating: 45, count: 32))
        let names: Set<EpochID> = [
            epoch,
            EpochSlots.id(key: other, event: event, audience: audience),
            EpochSlots.id(key: key, event: Sample.eventID(2), audience: audience),
            EpochSlots.id(key: key, event: event, audience: .all(1)),
            .plaintext,
        ]
        #expect(names.count == 5)
        #expect(EpochSlots.eventAudience(event) != EpochSlots.eventAudience(Sample.eventID(2)))
    }

    @Test func `nothing is sealed for a key that makes no secret`() {
        #expect(throws: CryptoError.weakPublicKey) {
            try EpochSlots.slot(key: key, epoch: epoch, label: label, author: author, recipient: .zero)
        }
    }

    @Test func `an epoch carries the keys of those before it, and commits to its maker and rules`() throws {
        let maker = DeviceName(Bytes32.zero)
        let earlier = [Secret([UInt8](repeating: 1, count: 32)), Secret([UInt8](repeating: 2, count: 32))]
        let rules = Sample.eventID(7).raw
        let keys = [EpochMaking.Key(earlier[0], rules: nil), EpochMaking.Key(earlier[1], rules: rules)]
        let making = EpochMaking(obeys: [9, 3], carried: EpochMaking.carry(keys, under: key))
        #expect(making.obeys == [3, 9])
        let opened = making.open(under: key)
        #expect(opened.map { $0.key.exposed() } == earlier.map { $0.exposed() } && opened.map(\.rules) == [nil, rules])
        #expect(making.open(under: earlier[0]).isEmpty)
        let own = making.rules(maker: maker)
        let id = EpochSlots.id(key: key, event: event, audience: audience, rules: own)
        #expect(id != epoch && EpochMaking(obeys: [3], carried: []).rules(maker: maker) != own)
        #expect(making.rules(maker: DeviceName(rules)) != own)
        let payload = FabricPayload.epoch(
            EpochSlots(id: id, audience: audience, rules: own, slots: [try slot()], making: making)
        )
        #expect(try FabricPayload(decoding: payload.encoded()) == payload)
    }

    @Test func `a cut is read as it was written, and a long one refused`() throws {
        let reference = Reference(device: 5, journal: .fabric, sequence: 6, hash: 7)
        func cut(_ ends: Int, _ overwrites: Int, _ level: Level?) -> FabricPayload {
            let end = FrontierEntry(device: DeviceName(.zero), journal: .content, sequence: 9, tip: 8)
            return .cut(
                CutTerms(
                    person: PersonID(Bytes32.zero),
                    level: level,
                    ends: Array(repeating: end, count: ends),
                    overwrites: Array(repeating: reference, count: overwrites)
                )
            )
        }
        for level in [nil, Level.founder, .guest] {
            for payload in [cut(0, 0, level), cut(256, 256, level)] {
                #expect(try FabricPayload(decoding: payload.encoded()) == payload)
            }
        }
        for payload in [cut(257, 0, nil), cut(0, 257, nil)] {
            #expect(throws: WireError.tooLarge("cut")) { try FabricPayload(decoding: payload.encoded()) }
        }
    }

    @Test func `a cut of one device takes everything of that alone, and for good`() throws {
        let maker = DeviceName(Bytes32(at: 0, of: [UInt8](repeating: 9, count: 32).span))
        func cut(_ level: Level?, endOf device: DeviceName, _ overwrites: [Reference] = []) -> FabricPayload {
            let end = FrontierEntry(device: device, journal: .content, sequence: 9, tip: 8)
            let person = PersonID(Bytes32.zero)
            return .cut(CutTerms(person: person, device: maker, level: level, ends: [end], overwrites: overwrites))
        }
        let other = DeviceName(Bytes32.zero)
        let payload = cut(nil, endOf: maker)
        #expect(try FabricPayload(decoding: payload.encoded()) == payload)
        let reference = Reference(device: 5, journal: .fabric, sequence: 6, hash: 7)
        let wrong = [
            cut(nil, endOf: other), cut(.founder, endOf: maker), cut(.guest, endOf: maker),
            cut(nil, endOf: maker, [reference]),
        ]
        for payload in wrong {
            #expect(throws: WireError.invalid("cut")) { try FabricPayload(decoding: payload.encoded()) }
        }
    }
}
