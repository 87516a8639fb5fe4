// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel
import SwiftProtobuf

/// One generation of a private audience's key, sealed for some who may have it: what a content delta in the clear holds.
///
/// Strangers see an id, and a number of slots that noise rounds up. Whom a slot is for only its author and that device can
/// tell; what the epoch is for stands under the epoch's own key.
package struct PrivateEpoch: Hashable, Sendable {
    /// Slots are filled up with noise to a multiple of this.
    package static let slotsAtOnce = 8

    /// The epoch: the commitment to its key.
    package let id: EpochID
    /// The slots, 56 bytes each; at most 1000.
    package let slots: [[UInt8]]
    /// The terms under the epoch's own key.
    package let sealed: [UInt8]

    /// Lists slots, filled up with `randomness`, and seals the terms.
    package init(
        id: EpochID,
        key: Secret,
        slots: [[UInt8]],
        terms: PrivateTerms,
        randomness: Randomness
    ) throws {
        let surplus = slots.count % Self.slotsAtOnce
        let missing = slots.isEmpty ? Self.slotsAtOnce : surplus == 0 ? 0 : Self.slotsAtOnce - surplus
        let noise = (0..<missing).map { _ in randomness.bytes(EpochSlots.slotLength) }
        self.id = id
        // In the order of their labels nothing tells what is noise.
        self.slots = (slots + noise).sorted { $0.lexicographicallyPrecedes($1) }
        let nonce = randomness.bytes(Sealing.nonceLength)
        let plain = try terms.encoded()
        sealed = nonce + Sealing.seal(plain, key: Self.termsKey(key), nonce: nonce, associatedData: id.bytes)
    }

    /// A slot for the device with which its author shares `secret`.
    package static func slot(key: Secret, epoch: EpochID, secret: Secret) -> [UInt8] {
        label(epoch, secret) + SlotBox.seal(key, key: boxKey(epoch, secret))
    }

    /// The key, if a slot is for the device that shares `secret` with the author; only the terms tell whether it is good.
    package func openSlot(secret: Secret) -> Secret? {
        let label = Self.label(id, secret)
        for slot in slots where slot.starts(with: label) {
            if let key = try? SlotBox.open(Array(slot[label.count...]), key: Self.boxKey(id, secret)) { return key }
        }
        return nil
    }

    /// What the epoch is for; nil if `key` is not the one that the id commits to, or the terms are others.
    package func terms(under key: Secret, in event: EventID) -> PrivateTerms? {
        let (nonce, box) = (Array(sealed.prefix(Sealing.nonceLength)), Array(sealed.dropFirst(Sealing.nonceLength)))
        guard
            let plain = try? Sealing.open(box, key: Self.termsKey(key), nonce: nonce, associatedData: id.bytes),
            let terms = try? PrivateTerms(decoding: plain), terms.id(of: key, in: event) == id
        else { return nil }
        return terms
    }

    private static func label(_ epoch: EpochID, _ secret: Secret) -> [UInt8] {
        var hash = Blake2b(.label, key: secret)
        hash.update(epoch.raw)
        return Array(hash.finalize().prefix(8))
    }

    private static func boxKey(_ epoch: EpochID, _ secret: Secret) -> Secret {
        var hash = Blake2b(.slot, key: secret)
        hash.update(epoch.raw)
        return Secret(hash.finalize())
    }

    private static func termsKey(_ key: Secret) -> Secret { Secret(Blake2b(.terms, key: key).finalize()) }
}

extension PrivateEpoch {
    /// The protocol buffer.
    package func encoded() throws -> [UInt8] {
        var message = ProtoPrivateEpoch()
        message.id = .init(id.bytes)
        message.slots = slots.map { .init($0) }
        message.sealed = .init(sealed)
        return try message.serializedBytes()
    }

    /// Reads the protocol buffer; throws for anything that is none within the limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard let message = try? ProtoPrivateEpoch(serializedBytes: bytes), let id = EpochID(bytes: message.id),
            id != .plaintext, message.slots.allSatisfy({ $0.count == EpochSlots.slotLength })
        else { throw .invalid("private epoch") }
        guard message.slots.count <= Limits.slotsPerEpoch else { throw .tooLarge("slots") }
        (self.id, slots, sealed) = (id, message.slots.map { [UInt8]($0) }, [UInt8](message.sealed))
    }
}

/// What an epoch of a private audience is, for those who have its key.
///
/// The id commits to all of it but the recipients, who are those of one delta.
package struct PrivateTerms: Hashable, Sendable {
    /// Whose key it is.
    package let audience: Audience
    /// The device that made the epoch.
    package let maker: DeviceName
    /// What it obeys, and the keys of the epochs before it.
    package let making: EpochMaking
    /// The devices to which this delta seals the key: the first eight bytes of their names.
    package let recipients: [UInt64]

    /// States what an epoch is.
    package init(audience: Audience, maker: DeviceName, making: EpochMaking, recipients: [UInt64]) {
        (self.audience, self.maker, self.making, self.recipients) = (audience, maker, making, recipients)
    }

    /// The id that commits to these terms and a key.
    package func id(of key: Secret, in event: EventID) -> EpochID {
        EpochSlots.id(key: key, event: event, audience: audience.id(in: event), rules: making.rules(maker: maker))
    }

    /// The protocol buffer.
    package func encoded() throws -> [UInt8] {
        var message = ProtoPrivateTerms()
        message.audience = .init(audience.bytes)
        message.maker = .init(maker.bytes)
        message.obeys = .init(making.obeyedBytes)
        message.carried = making.carried.map { .init($0) }
        message.recipients = .init(recipients.flatMap(\.bigEndianBytes))
        return try message.serializedBytes()
    }

    /// Reads the protocol buffer; throws for anything that is none within the limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard let message = try? ProtoPrivateTerms(serializedBytes: bytes),
            let audience = Audience(bytes: [UInt8](message.audience)), let maker = DeviceName(bytes: message.maker),
            message.recipients.count % 8 == 0,
            message.recipients.count <= 8 * Limits.slotsPerEpoch
        else { throw .invalid("terms") }
        self.init(
            audience: audience,
            maker: maker,
            making: try EpochMaking(obeyed: [UInt8](message.obeys), carried: message.carried.map { [UInt8]($0) }),
            recipients: [UInt64](bigEndian: [UInt8](message.recipients))
        )
    }
}

extension [UInt64] {
    /// Reads numbers of eight bytes each; what is left over is not looked at.
    package init(bigEndian bytes: [UInt8]) {
        self = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { UInt64(bigEndianAt: $0, of: bytes.span) }
    }
}

extension UInt64 {
    /// The eight bytes.
    package var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        appendBigEndian(to: &bytes)
        return bytes
    }
}
