// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MingleReplica
import MingleWire

/// All peers hold the same headers, show the same records and hold the same blobs, all of them whole.
struct ConvergenceChecker: Checker {
    let name = "convergence"

    func findings(in world: World) throws -> [String] {
        let first = world.honest[0]
        let (frontier, dump) = try (first.replica.frontier(), world.dump(of: first).event)
        // What people shared who are out stays where it was, and nobody else asks for it.
        var keptBack: Set<BlobName>? = try world.excusedBlobs()
        let excused = try (keptBack ?? []).union(first.replica.blobsHeldBack())
            .union(world.privacy.blobs).union(world.strandedBlobs()).union(world.wordlessBlobs())
        let blobs = Self.blobs(of: first, but: excused)
        var findings: [String] = []
        for node in world.honest {
            if let lack = try world.firstLack(of: node, excusing: &keptBack) {
                findings.append("node \(node.number) lacks \(lack)")
            }
            if try node.replica.frontier().digest != frontier.digest {
                findings.append(
                    "nodes \(first.number) and \(node.number) hold other headers: \(try Self.difference(first, node))"
                )
            }
            if let (line, isLeft) = firstDifference(dump, try world.dump(of: node).event) {
                findings.append("only node \(isLeft ? first.number : node.number) shows: \(line)")
            }
            if let (blob, isLeft) = firstDifference(blobs, Self.blobs(of: node, but: excused)) {
                findings.append("only node \(isLeft ? first.number : node.number) holds: \(blob)")
            }
        }
        return findings
    }

    /// Whether it looks as if all held the same; looked at more often than the whole.
    static func isInSync(_ world: World) throws -> Bool {
        let digest = try world.honest[0].replica.frontier().digest
        // What takes long is looked at once the rest is so.
        var excused: Set<BlobName>?
        return try world.loyal.allSatisfy { try $0.isHere && $0.replica.frontier().digest == digest }
            && world.loyal.allSatisfy { try world.isWhole($0, excusing: &excused) }
    }

    private static func blobs(of node: SimulatedNode, but excused: Set<BlobName>) -> [String] {
        node.blobs.list().filter { !excused.contains($0.name) }.map { "\($0.name)\($0.isComplete ? "" : " in part")" }
    }

    private static func difference(_ left: SimulatedNode, _ right: SimulatedNode) throws -> String {
        let describe = { (node: SimulatedNode) in
            try node.replica.frontier().entries.map { "\($0.device.raw.prefix) \($0.journal) \($0.sequence)" }
        }
        let difference = firstDifference(try describe(left), try describe(right))
        return difference.map { "only \($0.isLeft ? left.number : right.number) is at \($0.line)" } ?? "other tips"
    }
}
