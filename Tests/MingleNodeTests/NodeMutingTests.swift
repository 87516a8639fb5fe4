// SPDX-License-Identifier: Apache-2.0

import NodeTestSupport
import Testing

@testable import MingleNode

/// Whom a node's person does not want to see.
@Suite(.timeLimit(.minutes(2)))
struct NodeMutingTests {
    @Test func `whom somebody mutes is gone from that node alone`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let moment = try host.makeMoment("Dinner").id
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    _ = try guest.comment(on: moment, text: "Me, me", event: nil)
                    try await eventually("the host reads it", at: host) { try host.texts(on: moment) == ["Me, me"] }
                    let id = try #require(try guest.status(event: nil).person)
                    #expect(try host.mute(id, true, event: nil).muted)
                    #expect(try host.texts(on: moment).isEmpty && guest.texts(on: moment) == ["Me, me"])
                    let muted = try host.people(event: nil).people.filter(\.muted).map(\.id)
                    #expect(try muted == [id] && !guest.people(event: nil).people.contains(where: \.muted))
                    #expect(try host.dump(event: nil) == guest.dump(event: nil))
                    let me = try #require(try host.status(event: nil).person)
                    #expect(try await problem { _ = try host.mute(me, true, event: nil) }.name == .conflict)
                    #expect(try await problem { _ = try host.mute("nobody", true, event: nil) }.name == .notFound)
                    #expect(try !host.mute(id, false, event: nil).muted)
                    #expect(try host.texts(on: moment) == ["Me, me"])
                }
            }
        }
    }
}
