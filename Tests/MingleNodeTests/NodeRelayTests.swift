// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleAPI
import MingleModel
import MinglePeering
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode

/// A relay among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeRelayTests {
    /// The same invitation in a link that says to be for the other purpose.
    private func disguised(_ text: String) throws -> String {
        let link = try InvitationLink(text)
        return InvitationLink(
            event: link.event,
            psk: link.psk,
            seed: link.seed,
            hints: link.hints,
            isForRelay: !link.isForRelay
        )
        .text
    }

    /// A picture of 24 by 16 black pixels.
    private func event(of relay: Node) throws -> API.RelayedEvent {
        try #require(try relay.status(event: nil).relay?.events.first)
    }

    /// Everything that is in a folder's files.
    private func contents(of folder: String) throws -> [Data] {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.compactMap { FileManager.default.contents(atPath: folder + "/" + $0) }
    }

    @Test func `a founder who leaves a relay alone behind has it delete what was shared`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let id = try #require(founder.status(event: nil).current?.id)
                let link = try founder.invite(as: "relay", expires: nil, uses: 1, in: nil).link
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    try await eventually("the relay is let in", at: relay, founder) {
                        try founder.people(event: nil).relays.map(\.here) == [true]
                    }
                    _ = try await founder.addPhoto(makePicture(in: folder), event: nil)
                    try await eventually("the relay holds the picture", at: relay) {
                        let event = try event(of: relay)
                        return event.blobs == 3 && event.blobsWaiting == 0
                    }
                    let farewell = try await founder.leaveEvent(id, LeavingManner(erases: true, isForced: true))
                    #expect(farewell.state == .told && farewell.told == 1)
                    try await eventually("the relay has deleted it", at: relay) { try event(of: relay).blobs == 0 }
                }
            }
        }
    }

    @Test func `a relay whose database was lost keeps the pictures beside it, and they are its own again`() async throws
    {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(as: "relay", expires: nil, uses: 1, in: nil).link
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    _ = try await founder.addPhoto(upload, event: nil)
                    try await eventually("the relay holds the picture", at: relay) { try event(of: relay).blobs == 3 }
                }
            }
            let events = try FileManager.default.contentsOfDirectory(atPath: folder + "/relay/events")
            let files = EventFiles("\(folder)/relay/events/\(try #require(events.first))")
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: files.database + suffix) }
            // Nobody is there who could bring them again.
            let deltas = try await withRelay(folder + "/relay") { relay in try event(of: relay).deltas }
            #expect(deltas < 4)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.blobs).count == 3)
            try await withNode(folder + "/founder") { founder in
                try await withRelay(folder + "/relay", peers: [founder]) { relay in
                    try await eventually("the relay is whole", at: relay) {
                        let event = try event(of: relay)
                        return event.state == "relaying" && event.blobs == 3 && event.blobsWaiting == 0
                    }
                }
            }
        }
    }

    @Test func `a newcomer who meets a relay alone gets in, reads and writes while everybody else sleeps`() async throws
    {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (link, relayLink) = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party of Zanzibar")
                return (try founder.link(), try founder.invite(as: "relay", expires: nil, uses: 1, in: nil).link)
            }
            // The relay and the founder meet, and then the founder goes home.
            let moment = try await withRelay(folder + "/relay", [relayLink]) { relay in
                try await withNode(folder + "/founder", peers: [relay.loopback]) { founder in
                    try await eventually("the relay is let in", at: relay, founder) {
                        try event(of: relay).state == "relaying"
                            && founder.people(event: nil).relays.map(\.here) == [true]
                    }
                    #expect(try founder.people(event: nil).people.count == 1)
                    #expect(try founder.status(event: nil).current?.people == 1)
                    let moment = try founder.makeMoment("Quetzal dinner")
                    _ = try await founder.addPhoto(upload, event: nil)
                    try await eventually("the relay holds all pictures", at: relay) {
                        let event = try event(of: relay)
                        return event.blobs == 3 && event.blobsWaiting == 0
                    }
                    try await eventually("the relay counts all that there is", at: relay) {
                        try event(of: relay).deltas == founder.status(event: nil).sync.records
                    }
                    return moment.id
                }
            }
            try await withRelay(folder + "/relay") { relay in
                try await withNode(folder + "/bob", peers: [relay.loopback]) { bob in
                    #expect(try await bob.join(link: link).title == "Party of Zanzibar")
                    try await eventually("Bob sees the picture", at: bob) {
                        let photos = try bob.photos(of: nil, before: nil, limit: 10, event: nil).photos
                        return photos.map(\.held.original) == [true]
                    }
                    _ = try bob.comment(on: moment, text: "Zanzibar remark", event: nil)
                    let deltas = try bob.status(event: nil).sync.records
                    try await eventually("the relay has it", at: relay) { try event(of: relay).deltas == deltas }
                }
                // Bob has gone, too; the founder comes back and reads what he wrote.
                try await withNode(folder + "/founder", peers: [relay.loopback]) { founder in
                    try await eventually("the founder reads it", at: founder) {
                        try founder.texts(on: moment) == ["Zanzibar remark"]
                    }
                }
            }
            for bytes in try contents(of: folder + "/relay") {
                for word in ["Zanzibar", "Quetzal", "Party of"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
            }
            // The search finds the words where they are.
            #expect(try contents(of: folder + "/founder").contains { $0.range(of: Data("Zanzibar".utf8)) != nil })
        }
    }

    @Test func `what its author deletes is gone from a relay, words and pictures`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    let photo = try await founder.addPhoto(upload, event: nil)
                    try await eventually("the relay holds it", at: relay) { try event(of: relay).blobs == 3 }
                    try founder.delete(.photo, photo.id, event: nil)
                    try await eventually("the relay forgets it", at: relay) {
                        let event = try event(of: relay)
                        return event.blobs == 0 && event.blobBytes == 0
                    }
                    #expect(try relay.status(event: nil).relay?.events.map(\.blobsWaiting) == [0])
                }
            }
        }
    }

    /// Counterexample 33.
    @Test func `what a relay has let go of is told to a newcomer, who counts it as what nobody has`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (link, relayLink) = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let relayLink = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                _ = try await founder.addPhoto(upload, event: nil)
                return (try founder.link(), relayLink)
            }
            let policy = RetentionPolicy(blobBytes: 0)
            try await withRelay(folder + "/relay", [relayLink], keeping: policy) { relay in
                try await withNode(folder + "/founder", peers: [relay.loopback]) { _ in
                    try await eventually("the relay holds it", at: relay) { try event(of: relay).blobs == 3 }
                }
                relay.retain(by: policy)
                try await eventually("the relay lets it go", at: relay) {
                    try event(of: relay).evictedBlobs == 3 && event(of: relay).blobBytes == 0
                }
                try await withNode(folder + "/bob", peers: [relay.loopback]) { bob in
                    _ = try await bob.join(link: link)
                    try await eventually("Bob knows that nobody has it", at: bob, relay) {
                        let shortage = try bob.status(event: nil).sync.shortage
                        return shortage.blobs == 3 && shortage.evicted == 3 && shortage.payloads == 0
                    }
                    let photos = try bob.photos(of: nil, before: nil, limit: 10, event: nil).photos
                    #expect(photos.map(\.held.thumbnail) == [false])
                }
            }
        }
    }

    @Test func `what a relay let go of before a stop goes at the next start, unless another policy holds it by then`()
        async
        throws
    {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (relayFolder, aside) = (folder + "/relay", folder + "/aside")
            let policy = RetentionPolicy(eventBytes: 0)
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(as: "relay", expires: nil, uses: 1, in: nil).link
                try await withRelay(relayFolder, [link], peers: [founder]) { relay in
                    _ = try await founder.addPhoto(upload, event: nil)
                    try await eventually("the relay holds the picture", at: relay) { try event(of: relay).blobs == 3 }
                }
            }
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: relayFolder + "/events").first)
            let blobs = EventFiles("\(relayFolder)/events/\(name)").blobs
            let count = { try FileManager.default.contentsOfDirectory(atPath: blobs).count }
            try FileManager.default.copyItem(atPath: blobs, toPath: aside)
            try await withRelay(relayFolder, keeping: policy) { relay in
                relay.retain(by: policy)
                try await eventually("the relay lets go of it", at: relay) { try count() == 0 }
            }
            for (next, left) in [(policy, 0), (RetentionPolicy(), 3)] {
                try FileManager.default.removeItem(atPath: blobs)
                try FileManager.default.copyItem(atPath: aside, toPath: blobs)
                try await withRelay(relayFolder, keeping: next) { relay in
                    let session = try relay.session(nil)
                    session.eraseOrphans()
                    for queue in [session.reading, session.storing] { queue.sync {} }
                    #expect(try count() == left)
                }
            }
        }
    }

    @Test func `links of the wrong kind are refused with what to do`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let relayLink = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                let link = try founder.link()
                #expect(!link.contains("relay"))
                let notForRelays = try await problem { _ = try Node.readRelayLink(link) }
                #expect(notForRelays.name == .badInvitation && notForRelays.detail.contains("--level relay"))
                try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                    let notForPeople = try await problem { _ = try await bob.join(link: relayLink) }
                    #expect(notForPeople.name == .badInvitation && notForPeople.detail.contains("mingle relay"))
                    let changed = relayLink.replacingOccurrences(of: "mingle://relay/", with: "mingle://join/")
                    #expect(try await problem { _ = try await bob.join(link: changed) }.detail.contains("damaged"))
                    // What the invitation leads to counts, whatever a link says of itself.
                    let disguised = try disguised(relayLink)
                    #expect(try await problem { _ = try await bob.join(link: disguised) } == notForPeople)
                    #expect(try bob.allEvents().isEmpty)
                }
                try await withRelay(folder + "/relay", [disguised(link)], peers: [founder]) { relay in
                    try await eventually("the relay says so", at: relay) { try event(of: relay).state == "wrong_link" }
                    let warnings = try relay.status(event: nil).warnings
                    #expect(warnings.contains { $0.contains("mingle invite --level relay") })
                    #expect(relay.doctor().checks.contains { $0.id == "relay.links" && $0.status == "fail" })
                }
            }
        }
    }

    @Test func `a relay's folder is no person's, nor a person's a relay's`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                return try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
            }
            try await withRelay(folder + "/relay", [link]) { relay in #expect(relay.eventCount == 1) }
            #expect(throws: DataFolderError.self) { try openNode(folder + "/relay") }
            #expect(throws: DataFolderError.self) { try openRelay(folder + "/founder") }
            try await withRelay(folder + "/relay") { relay in #expect(relay.eventCount == 1) }
            let empty = try await problem { _ = try await openRelay(folder + "/empty").relay([]) }
            #expect(empty.name == .noEvent && empty.detail.contains("--level relay"))
        }
    }

    @Test func `a relay is removed like anybody, and told so`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                try await withRelay(folder + "/relay", [link], peers: [founder]) { relay in
                    try await eventually("the relay is in", at: founder) {
                        try founder.people(event: nil).relays.count == 1
                    }
                    let machine = try #require(try founder.people(event: nil).relays.first)
                    #expect(machine.level == "relay" && machine.name.hasPrefix("Relay "))
                    for level in ["attendee", "guest", "host"] {
                        let refusal = try await problem {
                            _ = try founder.setLevel(of: machine.id, to: level, event: nil)
                        }
                        #expect(refusal.name == .badRequest && refusal.detail.contains("relay"))
                    }
                    _ = try founder.remove(machine.id, keepsLinks: true, event: nil)
                    #expect(try founder.people(event: nil).relays.map(\.level) == ["removed"])
                    try await eventually("the relay is told", at: relay) {
                        try relay.status(event: nil).warnings.contains { $0.contains("removed") }
                    }
                }
            }
        }
    }
}
