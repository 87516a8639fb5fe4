// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// What those are told, and can do, whom the others do not let in any more.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShutOutTests {
    private func isShutOut(_ node: Node) throws -> Bool {
        try node.status(event: nil).warnings.contains { $0.contains("do not let") }
    }

    @Test func `who was removed is told so by joining anew, by leaving and by the doctor`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(expires: nil, uses: nil, in: nil).link
                let (event, person) = try await withNode(folder + "/carla", peers: [founder.loopback]) { carla in
                    let event = try await carla.join(link: link).id
                    return (event, try #require(try carla.people(event: nil).people.first { $0.me }).id)
                }
                // She is away, so that all she hears of it is why nobody lets her in.
                _ = try founder.remove(person, keepsLinks: true, event: nil)
                try await withNode(folder + "/carla", peers: [founder.loopback]) { carla in
                    try await eventually("she is refused", at: carla) { try isShutOut(carla) }
                    let refusal = try await problem { _ = try await carla.join(link: link) }
                    #expect(refusal.name == .notAllowed && refusal.detail.contains("removed you"))
                    let check = try #require(carla.doctor().checks.first { $0.id.hasSuffix(".peers") })
                    #expect(check.status == "fail" && check.detail.contains("removed you"))
                    let farewell = try await carla.leaveEvent(event)
                    #expect(farewell.state == .leaving && farewell.detail?.contains("removed you") == true)
                    let warnings = try carla.status(event: nil).warnings
                    #expect(warnings.contains { $0.contains("If a host confirms this") })
                    #expect(try await carla.leaveEvent(event, LeavingManner(isSilent: true)).state == .forgotten)
                    let other = try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                    #expect(try await carla.join(link: other).id == event)
                    try await eventually("she is somebody new", at: founder) {
                        try founder.people(event: nil).people.contains { $0.here && !$0.me && $0.id != person }
                    }
                }
            }
        }
    }

    // Once each of the two was told to be in by the other one, and said nothing of it.
    @Test func `two devices of somebody who was removed do not let each other forget it`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let link = try founder.invite(expires: nil, uses: nil, in: nil).link
                let person = try await withNode(folder + "/laptop", peers: [founder.loopback]) { laptop in
                    _ = try await laptop.join(link: link)
                    try await withNode(folder + "/phone", peers: [laptop.loopback]) { phone in
                        _ = try await phone.join(link: laptop.makeDeviceLink(event: nil).link, asDevice: true)
                    }
                    return try #require(try laptop.people(event: nil).people.first { $0.me }).id
                }
                _ = try founder.remove(person, keepsLinks: true, event: nil)
                try await withNode(folder + "/laptop", peers: [founder.loopback]) { laptop in
                    try await withNode(folder + "/phone", peers: [laptop.loopback, founder.loopback]) { phone in
                        let isLinked = { (node: Node) in
                            try node.peers(event: nil).peers.contains { $0.state == "in_sync" }
                        }
                        try await eventually("both are linked, and know that they are out", at: laptop, phone) {
                            try isLinked(laptop) && isLinked(phone) && isShutOut(laptop) && isShutOut(phone)
                        }
                        let check = try #require(phone.doctor().checks.first { $0.id.hasSuffix(".peers") })
                        #expect(check.status == "fail" && check.detail.contains("removed you"))
                    }
                }
            }
        }
    }

    // It is linked to others again and again, whom it knows and who say each time that it is out.
    @Test func `who is refused goes on saying so while it greets others once more`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in
                _ = try await node.createEvent(title: "Party")
                let session = try node.session(nil)
                session.refusal.withLock { $0 = Goodbye("the invitation was closed", cause: .notLetIn) }
                let peer = PeerID(1)
                session.roster.open(peer, address: "192.0.2.7:4711", isIncoming: false)
                session.roster.greet(peer, device: DeviceName(.zero), person: PersonID(.zero))
                #expect(
                    try isShutOut(node)
                        && node.metrics().contains(
                            "\nmingle_shut_out{event=\"\(session.event.description.prefix(8))\"} 1"
                        )
                )
                session.roster.note(.welcomed(.all), of: peer)
                #expect(try !isShutOut(node))
                session.roster.close(peer)
                #expect(try isShutOut(node))
            }
        }
    }

    @Test func `a relay that nobody has let in takes another link, and one that was let in stays`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let closed = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil)
                _ = try founder.closeInvitation(closed.id, event: nil)
                try await withRelay(folder + "/relay", [closed.link], peers: [founder]) { relay in
                    try await eventually("the status says so", at: relay) {
                        try relay.status(event: nil).warnings
                            .contains { $0.contains("closed") && $0.contains("restart the relay") }
                    }
                    #expect(
                        relay.metrics().split(separator: "\n")
                            .contains { $0.hasPrefix("mingle_shut_out{") && $0.hasSuffix(" 1") }
                    )
                    let fix = relay.doctor().checks.first { $0.id.hasSuffix(".peers") }?.fix
                    #expect(fix?.contains("--level relay") == true && fix?.contains("new person") == false)
                }
                // The same link, which a unit's file goes on to name, changes nothing.
                try await withRelay(folder + "/relay", [closed.link]) { #expect($0.eventCount == 1) }
                let link = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                let isIn = { try founder.people(event: nil).relays.map(\.here) == [true] }
                // As one has it who writes the new link below the old one.
                try await withRelay(folder + "/relay", [closed.link, link], peers: [founder]) { relay in
                    try await eventually("it is let in, and knows it", at: founder, relay) {
                        try isIn() && relay.status(event: nil).relay?.events.map(\.state) == ["relaying"]
                    }
                }
                let device = try #require(try founder.people(event: nil).relays.first).id
                let third = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                try await withRelay(folder + "/relay", [third], peers: [founder]) { _ in
                    try await eventually("it is back", at: founder, until: isIn)
                }
                #expect(try founder.people(event: nil).relays.map(\.id) == [device])
            }
        }
    }
}
