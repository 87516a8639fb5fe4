// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleNode

/// What a node is told of that it has not got the key to.
@Suite(.timeLimit(.minutes(5)))
struct NodeLockedTests {
    @Test func `the doctor says what is locked, and who can unlock it`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try await founder.rename(to: "Ana", event: nil)
                let moment = try founder.makeMoment("Dinner").id
                let link = try founder.invite(as: "relay", expires: nil, uses: 1, in: nil).link
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    let carl = try await takeBackup(of: founder, relay, in: folder)
                    // With it a new key is made, which the backup has not.
                    _ = try founder.remove(carl, keepsLinks: true, event: nil)
                    _ = try founder.comment(on: moment, text: "Later", event: nil)
                    try await untilHeld(by: relay, all: founder)
                }
                #expect(!founder.doctor().checks.contains { $0.id.hasSuffix(".locked") })
            }
            // The founder is away, who would hand the key on within a second.
            try await withRelay(folder + "/relay") { relay in
                try await withNode(folder + "/restored", peers: [relay.loopback]) { bob in
                    try await eventually("it is locked", at: bob) {
                        try bob.news(event: nil).locked?.isEmpty == false
                    }
                    let check = try #require(bob.doctor().checks.first { $0.id.hasSuffix(".locked") })
                    #expect(check.status == "warn" && check.detail.contains("1 thing is locked"))
                    #expect(check.fix?.contains("Ana") == true)
                }
            }
        }
    }

    /// Waits until a relay holds what a node does.
    private func untilHeld(by relay: Node, all node: Node) async throws {
        try await eventually("the relay holds all", at: relay, node) { try holdsAll(relay, of: node) }
    }

    private func holdsAll(_ relay: Node, of node: Node) throws -> Bool {
        let event = try relay.status(event: nil).relay?.events.first
        return try event.map { try $0.deltas >= node.status(event: nil).sync.records } ?? false
    }

    /// Lets Bob and Carl join, has Bob's node backed up and that put elsewhere, and returns Carl.
    private func takeBackup(of founder: Node, _ relay: Node, in folder: String) async throws -> String {
        let links = try (0..<2).map { _ in try founder.link() }
        return try await withGuests(["bob", "carl"], in: folder, by: links, at: founder) { guests in
            try await untilHeld(by: relay, all: founder)
            _ = try await guests[0].backUp(BackupTerms(folder: folder + "/backup"))
            _ = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            return try guests[1].ownID
        }
    }
}
