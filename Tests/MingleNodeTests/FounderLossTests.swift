// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode

/// What becomes of an event whose founder has lost those who came to it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FounderLossTests {
    @Test func `a founder's backup of before anybody came meets those who came by a later link`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try await founder.backUp(BackupTerms(folder: folder + "/backup"))
                let link = try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    _ = try await guest.join(link: link)
                }
                return link
            }
            _ = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            try await withNode(folder + "/restored") { founder in
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    try await eventually("each is there for the other", at: founder, guest) {
                        try [founder, guest].allSatisfy { try $0.people(event: nil).people.count { $0.here } == 2 }
                    }
                    // The invitation is there again as well, and somebody else comes by it.
                    try await withNode(folder + "/other", peers: [founder.loopback]) { other in
                        _ = try await other.join(link: link)
                        try await eventually("the other is known", at: founder) {
                            try founder.people(event: nil).people.count { $0.here } == 3
                        }
                        #expect(try other.allEvents().map(\.title) == ["Party"])
                    }
                }
            }
        }
    }

    @Test func `who comes by a link that every disk lost waits for the founder, and is let in`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await losingInvitation(as: "attendee", folder + "/founder")
            try await withNode(folder + "/founder") { founder in
                let person = try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    let joined = try await guest.join(link: link)
                    #expect(joined.level == API.Person.waiting)
                    let other = try founder.invite(as: "attendee", expires: nil, uses: 1, in: nil).link
                    let problem = await #expect(throws: API.Problem.self) { try await guest.join(link: other) }
                    #expect(problem?.name == .conflict && problem?.detail.contains("by another link") == true)
                    return try #require(try founder.waiting)
                }
                #expect(person.invitedTo == nil)
                // Also where nobody is near, and after a start.
                try await withNode(folder + "/guest") { guest in
                    let warning = "The founder has to let you in. Show them this code: "
                    let warnings = try guest.status(event: nil).warnings
                    #expect(warnings.contains(warning + person.fingerprint))
                }
                _ = try founder.setLevel(of: person.id, to: "attendee", event: nil)
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    try await eventually("the guest is in", at: guest) {
                        try guest.allEvents().map { [$0.title, $0.level] } == [["Party", "attendee"]]
                    }
                }
            }
        }
    }

    @Test func `who was refused as a stop came is told of no founder who might let that person in`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                let event = try await founder.createEvent(title: "Party").id
                let link = try InvitationLink(founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link)
                let forged = InvitationLink(
                    event: link.event,
                    psk: link.psk,
                    seed: Randomness.system.secret(),
                    hints: []
                )
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    let joining = Task { try await guest.join(link: forged.text) }
                    try await eventually("it is refused", at: guest) {
                        (try? guest.session(event).refusalReason) ?? nil != nil
                    }
                    // What a stop would leave.
                    try FileManager.default.copyItem(atPath: folder + "/guest", toPath: folder + "/stopped")
                    await #expect(throws: API.Problem.self) { try await joining.value }
                }
                try await withNode(folder + "/stopped", peers: [founder.loopback]) { guest in
                    let warnings = try guest.status(event: event).warnings
                    #expect(!warnings.contains { $0.contains("has to let you in") })
                    await #expect(throws: API.Problem.self) { try await guest.join(link: forged.text) }
                }
            }
        }
    }

    @Test func `a relay by a link that every disk lost is let in as what it is`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await losingInvitation(as: "relay", folder + "/founder")
            try await withNode(folder + "/founder") { founder in
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    try await eventually("it waits", at: founder, relay) { try founder.waiting != nil }
                    let person = try #require(try founder.waiting)
                    let id = person.id
                    try await eventually("its operator reads by what it is found", at: relay) {
                        try relay.status(event: nil).warnings.contains { $0.hasSuffix(person.fingerprint) }
                    }
                    #expect(try founder.setLevel(of: id, to: "relay", event: nil).level == "relay")
                    #expect(try founder.people(event: nil).relays.map(\.id) == [id])
                    // From now on it is known what it is.
                    #expect(throws: API.Problem.self) { try founder.setLevel(of: id, to: "attendee", event: nil) }
                }
            }
        }
    }

    @Test func `who comes before the founder has named an event anew is let in all the same`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                try beginAnew(founder)
                #expect(try founder.status(event: nil).warnings.contains { $0.contains("mingle event set --title") })
                let link = try founder.invite(as: "attendee", expires: nil, uses: 1, in: nil).link
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    #expect(try await guest.join(link: link).title == API.Event.untitled)
                    _ = try guest.makeMoment("Dinner")
                    try await eventually("the founder shows what the guest said", at: founder) {
                        try founder.moments(event: nil).moments.map(\.title) == ["Dinner"]
                    }
                    let event = try #require(try founder.allEvents().first).id
                    _ = try await founder.changeEvent(event, API.Envelope.EventChange(title: "Party"))
                    #expect(
                        try !founder.status(event: nil).warnings.contains { $0.contains("mingle event set --title") }
                    )
                    try await eventually("the guest hears the name", at: guest) {
                        try guest.allEvents().map(\.title) == ["Party"]
                    }
                }
            }
        }
    }

    @Test func `who is in is in, though nobody is near who could say what the event is called`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await withNode(folder + "/founder") { founder in
                try beginAnew(founder)
                let link = try founder.invite(as: "attendee", expires: nil, uses: 1, in: nil).link
                try await withNode(folder + "/guest", peers: [founder.loopback]) { _ = try await $0.join(link: link) }
                return link
            }
            try await withNode(folder + "/guest", joinTimeout: .milliseconds(10)) { guest in
                let event = try await guest.join(link: link)
                #expect(event.title == API.Event.untitled && event.level == "attendee")
            }
        }
    }

    @Test func `a door waits for the name of an event that was begun anew`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                try beginAnew(founder)
                let link = try founder.invite(as: "guest", expires: nil, uses: nil, in: nil).link
                try await withDoor(folder + "/door", by: link, peers: [founder]) { door in
                    let (told, teller) = AsyncStream.makeStream(of: DoorState.self)
                    async let title = door.awaitDoor { teller.yield($0) }
                    for await state in told where state == .nameless { break }
                    #expect(throws: API.Problem.self) { try door.visited() }
                    #expect(try door.status(event: nil).warnings.contains(DoorState.waitingForName))
                    let event = try #require(try founder.allEvents().first).id
                    _ = try await founder.changeEvent(event, API.Envelope.EventChange(title: "Party"))
                    #expect(try await title == "Party")
                }
            }
        }
    }

    /// Leaves a founder's node whose disk lost the invitation that it made last, with the link to it.
    private func losingInvitation(as level: String, _ path: String) async throws -> String {
        let event = try await withNode(path) { try await $0.createEvent(title: "Party").id }
        let database = "\(path)/events/\(event)/replica.sqlite"
        let early = try Data(contentsOf: URL(fileURLWithPath: database))
        let link = try await withNode(path) { try $0.invite(as: level, expires: nil, uses: nil, in: nil).link }
        try early.write(to: URL(fileURLWithPath: database))
        return link
    }

    /// Gives a node an event of which its founder has lost all but the way to it, and has made a key again.
    private func beginAnew(_ founder: Node) throws {
        let (event, secrets) = Secrets.founding(.system)
        let session = try founder.makeSession(event, secrets) { replica in
            try replica.begin(secrets: secrets, at: Timestamp(milliseconds: Date().milliseconds), randomness: .system)
        }
        try founder.begin(session)
    }
}

extension Node {
    /// Who waits to be let in, of whom there is one at most.
    fileprivate var waiting: API.Person? {
        get throws { try people(event: nil).people.first { $0.level == API.Person.waiting } }
    }
}
