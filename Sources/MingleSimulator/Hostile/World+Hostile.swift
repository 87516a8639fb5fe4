// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

extension World {
    /// Why honest nodes part without blame: an answer was on a path that was blocked, or the own disk is full.
    private static let harmless = ["does not greet", "compares anew", "this node cannot answer now"]
    /// Bytes a second that a slow reader takes.
    private static let crawl = 400

    /// The nodes that do what they should, of those who take part; relays are not among them.
    var honest: [SimulatedNode] {
        let (removed, retired) = (removals.persons, removals.retired)
        return nodes.filter { node in
            node.hostility == nil && !node.isRelay && !removed.contains(node.secrets.person)
                && !retired.contains(node.replica.own.name) && !node.hasStopped && !node.secrets.isUncertified
        }
    }

    /// The persons whom hostile nodes belong to.
    var hostilePersons: Set<PersonID> { Set(nodes.filter { $0.hostility != nil }.map(\.secrets.person)) }

    /// Those who keep from others what they like: hostile persons, who is out, and whoever has the devices that others lost.
    var unreliablePersons: Set<PersonID> { hostilePersons.union(removals.persons).union(removals.retiring) }

    /// Adds the hostile nodes of the plan behind the others, each linked with some of these.
    func addHostile(_ event: EventID) throws {
        let founder = nodes[0]
        let others = nodes.count
        for hostility in plan.hostile {
            var hostility = hostility
            let randomness = hostility.dice.randomness()
            // Who has seen the link once may know the door's key and no invitation that is open.
            let seed = hostility.isStranger ? randomness.secret() : invitations[0]
            let link = InvitationLink(event: event, psk: founder.secrets.psk, seed: seed, hints: [])
            let secrets = Secrets.joining(link, randomness)
            let disk = try makeDisk(in: event, secrets)
            let node = try makeNode(in: event, secrets: secrets, disk: disk, randomness: randomness)
            // Some come when others are there already, who are told of it.
            let latest = Int(plan.length / .milliseconds(3))
            let coming = hostility.dice.chance(50) ? hostility.dice.milliseconds(0...latest) : .zero
            for other in 0..<others where others <= 8 || hostility.dice.chance(60) {
                let isDialler = hostility.dice.chance(60)
                targets.append(Target(from: isDialler ? node.number : other, to: isDialler ? other : node.number))
                agenda.add(.dial(target: targets.count - 1), at: coming + hostility.dice.milliseconds(0...3000))
            }
            node.hostility = hostility
            nodes.append(node)
        }
    }

    /// Hostile nodes go away for good: what is left of them at the others must be gone soon.
    func dismissHostile() {
        for node in nodes where node.hostility != nil {
            for number in links.keys.sorted() {
                guard let link = links[number] else { continue }
                for end in 0...1 where link.ends[end].node == node.number { close(link, end) }
            }
            (node.isHere, node.isAwake) = (false, false)
        }
    }

    /// Adds up what hostile nodes did.
    func countMischief() {
        for hostility in nodes.compactMap(\.hostility) {
            for behaviour in hostility.behaviours {
                coverage.mischief[behaviour.rawValue, default: 0] += hostility.deeds[behaviour, default: 0]
            }
        }
    }

    /// Bytes a second that a link brings to a node.
    func bandwidth(to node: Int) -> Int {
        guard nodes[node].hostility?.does(.slowReading) == true else { return plan.bandwidth }
        nodes[node].hostility?.note(.slowReading)
        return Self.crawl
    }

    /// Whether a hostile node wrote a run.
    func isHostile(_ run: Run) -> Bool {
        nodes.contains { $0.hostility != nil && $0.replica.own.name == run.key.device }
    }

    // MARK: - What honest nodes may hold against each other

    /// Notes what an honest device wrote.
    func note(_ runs: [Run], by node: SimulatedNode) {
        guard node.hostility == nil else { return }
        if options.planted == .disowns, node.number == 1, coverage.writes % 5 == 0 { return }
        traffic.author(runs)
        // What is said before anybody was met comes once somebody is.
        if isCalm, !node.greeted.isEmpty { births.note(runs, at: now) }
        for run in runs {
            authors.insert(run.key.device)
            for delta in run.deltas {
                authored.insert(delta.reference)
                if !delta.header.blobs.isEmpty { listedBlobs[delta.reference] = delta.header.blobs.map(\.name) }
                node.written.insert(delta.reference)
            }
        }
    }

    /// No honest node ends a session with another one for a rule that was broken: what a third one made and it passed on
    /// is not its fault.
    func judge(_ goodbye: Goodbye, of node: SimulatedNode, to other: SimulatedNode) {
        guard node.hostility == nil, other.hostility == nil else { return }
        guard !goodbye.isFromPeer, goodbye.cause == .other else { return }
        if Self.harmless.contains(where: goodbye.reason.hasPrefix) { return }
        if goodbye.reason.hasPrefix("holds the same device's key"), copied.contains(node.replica.own.name) { return }
        report("blame", "node \(node.number) turned from node \(other.number): \(goodbye.reason)")
    }

    // MARK: - What hostile persons left

    /// The shown records of all but hostile persons.
    func honestLines(of node: SimulatedNode) throws -> [String] {
        let persons = Set(hostilePersons.map(\.description))
        guard !persons.isEmpty else { return try dump(of: node).event }
        return try dump(of: node).event.filter { !persons.contains(ShownLine($0).person) }
    }

    /// The shown records of hostile persons.
    func hostileLines(of node: SimulatedNode) throws -> [ShownLine] {
        let persons = Set(hostilePersons.map(\.description))
        guard !persons.isEmpty else { return [] }
        return try dump(of: node).event.map { ShownLine($0) }.filter { persons.contains($0.person) }
    }

    /// Whether a node holds all that its records speak of, but for what hostile persons keep from everybody.
    func isWhole(_ node: SimulatedNode) throws -> Bool {
        var excused: Set<BlobName>?
        return try isWhole(node, excusing: &excused)
    }

    /// The same, for one of many nodes.
    ///
    /// - Parameter excused: `excusedBlobs()`, worked out for the first node that lacks something.
    func isWhole(_ node: SimulatedNode, excusing excused: inout Set<BlobName>?) throws -> Bool {
        if try node.isWhole() { return true }
        return try firstLack(of: node, excusing: &excused) == nil
    }

    /// The first thing, in words, that a node's records speak of and it does not hold, though it is not excused; nil if there is none.
    ///
    /// - Parameter excused: as for `isWhole`.
    func firstLack(of node: SimulatedNode, excusing excused: inout Set<BlobName>?) throws -> String? {
        let lacks = try lacks(of: node)
        if let payload = lacks.payloads.first(where: { !isExcused($0) }) { return "the payload of \(payload)" }
        guard !lacks.blobs.isEmpty else { return nil }
        let names = try excused ?? excusedBlobs()
        excused = names
        return lacks.blobs.subtracting(names).min().map { "the blob \($0)" }
    }

    /// What a node's records speak of and it does not hold.
    func lacks(of node: SimulatedNode) throws -> (payloads: [Reference], blobs: Set<BlobName>) {
        (try node.replica.missingPayloads(limit: .max).map(\.reference), try node.lackingBlobs())
    }

    /// Whether a payload is a hostile person's or was forgotten, and no honest node has it.
    private func isExcused(_ payload: Reference) -> Bool {
        let persons = unreliablePersons
        let isUnreliable = nodes.contains {
            persons.contains($0.secrets.person) && $0.replica.own.name.raw.prefix == payload.device
        }
        return (isUnreliable || forgotten.contains(payload)) && !loyal.contains { $0.knows(payload) }
    }

    /// Blobs of hostile persons, of those who are out, of what was forgotten, and of which nobody has the words any more, that no honest
    /// node has whole; but not what was handed over by who left.
    ///
    /// Who lost the words to a picture of its own, and their header with them, may drop the picture, which nothing lists there any more;
    /// who has the header, as relays do, goes on waiting for it.
    func excusedBlobs() throws -> Set<BlobName> {
        let persons = unreliablePersons
        guard !persons.isEmpty || !forgotten.isEmpty || !forgottenBlobs.isEmpty else { return [] }
        var names = forgottenBlobs.union(wordlessBlobs())
        for node in honest where !persons.isEmpty {
            try node.responder.mentions { mentions in
                names.formUnion(mentions.filter { persons.contains($0.owner) }.map(\.name))
            }
        }
        for relay in relays where !persons.isEmpty {
            try relay.responder.listings { listed in
                names.formUnion(listed.filter { persons.contains($0.person) }.map(\.name))
            }
        }
        return names.filter { name in !isInherited(name) && !loyal.contains { $0.blobs.isComplete(name) } }
    }
}

/// One line of a dump.
struct ShownLine {
    private let words: [Substring]

    init(_ line: String) { words = line.split(separator: "\t", maxSplits: 4) }

    /// Whose record it is.
    var person: String { words.count > 2 ? String(words[2]) : "" }

    /// Whether it is of a kind and hangs on a record.
    func isOf(_ kind: Kind, on target: Reference) -> Bool {
        words.count > 3 && words[0] == kind.name && words[3] == target.description
    }
}

extension [ShownLine] {
    /// How many are of a kind and hang on a record.
    func count(_ kind: Kind, on target: Reference) -> Int { count { $0.isOf(kind, on: target) } }
}
