// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// What people marked is marked on all their devices, and nobody else's shows it.
struct BookmarkChecker: Checker {
    let name = "bookmarks"

    func findings(in world: World) throws -> [String] {
        try world.honest.flatMap { try leaks(at: $0, in: world) + losses(at: $0, in: world) }
    }

    private func leaks(at node: SimulatedNode, in world: World) throws -> [String] {
        let own = node.secrets.person.description
        return try world.dump(of: node).privately
            .filter { $0.hasPrefix("bookmark\t") && !$0.contains("\t\(own)\t") }
            .prefix(1).map { "node \(node.number) reads what another one marked: \($0)" }
    }

    /// What the person said on a device that was retired before anybody knew is nothing any more.
    private func losses(at node: SimulatedNode, in world: World) throws -> [String] {
        let person = node.secrets.person
        // A backup that was put back has no key that was made after it; where no other device of the person's has it, nobody does.
        let mayBeHanded = world.honest.contains { !$0.hasNewKeys && $0.secrets.person == person }
        guard mayBeHanded else { return [] }
        let own = world.honest.filter { $0.secrets.person == person }
        let lost = try world.bookmarking.marks.first { mark in
            try mark.person == person && node.shows(mark.kind, mark.record)
                && !world.lockedForEver.contains(mark.delta) && world.removals.spares(mark.delta, of: person)
                && world.loyal.contains { $0.knows(mark.delta) }
                && node.replica.bookmarked(mark.record).isEmpty
                // A device that was retired before it heard of another one of its person's hands nothing on to that.
                && (!world.removals.retiredDevice(of: mark.delta)
                    || own.contains { !$0.read(among: [mark.delta]).isEmpty })
        }
        return lost.map { ["node \(node.number) does not know that its person marked \($0.record)"] } ?? []
    }
}

extension Removals {
    /// Whether the device that wrote a delta was retired.
    func retiredDevice(of delta: Reference) -> Bool { retired.contains { $0.raw.prefix == delta.device } }
}
