// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MinglePeering
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode

/// What a node does about more events than it can serve.
@Suite(.timeLimit(.minutes(10)))
struct EventLimitTests {
    /// Makes an event on a node of its own and moves its folder into another node's; returns its id.
    private func addFolder(to folder: String, from other: String) async throws -> String {
        let event = try await openNode(other).createEvent(title: "Brought along").id
        try FileManager.default.moveItem(atPath: "\(other)/events/\(event)", toPath: "\(folder)/events/\(event)")
        return event
    }

    private func folders(of folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder + "/events"))
    }

    @Test func `an event too many is refused before it has a folder, and one that has keeps no node from starting`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/node"
            let kept = try await withNode(path) { node in
                for number in 1...64 { _ = try await node.createEvent(title: "Party \(number)") }
                let kept = try folders(of: path)
                let refusal = try await problem { _ = try await node.createEvent(title: "One too many") }
                #expect(refusal.name == .conflict && refusal.detail.contains("64 events"))
                #expect(try folders(of: path) == kept && kept.count == 64)
                #expect(try node.status(event: nil).current?.title == "Party 64")
                return kept
            }
            let current = try #require(try openNode(path).status(event: nil).current?.id)
            // As a node before this one left it, or somebody who copied it there.
            let other = try await addFolder(to: path, from: folder + "/other")
            try await withNode(path) { node in
                let status = try node.status(event: nil)
                let left = try #require(status.unopened.first)
                #expect(status.unopened.count == 1 && status.events.count == 64 && status.current?.id == current)
                // What was written to last is served.
                #expect(kept.contains(left) && left != current && status.events.contains { $0.id == other })
                let warning = "The event \(left) could not be opened: this node serves 64 events at most"
                #expect(status.warnings.contains { $0.hasPrefix(warning) })
                #expect(node.doctor().checks.contains { $0.status == "fail" && $0.detail.hasPrefix(warning) })
                #expect(try await problem { _ = try await node.createEvent(title: "More") }.name == .conflict)
                _ = try await node.leaveEvent(other, LeavingManner(isSilent: true))
            }
            let status = try openNode(path).status(event: nil)
            #expect(status.unopened.isEmpty && Set(status.events.map(\.id)) == kept && status.warnings.isEmpty)
        }
    }

    @Test func `a relay that is given more links than it can serve carries those that it can`() async throws {
        try await withTemporaryFolder { folder in
            let links = (0..<65).map { _ in
                let (event, secrets) = Secrets.founding(.system)
                let seed = Randomness.system.secret()
                return InvitationLink(event: event, psk: secrets.psk, seed: seed, hints: [], isForRelay: true).text
            }
            try await withRelay(folder, links) { relay in
                let status = try relay.status(event: nil)
                #expect(status.relay?.events.count == 64)
                #expect(try folders(of: folder).count == 64)
                #expect(status.warnings.contains { $0.contains("64 events") })
            }
        }
    }
}
