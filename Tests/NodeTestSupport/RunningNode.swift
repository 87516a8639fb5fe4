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

/// Waits until `condition` holds, looking again and again; it fails as `what` after half a minute.
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
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
        do {
            return try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        } catch DataFolderError.inUse where ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
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
