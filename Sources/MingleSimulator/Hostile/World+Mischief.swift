// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import SwiftProtobuf

// What hostile nodes do of their own, besides altering what their engines say.
extension World {
    /// Deltas that one hostile node writes in a run, at the most.
    private static let deltaLimit: UInt32 = 600

    /// A hostile peer does something, and something else later.
    func mischief(_ node: SimulatedNode) throws {
        guard node.isHere else { return }
        agenda.add(.mischief(node: node.number), at: now + node.draw { $0.milliseconds(4000...20_000) })
        let deeds = node.hostility?.behaviours.filter(\.hasDeeds) ?? []
        guard node.isAwake, !deeds.isEmpty else { return }
        let deed = node.draw { $0.pick(deeds) }
        let isDone = try commit(deed, by: node)
        // What these share is well made; the harm is done when it is asked for.
        if isDone, ![.badChunks, .withholding, .promising].contains(deed) { node.hostility?.note(deed) }
    }

    /// Does it; false if there was no occasion.
    private func commit(_ deed: Behaviour, by node: SimulatedNode) throws -> Bool {
        switch deed {
        case .lyingFrontiers, .hugeSequences: return try advertise(node, isHuge: deed == .hugeSequences)
        case .storms: return beginStorm(node)
        case .garbage: return throwGarbage(node)
        case .greed: return try askForEverything(node)
        case .forging: return try impersonate(node)
        case .replays, .slowReading, .silence: return false
        case .promising where node.draw { $0.chance(70) }: return try promise(node)
        case .equivocation, .wrongClocks, .orphans, .usurping, .badChunks, .withholding, .promising: break
        }
        // What it writes has to come to an end, for others to get in sync.
        guard !isHealing, try node.replica.hasKey(), node.hostility?.tip?.header.sequence ?? 0 < Self.deltaLimit,
            let forger = try Forger(node)
        else { return false }
        switch deed {
        case .equivocation: return try equivocate(node, forger)
        case .wrongClocks: return try writeAtWrongTimes(node, forger)
        case .orphans: return try writeOrphans(node, forger)
        case .badChunks, .withholding, .promising: return try sharePicture(node, forger)
        default: return try usurp(node, forger)
        }
    }

    /// Sends a message to one of a node's peers, past its engine.
    func slip(_ content: ProtoMessage.OneOf_Content, on lane: Lane, to peer: PeerID, from node: SimulatedNode) {
        var message = ProtoMessage()
        message.content = content
        guard let bytes: [UInt8] = try? message.serializedBytes() else { return }
        hand(bytes, to: lane, of: peer, from: node)
    }

    // MARK: - Links

    private func beginStorm(_ node: SimulatedNode) -> Bool {
        guard let victim = someHonest(for: node) else { return false }
        let length = node.draw { $0.number(5...25) }
        agenda.add(.storm(from: node.number, to: victim.number, left: length), at: now)
        return true
    }

    /// Opens a link of a storm, and puts down the next.
    func storm(_ from: Int, _ to: Int, _ left: Int) {
        let node = nodes[from]
        guard left > 0, node.isHere, nodes[to].isHere, !isBlocked(from, to), !isBlocked(to, from) else { return }
        let number = link(from, to, for: nil, isMute: node.draw { $0.chance(50) })
        agenda.add(.drop(link: number), at: now + node.draw { $0.milliseconds(50...3000) })
        agenda.add(.storm(from: from, to: to, left: left - 1), at: now + node.draw { $0.milliseconds(100...600) })
    }

    /// The dialler ends a link.
    func drop(_ number: UInt64) {
        if let link = links[number] { close(link, 0) }
    }

    // MARK: - Messages

    private func throwGarbage(_ node: SimulatedNode) -> Bool {
        let peers = node.links.keys.sorted()
        guard !peers.isEmpty else { return false }
        let (peer, lane) = (node.draw { $0.pick(peers) }, node.draw { $0.pick(Lane.allCases) })
        hand(node.draw { $0.bytes($0.number(1...2000)) }, to: lane, of: peer, from: node)
        return true
    }

    private func advertise(_ node: SimulatedNode, isHuge: Bool) throws -> Bool {
        guard let peer = somePeer(of: node) else { return false }
        let known = try node.replica.frontier().entries
        var message = ProtoEntries()
        for _ in 0..<node.draw({ $0.number(1...60) }) {
            let device = node.draw { dice in
                dice.chance(50) ? dice.pick(known).device : DeviceName(bytes: dice.bytes(32)) ?? known[0].device
            }
            let sequence = node.draw { isHuge ? UInt32.max - UInt32($0.number(0...3)) : UInt32($0.number(1...3000)) }
            let journal = node.draw { $0.pick(Journal.allCases) }
            let tip = node.draw { $0.next() }
            let entry = FrontierEntry(device: device, journal: journal, sequence: sequence, tip: tip)
            message.entries.append(.init(entry.bytes))
        }
        slip(.entries(message), on: .control, to: peer, from: node)
        if isHuge { try sendFarRun(node, to: peer) }
        return true
    }

    /// Sends a run from the end of what sequences there are.
    private func sendFarRun(_ node: SimulatedNode, to peer: PeerID) throws {
        let previous = node.draw { HeaderHash(bytes: $0.bytes(32)) } ?? .none
        guard let forger = try Forger(node) else { return }
        let salt = node.draw { $0.next() }
        let delta = forger.write(Forger.Words(), as: forger.own.name, sequence: .max, after: previous, salt)
        slip(.run(.init(Run([delta]).encoded())), on: .deltas, to: peer, from: node)
    }

    private func askForEverything(_ node: SimulatedNode) throws -> Bool {
        guard let peer = somePeer(of: node) else { return false }
        let entries = try node.replica.frontier().entries
        let blobs = node.blobs.list().map(\.name)
        let questions = try (0..<node.draw { $0.number(1...80) }).compactMap { _ in
            try question(by: node, entries, blobs)
        }
        if node.draw({ $0.chance(50) }) {
            var bundle = ProtoBundle()
            bundle.messages = try questions.map { question in
                var message = ProtoMessage()
                message.content = question
                return try message.serializedBytes()
            }
            slip(.bundle(bundle), on: .control, to: peer, from: node)
        } else {
            for question in questions { slip(question, on: .control, to: peer, from: node) }
        }
        return true
    }

    /// Asks for much at once of one kind of thing; nil if there is nothing to ask for.
    private func question(
        by node: SimulatedNode,
        _ entries: [FrontierEntry],
        _ blobs: [BlobName]
    ) throws -> ProtoMessage.OneOf_Content? {
        switch node.draw({ $0.number(0...3) }) {
        case 0:
            traffic.demand(traffic.deltas)
            return .wantRuns(Self.request(node.draw { $0.pick(entries) }))
        case 1:
            traffic.demand(traffic.deltas)
            var message = ProtoWantPayloads()
            message.references = entries.prefix(64).map { .init(Self.reference($0).bytes) }
            return .wantPayloads(message)
        case 2:
            var message = ProtoWantBlobs()
            message.names = blobs.prefix(256).map { .init($0.bytes) }
            traffic.demand(message.names.count * Traffic.headerLength)
            return .wantBlobs(message)
        default:
            guard !blobs.isEmpty else { return nil }
            var message = ProtoWantChunks()
            let name = node.draw { $0.pick(blobs) }
            traffic.demand(try node.blobs.status(of: name).map { Int($0.identity.size) } ?? 0)
            message.name = .init(name.bytes)
            message.indexes = [0, 1, 2, 3]
            message.lane = UInt32(node.draw { $0.number(2...4) })
            return .wantChunks(message)
        }
    }

    /// Says of all blobs that it holds that it does, many times.
    private func promise(_ node: SimulatedNode) throws -> Bool {
        let names = Array(node.blobs.list().map(\.name).prefix(256))
        guard let peer = somePeer(of: node), !names.isEmpty,
            case .blobStates(_, let states)? = try node.responder.answer(.loadBlobStates(peer, names))
        else { return false }
        var message = ProtoBlobStatus()
        message.states = states.map { ProtoBlobState($0) }
        for _ in 0..<node.draw({ $0.number(1...50) }) {
            slip(.blobStatus(message), on: .control, to: peer, from: node)
        }
        return true
    }

    private static func request(_ entry: FrontierEntry) -> ProtoWantRuns {
        var message = ProtoWantRuns()
        message.device = .init(entry.device.bytes)
        message.journal = UInt32(entry.journal.rawValue)
        message.bytes = .max
        return message
    }

    private static func reference(_ entry: FrontierEntry) -> Reference {
        Reference(
            device: entry.device.raw.prefix,
            journal: entry.journal,
            sequence: entry.sequence,
            hash: entry.tip
        )
    }

    // MARK: -

    /// An honest node that is there.
    func someHonest(for node: SimulatedNode) -> SimulatedNode? {
        let here = honest.filter(\.isHere)
        return here.isEmpty ? nil : node.draw { $0.pick(here) }
    }

    /// Somebody who is linked and has let the node in.
    func somePeer(of node: SimulatedNode) -> PeerID? {
        let peers = node.links.keys.filter { node.greeted[$0]?.person != nil }.sorted()
        return peers.isEmpty ? nil : node.draw { $0.pick(peers) }
    }
}

extension SimulatedNode {
    /// Throws a hostile node's own dice.
    func draw<Result>(_ body: (inout Dice) -> Result) -> Result {
        var dice = hostility?.dice ?? Dice(seed: 0)
        defer { hostility?.dice = dice }
        return body(&dice)
    }
}
