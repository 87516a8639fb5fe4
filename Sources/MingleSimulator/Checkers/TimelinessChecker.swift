// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire

/// When and where something was first said, for as long as it may be on its way.
struct Births {
    fileprivate var deltas: [(reference: Reference, time: Duration)] = []
    /// How often in a row it was found that links lead from everybody to everybody.
    fileprivate var linkedLooks = 0

    /// Notes what was written.
    mutating func note(_ runs: [Run], at time: Duration) {
        deltas += runs.flatMap(\.deltas).map { ($0.reference, time) }
    }
}

/// Where nothing goes wrong, what is said is everywhere soon: not only in the end, when comparing has brought what nobody
/// was told.
struct TimelinessChecker {
    let name = "timeliness"
    /// How long it may take, which is less than until peers compare where nothing was lacking.
    private let patience = Duration.seconds(8)

    /// What has not come though it is due, of what was said since this was asked before; nothing where things go wrong.
    func late(in world: World) throws -> [String] {
        guard world.isCalm else { return [] }
        let due = world.births.deltas.prefix { world.now - $0.time > patience }
        world.births.deltas.removeFirst(due.count)
        world.births.linkedLooks = world.areLinked ? world.births.linkedLooks + 1 : 0
        // What was said while no links led to somebody comes when some do.
        guard world.births.linkedLooks > 2 else { return [] }
        world.coverage.timed += due.count
        return try world.nodes.filter { $0.isHere && world.now - $0.since > patience * 2 }.compactMap { node in
            let payloads = try node.replica.payloads(due.map(\.reference))
            guard let (late, _) = zip(due, payloads).first(where: { $0.1 == .absent }) else { return nil }
            let age = Int((world.now - late.time) / .seconds(1))
            return "node \(node.number) lacks \(late.reference) after \(age) s in which nothing went wrong"
        }
    }
}

extension World {
    /// Whether links lead from every node that is here to every other.
    fileprivate var areLinked: Bool {
        let here = Set(nodes.filter(\.isHere).map(\.number))
        let ends = links.values.map { link in Set(link.ends.map(\.node)) }
        var reached = Set(here.min().map { [$0] } ?? [])
        // Each round reaches one node more, at the least.
        for _ in here {
            let next = ends.filter { !$0.isDisjoint(with: reached) }.reduce(reached) { $0.union($1) }
            guard next != reached else { break }
            reached = next
        }
        return reached.isSuperset(of: here)
    }

    /// Whether nobody and nothing does harm, so that all there is to wait for is the network.
    var isCalm: Bool {
        let goesWrong = plan.hasFaults && !options.without.isSuperset(of: Fault.allCases)
        let going = nodes.count { !$0.hasStopped }
        return !goesWrong && stage == nil && plan.copies.isEmpty && plan.flips.isEmpty && !plan.keepsLittle
            && loyal.count == going
    }
}
