// SPDX-License-Identifier: Apache-2.0

import MingleReplica

/// The lines of a node's dump.
struct DumpedLines {
    /// Those that everybody in the event has.
    var event: [String] = []
    /// Those that fewer have.
    var privately: [String] = []
}

extension World {
    /// What a node shows; while all is checked it is read once for all checkers.
    ///
    /// Only working everything out anew happens meanwhile, and that it changes nothing is checked by itself.
    func dump(of node: SimulatedNode) throws -> DumpedLines {
        if let known = dumps?[node.number] { return known }
        var lines = DumpedLines()
        for line in try node.replica.dump() {
            if line.contains("\taudience=") { lines.privately.append(line) } else { lines.event.append(line) }
        }
        // The statements that ask for all that is shown are large, and a thousand nodes keep a thousand of each.
        if node.disk == nil { try node.replica.releaseMemory() }
        // Nearly always all have the same, and a thousand nodes shall not have it a thousand times.
        if let same = dumps?[0]?.event, same == lines.event { lines.event = same }
        dumps?[node.number] = lines
        return lines
    }
}
