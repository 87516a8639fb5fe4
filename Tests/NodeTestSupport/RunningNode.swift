// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
package import MingleNode

/// Lends a new folder to `body` and removes it afterwards.
package func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/mingle-node-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// Something that a test waited for did not come.
package struct TooLate: Error {
    package let what: String

    /// Names what did not come.
    package init(what: String) { self.what = what }
}

/// Waits until `condition` holds, looking every few milliseconds; it fails as `what` after half a minute.
///
/// What several nodes, their files and their links come to together, nobody tells of.
package func eventually(_ what: String, _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw TooLate(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Opens a node that finds nobody by itself, once a node that had the folder before has let go of it.
package func openNode(
    _ path: String,
    peers: [String] = [],
    clock: NodeClock = .system,
    joinTimeout: Duration = .seconds(30)
) async throws -> Node {
    var configuration = NodeConfiguration(dataPath: path, peers: peers, discovers: false, clock: clock)
    configuration.joinTimeout = joinTimeout
    var opened: Node?
    try await eventually("the folder is free") {
        do {
            opened = try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        } catch DataFolderError.inUse {}
        return opened != nil
    }
    guard let opened else { preconditionFailure("waited for a node and got none") }
    return opened
}

/// Lends a running node to `body`, and waits for its end.
package func withNode<Result>(
    _ path: String,
    peers: [String] = [],
    clock: NodeClock = .system,
    joinTimeout: Duration = .seconds(30),
    _ body: (Node) async throws -> Result
) async throws -> Result {
    let node = try await openNode(path, peers: peers, clock: clock, joinTimeout: joinTimeout)
    // So that it has a port when the body begins.
    try await node.listen()
    let running = Task { try await node.run() }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(node))
    } catch {
        result = .failure(error)
    }
    running.cancel()
    try await running.value
    return try result.get()
}
