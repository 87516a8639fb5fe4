// SPDX-License-Identifier: Apache-2.0

import Logging
import MingleAPI
import MingleCrypto
import MingleDiscovery
import MingleModel
import MinglePeering
import MingleWire
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

extension Node {
    /// What this node has seen nearby since somebody looks.
    fileprivate var seen: [API.NearbyEvent] { state.withLock { $0.nearby.list(except: []) } }
}

/// Events that anyone nearby may join, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeNearbyTests {
    @Test func `an event that its founder opens is found and joined by whoever is near, until it is closed again`()
        async throws
    {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", discovery: network.maker) { founder in
                let event = try await founder.createEvent(title: "Party")
                #expect(!event.nearby)
                _ = try founder.makeMoment("Dinner")
                let shown = try founder.link()
                try await withNode(folder + "/bob", discovery: network.maker) { bob in
                    #expect(try await bob.nearby().nearby.isEmpty && network.services().isEmpty)
                    #expect(try await founder.changeEvent(event.id, .init(nearby: true)).nearby)
                    try await network.eventually("the founder's node says so") { $0.map(\.title) == ["Party"] }
                    try await eventually("Bob sees it", at: bob) { !bob.seen.isEmpty }
                    let open = try await bob.nearby().event("party")
                    #expect(open.id == event.id && open.nodes == 1)
                    #expect(try founder.link() == shown, "links that people pass on stay what they are")
                    let joined = try await bob.join(link: open.link)
                    #expect(joined.title == "Party" && joined.level == "attendee" && joined.nearby)
                    let none = try await problem { _ = try bob.link() }
                    #expect(none.name == .notFound, "what ends soon is not passed on as an invitation")
                    let rows = try founder.invitations(event: nil).invitations
                    #expect(rows.map { $0.link == nil } == [false, true], "nor shown as a link")
                    try await eventually("Bob reads", at: bob) { try bob.moments(event: nil).moments.count == 1 }
                    #expect(try await bob.nearby().nearby.isEmpty, "what one takes part in is not nearby")
                    try await network.eventually("members say so, too") { $0.map(\.title) == ["Party", "Party"] }
                    let crowds = network.crowds().sorted { $0.most > $1.most }
                    #expect(crowds.map(\.most) == [.max, 4], "nobody makes the founder's node silent")
                    #expect(crowds.first?.pause == .zero)

                    #expect(try await !founder.changeEvent(event.id, .init(nearby: false)).nearby)
                    try await network.eventually("nobody says so") { $0.isEmpty }
                    let known = try founder.invitations(event: nil).invitations
                    #expect(known.map(\.closed) == [false, true] && known.map(\.nearby) == [false, true])
                    try await withNode(folder + "/carl", discovery: network.maker) { carl in
                        let refusal = try await problem { _ = try await carl.join(link: open.link) }
                        #expect(refusal.name == .badInvitation)
                        #expect(try await carl.join(link: shown).title == "Party", "other links still let people in")
                    }
                }
            }
        }
    }

    @Test func `what is said follows the title, and each opening has an invitation of its own`() async throws {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", discovery: network.maker) { founder in
                let id = try await founder.createEvent(title: "Party").id
                for _ in 0..<2 { #expect(try await founder.changeEvent(id, .init(nearby: true)).nearby) }
                #expect(try founder.invitations(event: nil).invitations.map(\.nearby) == [false, true], "said twice")
                var links: [String] = []
                try await network.eventually("it is said") { said in
                    links = said.map(\.link)
                    return links.count == 1
                }
                #expect(try InvitationLink(links[0]).hints.isEmpty)
                _ = try await founder.changeEvent(id, .init(title: "Fête\n\u{202E}💃"))
                try await network.eventually("the new title is said") { $0.map(\.title) == ["Fête 💃"] }
                let invitation = try #require(founder.invitations(event: nil).invitations.last)
                _ = try founder.closeInvitation(invitation.id, event: nil)
                try await network.eventually("a closed invitation is not said") { $0.isEmpty }
                #expect(try founder.status(event: nil).current?.nearby == false)
                _ = try await founder.changeEvent(id, .init(nearby: true))
                try await network.eventually("another is") { $0.count == 1 && $0.map(\.link) != links }
                #expect(try founder.invitations(event: nil).invitations.map(\.closed) == [false, true, false])
                _ = try await founder.leaveEvent(id)
                try await network.eventually("who has left says nothing") { $0.isEmpty }
            }
        }
    }

    @Test func `a host switches it off and not on, and attendees do neither`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                let id = try await founder.createEvent(title: "Party").id
                _ = try founder.makeMoment("Dinner")
                let links = try ["host", "attendee"].map {
                    try founder.invite(as: $0, expires: nil, uses: nil, in: nil).link
                }
                _ = try await founder.changeEvent(id, .init(nearby: true))
                try await withGuests(["ana", "bob"], in: folder, by: links, at: founder) { guests in
                    for guest in guests {
                        try await eventually("all know", at: guest) {
                            try guest.status(event: nil).current?.nearby == true
                        }
                    }
                    for change in [true, false] {
                        let refusal = try await problem {
                            _ = try await guests[1].changeEvent(id, .init(nearby: change))
                        }
                        #expect(refusal.name == .notAllowed)
                    }
                    for change in [API.Envelope.EventChange(nearby: true), .init(title: "Mine", nearby: false)] {
                        let refusal = try await problem { _ = try await guests[0].changeEvent(id, change) }
                        #expect(refusal.name == .notAllowed)
                    }
                    #expect(try founder.status(event: nil).current?.nearby == true)
                    #expect(try await !guests[0].changeEvent(id, .init(nearby: false)).nearby)
                    try await eventually("the founder knows", at: founder) {
                        try founder.status(event: nil).current?.nearby == false
                    }
                }
            }
        }
    }

    @Test func `who was removed says nothing of the event any more, nor does a relay ever`() async throws {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", discovery: network.maker) { founder in
                let id = try await founder.createEvent(title: "Party").id
                _ = try await founder.changeEvent(id, .init(nearby: true))
                let link = try founder.invite(expires: nil, uses: 2, in: nil).link
                try await withNode(folder + "/bob", discovery: network.maker) { bob in
                    _ = try await bob.join(link: link)
                    let person = try bob.ownID
                    try await network.eventually("both say so") { $0.count == 2 }
                    _ = try founder.remove(person, keepsLinks: true, event: nil)
                    try await network.eventually("nobody does") { $0.isEmpty }
                    #expect(try founder.status(event: nil).current?.nearby == false, "he has the seed")
                    #expect(bob.levelWord == API.Person.removed)
                    _ = try await founder.changeEvent(id, .init(nearby: true))
                    try await network.eventually("the founder alone does") { $0.count == 1 }
                }
                let relays = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                var configuration = NodeConfiguration(
                    dataPath: folder + "/relay",
                    peers: [founder.loopback],
                    relay: RetentionPolicy()
                )
                configuration.makeDiscovery = network.maker
                let relay = try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                try await relay.relay([Node.readRelayLink(relays)])
                let running = Task { try await relay.run() }
                try await eventually("the relay is let in", at: relay, founder) {
                    try founder.people(event: nil).relays.map(\.here) == [true]
                }
                #expect(network.listeners("_mingle._tcp") == 3 && network.listeners() == 2)
                #expect(network.services().count == 1)
                running.cancel()
                try await running.value
            }
        }
    }

    @Test func `strangers who say nonsense are asked no more, and change nothing of the list`() async throws {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/bob", discovery: network.maker) { bob in
                let seed = Secret(Array(repeating: 1, count: 32))
                let event = try #require(EventID(bytes: seed.exposed()))
                let fake = InvitationLink(event: event, psk: seed, seed: seed, hints: []).text
                let names = (0..<3).map { InstanceName.make(random: $0) { $0 } }
                let texts = [
                    ["v": "1", "title": "\u{1B}]0;evil\u{7}\u{202E}ytraP\n", "link": fake],
                    ["v": "1", "title": "Party", "link": "mingle://join/zzz"], [:],
                ]
                network.say(
                    zip(names, texts).map { Endpoint(name: $0, event: "", host: "10.0.0.1", port: 1, text: $1) }
                )
                _ = try await bob.nearby()
                try await eventually("Bob sees it", at: bob) { !bob.seen.isEmpty }
                let list = bob.seen
                #expect(list.map(\.title) == ["]0;evilytraP"] && list.map(\.nodes) == [1])
                try await network.eventually("the others are asked no more") { _ in
                    network.rejected().sorted() == names.dropFirst().sorted()
                }
                network.say([], insteadOf: Set(names))
                try await eventually("it is gone", at: bob) { bob.seen.isEmpty }
            }
        }
    }

    @Test func `whoever said what led nowhere is asked again, as another link may be said by now`() async throws {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            let wait = Duration.milliseconds(100)
            try await withNode(folder + "/bob", joinTimeout: wait, discovery: network.maker) { bob in
                let seed = Secret(Array(repeating: 1, count: 32))
                let event = try #require(EventID(bytes: seed.exposed()))
                let link = InvitationLink(event: event, psk: seed, seed: seed, hints: []).text
                let name = InstanceName.make(random: 1) { $0 }
                let text = ["v": "1", "title": "Party", "link": link]
                network.say([Endpoint(name: name, event: "", host: "10.0.0.1", port: 1, text: text)])
                _ = try await bob.nearby()
                try await eventually("Bob sees it", at: bob) { !bob.seen.isEmpty }
                #expect(network.rejected().isEmpty)
                let refusal = try await problem { _ = try await bob.join(link: link) }
                #expect(refusal.name == .unavailable && network.rejected() == [name])
            }
        }
    }
}
