// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Nodes of one process that meet over the loopback interface.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeMeetingTests {
    /// Lends a host with an event, and a guest that knows where it is and has not joined.
    private func withHostAndGuest(
        clock: NodeClock = .system,
        _ body: (_ host: Node, _ guest: Node) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host", clock: clock) { host in
                _ = try await host.createEvent(title: "Party")
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in try await body(host, guest) }
            }
        }
    }

    private func dump(_ node: Node) throws -> [String] { try node.dump(event: nil) }

    @Test func `what one says reaches the other, and in the end both hold the same`() async throws {
        try await withHostAndGuest { host, guest in
            _ = try await host.rename(to: "Ana", event: nil)
            _ = try await guest.rename(to: "Ben", event: nil)
            let early = try host.makeMoment("Before Ben came")
            let event = try await guest.join(link: host.link())
            #expect(event.title == "Party" && !event.founder && event.current)

            try await eventually("the guest's name reaches the host", at: host) {
                try host.people(event: nil).people.map(\.name).sorted() == ["Ana", "Ben"]
            }
            try await eventually("the moment reaches the guest", at: guest) {
                try guest.moments(event: nil).moments.map(\.title) == ["Before Ben came"]
            }
            _ = try guest.joinMoment(early.id, event: nil)
            let there = try guest.checkIn(early.id, at: .there, event: nil)
            #expect(there.button == "checked_in" && there.mayPost && !there.mayEdit)
            let comment = try guest.comment(on: early.id, text: " ¡Hola! ", event: nil)
            #expect(comment.text == "¡Hola!" && comment.mine)
            #expect(try guest.fave(early.id, true, event: nil).faves == 1)

            try await eventually("all of it reaches the host", at: host) {
                let moment = try host.moment(early.id, event: nil)
                return moment.checkedIn == 1 && moment.faves == 1 && moment.comments == 1 && !moment.faved
            }
            let checkedIn = try host.participants(of: early.id, event: nil).checkedIn
            #expect(checkedIn.map(\.name) == ["Ben"] && checkedIn.map(\.here) == [true])
            let received = try host.comments(on: early.id, before: nil, event: nil).comments
            #expect(received.map(\.id) == [comment.id] && received.map(\.mine) == [false])

            let late = try host.makeMoment("Later", startsIn: 1)
            try await eventually("both hold the same", at: host, guest) { try dump(host) == dump(guest) }
            #expect(try guest.moment(late.id, event: nil).button == "join")
            #expect(try dump(host).contains { $0.hasPrefix("comment\t") && $0.contains("¡Hola!") })
            // It is dialled at two addresses, of which one link stays.
            try await eventually("one link stays", at: host, guest) {
                try host.status(event: nil).sync.peers == 1
                    && guest.peers(event: nil).peers.map(\.direction) == ["out"]
            }
        }
    }

    @Test func `what is deleted goes everywhere, and only its author can do it`() async throws {
        try await withHostAndGuest { host, guest in
            _ = try await guest.join(link: host.link())
            let moment = try host.makeMoment("Dinner")
            try await eventually("the moment comes", at: guest) { (try? guest.moment(moment.id, event: nil)) != nil }
            let comment = try guest.comment(on: moment.id, text: "Never mind", event: nil)
            try await eventually("the comment comes", at: host) { try host.texts(on: moment.id) == ["Never mind"] }

            #expect(try await problem { try host.delete(.comment, comment.id, event: nil) }.name == .notAllowed)
            #expect(try await problem { try guest.delete(.moment, moment.id, event: nil) }.name == .notAllowed)
            var change = API.NewMoment()
            change.title = "My dinner"
            #expect(try await problem { _ = try guest.editMoment(moment.id, change, event: nil) }.name == .notAllowed)
            #expect(try await problem { _ = try guest.invite(expires: nil, uses: nil, in: nil) }.name == .notAllowed)
            #expect(try host.texts(on: moment.id) == ["Never mind"])

            try guest.delete(.comment, comment.id, event: nil)
            #expect(try guest.texts(on: moment.id).isEmpty)
            try await eventually("the deletion comes", at: host) { try host.texts(on: moment.id).isEmpty }
            try host.delete(.moment, moment.id, event: nil)
            try await eventually("the moment goes", at: guest) { try guest.moments(event: nil).moments.isEmpty }
            try await eventually("both hold the same", at: host, guest) { try dump(host) == dump(guest) }
        }
    }

    @Test func `a restart keeps everything, and the nodes find each other again`() async throws {
        try await withTemporaryFolder { folder in
            var (before, port, moment, address) = ([String](), 0, "", "")
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                _ = try await host.rename(to: "Ana", event: nil)
                (port, address) = (host.peerPort, host.loopback)
                moment = try host.makeMoment("Dinner").id
                try await withNode(folder + "/guest", peers: [address]) { guest in
                    _ = try await guest.join(link: host.link())
                    _ = try guest.comment(on: moment, text: "First", event: nil)
                    try await eventually("both hold the same", at: host, guest) {
                        try host.texts(on: moment) == ["First"] && dump(host) == dump(guest)
                    }
                    before = try dump(host)
                }
            }
            try await withNode(folder + "/host") { host in
                #expect(try dump(host) == before)
                #expect(host.peerPort == port)
                let status = try host.status(event: nil)
                #expect(status.name == "Ana" && status.current?.title == "Party" && status.current?.founder == true)
                _ = try host.comment(on: moment, text: "Second", event: nil)
                try await withNode(folder + "/guest", peers: [address]) { guest in
                    #expect(Set(before).isSubset(of: try dump(guest)))
                    try await eventually("news come", at: guest) { try guest.texts(on: moment) == ["First", "Second"] }
                    try await eventually("both hold the same", at: host, guest) { try dump(host) == dump(guest) }
                }
            }
        }
    }

    @Test func `a copied data folder goes on as a device of its own`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let moment = try host.makeMoment("Dinner").id
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.rename(to: "Ben", event: nil)
                    _ = try await guest.join(link: host.link())
                    try await eventually("the moment comes", at: guest) {
                        try guest.moments(event: nil).moments.count == 1
                    }
                }
                try FileManager.default.copyItem(atPath: folder + "/guest", toPath: folder + "/copy")
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    try await withNode(folder + "/copy", peers: [guest.loopback]) { copy in
                        try await eventually("the copy is noticed", at: guest, copy) {
                            [guest, copy].contains { (try? warns($0)) == true }
                        }
                        try await say("From one", in: guest, on: moment)
                        try await say("From the copy", in: copy, on: moment)
                        for node in [host, guest, copy] {
                            try await eventually("both comments are everywhere", at: node) {
                                (try? node.texts(on: moment).sorted()) == ["From one", "From the copy"]
                            }
                        }
                        // One person, however many devices.
                        #expect(try host.people(event: nil).people.count == 2)
                        #expect(try dump(guest) == dump(host) && dump(copy) == dump(host))
                    }
                }
            }
        }
    }

    @Test func `a node that stopped between meeting its own key and drawing another draws it when it starts`()
        async throws
    {
        try await withTemporaryFolder { folder in
            var (event, moment) = ("", "")
            try await withNode(folder + "/host") { host in
                event = try await host.createEvent(title: "Party").id
                moment = try host.makeMoment("Dinner").id
            }
            let path = folder + "/host/events/" + event
            try FileManager.default.copyItem(atPath: path, toPath: folder + "/copy")
            let secrets = try Secrets(contentsOf: path + "/secrets.json")
            let id = try #require(EventID(text: event))
            let own = secrets.ownDevice(in: id)
            let copy = try Replica(path: folder + "/copy/replica.sqlite", event: id, own: own)
            let name = Draft.set(.profile, on: .nothing, values: ["name": .text("From the copy")])
            let written = try copy.author([name], at: Timestamp(milliseconds: 1), randomness: .system)
            try copy.close()
            let replica = try Replica(path: path + "/replica.sqlite", event: id, own: own)
            #expect(try replica.merge(written.runs).ownKeyUsedElsewhere)
            try replica.close()
            try await withNode(folder + "/host") { host in
                #expect(try host.session(nil).replica.own.name != own.name)
                _ = try host.comment(on: moment, text: "Still there", event: nil)
            }
        }
    }

    @Test func `a greeting in this device's name that it did not sign changes nothing`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let session = try host.session(nil)
                let (own, certificates) = try (session.replica.own.name, session.replica.ownFabric())
                for signature in [[], [UInt8](repeating: 7, count: 64)] {
                    let hello = Hello(device: own, certificates: certificates, signature: signature)
                    let connection = Session(handshakeHash: .zero, isInitiator: false)
                    session.authenticate(PeerID(1), hello, connection)
                }
                // Its own words, said back to it, are signed for the other end of a connection.
                let connection = Session(handshakeHash: .zero, isInitiator: true)
                let echo = try session.responder.hello(in: connection)
                session.authenticate(PeerID(1), echo, connection)
                try await say("Still there", in: host, on: try host.makeMoment("Dinner").id)
                #expect(try !warns(host))
                #expect(try host.session(nil).replica.own.name == own)
            }
        }
    }

    private func warns(_ node: Node) throws -> Bool {
        try node.status(event: nil).warnings.contains { $0.contains("was copied") }
    }

    /// Comments once the node is there to: it may be becoming a new device.
    private func say(_ text: String, in node: Node, on moment: String) async throws {
        try await eventually("the node comments", at: node) {
            // What was written just before the node became another device is answered by an error, and is there.
            (try? node.texts(on: moment).contains(text)) == true
                || (try? node.comment(on: moment, text: text, event: nil)) != nil
        }
    }

    @Test func `who joins twice at once is in once, and stays in`() async throws {
        try await withHostAndGuest { host, guest in
            let link = try host.link()
            let answers = await withTaskGroup(of: Result<API.Event, any Error>.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do {
                            return .success(try await guest.join(link: link))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var refusals: [API.Problem.Name] = []
            for case .failure(let error) in answers { refusals.append(API.Problem(error).name) }
            #expect(refusals.count < 4 && refusals.allSatisfy { $0 == .unavailable })
            #expect(try guest.allEvents().map(\.title) == ["Party"])
            let path = try guest.session(nil).files.folder
            for file in ["secrets.json", "replica.sqlite", "blobs"] {
                #expect(FileManager.default.fileExists(atPath: path + "/" + file))
            }
        }
    }

    @Test func `invitations made at once are all kept`() async throws {
        try await withHostAndGuest { host, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { _ = try host.invite(expires: nil, uses: 1, in: nil) } }
                try await group.waitForAll()
            }
            let session = try host.session(nil)
            let stored = try Secrets(contentsOf: session.files.folder + "/secrets.json").issued.map { $0.exposed() }
            #expect(stored == session.secrets.withLock { $0.issued.map { $0.exposed() } } && stored.count == 41)
        }
    }

    // MARK: - Invitations that do not open the door

    @Test func `who finds nobody is told so, and keeps nothing of the event`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                return try host.link()
            }
            try await withNode(folder + "/guest", joinTimeout: .seconds(5)) { guest in
                async let problem = problem { _ = try await guest.join(link: link) }
                // Once, asking for the status of somebody who was not let in yet ended the node.
                try await eventually("the node says who waits", at: guest) {
                    try guest.status(event: nil).person != nil
                }
                #expect(try await problem.name == .unavailable)
                #expect(try await problem.detail.contains("No participant of the event answered"))
                #expect(try guest.allEvents().isEmpty)
            }
        }
    }

    private func expectRefusal(_ link: String, of guest: Node, because reason: String) async throws {
        let refusal = try await problem { _ = try await guest.join(link: link) }
        #expect(refusal.name == .badInvitation && refusal.detail.contains(reason), "\(refusal)")
        #expect(try guest.allEvents().isEmpty)
        let absence = try await problem { _ = try guest.dump(event: nil) }
        #expect(absence.name == .noEvent)
    }

    @Test func `an invitation that has expired lets nobody in`() async throws {
        let clock = TestClock()
        try await withHostAndGuest(clock: clock.clock) { host, guest in
            let invitation = try host.invite(expires: 3600, uses: nil, in: nil)
            #expect(try host.link() == invitation.link)
            clock.advance(seconds: 4 * 3600 + 1)
            try await expectRefusal(invitation.link, of: guest, because: "expired, 3 hours ago by the clock here")
            #expect(try host.people(event: nil).people.count == 1)
            // The one that has no end is still good.
            #expect(try host.link() != invitation.link)
            #expect(try await guest.join(link: host.link()).title == "Party")
        }
    }

    @Test func `an invitation that is used up lets nobody else in`() async throws {
        try await withHostAndGuest { host, guest in
            let invitation = try host.invite(expires: nil, uses: 1, in: nil)
            _ = try await guest.join(link: invitation.link)
            try await eventually("the guest is known", at: host) { try host.people(event: nil).people.count == 2 }
            // The host shows another one from now on.
            #expect(try host.link() != invitation.link)
            try await withTemporaryFolder { folder in
                try await withNode(folder, peers: [host.loopback]) { third in
                    try await expectRefusal(invitation.link, of: third, because: "used up")
                }
            }
        }
    }

    @Test func `a link of an event that this node is in shows that event`() async throws {
        try await withHostAndGuest { host, guest in
            let first = try await guest.join(link: host.link())
            _ = try await guest.createEvent(title: "Mine")
            #expect(try guest.status(event: nil).current?.title == "Mine")
            let again = try await guest.join(link: host.link())
            #expect(again.id == first.id && again.current)
            #expect(try guest.allEvents().count == 2)
        }
    }
}
