// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One run of a whole event, from its founding to the last check.
package enum Simulation {
    /// Runs an event; the same options give the same result everywhere.
    ///
    /// What a node throws that it must not throw ends the run, as a finding.
    package static func run(_ options: SimulationOptions) throws(SimulationError) -> SimulationResult {
        let folder = try RunFolder(in: options.folder, seed: options.seed)
        defer { folder.remove() }
        var options = options
        options.folder = folder.path
        return try play(options)
    }

    private static func play(_ options: SimulationOptions) throws(SimulationError) -> SimulationResult {
        let world = try World(options)
        var healed: Duration?
        do {
            try world.begin()
            try world.runEvent()
            healed = try world.heal()
            try world.settleLosses()
            try world.settleRemovals()
            if healed != nil { try world.sendCanaries() }
            try world.check()
        } catch {
            world.report("error", "\(error)")
        }
        world.coverage.conflicts = world.ledger.conflicts
        world.coverage.kinds = world.ledger.coverage
        world.countMischief()
        if world.stage != nil { world.coverage.scenarios = 1 }
        world.coverage.filedNodes = world.nodes.count { $0.disk == nil }
        for node in world.nodes { try? node.close() }
        try world.trace.finish()
        return world.result(healedAfter: healed)
    }
}

extension World {
    /// What the run has shown.
    fileprivate func result(healedAfter healed: Duration?) -> SimulationResult {
        let hash = String(trace.hash, radix: 16)
        return SimulationResult(
            seed: options.seed,
            scenario: options.scenario?.name,
            peers: plan.peers,
            hours: plan.length / .seconds(3600),
            peerHours: hoursSpent,
            trace: String(repeating: "0", count: 16 - hash.count) + hash,
            events: trace.count,
            healedAfter: healed.map { Int($0 / .seconds(1)) },
            coverage: coverage,
            findings: findings
        )
    }

    /// Hours of posting and faults, of all nodes that stayed to their end, hostile ones left out.
    private var hoursSpent: Double {
        let stays = nodes.filter { $0.hostility == nil && $0.isHere }.map { max(.zero, plan.length - $0.since) }
        return stays.reduce(.zero, +) / .seconds(3600)
    }
}
