// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// What hostile nodes write: well signed, and none of it what it should be.
extension World {
    /// Writes deltas behind what the node goes on with, and has its engine spread them.
    private func say(_ words: [Forger.Words], by node: SimulatedNode, _ forger: Forger) throws -> Bool {
        var deltas: [Delta] = []
        for words in words {
            let parent = deltas.last ?? node.hostility?.tip
            deltas.append(forger.write(words, after: parent, salt: node.draw { $0.next() }))
        }
        guard let last = deltas.last else { return false }
        node.hostility?.tip = last
        let runs = deltas.map { Run([$0]) }
        let outcome = try node.replica.merge(runs)
        try tell(node, outcome, own: runs)
        return true
    }

    /// Signs several deltas of one sequence and shows each to some peers only.
    func equivocate(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let peers = node.links.keys.filter { node.greeted[$0]?.person != nil }.sorted()
        guard peers.count > 1 else { return false }
        let parent = node.hostility?.tip
        let time = node.clock(at: now)
        var twins: [Delta] = []
        for side in 0..<node.draw({ $0.number(2...6) }) {
            let name = Forger.Words.Field(name: "name", value: .text("Janus \(side)"))
            let words = try Forger.Words(.profile, [name], at: time)
            twins.append(forger.write(words, after: parent, salt: node.draw { $0.next() }))
        }
        for (place, peer) in peers.enumerated() {
            let run = Run([twins[place % twins.count]])
            slip(.run(.init(run.encoded())), on: .deltas, to: peer, from: node)
        }
        let tip = node.draw { $0.pick(twins) }
        node.hostility?.tip = tip
        let outcome = try node.replica.merge([Run([tip])])
        try tell(node, outcome)
        return true
    }

    /// Writes about what others made, years ahead, behind, and at the end of all time.
    func writeAtWrongTimes(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let day: Int64 = 86_400_000
        let time = node.draw { dice -> Int64 in
            switch dice.number(0...3) {
            case 0: Int64.max
            case 1: 0
            default: max(0, node.clock(at: now).milliseconds + Int64(dice.number(-4000...4000)) * day)
            }
        }
        let at = Timestamp(milliseconds: time)
        var words = [try Forger.Words(.profile, [.init(name: "name", value: .text("Chronos"))], at: at)]
        if let target = someTarget(for: node) {
            words.append(
                try Forger.Words(.comment, on: .record(target), [.init(name: "text", value: .text("Late"))], at: at)
            )
            words.append(try Forger.Words(.fave, on: .record(target), [.init(name: "on", value: .number(1))], at: at))
        }
        return try say(words, by: node, forger)
    }

    /// Writes about records that never come, speaks of a blob that nobody has, and sends a run without its beginning.
    func writeOrphans(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let time = node.clock(at: now)
        var words: [Forger.Words] = []
        for _ in 0..<node.draw({ $0.number(1...12) }) {
            let sequence = node.draw { UInt32($0.number(1...99)) }
            let target = node.draw { dice in
                Reference(device: dice.next(), journal: .content, sequence: sequence, hash: dice.next())
            }
            let text = Forger.Words.Field(name: "text", value: .text("To nobody"))
            var orphan = try Forger.Words(.comment, on: .record(target), [text], at: time)
            if node.draw({ $0.chance(30) }) { orphan.root = .reference(target) }
            words.append(orphan)
        }
        words.append(try photoWithoutBlobs(node, at: time))
        let sender = somePeer(of: node)
        let previous = node.draw { HeaderHash(bytes: $0.bytes(32)) } ?? .none
        if let sender {
            let delta = forger.write(words[0], as: forger.own.name, sequence: 7000, after: previous, 1)
            slip(.run(.init(Run([delta]).encoded())), on: .deltas, to: sender, from: node)
        }
        return try say(words, by: node, forger)
    }

    /// Lists others' blobs beside its own words.
    func list(_ blobs: [BlobListing], by node: SimulatedNode) throws {
        guard let forger = try Forger(node) else { return }
        let name = Forger.Words.Field(name: "name", value: .text("Collector"))
        var words = try Forger.Words(.profile, [name], at: node.clock(at: now))
        words.blobs = blobs
        _ = try say([words], by: node, forger)
    }

    /// Shares a picture that nobody else has.
    func sharePicture(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let bytes = node.draw { $0.bytes($0.number(500...9000)) }
        let descriptor = try node.blobs.put(bytes, owner: node.secrets.person)
        let media = Media(
            root: descriptor.root,
            size: UInt64(descriptor.size),
            key: descriptor.key,
            type: "image/jpeg"
        )
        guard try say([photo(media, node, at: node.clock(at: now))], by: node, forger) else { return false }
        tell(node, [.blobsHeld([media.name(owner: node.secrets.person)])])
        return true
    }

    private func photoWithoutBlobs(_ node: SimulatedNode, at time: Timestamp) throws -> Forger.Words {
        let (root, key) = (node.draw { $0.bytes(32) }, node.draw { $0.bytes(32) })
        let media = Media(root: Bytes32(at: 0, of: root.span), size: 4096, key: key, type: "image/jpeg")
        return try photo(media, node, at: time)
    }

    private func photo(_ media: Media, _ node: SimulatedNode, at time: Timestamp) throws -> Forger.Words {
        let values: [Forger.Words.Field] = [
            .init(name: "width", value: .number(640)), .init(name: "height", value: .number(480)),
            .init(name: "thumbnail", value: .media(media)), .init(name: "preview", value: .media(media)),
            .init(name: "original", value: .media(media)),
        ]
        var words = try Forger.Words(.photo, values, at: time)
        words.blobs = [BlobListing(name: media.name(owner: node.secrets.person), size: media.size)]
        return words
    }

    /// Edits and deletes what others made, and does what is the founder's.
    func usurp(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let time = node.clock(at: now)
        var words = [try Forger.Words(.event, [.init(name: "title", value: .text("Mine"))], at: time)]
        if let target = someTarget(for: node) {
            words.append(Forger.Words(time: time, root: .reference(target), isDeletion: true))
            let kind = ledger[target]?.kind ?? .comment
            let field = kind == .comment ? "text" : "title"
            var edit = try Forger.Words(kind, [.init(name: field, value: .text("Mine"))], at: time)
            edit.root = .reference(target)
            words.append(edit)
        }
        try grant(node, forger, at: time)
        return try say(words, by: node, forger)
    }

    /// Opens an invitation and makes an epoch, as only the founder may.
    private func grant(_ node: SimulatedNode, _ forger: Forger, at time: Timestamp) throws {
        let own = node.replica.own
        guard node.draw({ $0.chance(20) }), let parent = try lastDelta(of: own.name, .fabric, at: node) else { return }
        let payload = node.draw { $0.chance(50) } ? invitation(of: node) : epoch(of: node)
        let words = Forger.Words(journal: .fabric, time: time, plain: try payload.encoded())
        let delta = forger.write(words, after: parent, salt: node.draw { $0.next() })
        let outcome = try node.replica.merge([Run([delta])])
        try tell(node, outcome, own: [Run([delta])])
    }

    private func invitation(of node: SimulatedNode) -> FabricPayload {
        let keys = InvitationKeys(seed: node.randomness.secret())
        return .invitation(
            InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey, expires: nil, uses: nil)
        )
    }

    /// An epoch that nobody else can read.
    private func epoch(of node: SimulatedNode) -> FabricPayload {
        let audience = EpochSlots.eventAudience(node.event)
        let id = EpochSlots.id(key: node.randomness.secret(), event: node.event, audience: audience)
        return .epoch(EpochSlots(id: id, audience: audience, slots: []))
    }

    /// Writes in the name of an honest device, behind what that one wrote, and certifies itself as its person's.
    func impersonate(_ node: SimulatedNode) throws -> Bool {
        guard let forger = try Forger(node), let peer = somePeer(of: node), let victim = someHonest(for: node),
            let last = try lastDelta(of: victim.replica.own.name, .content, at: node)
        else { return false }
        let name = Forger.Words.Field(name: "name", value: .text("Not I"))
        let words = try Forger.Words(.profile, [name], at: node.clock(at: now))
        let place = (sequence: last.header.sequence + 1, previous: last.hash)
        let salt = node.draw { $0.next() }
        let delta = forger.write(words, as: last.header.device, sequence: place.sequence, after: place.previous, salt)
        slip(.run(.init(Run([delta]).encoded())), on: .deltas, to: peer, from: node)
        if node.draw({ $0.chance(30) }) {
            let run = try falseCertificate(for: victim.secrets.person, node, forger)
            slip(.run(.init(run.encoded())), on: .control, to: peer, from: node)
        }
        return true
    }

    private func falseCertificate(for person: PersonID, _ node: SimulatedNode, _ forger: Forger) throws -> Run {
        let own = node.replica.own
        let (key, agreement) = (own.signing.publicKey, own.agreement.publicKey)
        let name = Certificate.deviceName(
            event: node.event,
            person: person,
            signingKey: key,
            agreementKey: agreement
        )
        let certificate = Certificate(
            person: person,
            signingKey: key,
            agreementKey: agreement,
            signature: own.signing.sign(name.bytes),
            foundingSalt: nil
        )
        let plain = try FabricPayload.certificate(certificate).encoded()
        let words = Forger.Words(journal: .fabric, time: node.clock(at: now), plain: plain)
        return Run([forger.write(words, as: name, sequence: 1, after: .none, 1)])
    }

    /// The last delta of a journal, as a node holds it.
    private func lastDelta(of device: DeviceName, _ journal: Journal, at node: SimulatedNode) throws -> Delta? {
        let points = try node.replica.locator(of: device, journal)
        guard let tip = points.first else { return nil }
        let held = points.filter { $0.sequence < tip.sequence }
        return try node.replica.runs(of: device, journal, after: held, byteLimit: .max).last?.last
    }

    /// A record that an honest person made.
    private func someTarget(for node: SimulatedNode) -> Reference? {
        let known = ledger.entries.suffix(60).compactMap(\.reference).filter { node.knows($0) }
        return known.isEmpty ? nil : node.draw { $0.pick(known) }
    }
}
