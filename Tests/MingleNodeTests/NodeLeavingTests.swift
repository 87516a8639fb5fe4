// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Leaving an event, and retiring a device, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeLeavingTests {
    /// Lends a founder with an event and a moment, and a guest who is in.
    private func withGuest(
        clock: NodeClock = .system,
        _ body: (_ host: Node, _ guest: Node, _ moment: String, _ folder: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let moment = try host.makeMoment("Dinner").id
                try await withNode(folder + "/guest", peers: [host.loopback], clock: clock) { guest in
                    _ = try await guest.rename(to: "Ben", event: nil)
                    _ = try await guest.join(link: host.link())
                    try await eventually("the guest reads", at: guest) {
                        try guest.moments(event: nil).moments.count == 1
                    }
                    try await eventually("the host knows the guest", at: host) {
                        try person("Ben", at: host)?.level == "attendee"
                    }
                    try await body(host, guest, moment, folder)
                }
            }
        }
    }

    private func person(_ name: String, at node: Node) throws -> API.Person? {
        try node.people(event: nil).people.first { $0.name == name }
    }

    private func eventID(_ node: Node) throws -> String { try #require(try node.status(event: nil).current?.id) }

    private func events(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/events")
    }

    @Test func `who leaves is said to have left, and may come back by a link as somebody new`() async throws {
        try await withGuest { host, guest, moment, folder in
            _ = try guest.comment(on: moment, text: "Bye", event: nil)
            let (id, old) = (try eventID(guest), try guest.ownID)
            let farewell = try await guest.leaveEvent(id)
            #expect(farewell.state == .told && farewell.told > 0 && farewell.title == "Party")
            #expect(try guest.allEvents().isEmpty && events(in: folder + "/guest").isEmpty)
            #expect(try person("Ben", at: host)?.level == "left" && host.texts(on: moment) == ["Bye"])
            #expect(try host.status(event: nil).current?.people == 1)
            let again = try await guest.join(link: host.link())
            #expect(again.level == "attendee")
            try await eventually("the host knows both", at: host) {
                try host.people(event: nil).people.filter { $0.name == "Ben" }.map(\.level).sorted() == [
                    "attendee", "left",
                ]
            }
            #expect(try guest.ownID != old)
        }
    }

    @Test func `who leaves nobody behind to choose hosts says that twice, a founder as well as the last successor`()
        async throws
    {
        try await withGuest { host, guest, _, folder in
            let id = try eventID(host)
            let alone = try await problem { _ = try await host.leaveEvent(id) }
            #expect(alone.name == .conflict && alone.detail.contains("--force"))
            let ben = try #require(try person("Ben", at: host)?.id)
            _ = try host.setLevel(of: ben, to: "successor", event: nil)
            try await eventually("Ben is the successor", at: guest) { guest.levelWord == "successor" }
            try await withNode(folder + "/carla", peers: [guest.loopback]) { carla in
                _ = try await carla.join(link: guest.link())
                #expect(try await host.leaveEvent(id).state == .told)
                #expect(try events(in: folder + "/host").isEmpty)
                let left = { try guest.people(event: nil).people.first { $0.level == "left" }?.id }
                try await eventually("Ben knows", at: guest) { try left() != nil }
                let founder = try #require(try left())
                #expect(try guest.status(event: nil).current?.title == "Party")
                let forever = try await problem { _ = try guest.setLevel(of: founder, to: "attendee", event: nil) }
                #expect(forever.name == .notAllowed && forever.detail.contains("founded"))
                let refusal = try await problem { _ = try await guest.leaveEvent(id) }
                #expect(refusal.name == .conflict && refusal.detail.contains("--force"))
                #expect(refusal.detail.contains("--to host") && guest.levelWord == "successor")
                #expect(try await guest.leaveEvent(id, LeavingManner(isForced: true)).state == .told)
            }
        }
    }

    @Test func `an event that nobody hears of being left is shown no more, told after a restart, and then deleted`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (address, id, link) = try await meet(in: folder)
            try await withNode(folder + "/guest", peers: [address]) { guest in
                let farewell = try await guest.leaveEvent(id)
                #expect(farewell.state == .leaving && farewell.until != nil && farewell.told == 0)
                try await expectLeaving(guest, id, link)
            }
            try await withNode(folder + "/guest", peers: [address]) { guest in
                try await expectLeaving(guest, id, link)
                try await withNode(folder + "/host") { host in
                    try await eventually("the host knows", at: host) { try person("Ben", at: host)?.level == "left" }
                    try await eventually("the folder goes", at: guest) { try events(in: folder + "/guest").isEmpty }
                }
            }
        }
    }

    @Test func `who leaves learns that somebody has heard, also where the folder is not deleted yet`() async throws {
        try await withTemporaryFolder { folder in
            let (_, id, _) = try await meet(in: folder)
            // It does not run, so nobody deletes the folder.
            let waits = LeavingWaits(linked: .seconds(100), alone: .seconds(100), deleting: .milliseconds(10))
            let guest = try openNode(folder + "/guest", change: { $0.leavingWaits = waits })
            let session = try guest.session(id)
            async let leaving = guest.leaveEvent(id)
            try await eventually("Ben leaves", at: guest) { session.isLeaving }
            _ = try session.replica.leave(at: guest.clock.now(), randomness: .system)
            let other = DeviceName(Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span))
            session.departure.withLock { departure in
                departure.noteSaid()
                departure.meet(PeerID(1), other)
                departure.hear(PeerID(1))
            }
            guest.changes.publish(kinds: ["peers"])
            let farewell = try await leaving
            #expect(farewell.state == .leaving && farewell.told == 1 && farewell.until == nil)
            #expect(farewell.detail?.contains("The others know") == true)
            #expect(session.leavingWarnings.allSatisfy { !$0.contains("nobody else knows") })
        }
    }

    /// Lets Ben come to an event, and ends all nodes; returns where the host listens, the event and a link.
    private func meet(in folder: String, sharing title: String? = nil) async throws
        -> (address: String, event: String, link: String)
    {
        try await withNode(folder + "/host") { host in
            _ = try await host.createEvent(title: "Party")
            let (address, link) = (host.loopback, try host.link())
            return try await withNode(folder + "/guest", peers: [address]) { guest in
                _ = try await guest.rename(to: "Ben", event: nil)
                let event = try await guest.join(link: link)
                try await eventually("the host knows Ben", at: host) { try person("Ben", at: host) != nil }
                if let title { _ = try guest.makeMoment(title) }
                try await eventually("the host has what he shares", at: host) {
                    try host.moments(event: nil).moments.count == (title == nil ? 0 : 1)
                }
                return (address, event.id, link)
            }
        }
    }

    private func expectLeaving(_ guest: Node, _ id: String, _ link: String) async throws {
        #expect(try guest.allEvents().isEmpty)
        #expect(
            try guest.status(event: nil).warnings.contains {
                $0.contains("You left Party") && $0.contains("mingle event leave \(id) --now")
            }
        )
        #expect(try await problem { _ = try guest.people(event: id) }.name == .notFound)
        let joining = try await problem { _ = try await guest.join(link: link) }
        #expect(joining.name == .conflict && joining.detail.contains("--now"))
    }

    @Test func `who is let in again before anybody was known to have heard is shown the event again`() async throws {
        try await withTemporaryFolder { folder in
            let (_, id, _) = try await meet(in: folder)
            let said = try await withNode(folder + "/guest") { guest in
                #expect(try await guest.leaveEvent(id).state == .leaving)
                let session = try #require(guest.state.withLock { $0.sessions.values.first })
                return try session.replica.leave(at: guest.clock.now(), randomness: .system).runs
            }
            try await withNode(folder + "/host") { host in
                let session = try host.session(nil)
                session.tell(try session.replica.merge(said))
                let ben = try #require(try person("Ben", at: host))
                #expect(ben.level == "left")
                _ = try host.setLevel(of: ben.id, to: "attendee", event: nil)
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    try await eventually("the event is back", at: guest) { try guest.allEvents().count == 1 }
                    #expect(try guest.status(event: nil).warnings.allSatisfy { !$0.contains("You left") })
                    _ = try guest.makeMoment("Back again")
                    try await eventually("the host sees it", at: host) {
                        try host.moments(event: nil).moments.count == 1
                    }
                }
            }
        }
    }

    @Test func `who leaves while nobody is near hands over what was shared there, once somebody comes`() async throws {
        try await withTemporaryFolder { folder in
            let (address, id, _) = try await meet(in: folder)
            let clock = TestClock()
            try await withNode(folder + "/guest", peers: [address], clock: clock.clock) { guest in
                let moment = try guest.makeMoment("Alone").id
                _ = try guest.comment(on: moment, text: "Bye", event: nil)
                _ = try await guest.addPhoto(makePicture(in: folder), event: nil)
                #expect(try await guest.leaveEvent(id).state == .leaving)
                clock.pass(seconds: 300)
                try await withNode(folder + "/host") { host in
                    try await eventually("the host knows", at: host) { try person("Ben", at: host)?.level == "left" }
                    try await eventually("the folder goes", at: guest) { try events(in: folder + "/guest").isEmpty }
                    let photos = try host.photos(of: nil, before: nil, limit: 9, event: nil).photos
                    #expect(try photos.map(\.held.original) == [true] && host.texts(on: moment) == ["Bye"])
                }
            }
        }
    }

    @Test func `who wants all deleted while nobody is near has it deleted at others', also if that is said later`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (address, id, _) = try await meet(in: folder, sharing: "Ours")
            let clock = TestClock()
            try await withNode(folder + "/guest", peers: [address], clock: clock.clock) { guest in
                #expect(try await guest.leaveEvent(id).state == .leaving)
                let erasing = try await guest.leaveEvent(id, LeavingManner(erases: true))
                #expect(erasing.state == .leaving && erasing.detail == nil)
                clock.pass(seconds: 300)
                try await withNode(folder + "/host") { host in
                    #expect(try host.moments(event: nil).moments.map(\.title) == ["Ours"])
                    try await eventually("the host knows", at: host) { try person("Ben", at: host)?.level == "left" }
                    #expect(try host.moments(event: nil).moments.isEmpty)
                }
            }
        }
    }

    @Test func `that all is to be deleted as well holds once it is on the disk, and not before`() async throws {
        try await withTemporaryFolder { folder in
            let (address, id, _) = try await meet(in: folder)
            try await withNode(folder + "/guest", peers: [address]) { guest in
                #expect(try await guest.leaveEvent(id).state == .leaving)
                let session = try #require(guest.state.withLock { $0.sessions.values.first })
                // A folder stands where the file is to be written.
                let file = session.files.folder + "/leaving.json"
                try FileManager.default.removeItem(atPath: file)
                try FileManager.default.createDirectory(atPath: file + "/in the way", withIntermediateDirectories: true)
                #expect(throws: (any Error).self) { try session.beginToLeave(erasing: true) }
                #expect(session.farewell.withLock { $0?.erases } == false)
                try FileManager.default.removeItem(atPath: file)
                #expect(try session.beginToLeave(erasing: true))
                #expect(session.farewell.withLock { $0?.erases } == true)
            }
        }
    }

    @Test func `after seven days nobody is told any more`() async throws {
        try await withTemporaryFolder { folder in
            let (address, id, _) = try await meet(in: folder)
            let clock = TestClock()
            try await withNode(folder + "/guest", peers: [address], clock: clock.clock) { guest in
                #expect(try await guest.leaveEvent(id).state == .leaving)
                let session = try #require(guest.state.withLock { $0.sessions.values.first })
                let pass = { (days: Int64) in
                    clock.advance(seconds: days * 86_400)
                    session.goOnLeaving()
                    return session.merging.sync { session.farewell.withLock { ($0?.waited ?? 0) / 86_400_000 } }
                }
                // A clock that is a year ahead for a while ends nothing.
                #expect(pass(365) == 1 && pass(-365) == 1)
                for day in 2...6 as ClosedRange<Int64> { #expect(pass(1) == day) }
                #expect(try await guest.leaveEvent(id).state == .leaving)
                clock.advance(seconds: 86_400)
                try await eventually("the folder goes", at: guest) { try events(in: folder + "/guest").isEmpty }
            }
        }
    }

    @Test func `who waits to be let in may leave, and is waited for no more`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let link = try host.invite(expires: nil, uses: nil, asks: true, in: nil).link
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    let event = try await guest.join(link: link)
                    try await eventually("the guest waits", at: host) {
                        try host.people(event: nil).people.contains { $0.level == "waiting" }
                    }
                    let farewell = try await guest.leaveEvent(event.id)
                    #expect(try farewell.state == .told && events(in: folder + "/guest").isEmpty)
                    #expect(try host.people(event: nil).people.map(\.level).sorted() == ["founder", "left"])
                }
            }
        }
    }

    @Test func `a device is not retired where what it wrote last may not be known, unless that is said twice`()
        async throws
    {
        try await withGuest { _, lost, _, folder in
            _ = try await lost.backUp(BackupTerms(folder: folder + "/backup"))
            _ = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            try await withNode(folder + "/restored") { restored in
                let old = try #require(try restored.devices(event: nil).devices.first { !$0.this }).id
                let refusal = try await problem { _ = try restored.retireDevice(old, event: nil) }
                #expect(refusal.name == .conflict && refusal.detail.contains("--force"))
                #expect(try restored.devices(event: nil).devices.allSatisfy { $0.state == "active" })
                let retired = try restored.retireDevice(old, event: nil, isForced: true)
                #expect(retired.device.state == "retired")
            }
        }
    }

    /// Case 16.
    @Test func `a lost device is retired on a restored one, told why, and reads nothing that follows`() async throws {
        try await withGuest { host, lost, moment, folder in
            _ = try await lost.backUp(BackupTerms(folder: folder + "/backup"))
            _ = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            try await withNode(folder + "/restored", peers: [host.loopback]) { restored in
                try await eventually("both devices are known", at: host, restored) {
                    try restored.devices(event: nil).devices.count == 2 && restored.status(event: nil).sync.peers > 0
                }
                let devices = try restored.devices(event: nil).devices
                let old = try #require(devices.first { !$0.this })
                let own = try #require(devices.first { $0.this })
                let self_ = try await problem { _ = try restored.retireDevice(own.id, event: nil) }
                #expect(self_.name == .conflict)
                try await eventually("the host holds the same", at: restored) {
                    try restored.peers(event: nil).peers.contains { $0.state == "in_sync" }
                }
                let retired = try restored.retireDevice(old.id, event: nil)
                #expect(retired.device.state == "retired" && retired.openLinks == 1 && retired.closedLinks == 0)
                try await eventually("the lost one is told", at: lost) {
                    try lost.status(event: nil).warnings.contains { $0.contains("retired this device") }
                }
                // Where it has not heard of it itself, whoever has it may write there, for nobody else.
                let stolen = (try? lost.comment(on: moment, text: "Stolen", event: nil)).map { [$0.text] } ?? []
                // Waits for the new key.
                _ = try await restored.write(nil) {
                    try $0.create(.comment, ["target": .text(moment), "text": "Mine"])
                }
                try await eventually("the host reads it", at: host) { try host.texts(on: moment) == ["Mine"] }
                #expect(try lost.texts(on: moment) == stolen)
                let twice = try await problem { _ = try restored.retireDevice(old.id, event: nil) }
                #expect(twice.name == .conflict)
                #expect(try person("Ben", at: host)?.level == "attendee")
            }
        }
    }
}
