// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// What two people say to each other shows on all devices of the two and nowhere else, and no header tells who they are.
struct ConnectionChecker: Checker {
    let name = "connections"

    func findings(in world: World) throws -> [String] {
        let settled = world.connecting.said.keys.filter { isSettled($0, in: world) }
            .sorted { ($0.person, $0.other) < ($1.person, $1.other) }
        return try world.honest.flatMap { try leaks(at: $0, in: world) }
            + settled.flatMap { try losses(of: $0, in: world) } + ties(in: world)
    }

    private func leaks(at node: SimulatedNode, in world: World) throws -> [String] {
        let own = node.secrets.person.description
        return try world.dump(of: node).privately
            .filter { $0.hasPrefix("connection\t") && !$0.contains("\t\(own)\t") }
            .prefix(1).map { "node \(node.number) reads what two others say to each other: \($0)" }
    }

    /// Whether it is known what both said: none of it may be void, or be gone with who alone held it, or wait for a key that nobody
    /// has who would hand it on.
    private func isSettled(_ half: Connecting.Half, in world: World) -> Bool {
        let both = world.honest.filter { [half.person, half.other].contains($0.secrets.person) }
        guard !world.removals.persons.contains(half.person), !world.removals.persons.contains(half.other),
            both.contains(where: { !$0.hasNewKeys && $0.secrets.person == half.person })
        else { return false }
        guard !mayLackKeys(to: half, both, in: world) else { return false }
        let reverse = Connecting.Half(person: half.other, other: half.person)
        return [half, reverse].allSatisfy { one in
            (world.connecting.said[one] ?? []).allSatisfy { said in
                world.removals.spares(said.delta, of: one.person) && world.loyal.contains { $0.knows(said.delta) }
            }
        }
    }

    /// Whether nobody may have a key who would hand it on.
    private func mayLackKeys(to half: Connecting.Half, _ both: [SimulatedNode], in world: World) -> Bool {
        let own = both.filter { $0.secrets.person == half.person }
        let isRead = { (nodes: [SimulatedNode]) in nodes.contains { reads(half, at: $0, in: world) } }
        // With a backup that is put back the key may be lost, and a device that was linked since never had it.
        if own.contains(where: \.hasNewKeys), !isRead(own) { return true }
        // A device that was retired before it heard of another one of its person's hands nothing on to that.
        let said = world.connecting.said[half] ?? []
        return !isRead(both) && said.contains { world.removals.retiredDevice(of: $0.delta) }
    }

    /// Whether a device has the keys to all that was said.
    private func reads(_ half: Connecting.Half, at node: SimulatedNode, in world: World) -> Bool {
        let said = (world.connecting.said[half] ?? []).map(\.delta)
        return node.read(among: said).count == said.count
    }

    /// What somebody said last, on whichever device of the two persons does not show it.
    private func losses(of half: Connecting.Half, in world: World) throws -> [String] {
        let said = world.connecting.said[half] ?? []
        // Of what several devices said apart the clocks decide.
        guard let last = said.last, Set(said.map(\.delta.device)).count == 1 else { return [] }
        let words = "connection\t-\t\(half.person)\t\(half.other)\t"
        return try world.honest.filter { [half.person, half.other].contains($0.secrets.person) }
            .compactMap { node in
                let isOn = try world.dump(of: node).privately.contains { $0.hasPrefix(words) }
                guard isOn != last.isOn else { return nil }
                let words = isOn ? "wants" : "does not want"
                return "node \(node.number) shows that \(half.person) \(words) to connect with \(half.other)"
            }
            .prefix(1).map { $0 }
    }

    /// Epochs of two people that both of them name: whoever carries their journals would see that they have to do with each other.
    private func ties(in world: World) throws -> [String] {
        guard !world.connecting.said.isEmpty, let carrier = world.honest.first else { return [] }
        var namers: [EpochID: Set<PersonID>] = [:]
        for node in world.nodes where node.hostility == nil && !node.isRelay {
            let runs = try carrier.replica.runs(of: node.replica.own.name, .content, after: [], byteLimit: .max)
            for epoch in runs.flatMap(\.deltas).compactMap(\.namedEpoch) {
                namers[epoch, default: []].insert(node.secrets.person)
            }
        }
        return try world.honest.flatMap { node in
            let person = node.secrets.person
            let others = world.connecting.said.keys.filter { $0.person == person }.map(\.other).sorted()
            let keys = try others.flatMap { try node.replica.epochKeys(of: .between(person, and: $0)) }
            return keys.filter { namers[$0.0]?.count ?? 0 > 1 }.prefix(1)
                .map { "by the epoch \($0.0) everybody sees with whom \(person) has to do" }
        }
    }
}

extension Delta {
    /// The epoch that it names in the open, be it one that it brings.
    fileprivate var namedEpoch: EpochID? {
        guard header.epoch == .plaintext else { return header.epoch }
        return payload.flatMap { try? PrivateEpoch(decoding: $0).id }
    }
}
