// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MinglePeering
import MingleReplica
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// What is left where the second half of something could not be done.
struct HalfDoneTests {
    /// Puts a folder in a file's place, which nothing can be written over.
    private func block(_ path: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/full", withIntermediateDirectories: true)
    }

    @Test func `an event that could not be started leaves nothing behind`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            try block(folder + "/node.json")
            _ = try await problem { _ = try await node.createEvent(title: "Party") }
            #expect(try node.allEvents().isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/events").isEmpty)
            try FileManager.default.removeItem(atPath: folder + "/node.json")
            _ = try await node.createEvent(title: "Party")
            #expect(try node.allEvents().map(\.title) == ["Party"])
        }
    }

    @Test func `an invitation whose link could not be kept is not open`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            let event = try await node.createEvent(title: "Party").id
            let known = try node.invitations(event: nil).invitations.map(\.id)
            let session = try node.session(nil)
            try block(node.folder.path + "/events/\(event)/secrets.json")
            _ = try await problem { _ = try node.invite(expires: nil, uses: nil, in: nil) }
            #expect(try node.invitations(event: nil).invitations.map(\.id) == known)
            #expect(session.secrets.withLock { $0.issued.count } == 1)
        }
    }

    @Test func `word of a device that was replaced replaces no other`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            let event = try #require(EventID(text: try await node.createEvent(title: "Party").id))
            let first = try node.session(nil).replica.own.name
            node.replace(first, in: event)
            let second = try node.session(nil).replica.own.name
            node.replace(first, in: event)
            #expect(try second != first && node.session(nil).replica.own.name == second)
            node.replace(second, in: event)
            #expect(try node.session(nil).replica.own.name != second)
        }
    }

    @Test func `of an invitation that could not be made no link is kept`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            _ = try await node.createEvent(title: "Party")
            let session = try node.session(nil)
            try session.replica.close()
            _ = try await problem { _ = try node.invite(expires: nil, uses: nil, in: nil) }
            #expect(session.secrets.withLock { $0.issued.count } == 1)
        }
    }
}
