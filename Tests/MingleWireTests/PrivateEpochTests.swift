// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

struct PrivateEpochTests {
    private let event = Sample.eventID(1)
    private let key = Secret([UInt8](repeating: 40, count: 32))
    private let author = Sample.key(41)
    private let recipient = Sample.key(42)
    private let audience = Audience.guests(owner: PersonID(.all(1)), salt: [UInt8](repeating: 2, count: 16))
    private let randomness = Randomness { [UInt8](repeating: 7, count: $0) }

    private func terms(recipients: [UInt64] = [5]) -> PrivateTerms {
        let carried = EpochMaking.carry([EpochMaking.Key(key, rules: .all(9))], under: key)
        let making = EpochMaking(obeys: [1, 2], carried: carried)
        return PrivateTerms(audience: audience, maker: DeviceName(.all(3)), making: making, recipients: recipients)
    }

    private func epoch(for recipients: [AgreementKey], terms: PrivateTerms? = nil) throws -> PrivateEpoch {
        let terms = terms ?? self.terms()
        let id = terms.id(of: key, in: event)
        let slots = try recipients.map { recipient in
            PrivateEpoch.slot(key: key, epoch: id, secret: try author.sharedSecret(with: recipient.publicKey))
        }
        return try PrivateEpoch(id: id, key: key, slots: slots, terms: terms, randomness: randomness)
    }

    @Test func `a slot gives the key to whom it is sealed for, and the key gives the terms`() throws {
        let epoch = try epoch(for: [recipient])
        let secret = try recipient.sharedSecret(with: author.publicKey)
        let opened = try #require(epoch.openSlot(secret: secret))
        #expect(opened.exposed() == key.exposed())
        #expect(epoch.terms(under: opened, in: event) == terms())
        #expect(try PrivateEpoch(decoding: epoch.encoded()) == epoch)
    }

    @Test func `strangers open nothing, and see no label or person of anybody`() throws {
        let epoch = try epoch(for: [recipient])
        #expect(epoch.openSlot(secret: try Sample.key(43).sharedSecret(with: author.publicKey)) == nil)
        #expect(epoch.terms(under: Secret([UInt8](repeating: 41, count: 32)), in: event) == nil)
        let text = try epoch.encoded().map { String($0) }.joined(separator: " ")
        let owner = try #require(audience.owner)
        for name in [recipient.publicKey, author.publicKey, owner.raw, .all(3)].map(\.bytes) {
            #expect(!text.contains(name.prefix(8).map { String($0) }.joined(separator: " ")))
        }
        // The same device has another label in another epoch.
        let other = try self.epoch(for: [recipient], terms: terms(recipients: []))
        #expect(other.id == epoch.id, "recipients are not committed to")
        #expect(try slot(of: epoch, under: key) != slot(of: epoch, under: Secret([UInt8](repeating: 1, count: 32))))
    }

    private func slot(of epoch: PrivateEpoch, under key: Secret) throws -> [UInt8] {
        let id = terms().id(of: key, in: event)
        let slot = PrivateEpoch.slot(key: key, epoch: id, secret: try author.sharedSecret(with: recipient.publicKey))
        return Array(slot.prefix(8))
    }

    @Test(arguments: [(0, 8), (1, 8), (7, 8), (8, 8), (9, 16), (17, 24)])
    func `noise rounds the number of slots up`(recipients: Int, slots: Int) throws {
        let epoch = try epoch(for: (0..<recipients).map { Sample.key(UInt8(50 + $0)) })
        #expect(epoch.slots.count == slots)
        #expect(epoch.slots.allSatisfy { $0.count == EpochSlots.slotLength })
    }

    @Test func `terms count under the id that commits to them, in their event, and nowhere else`() throws {
        let epoch = try epoch(for: [recipient])
        #expect(epoch.terms(under: key, in: Sample.eventID(2)) == nil)
        let other = PrivateTerms(
            audience: .own(PersonID(.all(1))),
            maker: DeviceName(.all(3)),
            making: terms().making,
            recipients: []
        )
        let id = terms().id(of: key, in: event)
        let lie = try PrivateEpoch(id: id, key: key, slots: [], terms: other, randomness: randomness)
        #expect(lie.terms(under: key, in: event) == nil)
    }

    @Test func `what is no epoch, or has too many slots, is refused`() throws {
        #expect(throws: WireError.self) { try PrivateEpoch(decoding: [1, 2, 3]) }
        #expect(throws: WireError.self) { try PrivateEpoch(decoding: []) }
        #expect(throws: WireError.self) { try PrivateTerms(decoding: [1, 2, 3]) }
        let slots = [[UInt8]](repeating: [UInt8](repeating: 1, count: 56), count: Limits.slotsPerEpoch + 1)
        let id = terms().id(of: key, in: event)
        let large = try PrivateEpoch(id: id, key: key, slots: slots, terms: terms(), randomness: randomness)
        #expect(throws: WireError.tooLarge("slots")) { try PrivateEpoch(decoding: large.encoded()) }
    }

    @Test func `an audience is read as it was written, and each has another id`() {
        let (one, other) = (PersonID(.all(1)), PersonID(.all(2)))
        let salt = [UInt8](repeating: 5, count: Audience.saltLength)
        let audiences: [Audience] = [
            .guests(owner: one, salt: salt), .moderators(owner: one, salt: salt), .between(other, and: one), .own(one),
        ]
        for audience in audiences { #expect(Audience(bytes: audience.bytes) == audience) }
        #expect(Set((audiences + [.event]).map { $0.id(in: event) }).count == 5)
        #expect(Audience.between(one, and: other) == .between(other, and: one))
        #expect(Audience(bytes: [3] + other.bytes + one.bytes) == nil, "the lower name comes first")
        #expect(Audience(bytes: [1] + one.bytes + salt + [0]) == nil && Audience(bytes: [0]) == nil)
    }
}
