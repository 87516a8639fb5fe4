// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

// What hostile nodes make of the keys of private moments.
extension World {
    /// A key for an audience of its own that it hands to everybody and that obeys what there is not, or what claims to be the key of
    /// others' moments.
    func privateKey(of node: SimulatedNode, at time: Timestamp) throws -> Forger.Words {
        let (own, randomness) = (node.replica.own, node.randomness)
        let key = randomness.secret()
        let terms = PrivateTerms(
            audience: .guests(owner: node.secrets.person, salt: randomness.bytes(Audience.saltLength)),
            maker: own.name,
            making: EpochMaking(obeys: [node.draw { $0.next() }], carried: []),
            recipients: honest.map(\.replica.own.name.raw.prefix)
        )
        let id = try node.draw({ $0.chance(50) }) ? foreignEpoch(for: node) : nil
        let epoch = id ?? terms.id(of: key, in: node.event)
        let slots = honest.compactMap { try? own.agreement.sharedSecret(with: $0.replica.own.agreement.publicKey) }
            .map { PrivateEpoch.slot(key: key, epoch: epoch, secret: $0) }
        let made = try PrivateEpoch(id: epoch, key: key, slots: slots, terms: terms, randomness: randomness)
        return Forger.Words(time: time, plain: try made.encoded(), isOpen: true)
    }

    /// Says in the event's name that there is a key, which headers show to be somebody's.
    func claim(of epoch: EpochID?, by node: SimulatedNode) -> FabricPayload {
        let audience = EpochSlots.eventAudience(node.event)
        let id = epoch ?? EpochSlots.id(key: node.randomness.secret(), event: node.event, audience: audience)
        return .epoch(EpochSlots(id: id, audience: audience, slots: [node.randomness.bytes(EpochSlots.slotLength)]))
    }

    /// A slot of one of the event's keys for a device that does not open.
    func wrongSlots(of epoch: EpochID, for device: DeviceName, by node: SimulatedNode) -> FabricPayload {
        var slot: [UInt8] = []
        device.raw.prefix.appendBigEndian(to: &slot)
        slot += node.randomness.bytes(EpochSlots.slotLength - slot.count)
        return .epoch(EpochSlots(id: epoch, audience: EpochSlots.eventAudience(node.event), slots: [slot]))
    }

    /// The same of all keys that the node holds, written at once.
    func sealWrongly(to device: DeviceName, by node: SimulatedNode) throws {
        let drafts = try node.replica.epochKeys().map { Draft.fabric(wrongSlots(of: $0.0, for: device, by: node)) }
        let authored = try node.replica.author(drafts, at: node.clock(at: now), randomness: node.randomness)
        try tell(node, authored.outcome, own: authored.runs)
    }

    /// The epoch of something that an honest person wrote last and the node cannot open.
    func foreignEpoch(for node: SimulatedNode) throws -> EpochID? {
        let held = Set(try node.replica.epochKeys().map(\.0))
        let epochs = try honest.compactMap { other in
            try lastDelta(of: other.replica.own.name, .content, at: node)?.header.epoch
        }
        let foreign = epochs.filter { $0 != .plaintext && !held.contains($0) }
        return foreign.isEmpty ? nil : node.draw { $0.pick(foreign) }
    }
}
