// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCrypto
import MingleDiscovery
import MingleModel
import MingleWire
import Testing

@testable import MingleNode

/// What a node makes of what others nearby say is open.
struct NearbyEventsTests {
    private func event(_ number: UInt8) -> EventID {
        EventID(Bytes32(at: 0, of: Array(repeating: number, count: 32).span))
    }

    private func link(
        _ number: UInt8,
        seed: UInt8 = 1,
        hint: String = "10.0.0.99:1",
        isForRelay: Bool = false
    ) -> String {
        InvitationLink(
            event: event(number),
            psk: Secret(Array(repeating: 2, count: 32)),
            seed: Secret(Array(repeating: seed, count: 32)),
            hints: [hint],
            isForRelay: isForRelay
        )
        .text
    }

    private func endpoint(_ name: String, _ title: String, _ link: String, host: String = "10.0.0.7") -> Endpoint {
        Endpoint(
            name: name,
            event: "elsewhere",
            host: host,
            port: 4000,
            text: ["v": "1", "title": title, "link": link]
        )
    }

    /// What is looked at since the beginning of time.
    private func looking() -> NearbyEvents {
        var nearby = NearbyEvents()
        #expect({ nearby.look(at: .zero) }())
        return nearby
    }

    @Test func `each event is listed once, as most say, with the addresses of those who say it`() throws {
        var nearby = looking()
        let said = [
            endpoint("a", "Party", link(1), host: "fe80::1%2"),
            endpoint("b", "Wedding", link(1, hint: "10.0.0.98:1"), host: "10.0.0.8"),
            endpoint("c", "Party", link(1, hint: "10.0.0.97:1")), endpoint("d", "Fair", link(2)),
            endpoint("e", "Liars", link(1, seed: 9), host: "10.6.6.6"),
            endpoint("f", "Others", link(1, seed: 9), host: "10.6.6.7"),
        ]
        for one in said {
            let isTaken = nearby.hear(one, at: .zero)
            #expect(isTaken)
        }
        let list = nearby.list(except: [])
        #expect(list.map(\.title) == ["Fair", "Party"] && list.map(\.nodes) == [1, 5])
        #expect(list.map(\.id) == [event(2).description, event(1).description])
        let party = try InvitationLink(list[1].link)
        #expect(party.event == event(1) && party.seed.exposed() == Array(repeating: 1, count: 32))
        #expect(party.hints == ["10.0.0.7:4000", "10.0.0.8:4000", "[fe80::1%2]:4000"], "not where the link says")
        #expect(nearby.list(except: [event(1)]).map(\.title) == ["Fair"])
    }

    @Test func `what nobody can come by is refused`() {
        var nearby = looking()
        let bad = [
            endpoint("a", "Party", "mingle://join/abc"), endpoint("b", "Party", "https://example.org"),
            endpoint("c", "\u{202E}", link(1)), endpoint("d", "Party", link(1, isForRelay: true)),
            endpoint("e", "Party", String(link(1).dropLast()) + "a"),
            Endpoint(name: "f", event: "elsewhere", host: "10.0.0.1", port: 1, text: [:]),
        ]
        for one in bad {
            let isTaken = nearby.hear(one, at: .zero)
            #expect(!isTaken, "\(one.name)")
        }
        #expect(nearby.list(except: []).isEmpty)
    }

    @Test func `strangers make a node keep no more than the limits`() {
        var nearby = looking()
        var taken = 0
        for number in 0..<200 {
            let isTaken = nearby.hear(endpoint("\(number)", "Party", link(UInt8(number))), at: .zero)
            taken += isTaken ? 1 : 0
        }
        #expect(taken == 32 && nearby.list(except: []).count == 32)
        for number in 200..<600 {
            let isTaken = nearby.hear(endpoint("\(number)", "Party", link(1)), at: .zero)
            taken += isTaken ? 1 : 0
        }
        #expect(taken == 128)
        #expect({ nearby.hear(endpoint("1", "Other", link(1)), at: .zero) }(), "who is known may say something else")
    }

    @Test func `nothing is taken or kept while nobody looks`() {
        var nearby = NearbyEvents()
        #expect({ !nearby.hear(endpoint("a", "Party", link(1)), at: .zero) }())
        #expect({ nearby.look(at: .zero) }())
        #expect({ nearby.hear(endpoint("a", "Party", link(1)), at: .zero) }())
        let isFirst = nearby.look(at: .seconds(30))
        #expect(!isFirst, "somebody looked already")
        let early = nearby.advance(to: .seconds(89))
        #expect(!early.isOver)
        let end = nearby.advance(to: .seconds(90))
        #expect(end.isOver && end.isChanged && nearby.since == nil && nearby.list(except: []).isEmpty)
        let after = nearby.advance(to: .seconds(200))
        #expect(!after.isOver)
    }

    @Test func `who says so is asked again after two minutes, and forgotten after three`() {
        var nearby = looking()
        func pass(to seconds: Int) -> (asked: [String], isChanged: Bool, isOver: Bool) {
            _ = nearby.look(at: .seconds(seconds))
            return nearby.advance(to: .seconds(seconds))
        }
        #expect({ nearby.hear(endpoint("a", "Party", link(1)), at: .zero) }())
        #expect({ nearby.hear(endpoint("b", "Party", link(1)), at: .zero) }())
        #expect(pass(to: 119).asked.isEmpty)
        #expect(pass(to: 120).asked == ["a", "b"] && pass(to: 121).asked.isEmpty)
        #expect({ nearby.hear(endpoint("b", "Party", link(1)), at: .seconds(125)) }())
        #expect(!pass(to: 126).isChanged, "the same again is no news")
        #expect(!pass(to: 179).isChanged && pass(to: 180).isChanged)
        #expect(nearby.list(except: []).map(\.nodes) == [1])
        #expect(pass(to: 245).asked == ["b"])
        nearby.lose("b")
        #expect(pass(to: 246).isChanged && !pass(to: 247).isChanged)
        nearby.lose("b")
        #expect(!pass(to: 248).isChanged && nearby.list(except: []).isEmpty)
    }

    @Test func `what is said otherwise is told of at the next tick, however often it changed`() {
        var nearby = looking()
        for title in ["Party", "Fête", "Party"] { _ = nearby.hear(endpoint("a", title, link(1)), at: .zero) }
        let first = nearby.advance(to: .seconds(1))
        let second = nearby.advance(to: .seconds(2))
        #expect(first.isChanged && !second.isChanged)
        _ = nearby.hear(endpoint("a", "Fête", link(1)), at: .seconds(2))
        let third = nearby.advance(to: .seconds(3))
        #expect(third.isChanged)
    }

    @Test func `who said what led nowhere is asked at once, a few of many, and nobody else`() {
        var nearby = looking()
        for number in 0..<40 { _ = nearby.hear(endpoint("\(number)", "Party", link(1)), at: .zero) }
        _ = nearby.hear(endpoint("other", "Fête", link(2)), at: .zero)
        let asked = nearby.doubt(event(1))
        #expect(asked.count == 16 && !asked.contains("other"))
        #expect({ nearby.doubt(event(3)).isEmpty }())
    }

    @Test func `of many who said so at one time a few are asked at a time, and all of them before they are forgotten`()
    {
        var nearby = looking()
        for number in 0..<128 { _ = nearby.hear(endpoint("\(number)", "Party", link(1)), at: .zero) }
        var asked: [String] = []
        for second in 120..<130 {
            _ = nearby.look(at: .seconds(second))
            let due = nearby.advance(to: .seconds(second)).asked
            #expect(due.count <= 16 && DiscoveryLimits.open.rejections >= NearbyEvents.claimLimit)
            asked += due
        }
        #expect(asked.count == 128 && Set(asked).count == 128)
    }

    @Test func `an event is meant by its title or its id's beginning, and several of one title are refused with ids`()
        throws
    {
        var nearby = looking()
        for (number, title) in [(1, "Party"), (2, "party"), (3, "Fête")] as [(UInt8, String)] {
            _ = nearby.hear(endpoint("\(number)", title, link(number)), at: .zero)
        }
        let list = API.Envelope.Nearby(nearby: nearby.list(except: []), discovery: .init(.running))
        #expect(try list.event("fête").id == event(3).description)
        let id = event(2).description
        #expect(try list.event(id).title == "party" && list.event(String(id.prefix(8)).uppercased()).title == "party")
        let several = #expect(throws: API.Problem.self) { _ = try list.event("PARTY") }
        #expect(several?.name == .conflict)
        for number in [1, 2] as [UInt8] {
            #expect(several?.detail.contains(event(number).description.prefix(8)) == true)
        }
        for word in ["", "Part", String(id.prefix(3)), "Fete"] {
            #expect(#expect(throws: API.Problem.self) { _ = try list.event(word) }?.name == .notFound, "\(word)")
        }
    }

    @Test func `ids are as long as it takes to tell them apart`() {
        let ids = ["aaaaaaaaaaab", "aaaaaaaaaaac", "bcdefghijklm"]
        let events = ids.map { API.NearbyEvent(id: $0, title: "Party", nodes: 1, link: "") }
        let list = API.Envelope.Nearby(nearby: events, discovery: .init(.running))
        #expect(events.map { list.shortID(of: $0) } == ["aaaaaaaaaaab", "aaaaaaaaaaac", "bcdefghi"])
    }
}
