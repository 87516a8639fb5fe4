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
        let payload: RecordPayload?
    }

    struct Record {
        let kind: Kind
        let entries: [Entry]
        let target: Target
        let person: PersonID
        var values: [UInt32: Value] = [:]
    }

    struct Key: Hashable {
        let kind: UInt32
        let person: PersonID
        let target: Target
    }

    let event: EventID
    var held: [HeaderHash: Delta] = [:]
    var devices: [DeviceName: Device] = [:]
    var levels: [PersonID: Level] = [:]
    var keys: [EpochID: Secret] = [:]
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
            if certificate.isFounding(event) { levels[certificate.person] = .founder }
        }
        let known = history.deltas.filter { devices[$0.header.device] != nil }
        for delta in Self.counting(known) { held[delta.hash] = delta }
        for hash in held.keys.sorted(by: >) { named[held[hash]?.reference ?? Self.nowhere] = hash }
        // What its own reference does not mean cannot be spoken of, and does not count.
        held = held.filter { named[$1.reference] == $0 }
        govern(history)
        open()
        erase()
        fold()
    }

    /// Whether a payload is gone, by the name of its delta.
    func isErased(_ delta: Delta) -> Bool { erased.contains(delta.hash) }

    /// Whether a delta counts.
    func holds(_ delta: Delta) -> Bool { held[delta.hash] != nil }

    /// Who is at which level, on lines.
    func people() -> [String] { levels.map { "\($0) is a \($1.word)" }.sorted() }

    /// The lines of the dump.
    func dump() -> [String] { records.filter(isVisible).map(line).sorted() }

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
        let said = held.values.compactMap { delta in
            Self.fabric(delta).flatMap { payload in devices[delta.header.device].map { ($0, payload) } }
        }
        for level in Level.allCases.dropFirst() {
            let above = said.filter { levels[$0.0.person].map { $0 >= .host && $0 > level } ?? false }.map(\.1)
            let comers = said.compactMap { device, payload in
                isAdmitted(device.person, payload, at: level, by: above) ? device.person : nil
            }
            let granted = above.compactMap { payload in
                if case .grant(let person, level) = payload { person } else { nil }
            }
            for person in Set(comers + granted) where levels[person] == nil { levels[person] = level }
        }
        for epoch in history.keys { keys[epoch.id] = epoch.key }
        for (device, payload) in said where levels[device.person].map({ $0 >= .host }) ?? false {
            guard case .epoch(let epoch) = payload, epoch.audience == EpochSlots.eventAudience(event),
                let invitation = history.observer.invitation,
                let key = epoch.openSlot(
                    label: invitation.id.raw.prefix,
                    own: invitation.agreement,
                    author: device.certificate.agreementKey,
                    event: event
                )
            else { continue }
            keys[epoch.id] = key
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
                if case .invitation(let terms) = $0 { terms.id == invitation && terms.level == level } else { false }
            }
            && (closings.isEmpty || closings.joined().contains(person))
    }

    private mutating func open() {
        for delta in held.values where delta.header.journal == .content {
            guard let person = devices[delta.header.device]?.person else { continue }
            entries[delta.hash] = Entry(delta: delta, person: person, payload: payload(of: delta, by: person))
        }
    }

    private func payload(of delta: Delta, by person: PersonID) -> RecordPayload? {
        guard !delta.header.isDeletion, let sealed = delta.payload, let key = keys[delta.header.epoch],
            let plain = try? Sealing.open(
                sealed,
                key: key,
                nonce: delta.header.nonce,
                associatedData: delta.header.sealedPrefix
            ),
            let payload = try? RecordPayload(decoding: plain), let kind = Kind.numbered(payload.kind)
        else { return nil }
        guard (kind.identity == .key) == (delta.header.root == .none) else { return nil }
        for case .media(let media) in payload.changes.map(\.value) {
            let listing = BlobListing(name: media.name(owner: person), size: media.size)
            guard delta.header.blobs.contains(listing) else { return nil }
        }
        guard let level = levels[person], level >= kind.writers else { return nil }
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
