// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire

/// Who meets what another wrote with its key goes on as a new device: at the end every node remembers all that is held
/// in its device's name.
struct IdentityChecker: Checker {
    let name = "identity"

    func findings(in world: World) throws -> [String] {
        var findings: [String] = []
        for node in world.loyal {
            for own in node.devicesHere {
                guard let foreign = try foreign(own, at: node) else { continue }
                findings.append("node \(node.number) goes on as the device that wrote \(foreign)")
            }
            if node.isRetired { findings.append("node \(node.number) may not write and has no new key") }
        }
        return findings
    }
    /// What a node holds in the name of a device of its own, and does not remember to have written.
    private func foreign(_ own: DeviceName, at node: SimulatedNode) throws -> Reference? {
        for journal in Journal.allCases {
            let runs = try node.replica.runs(of: own, journal, after: [], byteLimit: .max)
            let foreign = runs.flatMap(\.deltas).first { !node.written.contains($0.reference) }
            if let foreign { return foreign.reference }
        }
        return nil
    }
}
