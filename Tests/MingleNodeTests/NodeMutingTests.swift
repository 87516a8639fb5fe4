// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import NodeTestSupport
import Testing

@testable import MingleNode

/// Whom a node's person does not want to see.
@Suite(.timeLimit(.minutes(5)))
struct NodeMutingTests {
    @Test func `whom somebody mutes is gone from that node alone`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let moment = try host.makeMoment("Dinner").id
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    _ = try guest.comment(on: moment, text: "Me, me", event: nil)
                    _ = try guest.makeMoment("Rant")
                    try await eventually("the host sees all", at: host) {
                        try host.texts(on: moment) == ["Me, me"] && host.status(event: nil).current?.moments == 2
                    }
                    let id = try #require(try guest.status(event: nil).person)
                    #expect(try host.mute(id, true, event: nil).muted)
                    #expect(try host.texts(on: moment).isEmpty && guest.texts(on: moment) == ["Me, me"])
                    #expect(try host.status(event: nil).current?.moments == 1 && host.allEvents().map(\.moments) == [1])
                    #expect(try host.news(event: nil).items.map(\.type) == ["moment"])
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

    @Test func `who was muted and then removed can be shown again, also by who sees no removed people`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                _ = try host.makeMoment("Dinner")
                let links = [try host.link(), try host.link()]
                try await withGuests(["bob", "carl"], in: folder, by: links, at: host) { guests in
                    let (bob, carl) = (guests[0], guests[1])
                    let id = try bob.ownID
                    try await eventually("Carl knows Bob", at: carl) { try carl.people(event: nil).people.count == 3 }
                    _ = try carl.mute(id, true, event: nil)
                    _ = try host.remove(id, keepsLinks: false, event: nil)
                    try await eventually("Carl hears of it", at: carl) {
                        try carl.people(event: nil).people.first { $0.id == id }?.level == API.Person.removed
                    }
                    #expect(try host.people(event: nil).people.filter { $0.id == id }.count == 1)
                    #expect(try !carl.mute(id, false, event: nil).muted)
                    #expect(try !carl.people(event: nil).people.contains { $0.id == id })
                }
            }
        }
    }
}
