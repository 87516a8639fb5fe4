// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleClient
import MingleNode
import NIOCore
import NIOPosix
import Testing

/// What commands do about a node that is there and does not answer.
@Suite(.timeLimit(.minutes(5)))
struct NodeClientTests {
    @Test func `a node that takes a request and never answers is called silent in the end`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/mingle-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mute = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(unixDomainSocketPath: NodeFolder.socketPath(in: folder)).get()
        let client = NodeClient(dataPath: folder, patience: .milliseconds(200))
        let problem = await #expect(throws: API.Problem.self) { let _: API.Status = try await client.get("status") }
        #expect(problem?.name == .unavailable && problem?.detail.contains("did not answer") == true)
        try await mute.close()
    }
}
