// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Nothing is held in an honest device's name that this device did not write, nobody has become another's device, and
/// the event is called what the founder called it.
struct AuthorshipChecker: Checker {
    let name = "authorship"

    func findings(in world: World) throws -> [String] {
        let persons = Set(world.honest.map(\.secrets.person))
        var findings: [String] = []
        var seen: Set<Bytes32> = []
        for node in world.honest {
            if try node.replica.title() != world.title { findings.append("node \(node.number) shows another title") }
            let frontier = try node.replica.frontier()
            // Equal tips stand for equal journals.
            guard seen.insert(frontier.digest).inserted else { continue }
            for key in Set(frontier.entries.map { JournalKey(device: $0.device, journal: $0.journal) }).sorted() {
                if let finding = try foreign(key, at: node, in: world) { findings.append(finding) }
                guard let person = try node.replica.admittedPerson(of: key.device) else { continue }
                if persons.contains(person), !world.authors.contains(key.device) {
                    findings.append("node \(node.number) takes a device of a hostile one for an honest person's")
                }
            }
        }
        return findings
    }

    /// The first delta of a journal that its honest author did not write.
    private func foreign(_ key: JournalKey, at node: SimulatedNode, in world: World) throws -> String? {
        guard world.authors.contains(key.device) else { return nil }
        let runs = try node.replica.runs(of: key.device, key.journal, after: [], byteLimit: .max)
        let delta = runs.flatMap(\.deltas).first { !world.authored.contains($0.reference) }
        return delta.map { "node \(node.number) holds what its author did not write: \($0.reference)" }
    }
}
