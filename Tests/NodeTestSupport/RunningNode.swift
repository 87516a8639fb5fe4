// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Logging
package import MingleNode
package import MinglePeering

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

/// Waits until `condition` holds, looking now and whenever something changes at one of `nodes`; fails as `what` if the time
/// of the test ends before.
package func eventually(_ what: String, at nodes: Node..., until condition: () throws -> Bool) async throws {
    let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // They listen before it is looked for the first time, so that no change is missed.
    let listeners = nodes.map { node in
        let changes = node.changes.changes()
        return Task { for await _ in changes { news.continuation.yield() } }
    }
    defer { for listener in listeners { listener.cancel() } }
    if try condition() { return }
    for await _ in news.stream where try condition() { return }
    throw TooLate(what: what)
}

/// Opens a node that finds nobody by itself, or by what `discovery` makes.
package func openNode(
    _ path: String,
    peers: [String] = [],
    clock: NodeClock = .system,
    joinTimeout: Duration = .seconds(30),
    discovery: DiscoveryMaker? = nil,
    tellsNearby: Bool = true,
    logger: Logger = .silent,
    change: (inout NodeConfiguration) -> Void = { _ in }
) throws -> Node {
    var configuration = NodeConfiguration(dataPath: path, peers: peers, discovers: discovery != nil, clock: clock)
    (configuration.joinTimeout, configuration.tellsNearby) = (joinTimeout, tellsNearby)
    if let discovery { configuration.makeDiscovery = discovery }
    change(&configuration)
    return try Node(configuration, logger: logger)
}

extension Logger {
    /// Writes nothing.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Lends a running node to `body`, and waits for its end.
package func withNode<Result>(
    _ path: String,
    peers: [String] = [],
    clock: NodeClock = .system,
    joinTimeout: Duration = .seconds(30),
    discovery: DiscoveryMaker? = nil,
    tellsNearby: Bool = true,
    change: (inout NodeConfiguration) -> Void = { _ in },
    _ body: (Node) async throws -> Result
) async throws -> Result {
    let node = try openNode(
        path,
        peers: peers,
        clock: clock,
        joinTimeout: joinTimeout,
        discovery: discovery,
        tellsNearby: tellsNearby,
        change: change
    )
    return try await running(node, body)
}

/// Lends a door that runs in a folder of its own to `body`, and waits for its end.
package func withDoor<Result>(
    _ path: String,
    by link: String? = nil,
    named name: String? = nil,
    peers: [Node],
    logger: Logger = .silent,
    change: (inout NodeConfiguration) -> Void = { _ in },
    _ body: (Node) async throws -> Result
) async throws -> Result {
    let beDoor: (inout NodeConfiguration) -> Void = { configuration in
        configuration.isDoor = true
        change(&configuration)
    }
    let node = try openNode(path, peers: peers.map { "127.0.0.1:\($0.peerPort)" }, logger: logger, change: beDoor)
    try await node.show(by: link.map(Node.readDoorLink), named: name)
    return try await running(node, body)
}

/// Opens a relay that finds nobody by itself.
package func openRelay(
    _ path: String,
    peers: [String] = [],
    keeping policy: RetentionPolicy = RetentionPolicy()
) throws -> Node {
    try openNode(path, peers: peers, change: { $0.relay = policy })
}

/// Lends a running relay that carries the events of some links to `body`, and waits for its end.
package func withRelay<Result>(
    _ path: String,
    _ links: [String] = [],
    peers: [Node] = [],
    keeping policy: RetentionPolicy = RetentionPolicy(),
    _ body: (Node) async throws -> Result
) async throws -> Result {
    let relay = try openRelay(path, peers: peers.map { "127.0.0.1:\($0.peerPort)" }, keeping: policy)
    try await relay.relay(links.map(Node.readRelayLink))
    return try await running(relay, body)
}

/// Runs a node for as long as `body` takes, and waits for its end.
private func running<Result>(_ node: Node, _ body: (Node) async throws -> Result) async throws -> Result {
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
