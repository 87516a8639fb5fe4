// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// A second device of one's own by a link, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeLinkingTests {
    /// Lends a founder with an event and a moment.
    func withFounder(
        clock: NodeClock = .system,
        _ body: (_ founder: Node, _ moment: String, _ folder: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", clock: clock) { founder in
                _ = try await founder.rename(to: "Ana", event: nil)
                _ = try await founder.createEvent(title: "Party")
                try await body(founder, founder.makeMoment("Dinner").id, folder)
            }
        }
    }

    /// Lends a further device of a node's person.
    func withLinked(
        _ first: Node,
        in folder: String,
        as name: String = "phone",
        _ body: (Node) async throws -> Void
    ) async throws {
        try await withNode("\(folder)/\(name)", peers: [first.loopback]) { phone in
            let event = try await phone.join(link: first.makeDeviceLink(event: nil).link, asDevice: true)
            #expect(event.title == "Party" && event.current)
            try await body(phone)
        }
    }

    func devices(_ node: Node) throws -> [API.Device] { try node.devices(event: nil).devices }

    func ownDevice(_ node: Node) throws -> DeviceName { try node.session(nil).replica.own.name }

    private func folders(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/events")
    }

    @Test func `while a node waits to become a device its other events are shown as ever`() async throws {
        try await withTemporaryFolder { folder in
            // Who made the link is gone, so that the node waits for as long as it may.
            let link = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                return try founder.makeDeviceLink(event: nil).link
            }
            try await withNode(folder + "/phone", joinTimeout: .seconds(10)) { phone in
                let own = try await phone.createEvent(title: "Elsewhere")
                async let joining = problem { _ = try await phone.join(link: link, asDevice: true) }
                try await eventually("it waits", at: phone) { phone.state.withLock { $0.sessions.count } == 2 }
                #expect(try phone.status(event: nil).events.map(\.id) == [own.id])
                let current = try phone.session(nil)
                #expect(current.event.description == own.id)
                let refusal = try await joining
                #expect(refusal.name == .unavailable)
            }
        }
    }

    @Test func `by a link of the first device another one is the same person, and both read and write`() async throws {
        try await withFounder { founder, moment, folder in
            try await withLinked(founder, in: folder) { phone in
                #expect(try phone.ownID == founder.ownID && phone.levelWord == "founder")
                #expect(try phone.status(event: nil).name == "Ana" && ownDevice(phone) != ownDevice(founder))
                _ = try founder.comment(on: moment, text: "From the laptop", event: nil)
                try await eventually("the phone reads", at: phone) {
                    (try? phone.texts(on: moment)) == ["From the laptop"]
                }
                _ = try phone.comment(on: moment, text: "From the phone", event: nil)
                _ = try phone.fave(moment, true, event: nil)
                _ = try founder.fave(moment, true, event: nil)
                try await eventually("both hold the same", at: founder, phone) {
                    try founder.texts(on: moment).count == 2 && founder.dump(event: nil) == phone.dump(event: nil)
                }
                for node in [founder, phone] {
                    #expect(try node.people(event: nil).people.count == 1)
                    #expect(try node.moment(moment, event: nil).faves == 1)
                    #expect(try node.comments(on: moment, before: nil, event: nil).comments.allSatisfy(\.author.me))
                    #expect(try devices(node).map(\.state) == ["active", "active"])
                }
                // The identity is not sent, and what the first device does with it the second one cannot.
                let secrets = try phone.session(nil).secrets.withLock { $0 }
                let first = try ownDevice(founder)
                #expect(secrets.identity == nil && secrets.linkedBy == first && !secrets.isUncertified)
                let refusal = try await problem { _ = try phone.makeDeviceLink(event: nil) }
                #expect(refusal.name == .notAllowed && refusal.detail.contains(first.description.prefix(8)))
                let warning = try #require(try founder.status(event: nil).warnings.first)
                #expect(try warning.contains(ownDevice(phone).description.prefix(8)) && warning.contains("retire"))
                #expect(try phone.status(event: nil).warnings == [])
            }
            // It takes part after a restart as well.
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                _ = try phone.comment(on: moment, text: "Again", event: nil)
                try await eventually("the founder reads it", at: founder) {
                    try founder.texts(on: moment).contains("Again")
                }
            }
        }
    }

    @Test func `a guest's linked device reads private moments, and needs no host for anything`() async throws {
        try await withParty { party in
            try await withTemporaryFolder { folder in
                let moment = try party.bob.meetPrivately("Canary", with: [party.carl])
                try await eventually("Carl sees it", at: party.carl) {
                    try party.carl.moments(event: nil).moments.count == 2
                }
                try await withLinked(party.carl, in: folder) { phone in
                    try await eventually("it is seen on the phone", at: phone) {
                        try phone.moments(event: nil).moments.contains {
                            $0.id == moment.id && $0.private && $0.invited
                        }
                    }
                    _ = try phone.joinMoment(moment.id, event: nil)
                    _ = try phone.comment(on: moment.id, text: "From the phone", event: nil)
                    try await eventually("Bob reads it", at: party.bob) {
                        try party.bob.texts(on: moment.id) == ["From the phone"]
                    }
                    // Who makes a moment has joined it.
                    let joined = try party.bob.participants(of: moment.id, event: nil).joined.map(\.id)
                    #expect(try Set(joined) == [party.bob.ownID, party.carl.ownID])
                    #expect(try party.founder.people(event: nil).people.count == 4)
                }
            }
        }
    }

    @Test func `a link brings in one device, and none once it was closed, replaced or out of date`() async throws {
        let clock = TestClock()
        try await withFounder(clock: clock.clock) { founder, _, folder in
            let none = try await problem { _ = try founder.deviceLink(event: nil) }
            #expect(none.name == .notFound)
            let old = try founder.makeDeviceLink(event: nil).link
            let link = try founder.makeDeviceLink(event: nil)
            #expect(link.link != old && abs(link.expires.timeIntervalSince(clock.now) - 600) < 5)
            #expect(try founder.deviceLink(event: nil).link == link.link)
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                let replaced = try await problem { _ = try await phone.join(link: old, asDevice: true) }
                #expect(replaced.name == .badInvitation && replaced.detail.contains("newest"))
                #expect(try phone.allEvents().isEmpty && folders(folder + "/phone").isEmpty)
                _ = try await phone.join(link: link.link, asDevice: true)
                let again = try await problem { _ = try await phone.join(link: link.link, asDevice: true) }
                #expect(again.name == .conflict && again.detail.contains("device of yours"))
            }
            try await withNode(folder + "/thief", peers: [founder.loopback]) { thief in
                let used = try await problem { _ = try await thief.join(link: link.link, asDevice: true) }
                #expect(used.name == .badInvitation && used.detail.contains("another device used"))
                #expect(try await problem { _ = try founder.deviceLink(event: nil) }.name == .notFound)
                let closed = try founder.makeDeviceLink(event: nil).link
                try founder.closeDeviceLink(event: nil)
                #expect(
                    try await problem { _ = try await thief.join(link: closed, asDevice: true) }.detail.contains(
                        "no device link"
                    )
                )
                let late = try founder.makeDeviceLink(event: nil).link
                clock.pass(seconds: 601)
                #expect(
                    try await problem { _ = try await thief.join(link: late, asDevice: true) }.detail.contains(
                        "expired"
                    )
                )
                #expect(try folders(folder + "/thief").isEmpty)
            }
            #expect(try devices(founder).count == 2)
        }
    }

    @Test func `a link for a device is none for others, and a wrong one is told apart`() async throws {
        try await withFounder { founder, _, folder in
            let link = try founder.makeDeviceLink(event: nil).link
            let asRelay = try await problem { _ = try Node.readRelayLink(link) }
            #expect(asRelay.name == .badInvitation && asRelay.detail.contains("adds another device"))
            let asInvitation = try await problem {
                _ = try await founder.join(link: link.replacing("mingle://device/", with: "mingle://join/"))
            }
            #expect(asInvitation.detail.contains("damaged"))
            let unmeant = try await problem { _ = try await founder.join(link: link) }
            #expect(unmeant.name == .conflict && unmeant.detail.contains("join --device"))
            let own = try await problem { _ = try await founder.join(link: link, asDevice: true) }
            #expect(own.name == .conflict && own.detail.contains("already"))
            try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                let people = try founder.link()
                let notForDevices = try await problem { _ = try await guest.join(link: people, asDevice: true) }
                #expect(notForDevices.name == .conflict && notForDevices.detail.contains("mingle devices link"))
                #expect(try guest.allEvents().isEmpty)
                _ = try await guest.join(link: people)
                let other = try await problem { _ = try await guest.join(link: link, asDevice: true) }
                #expect(other.name == .conflict && other.detail.contains("somebody else"))
                #expect(try guest.levelWord == "attendee" && devices(founder).count == 1)
            }
        }
    }

    @Test func `a link does not outlive its node, and nobody answers for who is away`() async throws {
        try await withTemporaryFolder { folder in
            var link = ""
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                link = try founder.makeDeviceLink(event: nil).link
            }
            try await withNode(folder + "/founder") { founder in
                try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                    let ended = try await problem { _ = try await phone.join(link: link, asDevice: true) }
                    #expect(ended.name == .badInvitation && ended.detail.contains("no device link"))
                }
            }
            try await withNode(folder + "/phone", joinTimeout: .milliseconds(200)) { phone in
                let alone = try await problem { _ = try await phone.join(link: link, asDevice: true) }
                #expect(alone.name == .unavailable && alone.detail.contains("did not answer"))
                #expect(try phone.allEvents().isEmpty && folders(folder + "/phone").isEmpty)
            }
        }
    }

    @Test func `nobody has a seventeenth device, also where the link was made before the sixteenth came`() async throws
    {
        try await withFounder { founder, _, folder in
            let session = try founder.session(nil)
            var secrets = session.secrets.withLock { $0 }
            for _ in 0..<14 { try certify(&secrets, in: session) }
            let link = try founder.makeDeviceLink(event: nil).link
            try certify(&secrets, in: session)
            #expect(try devices(founder).count == 16)
            let refusal = try await problem { _ = try founder.makeDeviceLink(event: nil) }
            #expect(refusal.name == .conflict && refusal.detail.contains("16 devices"))
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                let late = try await problem { _ = try await phone.join(link: link, asDevice: true) }
                #expect(late.name == .badInvitation && late.detail.contains("16 devices"))
            }
            #expect(try devices(founder).count == 16)
        }
    }

    /// Certifies another device of a session's person, as a restored backup does.
    private func certify(_ secrets: inout Secrets, in session: EventSession) throws {
        try secrets.replaceDevice(.system)
        let other = try Replica(path: nil, event: session.event, own: secrets.ownDevice(in: session.event))
        let now = Timestamp(milliseconds: Date().milliseconds)
        let written = try other.enter(secrets: secrets, at: now, randomness: .system)
        session.tell(try session.replica.merge(written.runs))
        try other.close()
    }

    @Test func `who was removed links nothing, also by a link that was made before`() async throws {
        try await withFounder { founder, _, folder in
            try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                _ = try await guest.join(link: founder.link())
                let (link, id) = (try guest.makeDeviceLink(event: nil).link, try guest.ownID)
                try await eventually("the founder knows the guest", at: founder) {
                    try founder.people(event: nil).people.contains { $0.id == id && $0.level == "attendee" }
                }
                _ = try founder.remove(id, keepsLinks: false, event: nil)
                try await eventually("the guest hears of it", at: guest) { guest.levelWord == "removed" }
                #expect(try await problem { _ = try guest.makeDeviceLink(event: nil) }.name == .notAllowed)
                try await withNode(folder + "/phone", peers: [guest.loopback]) { phone in
                    let late = try await problem { _ = try await phone.join(link: link, asDevice: true) }
                    #expect(late.name == .badInvitation && late.detail.contains("no part"))
                }
            }
        }
    }

    @Test func `a linked device that cannot go on says what to do, and keeps what it had`() async throws {
        try await withFounder { founder, _, folder in
            try await withLinked(founder, in: folder) { phone in
                let made = try await phone.backUp(BackupTerms(folder: folder + "/backup"))
                #expect(made.events == 1)
            }
            let event = try founder.session(nil).event.description
            let restored = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            #expect(try restored.events == 0 && folders(folder + "/restored").isEmpty)
            #expect(restored.skipped.count == 1 && restored.skipped[0].contains("mingle devices link"))
            let database = "\(folder)/phone/events/\(event)/replica.sqlite"
            for file in [database, database + "-wal"] { try? FileManager.default.removeItem(atPath: file) }
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                let status = try phone.status(event: nil)
                #expect(status.unopened == [event] && status.warnings.contains { $0.contains("mingle devices link") })
                let repair = try await phone.repair(event: nil)
                #expect(repair.events.count == 1 && repair.events[0].database == "failed")
                #expect(FileManager.default.fileExists(atPath: "\(folder)/phone/events/\(event)/secrets.json"))
                _ = try await phone.leaveEvent(event)
                _ = try await phone.join(link: founder.makeDeviceLink(event: nil).link, asDevice: true)
                #expect(try phone.levelWord == "founder" && devices(founder).count == 3)
            }
        }
    }

    @Test func `a copied folder of a linked device is noticed, and goes on as nobody`() async throws {
        try await withFounder { founder, _, folder in
            try await withLinked(founder, in: folder) { _ in }
            try FileManager.default.copyItem(atPath: folder + "/phone", toPath: folder + "/copy")
            let event = try founder.session(nil).event.description
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                try await withNode(folder + "/copy", peers: [phone.loopback]) { copy in
                    try await eventually("the copy is noticed", at: phone, copy) {
                        [phone, copy].contains { node in
                            guard let status = try? node.status(event: nil) else { return false }
                            return status.unopened == [event] && status.warnings.contains { $0.contains("copied") }
                        }
                    }
                    #expect(try devices(founder).count == 2)
                }
            }
        }
    }

    @Test func `a stop before the certificate came leaves nothing, and one after it the device`() async throws {
        try await withFounder { founder, _, folder in
            let (event, path) = (try founder.session(nil).event, folder + "/phone/events")
            let link = try InvitationLink(founder.makeDeviceLink(event: nil).link)
            var secrets = try #require(Secrets.linking(link, .system))
            try await withNode(folder + "/phone") { _ in }
            let own = "\(path)/\(event)"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            try secrets.write(to: own + "/secrets.json")
            try Replica(path: own + "/replica.sqlite", event: event, own: secrets.ownDevice(in: event)).close()
            try await withNode(folder + "/phone") { phone in
                let (events, warnings) = (try phone.allEvents(), try phone.status(event: nil).warnings)
                #expect(try events.isEmpty && folders(folder + "/phone").isEmpty)
                #expect(warnings.contains { $0.contains("Make another link") })
            }
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            try secrets.write(to: own + "/secrets.json")
            let replica = try Replica(path: own + "/replica.sqlite", event: event, own: secrets.ownDevice(in: event))
            let name = secrets.ownDevice(in: event).name
            let identity = try #require(try founder.session(nil).secrets.withLock { $0.identity })
            let certificate = secrets.certificate(signed: identity.sign(name.bytes))
            let now = Timestamp(milliseconds: Date().milliseconds)
            _ = try replica.enter(with: certificate, at: now, randomness: .system)
            try replica.close()
            try await withNode(folder + "/phone", peers: [founder.loopback]) { phone in
                try await eventually("the phone reads", at: phone) { phone.levelWord == "founder" }
                #expect(try ownDevice(phone) == name)
            }
            secrets = try Secrets(contentsOf: own + "/secrets.json")
            #expect(!secrets.isUncertified)
        }
    }
}
