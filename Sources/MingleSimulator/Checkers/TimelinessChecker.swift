// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire

/// When and where something was first said, for as long as it may be on its way.
struct Births {
    fileprivate var deltas: [(reference: Reference, time: Duration)] = []

    /// Notes what was written.
    mutating func note(_ runs: [Run], at time: Duration) {
        deltas += runs.flatMap(\.deltas).map { ($0.reference, time) }
    }
}

/// Where nothing goes wrong, what is said is everywhere soon: not only in the end, when comparing has brought what nobody
/// was told.
struct TimelinessChecker {
    let name = "timeliness"
    /// How long it may take, which is less than until peers compare.
    private let patience = Duration.seconds(25)

    /// What has not come though it is due, of what was said since this was asked before; nothing where things go wrong.
    func late(in world: World) throws -> [String] {
        guard world.isCalm else { return [] }
        let due = world.births.deltas.prefix { world.now - $0.time > patience }
        world.births.deltas.removeFirst(due.count)
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
    /// Whether nobody and nothing does harm, so that all there is to wait for is the network.
    var isCalm: Bool {
        let goesWrong = plan.hasFaults && !options.without.isSuperset(of: Fault.allCases)
        return !goesWrong && stage == nil && plan.copies.isEmpty && honest.count == nodes.count
    }
}
