// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MingleReplica

/// What was deleted is gone from every peer: not shown, no payload of it or about it, no blob, and no word of it anywhere in
/// the files of the database.
struct ErasureChecker: Checker {
    let name = "erasure"

    func findings(in world: World) throws -> [String] {
        let deleted = world.ledger.entries.filter(\.isDeleted)
        // A blob that somebody shared twice stays for the other record.
        let kept = Set(world.ledger.entries.filter { !$0.isDeleted }.flatMap(\.blobs))
        var findings: [String] = []
        let words = deleted.reduce(into: Set<UInt64>()) { $0.formUnion($1.words) }
        for node in world.loyal {
            let left = node.disk?.numbers(behind: String(Ledger.mark)).intersection(words).sorted() ?? []
            if let word = left.first { findings.append("node \(node.number) has the deleted word \(word) on its disk") }
            let blobs = Set(node.blobs.list().map(\.name)).subtracting(kept)
            for entry in deleted {
                guard let reference = entry.reference else { continue }
                if node.shows(entry.kind, reference) { findings.append("node \(node.number) shows \(reference)") }
                let held = try node.replica.payloads(entry.references).contains { payload in
                    if case .held = payload { true } else { false }
                }
                if held { findings.append("node \(node.number) has a payload of \(reference)") }
                if !blobs.isDisjoint(with: entry.blobs) {
                    findings.append("node \(node.number) has a blob of \(reference)")
                }
            }
        }
        return findings
    }
}
