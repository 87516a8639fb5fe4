// SPDX-License-Identifier: Apache-2.0

import MingleSync

/// No queue of an engine is longer than it may be, and with nothing left to do all are empty.
struct BoundednessChecker: Checker {
    let name = "boundedness"
    /// Gauges that have to stand at zero when all peers hold the same.
    private static let emptied = [
        "journals being pulled", "journals waiting", "runs being merged", "payloads wanted", "blobs wanted",
        "blobs to announce", "unproved bytes", "offers", "journals not proved", "requests for runs made",
        "bytes of runs asked for", "payloads asked for", "requests for runs", "requests for payloads", "chunks to read",
        "chunks being read", "chunks on the wire", "chunks not stored",
    ]

    func findings(in world: World) throws -> [String] {
        try world.loyal.flatMap { node in
            // What nobody holds any more stays wanted.
            let lacks = try world.lacks(of: node)
            let left = ["payloads wanted": lacks.payloads.count, "blobs wanted": lacks.blobs.count]
            return node.engine.gauges
                .filter { $0.isOverfull || ($0.value > left[$0.name, default: 0] && Self.emptied.contains($0.name)) }
                .map { "node \(node.number) has \($0.value) \($0.name) left" }
        }
    }

    /// What is too full while everything goes on.
    func overfull(in world: World) -> [String] {
        world.loyal.flatMap { node in
            node.engine.gauges.filter(\.isOverfull)
                .map { "node \(node.number) has \($0.value) \($0.name) of \($0.limit ?? 0)" }
        }
    }
}
