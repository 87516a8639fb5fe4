// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One run of a whole event, from its founding to the last check.
package enum Simulation {
    /// Runs an event; the same options give the same result everywhere.
    package static func run(_ options: SimulationOptions) throws -> SimulationResult {
        let folder = options.folder + "/\(options.seed)"
        do {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw SimulationError.folder(path: folder)
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = options
        options.folder = folder
        return try play(World(options))
    }

    private static func play(_ world: World) throws -> SimulationResult {
        defer {
            for node in world.nodes { try? node.close() }
            world.trace.finish()
        }
        try world.begin()
        try world.runEvent()
        let healed = try world.heal()
        world.settleLosses()
        if healed != nil { try world.sendCanaries() }
        try world.check()
        world.coverage.conflicts = world.ledger.conflicts
        world.countMischief()
        if world.stage != nil { world.coverage.scenarios = 1 }
        let hash = String(world.trace.hash, radix: 16)
        return SimulationResult(
            seed: world.options.seed,
            peers: world.plan.peers,
            hours: world.options.hours,
            trace: String(repeating: "0", count: 16 - hash.count) + hash,
            events: world.trace.count,
            healedAfter: healed.map { Int($0 / .seconds(1)) },
            coverage: world.coverage,
            findings: world.findings
        )
    }
}
