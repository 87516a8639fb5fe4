// SPDX-License-Identifier: Apache-2.0

import MingleReplica
import MingleWire

/// How many bytes went over links, and how many there were to bring.
struct Traffic {
    /// Bytes of messages that honest nodes gave to their links.
    private(set) var sent = 0
    /// Bytes of deltas that honest devices wrote, and of their blobs.
    private(set) var authored = 0

    /// Counts a message.
    mutating func send(_ message: [UInt8]) { sent += message.count }

    /// Counts what a device wrote.
    mutating func author(_ runs: [Run]) {
        for delta in runs.flatMap(\.deltas) { authored += Self.headerLength + (delta.payload?.count ?? 0) }
    }

    /// Counts a blob that a device made.
    mutating func author(_ blob: BlobListing) { authored += Int(blob.size) }

    /// About what a header takes.
    private static let headerLength = 200
}

/// What is written travels to every peer about once.
struct TrafficChecker: Checker {
    let name = "traffic"
    /// How many times what has to travel may travel.
    private let times = 3
    /// Bytes that a link may cost besides.
    private let perLink = 64 << 10

    func findings(in world: World) -> [String] {
        let needed = world.traffic.authored * world.nodes.count
        // Who asks for everything again gets it.
        let greed = world.nodes.reduce(0) { $0 + ($1.hostility?.deeds[.greed, default: 0] ?? 0) }
        let askedAnew = world.traffic.authored * greed
        let budget = needed * times + askedAnew + world.coverage.links * perLink
        guard world.traffic.sent > budget else { return [] }
        return [
            "\(world.traffic.sent) bytes were sent where \(needed) had to travel, over \(world.coverage.links) links"
        ]
    }
}
