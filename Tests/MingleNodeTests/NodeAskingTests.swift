// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// Invitations by which nobody comes in without a host's word, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeAskingTests {
    private func waiting(at host: Node) throws -> [API.Person] {
        try host.people(event: nil).people.filter { $0.level == API.Person.waiting }
    }

    /// Somebody who waits, once a host knows of that.
    private func newcomer(at host: Node) async throws -> API.Person {
        try await eventually("somebody waits", at: host) { try !waiting(at: host).isEmpty }
        return try #require(try waiting(at: host).first)
    }

    /// Lends a founder's node and the link of an invitation that asks to `body`.
    private func withAskingEvent(_ body: (Node, _ link: API.Invitation, _ folder: String) async throws -> Void)
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                try await body(founder, try founder.invite(expires: nil, uses: nil, asks: true, in: nil), folder)
            }
        }
    }

    @Test func `who comes by an invitation that asks waits, reads nothing, and is in at a host's word`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let invitation = try founder.invite(expires: nil, uses: 1, asks: true, in: nil)
                #expect(invitation.approval)
                #expect(try founder.invitations(event: nil).invitations.map(\.approval) == [false, true])
                #expect(try founder.invitations(event: nil).invitations.allSatisfy { !$0.closed })
                try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                    _ = try await bob.rename(to: "Bob", event: nil)
                    let event = try await bob.join(link: invitation.link)
                    #expect(event.level == API.Person.waiting)
                    #expect(event.title == "…")
                    let named = try await bob.rename(to: "Bob the Builder", event: nil)
                    #expect(named.name == "Bob the Builder" && named.level == API.Person.waiting)
                    let status = try bob.status(event: nil)
                    let own = try await newcomer(at: founder)
                    #expect(status.warnings.contains { $0.contains(own.fingerprint) })
                    #expect(own.invitedTo == "attendee")
                    #expect(try founder.status(event: nil).current?.waiting == 1)
                    #expect(status.current?.waiting == 0)
                    // The key in use shuts nobody out, so that the others go on with it.
                    _ = try founder.makeMoment("Dinner")
                    #expect(try founder.setLevel(of: own.id, to: "attendee", event: nil).level == "attendee")
                    try await eventually("Bob is in", at: bob) { bob.levelWord == "attendee" }
                    try await eventually("Bob reads", at: bob) { try bob.moments(event: nil).moments.count == 1 }
                    try await eventually("the founder knows the name", at: founder) {
                        try founder.people(event: nil).people.contains { $0.name == "Bob the Builder" }
                    }
                    #expect(try bob.status(event: nil).warnings.allSatisfy { !$0.contains("let you in") })
                    #expect(try founder.status(event: nil).current?.waiting == 0)
                }
            }
        }
    }

    @Test func `who is declined is told so, closes no link, and is in at a host's word`() async throws {
        try await withAskingEvent { founder, invitation, folder in
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                _ = try await bob.rename(to: "Bob", event: nil)
                _ = try await bob.join(link: invitation.link)
                let own = try await newcomer(at: founder)
                let decline = { try founder.setLevel(of: own.id, to: "declined", event: nil) }
                let declined = try decline()
                #expect(declined.level == API.Person.declined && declined.removed != nil)
                #expect(try founder.status(event: nil).current?.waiting == 0)
                #expect(try founder.invitations(event: nil).invitations.allSatisfy { !$0.closed })
                let again = try await problem { _ = try decline() }
                #expect(again.name == .conflict && again.detail.contains("does not wait"))
                let other = try await problem { _ = try founder.setLevel(of: own.id, to: "relay", event: nil) }
                #expect(other.name == .badRequest && other.detail.contains("is a person"))

                try await eventually("Bob is told", at: bob) { bob.levelWord == API.Person.declined }
                let warnings = try bob.status(event: nil).warnings
                #expect(warnings.contains { $0.contains("did not let you in") }, "\(warnings)")
                let refusal = try await problem { _ = try bob.makeMoment("Dinner") }
                #expect(refusal.name == .notAllowed && refusal.detail.contains("not let into"))

                _ = try founder.setLevel(of: own.id, to: "attendee", event: nil)
                try await eventually("Bob is in", at: bob) { bob.levelWord == "attendee" }
                try await eventually("Bob reads", at: bob) { try bob.status(event: nil).current?.title == "Party" }
                // Whoever clicked on a list of a minute ago takes nobody out.
                let late = try await problem { _ = try decline() }
                #expect(late.name == .conflict && late.detail.contains("does not wait"))
            }
        }
    }

    @Test func `who was declined, started anew and is let in all the same says the name that was kept`() async throws {
        try await withAskingEvent { founder, invitation, folder in
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                _ = try await bob.rename(to: "Bob", event: nil)
                _ = try await bob.join(link: invitation.link)
                let own = try await newcomer(at: founder)
                _ = try founder.setLevel(of: own.id, to: "declined", event: nil)
                try await eventually("Bob is told", at: bob) { bob.levelWord == API.Person.declined }
            }
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                let own = try #require(try founder.people(event: nil).people.first { !$0.me })
                #expect(own.level == API.Person.declined)
                _ = try founder.setLevel(of: own.id, to: "attendee", event: nil)
                try await eventually("the founder knows the name", at: founder) {
                    try founder.people(event: nil).people.contains { $0.name == "Bob" }
                }
            }
        }
    }

    @Test func `who was declined while away is told so at the door`() async throws {
        try await withAskingEvent { founder, invitation, folder in
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                _ = try await bob.join(link: invitation.link)
                _ = try await newcomer(at: founder)
            }
            let own = try await newcomer(at: founder)
            _ = try founder.setLevel(of: own.id, to: "declined", event: nil)
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                try await eventually("Bob is told", at: bob) {
                    try bob.status(event: nil).warnings.contains { $0.contains("the founder did not let you in") }
                }
                let status = try bob.status(event: nil)
                // The key that follows is not for him, and nobody is told to go on waiting.
                #expect(status.current?.title == "…")
                #expect(!status.warnings.contains { $0.contains("has to let you in") }, "\(status.warnings)")
            }
        }
    }

    @Test func `who waits by one link is told so who comes by another, and not what was said of the first`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let asking = try founder.invite(expires: nil, uses: nil, asks: true, in: nil)
                let plain = try founder.invite(expires: nil, uses: nil, in: nil)
                try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                    _ = try await bob.join(link: asking.link)
                    let waiting = try await problem { _ = try await bob.join(link: plain.link) }
                    #expect(waiting.name == .conflict && waiting.detail.contains("another link"))
                }
                #expect(try founder.closeInvitation(asking.id, event: nil).closed)
                try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                    let closed = try await problem { _ = try await bob.join(link: plain.link) }
                    #expect(closed.name == .conflict && closed.detail.contains("another link"))
                }
            }
        }
    }

    @Test func `who waits goes on waiting after a restart, and an invitation that is closed asks no more`() async throws
    {
        try await withAskingEvent { founder, invitation, folder in
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                _ = try await bob.rename(to: "Bob", event: nil)
                _ = try await bob.join(link: invitation.link)
                _ = try await newcomer(at: founder)
            }
            #expect(try founder.status(event: nil).current?.waiting == 1)
            #expect(try founder.closeInvitation(invitation.id, event: nil).closed)
            // He is still listed, and nobody is called to him any more.
            #expect(try founder.status(event: nil).current?.waiting == 0)
            try await withNode(folder + "/carl", peers: [founder.loopback]) { carl in
                let refusal = try await problem { _ = try await carl.join(link: invitation.link) }
                #expect(refusal.detail.contains("closed"))
            }
            let own = try await newcomer(at: founder)
            _ = try founder.setLevel(of: own.id, to: "attendee", event: nil)
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                try await eventually("Bob is in", at: bob) { bob.levelWord == "attendee" }
                try await eventually("the founder knows the name", at: founder) {
                    try founder.people(event: nil).people.contains { $0.name == "Bob" }
                }
            }
        }
    }
}
