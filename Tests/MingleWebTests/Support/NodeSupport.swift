// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

/// Lends a running node in a folder of its own to `body`.
func withNode<Result>(
    peers: [String] = [],
    clock: NodeClock = .system,
    _ body: (Node) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { path in
        try await withNode(path, peers: peers, clock: clock, body)
    }
}

/// Lends a browser of a new node to `body`; the node is in no event.
func withBrowser(_ body: (Browser) async throws -> Void) async throws {
    try await withNode { node in try await body(Browser(node)) }
}

/// Lends a browser of a node that does not run, so that nothing changes but what the test changes.
func withSilentNode(_ body: (Browser) async throws -> Void) async throws {
    try await withTemporaryFolder { path in
        try await body(Browser(openNode(path)))
    }
}

/// Lends a browser of a node that has just founded an event to `body`.
func withEvent(_ body: (Browser) async throws -> Void) async throws {
    try await withNode { node in
        _ = try await node.createEvent(title: "Party")
        try await body(Browser(node))
    }
}

extension API.NewMoment {
    /// A moment of two hours, on a place of 100 metres.
    static func about(_ title: String, startsIn hours: Double = -1) -> API.NewMoment {
        var moment = API.NewMoment()
        moment.title = title
        moment.start = Date().addingTimeInterval(hours * 3600)
        moment.end = Date().addingTimeInterval((hours + 2) * 3600)
        moment.place = API.NewPlace(name: "Plaza", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        return moment
    }

    /// What a client sends to make it.
    var json: String { get throws { String(decoding: try API.encode(self), as: UTF8.self) } }
}
