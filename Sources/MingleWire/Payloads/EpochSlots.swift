// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel

/// One generation of an audience's key, sealed for some of those who may have it.
///
/// One delta makes an epoch; others add slots. The id commits to the key, to who made it and to what that obeys, so nobody
/// can give another's epoch other rules.
package struct EpochSlots: Hashable, Sendable {
    /// Bytes of a slot: 8 of label and 48 of box.
    package static let slotLength = 56

    /// The epoch: the commitment to its key.
    package let id: EpochID
    /// The audience that the key is for.
    package let audience: Bytes32
    /// The hash of maker and obeyed rules; nil in the epoch that an event begins with.
    package let rules: Bytes32?
    /// The slots, 56 bytes each; at most 1000.
    package let slots: [[UInt8]]
    /// What the delta that makes the epoch says besides.
    package let making: EpochMaking?

    /// Lists slots.
    package init(
        id: EpochID,
        audience: Bytes32,
        rules: Bytes32? = nil,
        slots: [[UInt8]],
        making: EpochMaking? = nil
    ) {
        (self.id, self.audience, self.rules) = (id, audience, rules)
        (self.slots, self.making) = (slots, making)
    }

    /// The audience of everybody in an event, which follows from the event alone.
    package static func eventAudience(_ event: EventID) -> Bytes32 {
        Blake2b.hash(.audience, Array("event".utf8) + event.bytes)
    }

    /// The id that commits to `key` and `rules` for an audience of `event`.
    package static func id(key: Secret, event: EventID, audience: Bytes32, rules: Bytes32? = nil) -> EpochID {
        var hash = Blake2b(.epoch, key: key)
        hash.update(event.raw)
        hash.update(audience)
        if let rules { hash.update(rules) }
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
        let candidates = slots.filter { $0.starts(with: prefix) }
        guard !candidates.isEmpty, let boxKey = try? Self.boxKey(epoch: id, own: own, other: author) else { return nil }
        for slot in candidates {
            guard let key = try? SlotBox.open(Array(slot[8...]), key: boxKey),
                Self.id(key: key, event: event, audience: audience, rules: rules) == id
            else { continue }
            return key
        }
        return nil
    }

    /// Whom the slots are for: the first eight bytes of their names.
    package var labels: [UInt64] { slots.map { UInt64(bigEndianAt: 0, of: $0.span) } }

    private static func boxKey(epoch: EpochID, own: AgreementKey, other: Bytes32) throws(CryptoError) -> Secret {
        var hash = Blake2b(.slot, key: try own.sharedSecret(with: other))
        hash.update(epoch.raw)
        return Secret(hash.finalize())
    }
}

extension EpochSlots {
    init(_ message: ProtoEpoch) throws(WireError) {
        guard let id = EpochID(bytes: message.id), let audience = Bytes32(message.audience),
            message.slots.allSatisfy({ $0.count == Self.slotLength }),
            message.rules.isEmpty || message.rules.count == 32
        else { throw .invalid("epoch") }
        guard message.slots.count <= Limits.slotsPerEpoch else { throw .tooLarge("slots") }
        self.init(
            id: id,
            audience: audience,
            rules: Bytes32(message.rules),
            slots: message.slots.map { [UInt8]($0) },
            making: try EpochMaking(message)
        )
    }
}

extension ProtoEpoch {
    init(_ epoch: EpochSlots) {
        self.init()
        id = .init(epoch.id.bytes)
        audience = .init(epoch.audience.bytes)
        slots = epoch.slots.map { .init($0) }
        if let rules = epoch.rules { self.rules = .init(rules.bytes) }
        guard let making = epoch.making else { return }
        obeys = .init(making.obeyedBytes)
        carried = making.carried.map { .init($0) }
    }
}
