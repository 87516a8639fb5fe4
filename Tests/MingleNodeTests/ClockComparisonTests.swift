// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MingleReplica
import MingleSync
import NodeTestSupport
import Testing

@testable import MingleNode

struct ClockComparisonTests {
    private func comparison(_ ahead: [Int64]) -> ClockComparison {
        ClockComparison(
            ahead.enumerated().map { index, ahead in
                let person = PersonID(Blake2b.hash(.identity, [UInt8(index)]))
                return .init(name: "node \(index)", ahead: ahead, person: person, isHost: index == 0)
            }
        )
    }

    @Test func `of two clocks nobody can tell which is wrong, and both are told`() throws {
        for (ahead, words) in [(Int64(7200), "2 hours ahead"), (-172_800, "2 days behind"), (.max, "days ahead")] {
            let comparison = comparison([ahead])
            let check = try #require(comparison.check)
            #expect(check.status == "warn" && check.detail.contains(words) && check.detail.contains("One of the two"))
            #expect(comparison.ahead == nil && comparison.complaint == nil)
        }
    }

    @Test(arguments: [[3600, 3600, 3600], [3600, 3700, 0], [-3600, -3600, 50, -3650]] as [[Int64]])
    func `where the middle of others' clocks is elsewhere, this machine is wrong`(ahead: [Int64]) throws {
        let comparison = comparison(ahead)
        let isBehind = ahead[0] > 0
        #expect(try #require(comparison.complaint).contains(isBehind ? "60 minutes behind" : "60 minutes ahead of"))
        #expect(comparison.ahead.map { $0 < 0 } == isBehind && comparison.check?.status == "warn")
        #expect(try #require(comparison.check).detail.contains(try #require(comparison.complaint)))
    }

    @Test(arguments: [[3600, 0, 0], [0, 3600, -3600], [3600, -3600, 0, 10]] as [[Int64]])
    func `where the middle agrees with this machine, all others are named`(ahead: [Int64]) throws {
        let check = try #require(comparison(ahead).check)
        #expect(comparison(ahead).complaint == nil && check.status == "warn")
        #expect(check.detail.contains("agree with this machine") && check.fix?.contains("those machines") == true)
        for (index, ahead) in ahead.enumerated() {
            #expect(check.detail.contains("node \(index) is") == (ahead.magnitude > 60))
        }
    }

    @Test func `of three clocks that all differ all three are named`() throws {
        let detail = try #require(comparison([400 * 86_400, 7200, -9000 * 86_400]).check).detail
        for words in ["node 0 is 400 days ahead", "node 1 is 2 hours ahead", "node 2 is 9000 days behind"] {
            #expect(detail.contains(words))
        }
    }

    @Test func `without a host, or of two persons, or by relays, nothing is said of this machine's clock`() {
        let person = (0..<3).map { PersonID(Blake2b.hash(.identity, [UInt8($0)])) }
        let clocks = { (persons: [PersonID?], isHost: Bool) in
            ClockComparison(persons.map { .init(name: "node", ahead: 3600, person: $0, isHost: isHost) })
        }
        #expect(clocks(person, false).middle == nil && clocks(person, true).middle == 3600)
        #expect(clocks([person[0], person[0], person[1]], true).middle == nil)
        #expect(clocks([person[0], person[1], nil, nil], true).middle == nil)
    }

    @Test func `clocks that differ by less than a minute are none to speak of`() {
        #expect(comparison([60, -60, 0]).check?.status == "pass" && comparison([]).check == nil)
    }

    @Test(
        arguments: [
            ([[3600], [3601]], 1), ([[3600, 3601], [0], [3599, 3602]], 3), ([[0], [3600], [7200]], 3),
            ([[-50, 50], [0, 105]], 2),
        ] as [([[Int64]], Int)]
    )
    func `of clocks that go alike as many count as there are in one event`(events: [[Int64]], count: Int) {
        let comparison = ClockComparison(
            inEvents: events.map { $0.map { ClockComparison.Other(name: "node", ahead: $0) } }
        )
        #expect(comparison.others.count == count)
    }

    @Test func `a machine that two events reach by two addresses has one clock`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in
                let addresses = ["192.0.2.7:4711", "[2001:db8::7]:4711"]
                for address in addresses {
                    let event = try await node.createEvent(title: "Party")
                    let session = try node.session(event.id)
                    session.roster.open(PeerID(1), address: address, isIncoming: false)
                    // Whose clock it is counts for nothing here.
                    let own = session.replica.own
                    session.roster.greet(PeerID(1), device: own.name, person: own.person)
                    let time = Timestamp(milliseconds: session.clock.now().milliseconds + 7_200_000)
                    let hello = Hello(device: session.replica.own.name, certificates: [], signature: [], time: time)
                    session.noteClock(of: PeerID(1), hello)
                }
                #expect(try node.status(event: nil).warnings.allSatisfy { !$0.contains("clock") })
                let check = try #require(node.doctor().checks.first { $0.id == "clock.others" })
                #expect(check.status == "warn" && check.detail.contains("One of the two is wrong"))
            }
        }
    }

    @Test func `whose clock is days ahead is told so by the doctor, and so is who is met`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let ahead = NodeClock(
                    now: { Timestamp(milliseconds: NodeClock.system.now().milliseconds + 49 * 3_600_000) },
                    uptime: NodeClock.system.uptime
                )
                try await withNode(folder + "/guest", peers: [founder.loopback], clock: ahead) { guest in
                    _ = try await guest.join(link: founder.link())
                    let detail = { (node: Node) in
                        node.doctor().checks.first { $0.id == "clock.others" && $0.status == "warn" }?.detail ?? ""
                    }
                    try await eventually("both doctors see it", at: founder, guest) {
                        detail(founder).contains("2 days ahead") && detail(guest).contains("2 days behind")
                    }
                    #expect(guest.metrics().contains("\nmingle_clock_ahead_seconds 0"))
                    try await withNode(folder + "/other", peers: [founder.loopback, guest.loopback]) { other in
                        _ = try await other.join(link: founder.link())
                        try await withNode(folder + "/fourth", peers: [guest.loopback]) { fourth in
                            _ = try await fourth.join(link: founder.link())
                            try await eventually("it is the guest who is told", at: guest) {
                                try guest.status(event: nil).warnings.contains {
                                    $0.contains("2 days ahead of most others here")
                                }
                            }
                            #expect(try other.status(event: nil).warnings.allSatisfy { !$0.contains("clock") })
                            #expect(guest.metrics().contains("\nmingle_clock_ahead_seconds 176"))
                        }
                    }
                }
            }
        }
    }
}
