// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleNode

/// Starts on a disk without room.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskStartTests {
    /// Has what is written anew under a name find no room.
    private func fill(_ path: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + ".new", withDestinationPath: "/dev/full")
    }

    @Test func `a node starts on a full disk, and says which file found no room`() async throws {
        try await withTemporaryFolder { folder in
            let host = folder + "/host"
            let port = try await withNode(host) { node in
                _ = try await node.createEvent(title: "Party")
                return node.peerPort
            }
            try fill(host + "/node.json")
            try await withNode(host) { node in
                #expect(node.peerPort == port && node.health().ready)
                let problem = try await problem { _ = try await node.createEvent(title: "Another") }
                #expect(problem.name == .noSpace)
                #expect(
                    problem.detail == "The disk that holds \(host)/node.json is full. Free some space and try again."
                )
                // What was begun lies nowhere, and the next try is as good as the first.
                _ = try await node.createEvent(title: "Another")
            }
        }
    }

    @Test func `an event that could not be opened on a full disk opens by itself when there is room`() async throws {
        try await withTemporaryFolder { folder in
            let host = folder + "/host"
            let event = try await withNode(host) { try await $0.createEvent(title: "Party").id }
            // Without its database it begins anew, with keys for which there is no room.
            let files = EventFiles("\(host)/events/\(event)")
            for part in ["", "-wal"] { try FileManager.default.removeItem(atPath: files.database + part) }
            try fill(files.secrets)
            try await withNode(host) { node in
                let status = try node.status(event: nil)
                #expect(status.unopened == [event] && !node.health().ready)
                #expect(status.warnings.contains { $0.contains("The disk that holds \(files.secrets) is full") })
                try await eventually("it is open", at: node) { node.health().ready }
                #expect(try node.status(event: nil).unopened == [])
                #expect(try !node.status(event: nil).warnings.contains { $0.contains("is full") })
            }
        }
    }
}
