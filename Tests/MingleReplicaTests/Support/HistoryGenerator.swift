// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import TestSupport

/// Draws histories from a seed: honest devices, copied folders, modified nodes and broken clocks.
struct HistoryGenerator {
    /// A record that some device made, or a keyed one that some device set.
    struct Made {
        let kind: Kind
        let reference: Reference
        let device: Int
        /// Deltas about the record, to be named as overwritten.
        var mentions: [Reference]
    }

    /// A place where a device may go on writing: its journal's tip, or an old one of a copied folder.
    private typealias Cursor = Delta?

    var random: SplitMix
    private(set) var history: History
    /// The founder, Bob's phone and laptop, Carl, and Dora, who is admitted late or never.
    private var scribes: [Scribe] = []
    /// Whose device each is.
    let persons = [0, 1, 1, 2, 3]
    private var content: [[Cursor]] = []
    private var fabric: [[Cursor]] = []
    private(set) var made: [Made] = []
    private let epochs: [TestEpoch]
    private let invitations: [InvitationKeys]

    init(seed: UInt64, deltaCount: Int) throws {
        random = SplitMix(seed: seed)
        let randomness = Randomness.seeded(seed &+ 1_000_003)
        let founder = TestKeys(randomness)
        let salt = Bytes32(at: 0, of: randomness.bytes(32).span)
        let event = Certificate.eventID(founder: founder.person, salt: salt)
        invitations = (0..<2).map { _ in InvitationKeys(seed: randomness.secret()) }
        epochs = (0..<3).map { _ in TestEpoch(randomness, event: event) }
        // Some observers get the first key through the invitation's slot, others by themselves.
        let usesSlot = random.chance(50)
        let observer = TestKeys(randomness).own(in: event, invitation: usesSlot ? invitations[0] : nil)
        history = History(event: event, observer: observer)
        history.keys = [epochs[1]] + (usesSlot ? [] : [epochs[0]])
        let bob = TestKeys(randomness)
        let keys = [
            founder, bob, TestKeys(randomness, identity: bob.identity), TestKeys(randomness), TestKeys(randomness),
        ]
        scribes = keys.map { Scribe($0, event: event, randomness: randomness) }
        content = scribes.map { _ in [nil] }
        try introduce(foundingSalt: salt)
        while history.deltas.count < deltaCount { try step() }
    }

    /// Certificates, invitations, epochs and admissions; some come later, from ``step()``.
    private mutating func introduce(foundingSalt: Bytes32) throws {
        for (index, scribe) in scribes.enumerated() {
            let isAdmitted = (1...3).contains(index) && !random.chance(10)
            let deltas = try scribe.introduction(
                by: isAdmitted ? invitations[0] : nil,
                foundingSalt: index == 0 ? foundingSalt : nil,
                time: Int64(index)
            )
            history.deltas += deltas
            fabric.append([deltas.last])
        }
        try writeFabric(terms(of: invitations[0]), by: 0)
        try writeFabric(slots(of: epochs[0], by: 0), by: 0)
        if random.chance(70) { try writeFabric(slots(of: epochs[1], by: 0), by: 0) }
    }

    private mutating func step() throws {
        switch random.next() % 100 {
        case 0..<42: try create()
        case 42..<62: try edit()
        case 62..<84: try toggle()
        case 84..<92: try delete()
        case 92..<95: try babble()
        case 95..<98: try govern()
        default: copyFolder()
        }
    }

    /// A device's folder is copied, and the copy goes on from an older tip.
    private mutating func copyFolder() {
        let device = random.pick(scribes.indices)
        let journal: Journal = random.chance(80) ? .content : .fabric
        let name = scribes[device].own.name
        let written = history.deltas.filter { $0.header.device == name && $0.header.journal == journal }
        let tip: Cursor = written.isEmpty || journal == .content && random.chance(15) ? nil : random.pick(written)
        if journal == .content { content[device].append(tip) } else { fabric[device].append(tip) }
    }
}

// MARK: - Writing

extension HistoryGenerator {
    /// The person who wrote with a device.
    func person(of device: Int) -> PersonID { scribes[device].keys.person }

    /// Writes one content delta and returns its name.
    @discardableResult
    mutating func write(_ entry: Scribe.Entry, by device: Int) -> Reference {
        var entry = entry
        entry.time = time()
        if !entry.isDeletion, entry.epoch == nil, !random.chance(1) {
            // The third epoch's key never comes; the second's may come late.
            entry.epoch = random.chance(80) ? epochs[0] : epochs[random.chance(80) ? 1 : 2]
        }
        if random.chance(3) { entry.extensionBytes = random.bytes(9) }
        let cursor = random.pick(content[device].indices)
        let delta = scribes[device].write(entry, after: content[device][cursor])
        content[device][cursor] = delta
        history.deltas.append(delta)
        return delta.reference
    }

    /// Remembers a record.
    mutating func remember(_ record: Made) { made.append(record) }

    /// Remembers that a delta speaks of a record.
    mutating func mention(_ reference: Reference, of record: Int) { made[record].mentions.append(reference) }

    private mutating func writeFabric(_ payload: FabricPayload, by device: Int) throws {
        let cursor = random.pick(fabric[device].indices)
        let delta = try scribes[device].fabric(payload, after: fabric[device][cursor], time: time())
        fabric[device][cursor] = delta
        history.deltas.append(delta)
    }

    /// What one device or another says in the fabric, with or without the right to.
    private mutating func govern() throws {
        let device = random.pick(scribes.indices)
        switch random.next() % 6 {
        case 0: try writeFabric(terms(of: invitations[1]), by: random.chance(60) ? 0 : device)
        case 1: try writeFabric(slots(of: random.pick(epochs), by: device), by: device)
        case 2: try writeFabric(scribes[random.pick(scribes.indices)].admission(by: invitations[1]), by: device)
        case 3: try writeFabric(.certificate(scribes[0].keys.certificate(in: history.event)), by: device)
        default: try writeFabric(scribes[4].admission(by: random.pick(invitations)), by: 4)
        }
    }

    private func terms(of invitation: InvitationKeys) -> FabricPayload {
        .invitation(InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey))
    }

    private func slots(of epoch: TestEpoch, by device: Int) throws -> FabricPayload {
        try epoch.slots(
            event: history.event,
            author: scribes[device].keys.agreement,
            label: invitations[0].id.raw.prefix,
            recipient: invitations[0].agreement.publicKey
        )
    }

    /// A few instants, so that many are equal; sometimes a clock is years off.
    private mutating func time() -> Int64 {
        switch random.next() % 20 {
        case 0: 0
        case 1: 4_000_000_000_000
        default: 1_000_000 + Int64.random(in: 0..<5, using: &random)
        }
    }
}
