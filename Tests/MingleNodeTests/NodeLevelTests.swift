// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

/// Who may do what, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeLevelTests {
    /// Lets a node of its own join by a link that leads to `door`.
    private func withGuest<Result>(
        _ path: String,
        at door: Node,
        by link: String,
        named name: String,
        _ body: (Node) async throws -> Result
    ) async throws -> Result {
        try await withNode(path, peers: [door.loopback]) { node in
            _ = try await node.rename(to: name, event: nil)
            _ = try await node.join(link: link)
            try await eventually("the others know \(name)", at: door) { try id(of: name, at: door) != nil }
            return try await body(node)
        }
    }

    private func id(of name: String, at node: Node) throws -> String? {
        try node.people(event: nil).people.first { $0.name == name }?.id
    }

    /// Puts somebody at a level, whom a node knows by name.
    private func promote(_ name: String, to level: String, by node: Node) throws {
        let id = try #require(try id(of: name, at: node))
        #expect(try node.setLevel(of: id, to: level, event: nil).level == level)
    }

    @Test func `a host whom the founder made lets a guest in, who reads until the host lets him take part`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                try await withGuest(folder + "/bob", at: founder, by: founder.link(), named: "Bob") { bob in
                    #expect(
                        try await problem { _ = try bob.invite(expires: nil, uses: nil, in: nil) }.name == .notAllowed
                    )
                    try promote("Bob", to: "host", by: founder)
                    try await eventually("Bob is a host", at: bob) { bob.levelWord == "host" }
                    #expect(
                        try await problem { _ = try bob.invite(as: "host", expires: nil, uses: nil, in: nil) }.name
                            == .notAllowed
                    )
                    let link = try bob.invite(as: "guest", expires: nil, uses: nil, in: nil).link
                    try await withGuest(folder + "/carl", at: bob, by: link, named: "Carl") { carl in
                        try await eventually("Carl reads", at: carl) { try carl.moments(event: nil).moments.count == 1 }
                        #expect(carl.levelWord == "guest")
                        let refusal = try await problem { _ = try carl.comment(on: moment, text: "Hi", event: nil) }
                        #expect(refusal.name == .notAllowed && refusal.detail.contains("You are a guest"))
                        try promote("Carl", to: "attendee", by: bob)
                        try await eventually("Carl takes part", at: carl) { carl.levelWord == "attendee" }
                        _ = try carl.comment(on: moment, text: "Hi", event: nil)
                        try await eventually("the founder reads it", at: founder) {
                            try founder.texts(on: moment) == ["Hi"]
                        }
                        try promote("Carl", to: "guest", by: bob)
                        try await eventually("Carl only reads", at: carl) { carl.levelWord == "guest" }
                        #expect(try bob.texts(on: moment) == ["Hi"])
                        let again = try await problem { try promote("Carl", to: "guest", by: bob) }
                        #expect(again.name == .conflict)
                    }
                }
            }
        }
    }

    @Test func `who came by a link that was closed elsewhere waits, and what he wrote counts once he is let in`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (link, moment) = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let link = try founder.link()
                try await withGuest(folder + "/bob", at: founder, by: link, named: "Bob") { bob in
                    try await eventually("Bob reads", at: bob) { try bob.moments(event: nil).moments.count == 1 }
                }
                return (link, moment)
            }
            // Carl comes by what Bob passes on where the founder is not, who closes the link where nobody is.
            try await withNode(folder + "/bob") { bob in
                try await withGuest(folder + "/carl", at: bob, by: bob.link(), named: "Carl") { carl in
                    try await eventually("Carl reads", at: carl) { try carl.moments(event: nil).moments.count == 1 }
                    _ = try carl.comment(on: moment, text: "Early", event: nil)
                    try await eventually("Bob reads it", at: bob) { try bob.texts(on: moment) == ["Early"] }
                }
            }
            try await withNode(folder + "/founder") { founder in
                let id = try #require(try founder.invitations(event: nil).invitations.first?.id)
                #expect(try founder.closeInvitation(id, event: nil).closed)
                try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                    try await eventually("Carl waits", at: founder) {
                        try founder.people(event: nil).people.contains { $0.level == "waiting" }
                    }
                    #expect(try founder.texts(on: moment).isEmpty)
                    try await eventually("Bob has heard of it", at: bob) { try bob.texts(on: moment).isEmpty }
                    #expect(try bob.people(event: nil).people.map(\.level).sorted() == ["attendee", "founder"])
                    try await withNode(folder + "/dora", peers: [founder.loopback]) { dora in
                        let refusal = try await problem { _ = try await dora.join(link: link) }
                        #expect(refusal.detail.contains("closed"))
                    }
                    try await withNode(folder + "/carl", peers: [founder.loopback]) { carl in
                        try await eventually("Carl is told", at: carl) {
                            try carl.status(event: nil).warnings.contains { $0.contains("you wait to be let in") }
                        }
                    }
                    let carl = try #require(try founder.people(event: nil).people.first { $0.level == "waiting" })
                    #expect(try founder.setLevel(of: carl.id, to: "attendee", event: nil).level == "attendee")
                    #expect(try founder.texts(on: moment) == ["Early"])
                    try await eventually("Bob reads it again", at: bob) { try bob.texts(on: moment) == ["Early"] }
                }
            }
        }
    }
}

extension NodeLevelTests {
    @Test func `who is removed is told, hears nothing more, and comes back by no link but a host's word`() async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let wall = try founder.link()
                try await withGuest(folder + "/bob", at: founder, by: wall, named: "Bob") { bob in
                    try await withGuest(folder + "/carl", at: founder, by: wall, named: "Carl") { carl in
                        try await eventually("Carl reads", at: carl) { try carl.moments(event: nil).moments.count == 1 }
                        _ = try carl.comment(on: moment, text: "Before", event: nil)
                        try await eventually("Bob reads it", at: bob) { try bob.texts(on: moment) == ["Before"] }
                        let id = try #require(try id(of: "Carl", at: founder))
                        let early = try await problem { _ = try bob.remove(id, keepsLinks: false, event: nil) }
                        #expect(early.name == .notAllowed)
                        let needless = try await problem { _ = try founder.rescue(id, until: .now, event: nil) }
                        #expect(needless.name == .conflict && needless.detail.contains("not removed"))
                        let removed = try founder.remove(id, keepsLinks: false, event: nil)
                        #expect(removed.level == "removed")
                        let time = try #require(removed.removed)
                        #expect(abs(time.timeIntervalSinceNow) < 60)
                        let listed = try founder.people(event: nil).people
                        #expect(listed.first { $0.id == id }?.removed == time)
                        #expect(listed.allSatisfy { ($0.removed == nil) == ($0.id != id) })
                        try await eventually("Carl is told", at: carl) {
                            try carl.status(event: nil).warnings.contains { $0.contains("the founder removed you") }
                        }
                        let empty = try await problem { _ = try founder.rescue(id, until: .now, event: nil) }
                        #expect(empty.detail.contains("Nothing more"))
                        try await eventually("Bob knows", at: bob) { try self.id(of: "Carl", at: bob) == nil }
                        // Waits for the new key.
                        _ = try await bob.write(nil) {
                            try $0.create(.comment, ["target": .text(moment), "text": "After"])
                        }
                        try await eventually("the founder reads it", at: founder) {
                            try founder.texts(on: moment).sorted() == ["After", "Before"]
                        }
                        #expect(try carl.texts(on: moment) == ["Before"])
                        #expect(try founder.invitations(event: nil).invitations.allSatisfy(\.closed))
                        try promote("Carl", to: "attendee", by: founder)
                        try await eventually("Carl is back", at: carl) {
                            try carl.texts(on: moment).sorted() == ["After", "Before"]
                        }
                    }
                }
            }
        }
    }
}
