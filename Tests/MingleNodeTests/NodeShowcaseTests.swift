// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import MingleReplica
import NodeTestSupport
import Testing

/// How a showcase comes to its event, what it may be, and what it holds.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeShowcaseTests {
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

    private func showcase(at node: Node) throws -> API.Person? {
        try node.people(event: nil).people.first { $0.name == Node.showcaseName }
    }

    @Test func `a showcase takes part as somebody who only reads, under its name, and goes on without a link`()
        async throws
    {
        try await withParty { founder, folder in
            let (path, moment) = (folder + "/showcase", try founder.makeMoment("Dinner").id)
            try await withShowcase(path, by: guestLink(founder), peers: [founder]) { showcase in
                #expect(try await showcase.awaitShowcase() == "Party")
                try await eventually("the others know its name", at: founder) {
                    try self.showcase(at: founder)?.level == "guest"
                }
                try await eventually("it shows the moment", at: showcase) {
                    try showcase.visitedEvent().moments().moments.map(\.id) == [moment]
                }
            }
            try await withShowcase(path, named: "Big screen", peers: [founder]) { showcase in
                #expect(try await showcase.awaitShowcase() == "Party")
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
            try await withShowcase(folder + "/showcase", by: link, peers: [founder]) { showcase in
                let refusal = try await problem { _ = try await showcase.awaitShowcase() }
                #expect(refusal.name == .badInvitation && refusal.detail.contains("mingle invite --new --level guest"))
                #expect(refusal.detail.contains(level))
                #expect(throws: API.Problem.self) { try showcase.visitedEvent() }
                #expect(showcase.eventCount == 0)
            }
            // The folder takes a right one afterwards.
            try await withShowcase(folder + "/showcase", by: guestLink(founder), peers: [founder]) {
                showcase async throws in
                #expect(try await showcase.awaitShowcase() == "Party")
            }
        }
    }

    @Test func `links for relays and for devices, and what is no link, are refused with what to do`() async throws {
        try await withParty { founder, _ in
            let relay = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
            for link in [relay, try founder.makeDeviceLink(event: nil).link] {
                let refusal = try await problem { _ = try Node.readShowcaseLink(link) }
                #expect(refusal.name == .badInvitation && refusal.detail.contains("--level guest"))
            }
            #expect(try await problem { _ = try Node.readShowcaseLink("http://x") }.name == .badRequest)
        }
    }

    @Test func `a folder is one event's showcase, or a person's, and never both`() async throws {
        try await withParty { founder, folder in
            let path = folder + "/showcase"
            let nothing = try openNode(path, change: { $0.isShowcase = true })
            #expect(try await problem { try await nothing.show(by: nil) }.name == .noEvent)
            withExtendedLifetime(nothing) {}
        }
        try await withParty { founder, folder in
            let path = folder + "/showcase"
            try await withShowcase(path, by: guestLink(founder), peers: [founder]) { showcase in
                _ = try await showcase.awaitShowcase()
                _ = try await founder.createEvent(title: "Other")
                let other = try Node.readShowcaseLink(guestLink(founder))
                #expect(try await problem { try await showcase.show(by: other) }.name == .conflict)
            }
            #expect(throws: DataFolderError.self) { try openNode(path) }
            let relay: (inout NodeConfiguration) -> Void = {
                $0.beRelay(blobBytes: nil, eventBytes: nil, authorBytes: nil, authorHourly: nil, days: nil)
            }
            #expect(throws: DataFolderError.self) { try openNode(path, change: relay) }
        }
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in _ = try await node.createEvent(title: "Party") }
            let error = #expect(throws: DataFolderError.self) { try openNode(folder, change: { $0.isShowcase = true }) }
            #expect(error.map { "\($0)".contains("--data DIR") } == true)
        }
    }

    @Test func `nothing private is on a showcase, be it invited or not`() async throws {
        try await withParty { founder, folder in
            let path = folder + "/showcase"
            try await withShowcase(path, by: guestLink(founder), peers: [founder]) { showcase in
                _ = try await showcase.awaitShowcase()
                try await eventually("the others know it", at: founder) { try self.showcase(at: founder) != nil }
                // Ana invites the showcase itself, by mistake.
                let secret = try founder.meetPrivately("Canary secret", with: [showcase])
                _ = try founder.comment(on: secret.id, text: "Canary words", event: nil)
                let dinner = try founder.makeMoment("Dinner")
                _ = try founder.comment(on: dinner.id, text: "For all", event: nil)
                try await eventually("all has come", at: showcase) {
                    try (try? showcase.texts(on: dinner.id)) == ["For all"]
                        && showcase.status(event: nil).sync.records == founder.status(event: nil).sync.records
                }
                #expect(try showcase.moments(event: nil).moments.map(\.title) == ["Dinner"])
                #expect(try founder.moments(event: nil).moments.count == 2)
                let event = try showcase.visitedEvent()
                #expect(try event.moments().moments.map(\.title) == ["Dinner"])
                #expect(throws: ReplicaError.self) { try event.moment(RequestValidation.reference(secret.id)) }
                #expect(throws: API.Problem.self) { try event.comments(ListQuery(.comment, ["target": secret.id])) }
                #expect(try !event.feed(before: nil).items.contains { $0.moment?.id == secret.id })
                #expect(try !showcase.dump(event: nil).contains { $0.contains("Canary") })
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
            let path = folder + "/showcase"
            var codes: [String] = []
            try await withShowcase(path, by: guestLink(founder), peers: [founder]) { showcase in
                _ = try await showcase.awaitShowcase()
                try await eventually("the others know it", at: founder) { try self.showcase(at: founder) != nil }
                let id = try #require(try self.showcase(at: founder)?.id)
                for level in ["attendee", "host"] {
                    _ = try founder.setLevel(of: id, to: level, event: nil)
                    try await eventually("it may do more", at: showcase) { showcase.levelWord == level }
                    #expect(try await problem { _ = try showcase.visitedEvent() }.name == .unavailable)
                    #expect(try showcase.status(event: nil).warnings.contains { $0.contains("mingle people demote") })
                }
                _ = try founder.setLevel(of: id, to: "guest", event: nil)
                try await eventually("it shows the event again", at: showcase) { (try? showcase.visitedEvent()) != nil }
                codes.append(try showcase.visitorCode().code)
                _ = try founder.remove(id, keepsLinks: false, event: nil)
                try await eventually("it is out", at: showcase) { try showcase.showcaseState() == .out }
                #expect(try await problem { _ = try showcase.visitedEvent() }.name == .notAllowed)
                #expect(try await problem { _ = try await showcase.awaitShowcase() }.detail.contains("--level guest"))
            }
            // It comes back as somebody new, by a new link.
            try await withShowcase(path, by: guestLink(founder), peers: [founder]) { showcase async throws in
                #expect(try await showcase.awaitShowcase() == "Party")
                // Whoever had the code before does not come back with it.
                #expect(try !codes.isEmpty && !codes.contains(showcase.visitorCode().code))
            }
        }
    }

    @Test func `who leaves the event and comes back to it has another code`() async throws {
        try await withParty { founder, folder in
            var codes: [String] = []
            for _ in 0..<2 {
                try await withShowcase(folder + "/showcase", by: guestLink(founder), peers: [founder]) {
                    showcase async throws in
                    #expect(try await showcase.awaitShowcase() == "Party")
                    codes.append(try showcase.visitorCode().code)
                    _ = try await showcase.leaveEvent(try #require(showcase.showcaseEvent))
                }
            }
            #expect(Set(codes).count == 2)
        }
    }

    @Test func `a link that is used up is refused, and not waited for`() async throws {
        try await withParty { founder, folder in
            let link = try founder.invite(as: "guest", expires: nil, uses: 1, in: nil).link
            try await withShowcase(folder + "/first", by: link, peers: [founder]) { showcase async throws in
                #expect(try await showcase.awaitShowcase() == "Party")
            }
            try await withShowcase(folder + "/second", by: link, peers: [founder]) { showcase async throws in
                let refused = try await problem { _ = try await showcase.awaitShowcase() }
                #expect(refused.detail.contains("used up"))
            }
        }
    }

    @Test func `it is looked at a showcase at once, and at every tick, also where nothing else happens`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder, change: { $0.isShowcase = true })
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
            let first = try VisitorCode(for: "a", in: folder)
            #expect(try VisitorCode(for: "a", in: folder) == first)
            let second = try VisitorCode(for: "b", in: folder)
            #expect(second.code != first.code && second.token != first.token)
        }
    }

    @Test func `the code stays, for its owner's eyes only, until another one is wanted`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder, change: { $0.isShowcase = true })
            let code = try node.visitorCode()
            #expect(code.code.utf8.count == 12 && code.token.utf8.count == 52)
            #expect(try node.visitorCode() == code)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/visitors.json")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let next = try node.visitorCode(isNew: true)
            #expect(next.code != code.code && next.token != code.token)
            #expect(try node.visitorCode() == next)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/visitors.json"))
            #expect(try node.visitorCode() != next)
        }
    }
}
