// SPDX-License-Identifier: Apache-2.0

/// What a scenario says must be at its end, is.
struct ScenarioChecker: Checker {
    let name = "scenario"

    func findings(in world: World) throws -> [String] { try world.stage?.findings() ?? [] }
}
