// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// People who connect by their nodes.
@Suite(.timeLimit(.minutes(5)))
struct NodeConnectionTests {
    @Test func `one asks, the other is told and confirms, and nobody else learns of the request`() async throws {
        try await withParty { party in
            let (bob, carl) = (try party.bob.ownID, try party.carl.ownID)
            #expect(try party.bob.connect(carl, true, event: nil).connection == "asked")
            try await eventually("Carl sees that Bob asks", at: party.carl) {
                try party.carl.connections(event: nil).connections.map(\.state) == ["asks"]
            }
            #expect(try party.carl.status(event: nil).current?.requests == 1)
            #expect(try party.carl.connections(event: nil).connections.map(\.person.id) == [bob])
            // Of somebody who is muted no request is told.
            _ = try party.carl.mute(bob, true, event: nil)
            #expect(try party.carl.connections(event: nil).connections.isEmpty)
            #expect(try party.carl.status(event: nil).current?.requests == 0)
            _ = try party.carl.mute(bob, false, event: nil)
            #expect(try party.carl.connections(event: nil).connections.map(\.state) == ["asks"])
            #expect(try party.carl.status(event: nil).current?.requests == 1)
            #expect(try party.carl.connect(bob, true, event: nil).connection == "connected")
            try await eventually("Bob sees that Carl confirms", at: party.bob) {
                try party.bob.connections(event: nil).connections.map(\.state) == ["connected"]
            }
            #expect(try party.carl.status(event: nil).current?.requests == 0)
            try await eventually("both let everybody see that they are connected", at: party.dora) {
                try party.dora.service(nil).records(of: .friendship, ListQuery(.friendship, [:])).records.count == 2
            }
            try await party.wait([party.dora, party.founder], for: "That is all")
            for other in [party.dora, party.founder] {
                #expect(try other.connections(event: nil).connections.isEmpty)
                #expect(try !other.dump(event: nil).contains { $0.hasPrefix("connection") })
                #expect(try other.status(event: nil).current?.requests == 0)
            }
            let news = try party.bob.news(.newest, event: nil).items.map(\.type)
            #expect(Set(news) == ["comment", "moment"])
            #expect(try party.bob.connect(carl, false, event: nil).connection == "none")
            try await eventually("Carl sees that they are connected no more", at: party.carl) {
                try party.carl.connections(event: nil).connections.map(\.state) == ["asked"]
            }
            try await eventually("nobody is told of a connection that ended", at: party.dora) {
                try party.dora.service(nil).records(of: .friendship, ListQuery(.friendship, [:])).records.isEmpty
            }
        }
    }

    @Test func `who could not answer is not asked, unless that person has asked, and nothing is written then`()
        async throws
    {
        try await withParty { party in
            let (bob, carl, dora) = (try party.bob.ownID, try party.carl.ownID, try party.dora.ownID)
            _ = try party.dora.connect(bob, true, event: nil)
            try await eventually("Bob is asked", at: party.bob) {
                try party.bob.connections(event: nil).connections.map(\.state) == ["asks"]
            }
            _ = try party.founder.setLevel(of: dora, to: "guest", event: nil)
            let guest = try await problem { _ = try party.founder.connect(dora, true, event: nil) }
            #expect(guest.name == .conflict && guest.detail.contains("could not answer"))
            try await eventually("Bob has heard of it", at: party.bob) {
                try party.bob.people(event: nil).people.contains { $0.id == dora && $0.level == "guest" }
            }
            #expect(try party.bob.connect(dora, true, event: nil).connection == "connected")
            try await eventually("Dora knows that she only reads", at: party.dora) {
                try party.dora.status(event: nil).current?.level == "guest"
            }
            let founder = try party.founder.ownID
            #expect(try await problem { _ = try party.dora.connect(founder, true, event: nil) }.name == .notAllowed)
            _ = try party.founder.remove(carl, keepsLinks: true, event: nil)
            try await eventually("Bob has heard of that", at: party.bob) {
                try !party.bob.people(event: nil).people.contains { $0.id == carl }
            }
            let removed = try await problem { _ = try party.bob.connect(carl, true, event: nil) }
            #expect(removed.name == .conflict && removed.detail.contains("takes no part"))
            #expect(try party.founder.connections(event: nil).connections.isEmpty)
            #expect(try party.bob.connections(event: nil).connections.map(\.person.id) == [dora])
        }
    }
}
