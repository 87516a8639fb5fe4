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
            let own = node.replica.own.name
            for journal in Journal.allCases {
                let runs = try node.replica.runs(of: own, journal, after: [], byteLimit: .max)
                let foreign = runs.flatMap(\.deltas).first { !node.written.contains($0.reference) }
                if let foreign {
                    findings.append("node \(node.number) goes on as the device that wrote \(foreign.reference)")
                }
            }
            if node.isRetired { findings.append("node \(node.number) may not write and has no new key") }
        }
        return findings
    }
}
