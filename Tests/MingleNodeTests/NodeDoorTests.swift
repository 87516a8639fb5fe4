// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import MingleReplica
import NodeTestSupport
import Testing

/// How a door comes to its event, what it may be, and what it holds.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeDoorTests {
    /// Lends a founder of an event, and a folder for others.
    private func withParty(_ body: (Node, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.rename(to: "Ana", event: nil)
                _ = try await founder.createEvent(title: "Party")
                try await body(founder, folder)
            }
        }
    }

    private func guestLink(_ node: Node) throws -> String {
        try node.invite(as: "guest", expires: nil, uses: nil, in: nil).link
    }

    private func door(at node: Node) throws -> API.Person? {
        try node.people(event: nil).people.first { $0.name == Node.doorName }
    }

    @Test func `a door takes part as somebody who only reads, under its name, and goes on without a link`()
        async throws
    {
        try await withParty { founder, folder in
            let (path, moment) = (folder + "/door", try founder.makeMoment("Dinner").id)
            try await withDoor(path, by: guestLink(founder), peers: [founder]) { door in
                #expect(try await door.awaitDoor() == "Party")
                try await eventually("the others know its name", at: founder) {
                    try self.door(at: founder)?.level == "guest"
                }
                try await eventually("it shows the moment", at: door) {
                    try door.visited().moments().moments.map(\.id) == [moment]
                }
            }
            try await withDoor(path, named: "Big screen", peers: [founder]) { door in
                #expect(try await door.awaitDoor() == "Party")
                try await eventually("it is called otherwise", at: founder) {
                    try founder.people(event: nil).people.contains { $0.name == "Big screen" && $0.level == "guest" }
                }
            }
        }
    }

    @Test(arguments: ["attendee", "moderator", "host"])
    func `an invitation to do more than read is refused, and nothing of it stays`(level: String) async throws {
        try await withParty { founder, folder in
            let link = try founder.invite(as: level, expires: nil, uses: nil, in: nil).link
            try await withDoor(folder + "/door", by: link, peers: [founder]) { door in
                let refusal = try await problem { _ = try await door.awaitDoor() }
                #expect(refusal.name == .badInvitation && refusal.detail.contains("mingle invite --door"))
                #expect(refusal.detail.contains(level))
                #expect(throws: API.Problem.self) { try door.visited() }
                #expect(door.eventCount == 0)
            }
            // The folder takes a right one afterwards.
            try await withDoor(folder + "/door", by: guestLink(founder), peers: [founder]) {
                door async throws in
                #expect(try await door.awaitDoor() == "Party")
            }
        }
    }

    @Test func `links for relays and for devices, and what is no link, are refused with what to do`() async throws {
        try await withParty { founder, _ in
            let relay = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
            for link in [relay, try founder.makeDeviceLink(event: nil).link] {
                let refusal = try await problem { _ = try Node.readDoorLink(link) }
                #expect(refusal.name == .badInvitation && refusal.detail.contains("--door"))
            }
            #expect(try await problem { _ = try Node.readDoorLink("http://x") }.name == .badRequest)
        }
    }

    @Test func `a folder is one event's door, or a person's, and never both`() async throws {
        try await withParty { founder, folder in
            let path = folder + "/door"
            let nothing = try openNode(path, change: { $0.isDoor = true })
            #expect(try await problem { try await nothing.show(by: nil) }.name == .noEvent)
            withExtendedLifetime(nothing) {}
        }
        try await withParty { founder, folder in
            let path = folder + "/door"
            try await withDoor(path, by: guestLink(founder), peers: [founder]) { door in
                _ = try await door.awaitDoor()
                _ = try await founder.createEvent(title: "Other")
                let other = try Node.readDoorLink(guestLink(founder))
                #expect(try await problem { try await door.show(by: other) }.name == .conflict)
            }
            #expect(throws: DataFolderError.self) { try openNode(path) }
            let relay: (inout NodeConfiguration) -> Void = {
                $0.beRelay(blobBytes: nil, eventBytes: nil, authorBytes: nil, authorHourly: nil, days: nil)
            }
            #expect(throws: DataFolderError.self) { try openNode(path, change: relay) }
        }
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in _ = try await node.createEvent(title: "Party") }
            let error = #expect(throws: DataFolderError.self) { try openNode(folder, change: { $0.isDoor = true }) }
            #expect(error.map { "\($0)".contains("--data DIR") } == true)
        }
    }

    @Test func `nothing private is on a door, be it invited or not`() async throws {
        try await withParty { founder, folder in
            let path = folder + "/door"
            try await withDoor(path, by: guestLink(founder), peers: [founder]) { door in
                _ = try await door.awaitDoor()
                try await eventually("the others know it", at: founder) { try self.door(at: founder) != nil }
                // Ana invites the door itself, by mistake.
                let secret = try founder.meetPrivately("Canary secret", with: [door])
                _ = try founder.comment(on: secret.id, text: "Canary words", event: nil)
                let dinner = try founder.makeMoment("Dinner")
                _ = try founder.comment(on: dinner.id, text: "For all", event: nil)
                try await eventually("all has come", at: door) {
                    try (try? door.texts(on: dinner.id)) == ["For all"]
                        && door.status(event: nil).sync.records == founder.status(event: nil).sync.records
                }
                #expect(try door.moments(event: nil).moments.map(\.title) == ["Dinner"])
                #expect(try founder.moments(event: nil).moments.count == 2)
                let event = try door.visited()
                #expect(try event.moments().moments.map(\.title) == ["Dinner"])
                #expect(throws: ReplicaError.self) { try event.moment(RequestValidation.reference(secret.id)) }
                #expect(throws: API.Problem.self) {
                    try event.records(of: .comment, ListQuery(.comment, ["target": secret.id]))
                }
                #expect(try !event.news(order: .newest, before: nil).items.contains { $0.thing?.id == secret.id })
                #expect(try !door.dump(event: nil).contains { $0.contains("Canary") })
            }
            for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
                let data = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
                #expect(data.range(of: Data("Canary".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test
    func `who is made more than a guest shows nothing until that is over, and who is taken out shows nothing more`()
        async throws
    {
        try await withParty { founder, folder in
            let path = folder + "/door"
            var codes: [String] = []
            try await withDoor(path, by: guestLink(founder), peers: [founder]) { door in
                _ = try await door.awaitDoor()
                try await eventually("the others know it", at: founder) { try self.door(at: founder) != nil }
                let id = try #require(try self.door(at: founder)?.id)
                for level in ["attendee", "host"] {
                    _ = try founder.setLevel(of: id, to: level, event: nil)
                    try await eventually("it may do more", at: door) { door.levelWord == level }
                    #expect(try await problem { _ = try door.visited() }.name == .unavailable)
                    #expect(try door.status(event: nil).warnings.contains { $0.contains("mingle people demote") })
                }
                _ = try founder.setLevel(of: id, to: "guest", event: nil)
                try await eventually("it shows the event again", at: door) { (try? door.visited()) != nil }
                codes.append(try door.doorCode().code)
                _ = try founder.remove(id, keepsLinks: false, event: nil)
                try await eventually("it is out", at: door) { try door.doorState() == .out }
                #expect(try await problem { _ = try door.visited() }.name == .notAllowed)
                #expect(try await problem { _ = try await door.awaitDoor() }.detail.contains("--door"))
            }
            // It comes back as somebody new, by a new link.
            try await withDoor(path, by: guestLink(founder), peers: [founder]) { door async throws in
                #expect(try await door.awaitDoor() == "Party")
                // Whoever had the code before does not come back with it.
                #expect(try !codes.isEmpty && !codes.contains(door.doorCode().code))
            }
        }
    }

    @Test func `who leaves the event and comes back to it has another code`() async throws {
        try await withParty { founder, folder in
            var codes: [String] = []
            for _ in 0..<2 {
                try await withDoor(folder + "/door", by: guestLink(founder), peers: [founder]) {
                    door async throws in
                    #expect(try await door.awaitDoor() == "Party")
                    codes.append(try door.doorCode().code)
                    _ = try await door.leaveEvent(try #require(door.doorEvent))
                }
            }
            #expect(Set(codes).count == 2)
        }
    }

    @Test func `a link that is used up is refused, and not waited for`() async throws {
        try await withParty { founder, folder in
            let link = try founder.invite(as: "guest", expires: nil, uses: 1, in: nil).link
            try await withDoor(folder + "/first", by: link, peers: [founder]) { door async throws in
                #expect(try await door.awaitDoor() == "Party")
            }
            try await withDoor(folder + "/second", by: link, peers: [founder]) { door async throws in
                let refused = try await problem { _ = try await door.awaitDoor() }
                #expect(refused.detail.contains("used up"))
            }
        }
    }

    @Test func `it is looked at a door at once, and at every tick, also where nothing else happens`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder, change: { $0.isDoor = true })
            let clock = AsyncStream.makeStream(of: Void.self)
            var looks = node.looks(also: clock.stream).makeAsyncIterator()
            #expect(await looks.next() != nil)
            for _ in 0..<2 {
                clock.continuation.yield()
                #expect(await looks.next() != nil)
            }
        }
    }

    @Test func `another event has another code`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/door.json"
            let first = try DoorCode(for: "a", at: path)
            #expect(try DoorCode(for: "a", at: path) == first)
            let second = try DoorCode(for: "b", at: path)
            #expect(second.code != first.code && second.id != first.id)
        }
    }

    @Test func `the code stays, for its owner's eyes only, until another one is wanted`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/door.json"
            let code = try DoorCode(for: "a", at: path)
            #expect(code.code.utf8.count == DoorCode.codeLength)
            #expect(try DoorCode(for: "a", at: path) == code)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let next = try DoorCode(for: "a", at: path, isNew: true)
            #expect(next.code != code.code && next.id == code.id)
            #expect(try DoorCode(for: "a", at: path) == next)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
            #expect(try DoorCode(for: "a", at: path) != next)
        }
    }
}
