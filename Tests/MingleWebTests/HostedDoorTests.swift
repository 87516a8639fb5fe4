// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import NIOCore
import NIOPosix
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// The door beside a person's node, over restarts of the node.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostedDoorTests {
    /// Runs the door of a node while `body` does.
    private static func with(_ node: Node, reopens: Bool, _ body: (HostedDoor) async throws -> Void) async throws {
        let door = HostedDoor(
            of: node,
            in: node.folder.path,
            reopens: reopens,
            logger: .silent,
            serverLogger: .silent
        )
        let running = Task { try await door.run() }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(door)) } catch { outcome = .failure(error) }
        running.cancel()
        try await running.value
        try outcome.get()
    }

    /// A port that nobody uses just now.
    private static func freePort() async throws -> Int {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        defer { server.close(promise: nil) }
        return try #require(server.localAddress?.port)
    }

    @Test func `a door is there again after a restart, be it opened anew or not`() async throws {
        try await withNode { node in
            _ = try await node.createEvent(title: "Party")
            var terms = API.NewDoor()
            terms.listen = "127.0.0.1:\(try await Self.freePort())"
            // As `mingle run --open ADDRESS` does at each start.
            for _ in 1...2 {
                try await Self.with(node, reopens: false) { door async throws in
                    #expect(try await door.open(terms, event: nil).own?.addresses.count == 1)
                }
            }
            try await Self.with(node, reopens: true) { door in
                for await _ in node.changes.changes() where await door.own != nil { break }
                #expect(await door.own?.addresses.count == 1)
            }
        }
    }
}
