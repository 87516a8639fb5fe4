// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleNode
import Testing

/// Something that a test waited for did not come.
struct TooLate: Error {
    let what: String
}

/// Waits until `condition` holds, looking again and again; it fails as `what` after half a minute.
func eventually(_ what: String, _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TooLate(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Lends a new folder to `body` and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/mingle-web-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// Opens a node, once a node that had the folder before has let go of it.
private func openNode(_ configuration: NodeConfiguration) async throws -> Node {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
        do {
            return try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        } catch DataFolderError.inUse where ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// Lends a running node to `body`, and waits for its end; it finds nobody by itself.
func withNode<Result>(
    in path: String,
    peers: [String] = [],
    joinTimeout: Duration = .seconds(30),
    _ body: (Node) async throws -> Result
) async throws -> Result {
    var configuration = NodeConfiguration(dataPath: path, peers: peers, discovers: false)
    configuration.joinTimeout = joinTimeout
    let node = try await openNode(configuration)
    let running = Task { try await node.run() }
    let result: Swift.Result<Result, any Error>
    do {
        try await eventually("the node listens") { node.peerPort != 0 }
        result = .success(try await body(node))
    } catch {
        result = .failure(error)
    }
    running.cancel()
    try await running.value
    return try result.get()
}

/// Lends a running node in a folder of its own to `body`.
func withNode<Result>(
    peers: [String] = [],
    joinTimeout: Duration = .seconds(30),
    _ body: (Node) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { path in
        try await withNode(in: path, peers: peers, joinTimeout: joinTimeout, body)
    }
}

/// Lends a browser of a new node to `body`; the node is in no event.
func withBrowser(_ body: (Browser) async throws -> Void) async throws {
    try await withNode { node in try await body(Browser(node)) }
}

/// Lends a browser of a node that does not run, so that nothing changes but what the test changes.
func withSilentNode(_ body: (Browser) async throws -> Void) async throws {
    try await withTemporaryFolder { path in
        try await body(Browser(openNode(NodeConfiguration(dataPath: path, discovers: false))))
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
        moment.place = API.Place(name: "Plaza", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        return moment
    }

    /// What a client sends to make it.
    var json: String { get throws { String(decoding: try API.encode(self), as: UTF8.self) } }
}
