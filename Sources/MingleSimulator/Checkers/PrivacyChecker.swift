// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica

/// A private moment shows to those who are invited, and to nobody else.
///
/// All of them see the same words; and nothing of it is at anybody's who never was invited: no word, no key, and but for relays, which
/// carry everything sealed, no picture. Nor does anybody take what is for others for something that is locked.
struct PrivacyChecker: Checker {
    let name = "privacy"

    func findings(in world: World) throws -> [String] {
        guard !world.privacy.moments.isEmpty else { return try locked(in: world) }
        let shown = try ShownPrivately(in: world)
        // A disk is searched once, for the words of all moments.
        let words = world.nodes.map { $0.disk?.numbers(behind: String(Ledger.mark)) ?? [] }
        return try world.privacy.moments.flatMap { moment in
            try leaks(of: moment, words, in: world) + differences(of: moment, shown, in: world)
        } + locked(in: world)
    }

    /// What shows as locked though all have all keys that are for them.
    private func locked(in world: World) throws -> [String] {
        try world.honest.flatMap { node in
            try node.replica.locked().map { locked in
                "node \(node.number) shows \(locked.count) things of \(locked.author.id) as locked"
            }
        }
    }

    /// Words and pictures at nodes of people who never were to know.
    private func leaks(of moment: Privacy.Moment, _ written: [Set<UInt64>], in world: World) throws -> [String] {
        let strangers = world.nodes.filter { $0.isDoor || !moment.confidants.contains($0.secrets.person) }
        return try strangers.flatMap { node in
            let words = written[node.number].intersection(moment.words)
            let blobs = node.isRelay ? [] : Set(node.blobs.list().map(\.name)).intersection(moment.blobs)
            let keys = try node.replica.epochKeys(of: moment.audience)
            return words.sorted().prefix(1).map { "node \(node.number), not invited, has the word \($0) on its disk" }
                + blobs.sorted().prefix(1).map { "node \(node.number), not invited, holds the picture \($0)" }
                + (keys.isEmpty ? [] : ["node \(node.number), not invited, has \(keys.count) keys to it"])
                + (node.shows(.moment, moment.reference) ? ["node \(node.number), not invited, shows it"] : [])
        }
    }

    /// What some of those who are in see otherwise than others.
    private func differences(
        of moment: Privacy.Moment,
        _ shown: ShownPrivately,
        in world: World
    ) throws -> [String] {
        let witnesses = world.honest.filter { $0.shows(.moment, moment.reference) }
        // Where the owner is out, somebody who is in: an invitation may be void that the owner wrote on a device of which who left did
        // not know, and whoever got a key by that sees what was said before, and nothing since.
        let guest = try witnesses.first { try invited(to: moment, at: $0).contains($0.secrets.person.description) }
        guard let first = witnesses.first(where: { $0.secrets.person == moment.owner }) ?? guest else { return [] }
        let guests = try invited(to: moment, at: first)
        let expected = shown.lines(of: moment, at: first)
        return world.honest.compactMap { node in
            let person = node.secrets.person
            guard !node.isDoor, person == moment.owner || guests.contains(person.description) else { return nil }
            guard node.shows(.moment, moment.reference) else {
                return "node \(node.number), which is invited, does not show \(moment.reference)"
            }
            let difference = firstDifference(expected, shown.lines(of: moment, at: node))
            return difference.map { "only node \($0.isLeft ? first.number : node.number) shows: \($0.line)" }
        }
    }

    /// Who is invited to a moment, as a node has it.
    private func invited(to moment: Privacy.Moment, at node: SimulatedNode) throws -> Set<String> {
        Set(try node.replica.participants(of: moment.reference).invited.map(\.id.description))
    }
}

/// What honest nodes show of private moments; by node.
private struct ShownPrivately {
    private var lines: [Int: [String]] = [:]

    init(in world: World) throws {
        for node in world.honest { lines[node.number] = try world.dump(of: node).privately }
    }

    /// What a node shows for a moment's audience.
    func lines(of moment: Privacy.Moment, at node: SimulatedNode) -> [String] {
        let shown = lines[node.number] ?? []
        let line = shown.first { $0.hasPrefix("moment\t\(moment.reference)\t") }
        guard let word = line?.split(separator: "\t").last else { return [] }
        return shown.filter { $0.hasSuffix("\t\(word)") }
    }
}
