// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Everything that people were told is shared is shown to those for whom it is, and to nobody else.
///
/// Of every kind, with the values and times of the ledger, and counted. Nothing else is shown.
struct KindChecker: Checker {
    let name = "acknowledged writes"
    /// Records of which the counts are looked at.
    private let countLimit = 200

    func findings(in world: World) throws -> [String] {
        let expected = world.ledger.dump()
        let doubtful = Set(world.ledger.doubtful.map(\.description))
        var findings: [String] = []
        for node in world.honest {
            let lines = try world.honestLines(of: node).filter { line in
                doubtful.isEmpty || !doubtful.contains(String(line.split(separator: "\t", maxSplits: 2)[1]))
            }
            guard let (line, isExpected) = firstDifference(expected, lines) else { continue }
            findings.append(Self.difference(line, isExpected, among: lines, at: node))
        }
        return try findings + countFindings(in: world)
    }

    /// What a node shows otherwise, with what it shows in its place.
    static func difference(
        _ line: String,
        _ isExpected: Bool,
        among lines: [String],
        at node: SimulatedNode
    ) -> String {
        let head = line.split(separator: "\t").prefix(4).joined(separator: "\t") + "\t"
        let other = isExpected ? lines.first { $0.hasPrefix(head) } : nil
        return "node \(node.number) \(isExpected ? "does not show" : "shows unasked"): \(line)"
            + (other.map { ", but \($0)" } ?? "")
    }

    private func countFindings(in world: World) throws -> [String] {
        var findings: [String] = []
        // What guests count of an earlier private moment is not for the ledger to know.
        let shown = world.ledger.entries.filter {
            [.photo, .moment].contains($0.kind) && $0.continues.isEmpty && world.ledger.isShown($0)
        }
        let honest = world.honest
        let node = honest[honest.count - 1]
        let foreign = try world.hostileLines(of: node)
        for entry in shown.suffix(countLimit) {
            guard let reference = entry.reference else { continue }
            let expected = [Kind.fave, .comment].map { kind in
                world.ledger.count(kind, on: reference) + foreign.count(kind, on: reference)
            }
            guard let counts = try? counts(of: entry.kind, reference, at: node) else { continue }
            if counts != expected {
                findings.append(
                    "node \(node.number) counts \(counts) faves and comments, not \(expected): \(reference)"
                )
            }
        }
        return findings
    }

    private func counts(of kind: Kind, _ reference: Reference, at node: SimulatedNode) throws -> [Int] {
        if kind == .photo {
            let photo = try node.replica.photo(reference)
            return [Int(photo.faves), Int(photo.comments)]
        }
        let moment = try node.replica.moment(reference)
        return [Int(moment.faves), Int(moment.comments)]
    }
}
