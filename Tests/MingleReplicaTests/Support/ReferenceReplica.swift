// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// What a replica must show, computed in the plainest way from the set of deltas and keys (docs/design, "Merging").
///
/// It shares the decoders with the replica and nothing else: no tables, no branches, no order of arrival.
struct ReferenceReplica {
    struct Device {
        let person: PersonID
        let certificate: Certificate
    }

    struct Entry {
        let delta: Delta
        let person: PersonID
        /// What it says; nil unless its author might say that where it is sealed.
        var payload: RecordPayload?
        /// For whom it is sealed; nil if it cannot be opened.
        let audience: Audience?
        /// What it says, whether that counts or not.
        let opened: RecordPayload?
    }

    /// A key, and whose it is.
    struct Key {
        let secret: Secret
        let audience: Audience
    }

    struct Record {
        let kind: Kind
        let entries: [Entry]
        let target: Target
        let subject: Target
        let person: PersonID
        var values: [UInt32: Value] = [:]

        var audience: Audience { entries[0].audience ?? .event }
    }

    struct Name: Hashable {
        let kind: UInt32
        let person: PersonID
        let target: Target
        let subject: Target
        let audience: Audience?
    }

    let event: EventID
    var founder: PersonID?
    var held: [HeaderHash: Delta] = [:]
    var devices: [DeviceName: Device] = [:]
    typealias SaidCut = (delta: Delta, terms: CutTerms)
    var standings: [PersonID: (base: Level, cuts: [SaidCut])] = [:]
    /// What people say of their own devices, and about leaving, with the level where they said that.
    var retirements: [PersonID: [CutTerms]] = [:]
    var leavings: [PersonID: [(level: Level, terms: CutTerms)]] = [:]
    var keys: [EpochID: Key] = [:]
    /// Whom the owners of private audiences invited, each with the ends of that.
    var invites: [(audience: Audience, person: PersonID, ends: [FrontierEntry]?)] = []
    var entries: [HeaderHash: Entry] = [:]
    var named: [Reference: HeaderHash] = [:]
    var erased: Set<HeaderHash> = []
    var records: [Record] = []
    var made: [Reference: Record] = [:]

    init(_ history: History) {
        event = history.event
        for delta in history.deltas where delta.header.journal == .fabric && delta.header.sequence == 1 {
            guard case .certificate(let certificate)? = Self.fabric(delta),
                certificate.deviceName(in: event) == delta.header.device, certificate.isValid(in: event)
            else { continue }
            devices[delta.header.device] = Device(person: certificate.person, certificate: certificate)
            if certificate.isFounding(event) { founder = certificate.person }
        }
        let known = history.deltas.filter { devices[$0.header.device] != nil }
        for delta in Self.counting(known) { held[delta.hash] = delta }
        for hash in held.keys.sorted(by: >) { named[held[hash]?.reference ?? Self.nowhere] = hash }
        // What its own reference does not mean cannot be spoken of, and does not count.
        held = held.filter { named[$1.reference] == $0 }
        govern(history)
        open()
        erase()
        invite()
        judge()
        fold()
    }

    /// Whether a payload is gone, by the name of its delta.
    func isErased(_ delta: Delta) -> Bool { erased.contains(delta.hash) }

    /// Whether a delta counts.
    func holds(_ delta: Delta) -> Bool { held[delta.hash] != nil }

    /// Who is at which level, on lines.
    func people() -> [String] {
        standings.keys.compactMap { person in level(of: person).map { "\(person) is a \($0.word)" } }.sorted()
    }

    /// Which devices are let in, on lines.
    func admittedDevices() -> [String] {
        devices.compactMap { name, device in
            let isRetired = (retirements[device.person] ?? []).contains { $0.device == name }
            return isRetired || level(of: device.person) == nil ? nil : "\(name) of \(device.person) is let in"
        }
        .sorted()
    }

    private func level(of person: PersonID) -> Level? {
        guard let standing = standings[person], leavings[person]?.isEmpty ?? true else { return nil }
        return Self.lowest([standing.base] + standing.cuts.map(\.terms.level))
    }

    /// The lines of the dump.
    func dump() -> [String] { (records.filter(isVisible).map(line) + records.compactMap(hiddenLine)).sorted() }

    private static let nowhere = Reference(device: 0, journal: .content, sequence: 0, hash: 0)

    private static func fabric(_ delta: Delta) -> FabricPayload? {
        guard delta.header.journal == .fabric else { return nil }
        return delta.payload.flatMap { try? FabricPayload(decoding: $0) }
    }

    /// The headers on the first four ways through each journal, in the order of the hashes along them.
    private static func counting(_ deltas: [Delta]) -> [Delta] {
        let byHash = Dictionary(deltas.map { ($0.hash, $0) }) { first, _ in first }
        let followed = Set(deltas.map(\.header.previous))
        let ways = deltas.filter { !followed.contains($0.hash) }.compactMap { tip -> [Delta]? in
            var way = [tip]
            while way[0].header.sequence > 1 {
                guard let before = byHash[way[0].header.previous] else { return nil }
                way.insert(before, at: 0)
            }
            return way
        }
        let journals = Dictionary(grouping: ways) { [$0[0].header.device.description, "\($0[0].header.journal)"] }
        return journals.values.flatMap { ways in
            ways.sorted { $0.lexicographicallyPrecedes($1) { $0.hash < $1.hash } }.prefix(4).joined()
        }
    }
}

// MARK: - Who

extension ReferenceReplica {
    private mutating func govern(_ history: History) {
        let said = held.values.compactMap { delta in Self.fabric(delta).map { (delta: delta, payload: $0) } }
        let cuts = said.compactMap { delta, payload -> SaidCut? in
            if case .cut(let terms) = payload { (delta, terms) } else { nil }
        }
        let ownCuts = cuts.filter { devices[$0.delta.header.device]?.person == $0.terms.person }
        if let founder { put(founder, at: .founder, [], ownCuts) }
        for level in Level.allCases.dropFirst() {
            let above = said.filter { self.level(of: $0.delta).map { $0 >= .host && $0 > level } ?? false }
            let payloads = above.map(\.payload)
            let comers = said.compactMap { delta, payload -> PersonID? in
                guard let person = devices[delta.header.device]?.person else { return nil }
                return isAdmitted(person, payload, at: level, by: payloads) ? person : nil
            }
            let granted = payloads.compactMap { payload in
                if case .grant(let person, level) = payload { person } else { nil }
            }
            for person in Set(comers + granted) where standings[person] == nil {
                let governing = cuts.filter { cut in
                    cut.terms.person == person && cut.terms.device == nil
                        && above.contains { $0.delta.hash == cut.delta.hash }
                }
                put(person, at: level, governing, ownCuts)
            }
        }
        for epoch in history.keys { keys[epoch.id] = Key(secret: epoch.key, audience: epoch.audience) }
        for (delta, payload) in said {
            guard case .epoch(let epoch) = payload, epoch.audience == EpochSlots.eventAudience(event),
                let device = devices[delta.header.device], let standing = standings[device.person],
                standing.base >= .attendee, let invitation = history.observer.invitation,
                let key = epoch.openSlot(
                    label: invitation.id.raw.prefix,
                    own: invitation.agreement,
                    author: device.certificate.agreementKey,
                    event: event
                )
            else { continue }
            keys[epoch.id] = Key(secret: key, audience: .event)
        }
        unsealPrivateKeys(history)
    }

    /// Puts a person at a level, less what those above cut and what the person says.
    private mutating func put(_ person: PersonID, at level: Level, _ governing: [SaidCut], _ ownCuts: [SaidCut]) {
        standings[person] = (level, governing.filter { cut in !governing.contains { replaces($0, cut) } })
        let own = ownCuts.filter { $0.terms.person == person && level != .relay }
        // Not past what others cut.
        retirements[person] = own.filter { $0.terms.device != nil && levelBeforeLeaving(of: $0.delta) != nil }
            .map(\.terms)
        let lifted = Set(governing.flatMap(\.terms.overwrites))
        for (delta, terms) in own where terms.device == nil && terms.level == nil && !lifted.contains(delta.reference) {
            if let level = levelBeforeLeaving(of: delta) { leavings[person, default: []].append((level, terms)) }
        }
    }

    /// The keys in slots for the observer, and those that their epochs carry.
    private mutating func unsealPrivateKeys(_ history: History) {
        let epochs = held.values.compactMap { delta -> (epoch: PrivateEpoch, secret: Secret)? in
            guard delta.header.journal == .content, delta.header.epoch == .plaintext, delta.header.root == .none,
                !delta.header.isDeletion, let payload = delta.payload,
                let epoch = try? PrivateEpoch(decoding: payload),
                let device = devices[delta.header.device],
                let secret = try? history.observer.agreement.sharedSecret(with: device.certificate.agreementKey)
            else { return nil }
            return (epoch, secret)
        }
        for (epoch, secret) in epochs {
            guard let key = epoch.openSlot(secret: secret), let terms = epoch.terms(under: key, in: event) else {
                continue
            }
            keys[epoch.id] = Key(secret: key, audience: terms.audience)
        }
        // Whoever has a key reads what its epoch carries, wherever that is said.
        for _ in epochs {
            for (epoch, _) in epochs {
                guard let key = keys[epoch.id], let terms = epoch.terms(under: key.secret, in: event) else { continue }
                for carried in terms.making.open(under: key.secret) {
                    let audience = terms.audience.id(in: event)
                    let id = EpochSlots.id(key: carried.key, event: event, audience: audience, rules: carried.rules)
                    keys[id] = Key(secret: carried.key, audience: terms.audience)
                }
            }
        }
    }

    /// Whether one cut counts in place of another.
    private func replaces(_ one: (delta: Delta, terms: CutTerms), _ other: (delta: Delta, terms: CutTerms)) -> Bool {
        guard one.terms.overwrites.contains(other.delta.reference), let mine = level(of: one.delta),
            let theirs = level(of: other.delta)
        else { return false }
        return mine > theirs
            || devices[one.delta.header.device]?.person == devices[other.delta.header.device]?.person
    }

    /// The level at which a delta was written; nil: it counts for nothing.
    func level(of delta: Delta) -> Level? {
        guard let person = devices[delta.header.device]?.person, let level = levelBeforeLeaving(of: delta) else {
            return nil
        }
        let isBehind = (leavings[person] ?? []).contains { level <= $0.level && !spares(delta, $0.terms.ends) }
        return isBehind ? nil : level
    }

    private func levelBeforeLeaving(of delta: Delta) -> Level? {
        guard let person = devices[delta.header.device]?.person, let standing = standings[person] else { return nil }
        let retirements = (retirements[person] ?? []).filter { $0.device == delta.header.device }
        guard retirements.allSatisfy({ spares(delta, $0.ends) }) else { return nil }
        return Self.lowest([standing.base] + standing.cuts.map { spares(delta, $0.terms) ? .founder : $0.terms.level })
    }

    private static func lowest(_ levels: [Level?]) -> Level? {
        levels.contains(nil) ? nil : levels.compactMap { $0 }.min()
    }

    /// Whether several branches of the journal that an end is of count.
    private func isForked(_ end: FrontierEntry) -> Bool {
        let headers = held.values.map(\.header).filter { $0.device == end.device && $0.journal == end.journal }
        return Set(headers.map(\.sequence)).count < headers.count
    }

    private func spares(_ delta: Delta, _ terms: CutTerms) -> Bool {
        terms.level == .founder || spares(delta, terms.ends)
    }

    private func spares(_ delta: Delta, _ ends: [FrontierEntry]) -> Bool {
        ends.contains { end in
            guard end.device == delta.header.device, end.journal == delta.header.journal else { return false }
            let last = held.values.first { FrontierEntry(endingAt: $0) == end }
            guard var place = last else { return !isForked(end) && delta.header.sequence <= end.sequence }
            while place.hash != delta.hash, let before = held[place.header.previous] { place = before }
            return place.hash == delta.hash
        }
    }

    /// Whether somebody comes by an invitation to a level, of which those above it say that it is open to him.
    private func isAdmitted(_ person: PersonID, _ payload: FabricPayload, at level: Level, by above: [FabricPayload])
        -> Bool
    {
        guard case .admission(let invitation, let signature) = payload else { return false }
        let statement = FabricPayload.admissionStatement(event: event, person: person)
        let closings = above.compactMap { payload in
            if case .closing(invitation, let admitted) = payload { admitted } else { nil }
        }
        return signature.isValid(for: statement, by: invitation.raw)
            && above.contains {
                guard case .invitation(let terms) = $0 else { return false }
                return terms.id == invitation && terms.level == level && !terms.asks
            }
            && (closings.isEmpty || closings.joined().contains(person))
    }

    private mutating func open() {
        for delta in held.values where delta.header.journal == .content {
            guard let person = devices[delta.header.device]?.person else { continue }
            let payload = payload(of: delta, by: person)
            let audience = keys[delta.header.epoch]?.audience
            entries[delta.hash] = Entry(
                delta: delta,
                person: person,
                payload: payload,
                audience: audience,
                opened: payload
            )
        }
    }

    /// Whom owners invited to what is private, by records that their authors alone can write.
    private mutating func invite() {
        let invited = entries.values.compactMap { entry -> (Audience, PersonID, [FrontierEntry]?)? in
            guard let payload = entry.payload, payload.kind == Kind.invite.number, entry.delta.header.root == .itself,
                let audience = entry.audience, case .guests(entry.person, _) = audience, payload.target != .nothing,
                case .record = payload.target
            else { return nil }
            let said = [entry] + edits(of: entry, kind: .invite)
            guard case .data(let name)? = value(of: Kind.invite.fields[0], said), let person = PersonID(bytes: name)
            else { return nil }
            guard case .data(let ends)? = value(of: Kind.invite.fields[1], said) else { return (audience, person, nil) }
            return (
                audience, person,
                stride(from: 0, to: ends.count / 45 * 45, by: 45).compactMap {
                    try? FrontierEntry(decoding: Array(ends[$0..<$0 + 45]))
                }
            )
        }
        invites = invited.map { (audience: $0.0, person: $0.1, ends: $0.2) }
    }

    /// Leaves out what its author could not write where it is sealed.
    private mutating func judge() {
        for (hash, entry) in entries {
            guard let payload = entry.payload, let kind = Kind.numbered(payload.kind), let audience = entry.audience,
                !mayWrite(kind, payload, entry, for: audience)
            else { continue }
            entries[hash]?.payload = nil
        }
    }

    private func mayWrite(_ kind: Kind, _ payload: RecordPayload, _ entry: Entry, for audience: Audience) -> Bool {
        if kind.audience == .moderators { return audience == .reports(by: entry.person) }
        if kind.audience == .own { return audience == .own(entry.person) }
        if kind.audience == .everybody { return audience == .event }
        if kind == .connection {
            guard case .person(let other) = payload.target, other != entry.person else { return false }
            return audience == .between(other, and: entry.person)
        }
        guard case .guests(let owner, _) = audience else { return audience == .event }
        if case .reference = entry.delta.header.root {
            if kind != .moment, !kind.needsRecord { return false }
        } else if kind == .moment ? entry.person != owner : payload.target == .nothing || !kind.needsRecord {
            return false
        }
        if kind == .moment || kind == .invite { return entry.person == owner }
        return isIn(audience, entry)
    }

    /// Whether who wrote a delta belonged to an audience where it stands.
    func isIn(_ audience: Audience, _ entry: Entry) -> Bool {
        if case .moderators(entry.person, _) = audience { return true }
        if case .moderators = audience { return level(of: entry.delta).map { $0 >= .moderator } ?? false }
        guard case .guests(let owner, _) = audience else { return audience == .event }
        return entry.person == owner
            || invites.contains { invite in
                invite.audience == audience && invite.person == entry.person
                    && (invite.ends.map { spares(entry.delta, $0) } ?? true)
            }
    }

    private func payload(of delta: Delta, by person: PersonID) -> RecordPayload? {
        guard !delta.header.isDeletion, let sealed = delta.payload, let key = keys[delta.header.epoch],
            let plain = try? Sealing.open(
                sealed,
                key: key.secret,
                nonce: delta.header.nonce,
                associatedData: delta.header.sealedPrefix
            ),
            let payload = try? RecordPayload(decoding: plain), let kind = Kind.numbered(payload.kind)
        else { return nil }
        guard (kind.identity == .key) == (delta.header.root == .none) else { return nil }
        switch (kind.subject, payload.subject) {
        case (.nothing, .nothing), (.person, .person): break
        default: return nil
        }
        for case .media(let media) in payload.changes.map(\.value) {
            let listing = BlobListing(name: media.name(owner: person), size: media.size)
            guard delta.header.blobs.contains(listing) else { return nil }
        }
        guard let level = level(of: delta), level >= kind.writers else { return nil }
        return payload
    }
}

// MARK: - What

extension ReferenceReplica {
    func root(of entry: Entry) -> Entry? {
        guard case .reference(let reference) = entry.delta.header.root else { return nil }
        guard let root = named[reference].flatMap({ entries[$0] }), root.delta.header.root == .itself else {
            return nil
        }
        return root
    }

    private mutating func erase() {
        let deleted = Set(
            entries.values.compactMap { entry -> HeaderHash? in
                guard entry.delta.header.isDeletion, let root = root(of: entry), root.person == entry.person else {
                    return nil
                }
                return root.delta.hash
            }
        )
        for (hash, entry) in entries where !entry.delta.header.isDeletion {
            if deleted.contains(hash) || root(of: entry).map({ deleted.contains($0.delta.hash) }) ?? false {
                erased.insert(hash)
            }
        }
        for hash in erased { entries[hash] = nil }
    }
}
