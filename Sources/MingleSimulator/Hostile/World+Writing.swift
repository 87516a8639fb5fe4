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
    func say(_ words: [Forger.Words], by node: SimulatedNode, _ forger: Forger) throws -> Bool {
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
        if node.draw({ $0.chance(20) }) { return try equivocateFabric(node, forger, peers) }
        let parent = node.hostility?.tip
        let time = node.clock(at: now)
        var twins: [Delta] = []
        for side in 0..<node.draw({ $0.number(2...6) }) {
            let name = Forger.Words.Field(name: "name", value: .text("Janus \(side)"))
            let words = try Forger.Words(.profile, [name], at: time)
            twins.append(forger.write(words, after: parent, salt: node.draw { $0.next() }))
        }
        show(twins, to: peers, on: .deltas, from: node)
        let tip = node.draw { $0.pick(twins) }
        node.hostility?.tip = tip
        let outcome = try node.replica.merge([Run([tip])])
        try tell(node, outcome)
        return true
    }

    /// The same in the journal that says who it is: it comes by its invitation again, at other times.
    private func equivocateFabric(_ node: SimulatedNode, _ forger: Forger, _ peers: [PeerID]) throws -> Bool {
        guard let keys = forger.own.invitation, let parent = try lastDelta(of: forger.own.name, .fabric, at: node)
        else {
            return false
        }
        let statement = FabricPayload.admissionStatement(event: node.event, person: node.secrets.person)
        let admission = FabricPayload.admission(invitation: keys.id, signature: keys.signing.sign(statement))
        let plain = try admission.encoded()
        let twins = node.draw { dice in
            (0..<dice.number(2...6)).map { _ in
                let time = Timestamp(milliseconds: Int64(dice.number(0...1 << 42)))
                return forger.write(
                    Forger.Words(journal: .fabric, time: time, plain: plain),
                    after: parent,
                    salt: dice.next()
                )
            }
        }
        show(twins, to: peers, on: .control, from: node)
        return true
    }

    /// Shows each of several deltas to some peers.
    private func show(_ twins: [Delta], to peers: [PeerID], on lane: Lane, from node: SimulatedNode) {
        for (place, peer) in peers.enumerated() {
            let run = Run([twins[place % twins.count]])
            slip(.run(.init(run.encoded())), on: lane, to: peer, from: node)
        }
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
        let (media, listing) = try node.store(node.draw { $0.bytes($0.number(500...9000)) })
        guard try say([photo(media, node, at: node.clock(at: now))], by: node, forger) else { return false }
        tell(node, [.blobsHeld([listing.name])])
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

    /// The last delta of a journal, as a node holds it.
    func lastDelta(of device: DeviceName, _ journal: Journal, at node: SimulatedNode) throws -> Delta? {
        let points = try node.replica.locator(of: device, journal)
        guard let tip = points.first else { return nil }
        let held = points.filter { $0.sequence < tip.sequence }
        return try node.replica.runs(of: device, journal, after: held, byteLimit: .max).last?.last
    }

    /// A record that an honest person made.
    func someTarget(for node: SimulatedNode) -> Reference? {
        let known = ledger.entries.suffix(60).compactMap(\.reference).filter { node.knows($0) }
        return known.isEmpty ? nil : node.draw { $0.pick(known) }
    }
}
