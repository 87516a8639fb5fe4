// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleModel
import MingleNode
import Synchronization
import Testing

/// Lends a new folder to `body` and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/mingle-node-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

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

/// Runs `body`, which must throw a problem, and returns that.
func problem(_ body: () async throws -> Void) async throws -> API.Problem {
    do {
        try await body()
    } catch let problem as API.Problem {
        return problem
    }
    throw TooLate(what: "a problem")
}

/// A clock that goes as the machine's and can be put forward.
final class TestClock: Sendable {
    private let offset = Mutex<Int64>(0)

    var clock: NodeClock {
        let uptime = NodeClock.system.uptime
        return NodeClock(now: { Timestamp(milliseconds: self.milliseconds) }, uptime: uptime)
    }

    /// What the clock says.
    var now: Date { Date(milliseconds: milliseconds) }

    private var milliseconds: Int64 { Date().milliseconds + offset.withLock { $0 } }

    /// Puts the clock forward.
    func advance(seconds: Int64) { offset.withLock { $0 += seconds * 1000 } }
}

/// Opens a node that finds nobody by itself, once a node that had the folder before has let go of it.
func openNode(
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
func withNode<Result>(
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

extension Node {
    /// Where another node of the same machine dials this one.
    var loopback: String { "127.0.0.1:\(peerPort)" }

    /// A link that lets people into the current event.
    func link() throws -> String { try invitation(event: nil).link }

    /// Makes a moment that goes on from an hour ago until in an hour, on a place of 100 metres.
    func makeMoment(_ title: String, at now: Date = Date(), startsIn hours: Double = -1) throws -> API.Moment {
        var moment = API.NewMoment()
        moment.title = title
        moment.start = now.addingTimeInterval(hours * 3600)
        moment.end = now.addingTimeInterval((hours + 2) * 3600)
        moment.place = API.Place(name: "Plaza", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        return try makeMoment(moment, event: nil)
    }

    /// The comments on a record.
    func texts(on id: String) throws -> [String] {
        try comments(on: id, before: nil, event: nil).comments.map(\.text)
    }
}

extension API.Envelope.Position {
    /// Within the place of ``MingleNode/Node/makeMoment(_:at:startsIn:)``.
    static var there: Self { Self(latitude: 40.4156, longitude: -3.7075, accuracyM: 12) }
    /// Some four kilometres away.
    static var elsewhere: Self { Self(latitude: 40.45, longitude: -3.69, accuracyM: nil) }
}
