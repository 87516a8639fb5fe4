// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

/// Everything that people were told is shared is shown, and nothing else: values, times and counts as the ledger says.
struct AcknowledgementChecker: Checker {
    let name = "acknowledged writes"
    /// Records of which the counts are looked at.
    private let countLimit = 200

    func findings(in world: World) throws -> [String] {
        let expected = world.ledger.dump()
        var findings: [String] = []
        for node in world.honest {
            guard let (line, isExpected) = firstDifference(expected, try world.honestLines(of: node)) else { continue }
            let record = line.split(separator: "\t").prefix(4).joined(separator: "\t")
            let other = isExpected ? try world.honestLines(of: node).first { $0.hasPrefix(record) } : nil
            findings.append(
                "node \(node.number) \(isExpected ? "does not show" : "shows unasked"): \(line)"
                    + (other.map { ", but \($0)" } ?? "")
            )
        }
        return try findings + countFindings(in: world)
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
