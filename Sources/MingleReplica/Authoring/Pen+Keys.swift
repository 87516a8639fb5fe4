// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// Whom a key is sealed to.
private struct Recipient {
    let label: UInt64
    let key: Bytes32
    /// Labels of slots that open for the same device: of the invitations that its person came by.
    var others: Set<UInt64> = []
}

extension Pen {
    /// Slots of a delta that makes an epoch; it says more than others.
    private static let firstSlots = 500
    /// Recipients to whom keys are handed on at a time; more get theirs the next time.
    private static let handedAtOnce = 1000

    /// The epoch to write content under.
    ///
    /// A host makes one at once where none obeys all that is known. Others wait whether a host does: see ``KeyNeed``.
    mutating func writingEpoch() throws -> (EpochID, Secret) {
        try transaction.settleLevels()
        if let clean = try transaction.cleanEpoch() { return clean }
        guard try !transaction.keysAtHand().isEmpty else { throw ReplicaError.locked }
        guard ownLevel.map({ $0 >= .host }) ?? false else { throw ReplicaError.keyOutdated }
        _ = try renewKey()
        guard let clean = try transaction.cleanEpoch() else { throw ReplicaError.keyOutdated }
        return clean
    }

    /// Makes an epoch that obeys all that is known here, for everybody who takes part and every open invitation.
    mutating func renewKey() throws -> Reference {
        try transaction.settleLevels()
        let audience = EpochSlots.eventAudience(transaction.replica.event)
        let key = randomness.secret()
        let concerns = transaction.concerns()
        let earlier = try transaction.keysAtHand().prefix(Limits.carriedPerEpoch)
        guard !earlier.isEmpty else { throw ReplicaError.locked }
        let making = EpochMaking(
            obeys: concerns,
            carried: EpochMaking.carry(earlier.map { EpochMaking.Key($0.key, rules: $0.rules) }, under: key)
        )
        let rules = making.rules(maker: own.name)
        let id = EpochSlots.id(key: key, event: transaction.replica.event, audience: audience, rules: rules)
        let epoch = EpochSlots(id: id, audience: audience, rules: rules, slots: [])
        // A device with a key that nothing can be sealed to keeps nobody else from getting theirs.
        let slots = try transaction.recipients(at: timestamp).compactMap { try? slot(of: epoch, key, for: $0) }
        let first = EpochSlots(
            id: id,
            audience: audience,
            rules: rules,
            slots: Array(slots.prefix(Self.firstSlots)),
            making: making
        )
        let reference = try write(.fabric(.epoch(first)))
        try add(Array(slots.dropFirst(Self.firstSlots)), to: epoch)
        try transaction.hold(key, of: id)
        return reference
    }

    /// Seals the keys at hand to whom nobody sealed them yet.
    mutating func handOnKeys() throws {
        try transaction.settleLevels()
        for (held, recipients) in try transaction.lackingKeys(at: timestamp) {
            try handOn(held, to: Array(recipients.prefix(Self.handedAtOnce)))
        }
    }

    /// Opens an invitation, with the keys for whoever comes by it.
    mutating func open(_ terms: InvitationTerms) throws -> Reference {
        // A relay reads nothing, and who asks to come in reads nothing yet.
        guard terms.level.isPeople, !terms.asks else { return try write(.fabric(.invitation(terms))) }
        let keys = try transaction.keysAtHand()
        // Nobody else would hand the key to whoever comes by it.
        guard !keys.isEmpty else { throw ReplicaError.locked }
        let reference = try write(.fabric(.invitation(terms)))
        let recipient = Recipient(label: terms.id.raw.prefix, key: terms.agreementKey)
        for held in keys { try handOn(held, to: [recipient]) }
        return reference
    }

    private mutating func handOn(_ held: Held, to recipients: [Recipient]) throws {
        let audience = EpochSlots.eventAudience(transaction.replica.event)
        let epoch = EpochSlots(id: held.id, audience: audience, rules: held.rules, slots: [])
        try add(recipients.compactMap { try? slot(of: epoch, held.key, for: $0) }, to: epoch)
    }

    private mutating func add(_ slots: [[UInt8]], to epoch: EpochSlots) throws {
        for start in stride(from: 0, to: slots.count, by: Limits.slotsPerEpoch) {
            let part = Array(slots[start..<min(start + Limits.slotsPerEpoch, slots.count)])
            let more = EpochSlots(id: epoch.id, audience: epoch.audience, rules: epoch.rules, slots: part)
            _ = try write(.fabric(.epoch(more)))
        }
    }

    private func slot(of epoch: EpochSlots, _ key: Secret, for recipient: Recipient) throws -> [UInt8] {
        try EpochSlots.slot(
            key: key,
            epoch: epoch.id,
            label: recipient.label,
            author: own.agreement,
            recipient: recipient.key
        )
    }
}

/// A key with what its epoch's id commits to besides.
private struct Held {
    let id: EpochID
    let key: Secret
    let rules: Bytes32?
}

extension Transaction {
    /// Those who may read and to whom no slot of a key at hand is sealed.
    fileprivate func lackingKeys(at now: Timestamp) throws -> [(Held, [Recipient])] {
        let recipients = try recipients(at: now)
        return try keysAtHand().compactMap { held in
            let labels = Set(
                try rows("SELECT label FROM slot JOIN epoch ON epoch.id = slot.epoch WHERE name = ?", [held.id.column])
                    .map { UInt64(bitPattern: $0["label"]) }
            )
            let lacking = recipients.filter { recipient in
                !labels.contains(recipient.label) && !recipient.others.contains { labels.contains($0) }
                    && (try? replica.own.agreement.sharedSecret(with: recipient.key)) != nil
            }
            return lacking.isEmpty ? nil : (held, lacking)
        }
    }

    /// The labels of those to whom some key at hand is not sealed.
    func labelsLackingKeys(at now: Timestamp) throws -> Set<UInt64> {
        Set(try lackingKeys(at: now).flatMap(\.1).map(\.label))
    }

    /// Keys that give all others, of epochs that count: none of them is carried by what another one leads to.
    ///
    /// Hosts' first; of more than 16 the rest is left to those who made them.
    fileprivate func keysAtHand() throws -> [Held] {
        let counting = try rows(
            """
            SELECT id, name, rules FROM epoch WHERE rank <= \(Level.attendee.rawValue) AND key IS NOT NULL
            ORDER BY rank > \(Level.host.rawValue), name LIMIT \(Self.keysLookedAt)
            """,
            []
        )
        var carried: [Int64: Set<Int64>] = [:]
        for row in try rows("SELECT epoch, carried FROM carried", []) {
            carried[row["epoch"], default: []].insert(row["carried"])
        }
        // One after the other goes whatever another one leads to; of a ring, which only liars make, one stays.
        var kept = counting.map { $0["id"] as Int64 }
        for epoch in kept.reversed() where Self.reach(of: kept.filter { $0 != epoch }, carried).contains(epoch) {
            kept.removeAll { $0 == epoch }
        }
        let chosen = Set(kept.prefix(Self.keysHandedOn))
        return try counting.filter { chosen.contains($0["id"]) }.compactMap { row in
            let name = try EpochID(column: row["name"])
            let rules = try (row["rules"] as Data?).map { try Bytes32(column: $0) }
            return memory.epochKeys[name].map { Held(id: name, key: $0, rules: rules) }
        }
    }

    private static let keysLookedAt = 256
    private static let keysHandedOn = 16

    /// The epochs whose keys follow from those of some.
    private static func reach(of epochs: [Int64], _ carried: [Int64: Set<Int64>]) -> Set<Int64> {
        var (reached, pending) = (Set<Int64>(), epochs)
        while let epoch = pending.popLast() {
            for next in carried[epoch] ?? [] where reached.insert(next).inserted { pending.append(next) }
        }
        return reached
    }

    /// Everybody's devices but relays', and the invitations by which somebody may still come.
    fileprivate func recipients(at now: Timestamp) throws -> [Recipient] {
        var ways: [Int64: Set<UInt64>] = [:]
        for row in try rows("SELECT person, invitation FROM admission", []) {
            ways[row["person"], default: []].insert(try Bytes32(column: row["invitation"]).prefix)
        }
        let devices = memory.devices.values.filter { memory.persons[$0.person]?.level?.isPeople ?? false }
            .map { Recipient(label: $0.name.raw.prefix, key: $0.agreementKey, others: ways[$0.person] ?? []) }
        let closed = memory.authority.closedInvitations
        let open = try rows(
            """
            SELECT DISTINCT id, agreement_key FROM invitation
            WHERE rank <= \(Level.host.rawValue) AND rank < level AND level < \(Level.relay.rawValue)
                AND NOT asks AND (expires IS NULL OR expires >= ?)
            """,
            [now.milliseconds]
        )
        .compactMap { row in
            let id = InvitationID(try Bytes32(column: row["id"]))
            return closed.contains(id)
                ? nil : Recipient(label: id.raw.prefix, key: try Bytes32(column: row["agreement_key"]))
        }
        return (devices + open).sorted { ($0.label, $0.key) < ($1.label, $1.key) }
    }
}
