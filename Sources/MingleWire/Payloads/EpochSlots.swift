// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel

/// One generation of an audience's key, sealed for each of those who may have it.
package struct EpochSlots: Hashable, Sendable {
    /// Bytes of a slot: 8 of label and 48 of box.
    package static let slotLength = 56

    /// The epoch: the commitment to its key.
    package let id: EpochID
    /// The audience that the key is for.
    package let audience: Bytes32
    /// The slots, 56 bytes each; at most 1000.
    package let slots: [[UInt8]]

    /// Lists slots.
    package init(id: EpochID, audience: Bytes32, slots: [[UInt8]]) {
        (self.id, self.audience, self.slots) = (id, audience, slots)
    }

    /// The audience of everybody in an event, which follows from the event alone.
    package static func eventAudience(_ event: EventID) -> Bytes32 {
        Blake2b.hash(.audience, Array("event".utf8) + event.bytes)
    }

    /// The id that commits to `key` for an audience of `event`.
    package static func id(key: Secret, event: EventID, audience: Bytes32) -> EpochID {
        var hash = Blake2b(.epoch, key: key)
        hash.update(event.raw)
        hash.update(audience)
        return EpochID(hash.finalize32())
    }

    /// Seals `key` for the recipient whose name begins as `label` says.
    package static func slot(
        key: Secret,
        epoch: EpochID,
        label: UInt64,
        author: AgreementKey,
        recipient: Bytes32
    ) throws(CryptoError) -> [UInt8] {
        var slot: [UInt8] = []
        label.appendBigEndian(to: &slot)
        return slot + SlotBox.seal(key, key: try boxKey(epoch: epoch, own: author, other: recipient))
    }

    /// Opens the slot labelled `label`; nil where there is none or its key is not the one that the id commits to.
    package func openSlot(label: UInt64, own: AgreementKey, author: Bytes32, event: EventID) -> Secret? {
        var prefix: [UInt8] = []
        label.appendBigEndian(to: &prefix)
        for slot in slots where slot.starts(with: prefix) {
            guard let boxKey = try? Self.boxKey(epoch: id, own: own, other: author),
                let key = try? SlotBox.open(Array(slot[8...]), key: boxKey),
                Self.id(key: key, event: event, audience: audience) == id
            else { continue }
            return key
        }
        return nil
    }

    private static func boxKey(epoch: EpochID, own: AgreementKey, other: Bytes32) throws(CryptoError) -> Secret {
        var hash = Blake2b(.slot, key: try own.sharedSecret(with: other))
        hash.update(epoch.raw)
        return Secret(hash.finalize())
    }
}

extension EpochSlots {
    init(_ message: ProtoEpoch) throws(WireError) {
        guard let id = EpochID(bytes: message.id), let audience = Bytes32(message.audience),
            message.slots.allSatisfy({ $0.count == Self.slotLength })
        else { throw .invalid("epoch") }
        guard message.slots.count <= Limits.slotsPerEpoch else { throw .tooLarge("slots") }
        self.init(id: id, audience: audience, slots: message.slots.map { [UInt8]($0) })
    }
}
