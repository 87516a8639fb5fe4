// SPDX-License-Identifier: Apache-2.0

import MingleReplica
import MingleWire

/// How many bytes went over links, and how many there were to bring.
struct Traffic {
    /// Bytes of messages that honest nodes sent; what a link ended before it left them is none.
    private(set) var sent = 0
    /// Bytes of deltas that honest devices wrote.
    private(set) var deltas = 0
    /// Bytes of the blobs of these.
    private(set) var blobs = 0
    /// Bytes of what a greedy peer asked for besides, once for each time that it asked.
    private(set) var demanded = 0

    /// Counts what leaves a node.
    mutating func send(_ bytes: Int) { sent += bytes }

    /// Counts what a device wrote.
    mutating func author(_ runs: [Run]) {
        for delta in runs.flatMap(\.deltas) { deltas += Self.headerLength + (delta.payload?.count ?? 0) }
    }

    /// Counts a blob that a device made.
    mutating func author(_ blob: BlobListing) { blobs += Int(blob.size) }

    /// Counts what somebody asks for though it is held already.
    mutating func demand(_ bytes: Int) { demanded += bytes }

    /// About what a header takes.
    static let headerLength = 200
}

/// What is written travels to every peer about once.
struct TrafficChecker: Checker {
    let name = "traffic"
    /// How many times what has to travel may travel.
    private let times = 3
    /// Bytes that a link may cost besides.
    private let perLink = 64 << 10

    func findings(in world: World) -> [String] {
        let needed = (world.traffic.deltas + world.traffic.blobs) * world.nodes.count
        // Who asks for something again gets it.
        let budget = needed * times + world.traffic.demanded + world.coverage.links * perLink
        guard world.traffic.sent > budget else { return [] }
        return [
            "\(world.traffic.sent) bytes were sent where \(needed) had to travel, over \(world.coverage.links) links"
        ]
    }
}
