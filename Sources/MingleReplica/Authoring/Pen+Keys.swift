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
    /// The device's row; nil for an invitation.
    var device: Int64?
    /// The label of the slot that opens for the same device by the invitation that it came by.
    var other: UInt64?
}

extension Recipient {
    init(_ device: DeviceRow, other: UInt64? = nil) {
        self.init(label: device.name.raw.prefix, key: device.agreementKey, device: device.id, other: other)
    }
}

extension Pen {
    /// Slots of a delta that makes an epoch; it says more than others.
    private static let firstSlots = 500
    /// Recipients to whom keys are handed on at a time; more get theirs the next time.
    private static let handedAtOnce = 1000

    /// The epoch of an audience to write content under.
    ///
    /// A host, or the owner of a private audience, makes one at once where none obeys all that is known. Others wait whether
    /// somebody does: see ``KeyNeed``. A private audience begins with the first thing that is written for it.
    mutating func writingEpoch(of audience: Int64) throws -> (EpochID, Secret) {
        try transaction.settleLevels()
        if let clean = try transaction.cleanEpoch(of: audience) { return clean }
        if let last = try lastResort(of: audience) { return last }
        let counting = try transaction.countingEpochs(of: audience)
        if try transaction.keysAtHand(of: counting).isEmpty {
            // Keys that are held and not at hand obey what is not known here yet.
            guard mayBegin(audience) else { throw counting.made.isEmpty ? ReplicaError.locked : .keyOutdated }
        } else if !leads(audience) {
            throw ReplicaError.keyOutdated
        }
        _ = try renewKey(of: audience)
        guard let clean = try transaction.cleanEpoch(of: audience) else { throw ReplicaError.keyOutdated }
        return clean
    }

    /// What to say under among guests that somebody's part has ended, or that something is taken back, where others would not keep a new key.
    ///
    /// Who is out may read that; it is no secret worth keeping somebody else in for.
    private func lastResort(of audience: Int64) throws -> (EpochID, Secret)? {
        guard purpose == .takingBack, case .guests(own.person, _)? = transaction.memory.audiences[audience],
            !transaction.hasRoomForKeys(of: audience, for: purpose)
        else { return nil }
        return try transaction.lastEpoch(of: audience)
    }

    /// Whether this person makes new keys for an audience at once.
    func leads(_ audience: Int64) -> Bool {
        guard let value = transaction.memory.audiences[audience] else { return false }
        if value == .event { return ownLevel.map { $0 >= .host } ?? false }
        return value.founders.contains(own.person)
    }

    /// Whether this person makes the first key of an audience.
    private func mayBegin(_ audience: Int64) -> Bool { audience != 0 && leads(audience) }

    /// Makes an epoch that obeys all that is known here, for everybody who belongs to the audience; the event's first, made once
    /// more, obeys nothing, so that ``KeyNeed`` asks at once for one that does if something is to be obeyed.
    mutating func renewKey(of audience: Int64) throws -> Reference {
        try transaction.requireRoomForKeys(of: audience, for: purpose)
        try transaction.settleLevels()
        let key = randomness.secret()
        let earlier = try transaction.keysToHandOn(of: audience).prefix(Limits.carriedPerEpoch)
        let isAnew = try audience == 0 && transaction.mayBeginAnew()
        guard !earlier.isEmpty || mayBegin(audience) || isAnew else { throw ReplicaError.locked }
        // The event's first key obeys and carries nothing, also where it is made once more: a delta says nothing of what it would obey and carry if that is empty.
        let making = isAnew ? nil : making(of: audience, carrying: earlier, under: key)
        let rules = making?.rules(maker: own.name)
        let new = NewEpoch(audience: audience, key: key, rules: rules, making: making, maker: own.name)
        let all = try transaction.recipients(of: audience, at: timestamp)
        // Who belongs to a private audience with thousands of devices holds up nobody: theirs are handed on afterwards, while there is room.
        let recipients = audience == 0 ? all[...] : all.prefix(Self.handedAtOnce)
        let reference = try write(new, for: Array(recipients.prefix(Self.firstSlots)))
        try add(Array(recipients.dropFirst(Self.firstSlots)), to: new)
        try transaction.hold(key, of: try id(of: new), in: audience)
        return reference
    }

    /// Makes a key of a private audience that this node does not keep: a door reads nothing that is not for everybody.
    ///
    /// - Throws: `ReplicaError.invalid` where no device of anybody else's is known that could read it.
    mutating func makeKeyForOthers(of audience: Int64) throws -> (id: EpochID, key: Secret) {
        try transaction.requireRoomForKeys(of: audience, for: purpose)
        let key = randomness.secret()
        let making = making(of: audience, carrying: EmptyCollection(), under: key)
        let rules = making.rules(maker: own.name)
        let new = NewEpoch(audience: audience, key: key, rules: rules, making: making, maker: own.name)
        let recipients = try transaction.recipients(of: audience, at: timestamp).filter(isElsewhere)
        guard !recipients.isEmpty else {
            throw ReplicaError.invalid("Nobody is known here yet who could read this. Try again in a moment.")
        }
        _ = try write(new, for: Array(recipients.prefix(Self.firstSlots)))
        return (try id(of: new), key)
    }

    /// Whether a key is sealed to a device of somebody else's that is not on this node, as other guests' of a door are.
    private func isElsewhere(_ recipient: Recipient) -> Bool {
        guard let device = recipient.device.flatMap({ transaction.memory.devices[$0] }) else { return false }
        return device.owner != own.person && !transaction.replica.isHere(device.name)
    }

    private func making(
        of audience: Int64,
        carrying earlier: some Sequence<HeldEpoch>,
        under key: Secret
    ) -> EpochMaking {
        EpochMaking(
            obeys: transaction.concerns(of: audience).listed,
            carried: EpochMaking.carry(earlier.map { EpochMaking.Key($0.key, rules: $0.rules) }, under: key)
        )
    }

    /// Seals the keys at hand to whom nobody sealed them yet; what the device does by itself stops where there is no room.
    mutating func handOnKeys(of audience: Int64) throws {
        try transaction.settleLevels()
        guard let care = purpose == .deed ? .everybody : transaction.care(for: audience) else { return }
        if care == .ownDevices { purpose = .duty }
        let counting = try transaction.countingEpochs(of: audience)
        let keys = try transaction.keysToHandOn(of: counting)
        let lacking = try transaction.lacking(keys, of: audience, caringFor: care, at: timestamp)
        if transaction.isPair(audience), try lacking.contains(where: { try !transaction.isOwnMaking($0.0) }) {
            // Whoever hands on a key names it, and by the other person's everybody would see with whom one has to do.
            _ = try renewKey(of: audience)
            return
        }
        for (held, recipients) in lacking {
            guard purpose == .deed || transaction.hasRoomForKeys(of: audience, for: purpose) else { return }
            try transaction.requireRoomForKeys(of: audience, for: purpose)
            try handOn(held, of: audience, to: Array(recipients.prefix(Self.handedAtOnce)))
        }
    }

    /// Opens an invitation, with the keys for whoever comes by it.
    mutating func open(_ terms: InvitationTerms) throws -> Reference {
        // A relay reads nothing, and who asks to come in reads nothing yet.
        guard terms.level.isPeople, !terms.asks else { return try write(.fabric(.invitation(terms))) }
        let keys = try transaction.keysToHandOn(of: 0)
        // Nobody else would hand the key to whoever comes by it.
        guard !keys.isEmpty else { throw ReplicaError.locked }
        let reference = try write(.fabric(.invitation(terms)))
        let recipient = Recipient(label: terms.id.raw.prefix, key: terms.agreementKey)
        for held in keys { try handOn(held, of: 0, to: [recipient]) }
        return reference
    }

    private mutating func handOn(_ held: HeldEpoch, of audience: Int64, to recipients: [Recipient]) throws {
        let terms = audience == 0 ? nil : try transaction.terms(of: held)
        // Of an epoch that came through another one's list nobody knows who made it.
        guard audience == 0 || terms != nil else { return }
        let epoch = NewEpoch(
            audience: audience,
            key: held.key,
            rules: held.rules,
            making: terms?.making,
            maker: terms?.maker ?? own.name
        )
        // What it would be called otherwise would be another one, which nobody made.
        guard try id(of: epoch) == held.id else { return }
        try add(recipients, to: epoch)
    }

    private mutating func add(_ recipients: [Recipient], to epoch: NewEpoch) throws {
        var epoch = epoch
        // Whoever has the key of a private one learns from each delta what it is for; the event's says it once.
        if epoch.audience == 0 { epoch.making = nil }
        let length = epoch.audience == 0 ? Limits.slotsPerEpoch : Self.firstSlots
        for start in stride(from: 0, to: recipients.count, by: length) {
            _ = try write(epoch, for: Array(recipients[start..<min(start + length, recipients.count)]))
        }
    }

    private func id(of epoch: NewEpoch) throws -> EpochID {
        let audience = transaction.memory.audiences[epoch.audience] ?? .event
        let event = transaction.replica.event
        return EpochSlots.id(key: epoch.key, event: event, audience: audience.id(in: event), rules: epoch.rules)
    }

    /// Writes a delta that makes an epoch or adds slots to it.
    private mutating func write(_ epoch: NewEpoch, for recipients: [Recipient]) throws -> Reference {
        let id = try id(of: epoch)
        guard let audience = transaction.memory.audiences[epoch.audience], audience != .event, let making = epoch.making
        else {
            let slots = EpochSlots(
                id: id,
                audience: EpochSlots.eventAudience(transaction.replica.event),
                rules: epoch.rules,
                // A device with a key that nothing can be sealed to keeps nobody else from getting theirs.
                slots: recipients.compactMap { try? slot(of: id, epoch.key, for: $0) },
                making: epoch.making
            )
            return try write(.fabric(.epoch(slots)))
        }
        let sealed = recipients.compactMap { recipient in
            (try? own.agreement.sharedSecret(with: recipient.key)).map { (recipient.label, $0) }
        }
        let terms = PrivateTerms(audience: audience, maker: epoch.maker, making: making, recipients: sealed.map(\.0))
        return try write(
            PrivateEpoch(
                id: id,
                key: epoch.key,
                slots: sealed.map { PrivateEpoch.slot(key: epoch.key, epoch: id, secret: $0.1) },
                terms: terms,
                randomness: randomness
            )
        )
    }

    private func slot(of epoch: EpochID, _ key: Secret, for recipient: Recipient) throws -> [UInt8] {
        try EpochSlots.slot(
            key: key,
            epoch: epoch,
            label: recipient.label,
            author: own.agreement,
            recipient: recipient.key
        )
    }
}

/// An epoch of which a delta is to speak.
private struct NewEpoch {
    let audience: Int64
    let key: Secret
    let rules: Bytes32?
    var making: EpochMaking?
    let maker: DeviceName
}

extension Transaction {
    /// What a private epoch at hand is, as any delta about it says; nil where none is held.
    fileprivate func terms(of epoch: HeldEpoch) throws -> PrivateTerms? {
        for row in try rows("SELECT delta FROM epoch_mention WHERE epoch = ?", [epoch.row]) {
            guard let payload = try stored(row["delta"])?.delta.payload,
                let terms = try? PrivateEpoch(decoding: payload).terms(under: epoch.key, in: replica.event)
            else { continue }
            return terms
        }
        return nil
    }

    /// Whether a device of this person's made a private epoch, as its own journal says.
    fileprivate func isOwnMaking(_ epoch: HeldEpoch) throws -> Bool {
        let sql = """
            SELECT person FROM epoch JOIN journal ON journal.id = epoch.delta JOIN branch ON branch.id = journal.branch
                JOIN device ON device.id = branch.device
            WHERE epoch.id = ?
            """
        let maker: Int64? = try row(sql, [epoch.row])?["person"]
        return maker != nil && maker == memory.persons.id(of: replica.own.person)
    }

    /// Those who may read, and of whom this device takes care, to whom no slot of some keys is sealed.
    fileprivate func lacking(
        _ keys: [HeldEpoch],
        of audience: Int64,
        among suspects: SealedKeys.Suspects = .anybody,
        caringFor care: KeyCare,
        at now: Timestamp
    ) throws -> [(HeldEpoch, [Recipient])] {
        var recipients = try recipients(of: audience, among: suspects, at: now)
        var keys = keys
        if care == .ownDevices {
            recipients.removeAll { !labelsOfOwnDevices.contains($0.label) }
            keys = try keys.filter(isOwnMaking)
        }
        guard !recipients.isEmpty else { return [] }
        let (own, wrong) = (memory.devices[replica.own.name]?.id ?? 0, try wrongSlots(of: audience))
        return try keys.compactMap { held in
            let slots = Slots(epoch: held.row, wrong: wrong)
            let lacking = try recipients.filter { recipient in
                let labels = [recipient.label] + (recipient.other.map { [$0] } ?? [])
                // Who says that this device's slots do not open gets none from it for ever.
                return try !slots.open(to: labels, of: recipient.device, db)
                    && slots.mayWrite(own, for: recipient.device)
                    && (try? replica.own.agreement.sharedSecret(with: recipient.key)) != nil
            }
            return lacking.isEmpty ? nil : (held, lacking)
        }
    }

    /// The labels of those to whom some key at hand is not sealed.
    func labelsLackingKeys(
        of counting: CountingEpochs,
        caringFor care: KeyCare,
        at now: Timestamp
    ) throws -> Set<UInt64> {
        let keys = try keysToHandOn(of: counting)
        let isWatched = counting.audience == 0 && care == .everybody
        let rows = keys.map(\.row)
        let suspects = isWatched ? memory.sealedKeys.suspects(lacking: rows, at: now) : .anybody
        let lacking = try lacking(keys, of: counting.audience, among: suspects, caringFor: care, at: now)
        if isWatched, lacking.isEmpty { memory.sealedKeys.settle(rows, at: now) }
        return Set(lacking.flatMap(\.1).map(\.label))
    }

    /// The devices of all who belong to an audience and take part; in the event's also the invitations by which somebody may
    /// still come.
    fileprivate func recipients(
        of audience: Int64,
        among suspects: SealedKeys.Suspects = .anybody,
        at now: Timestamp
    ) throws -> [Recipient] {
        guard audience == 0 else {
            let rows = members(of: audience).compactMap { memory.persons.id(of: $0) }
            return devices(of: rows).map { Recipient($0) }.inOrder
        }
        let devices = try suspects.persons.map { try members(of: $0) } ?? everybody()
        return (devices + (suspects.includeInvitations ? try openInvitations(at: now) : [])).inOrder
    }

    private func everybody() throws -> [Recipient] {
        let came = try db.all("SELECT id, came_by FROM device WHERE came_by IS NOT NULL") { _ in
        } read: {
            ($0.integer(0), try $0.bytes32(1).prefix)
        }
        let ways = Dictionary(came) { first, _ in first }
        return devices(of: memory.persons.ids).map { Recipient($0, other: ways[$0.id]) }
    }

    /// The same for some persons.
    private func members(of persons: Set<Int64>) throws -> [Recipient] {
        try devices(of: persons).map { device in
            let way = try db.first("SELECT came_by FROM device WHERE id = ? AND came_by IS NOT NULL") {
                $0.add(device.id)
            } read: {
                try $0.bytes32(0).prefix
            }
            return Recipient(device, other: way)
        }
    }

    private func openInvitations(at now: Timestamp) throws -> [Recipient] {
        let closed = memory.authority.closedInvitations
        let sql = """
            SELECT DISTINCT id, agreement_key FROM invitation
            WHERE rank <= \(Level.host.rawValue) AND rank < level AND level < \(Level.relay.rawValue)
                AND NOT asks AND (expires IS NULL OR expires >= ?)
            """
        return try db.all(sql) {
            $0.add(now.milliseconds)
        } read: { columns in
            let id = InvitationID(try columns.bytes32(0))
            return closed.contains(id) ? nil : Recipient(label: id.raw.prefix, key: try columns.bytes32(1))
        }
        .compactMap(\.self)
    }

    /// The devices in use of those of some persons who take part; relays read nothing.
    private func devices(of persons: some Sequence<Int64>) -> [DeviceRow] {
        persons.filter { memory.persons[$0]?.level?.isPeople ?? false }.flatMap { memory.devicesByPerson[$0] }
            .filter(isPresent).compactMap { memory.devices[$0] }
    }
}

extension [Recipient] {
    fileprivate var inOrder: [Recipient] { sorted { ($0.label, $0.key) < ($1.label, $1.key) } }
}
