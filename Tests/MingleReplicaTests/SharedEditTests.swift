// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import TestSupport
import Testing

@testable import MingleReplica

/// Fields that others than the author write.
struct SharedEditTests {
    private struct Market {
        var event: TestEvent
        let ana, bob, carl: Replica
        let place: Reference

        init(seed: UInt64) throws {
            event = try TestEvent(seed: seed)
            ana = event.founder
            (bob, carl) = (try event.join(), try event.join())
            try [ana, bob, carl].meet()
            let values: [String: Value] = [
                "name": .text("Stand"), "latitude": .number(1), "longitude": .number(2), "radius": .number(30),
                "address": .text("At the gate"),
            ]
            place = try bob.say(.create(.place, on: .nothing, values: values), at: 4000, event.randomness)
            try [ana, bob, carl].meet()
        }

        var everybody: [Replica] { [ana, bob, carl] }

        func edit(_ name: String, _ value: Value, by author: Replica, at time: Int64) throws {
            try author.say(.edit(place, .place, values: [name: value]), at: time, event.randomness)
        }

        /// What each node shows of a field, after all met.
        func shown(_ name: String) throws -> Set<String?> {
            try everybody.meet()
            return Set(
                try everybody.map { replica in
                    let words = try replica.lines("place\t").first?.split(separator: "\t")
                    return words?.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
                }
            )
        }
    }

    @Test func `every attendee says where a place is to be found, whatever the clocks say`() throws {
        let market = try Market(seed: 3920)
        try market.edit("address", .text("Hall 2"), by: market.carl, at: 10)
        #expect(try market.shown("address") == ["\"Hall 2\""])
        try market.edit("address", .text("Hall 3"), by: market.bob, at: 5)
        #expect(try market.shown("address") == ["\"Hall 3\""])
    }

    @Test func `only the author and moderators say what a place is called and where it is`() throws {
        let market = try Market(seed: 3921)
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            try market.edit("name", .text("Mine"), by: market.carl, at: 5000)
        }
        try market.edit("name", .text("Stand 1"), by: market.bob, at: 5000)
        #expect(try market.shown("name") == ["\"Stand 1\""])
        try market.edit("name", .text("Stand 2"), by: market.ana, at: 4999)
        #expect(try market.shown("name") == ["\"Stand 2\""])
        // What a moderator said stays.
        try market.edit("name", .text("Stand 3"), by: market.bob, at: 9000)
        #expect(try market.shown("name") == ["\"Stand 2\""])
    }

    @Test func `two attendees and a moderator edit one place apart, and all end alike with the moderator's word`()
        throws
    {
        for first in 0..<3 {
            let market = try Market(seed: 3929)
            let turns: [(Replica, String)] = [(market.bob, "Gate 1"), (market.ana, "Gate 2"), (market.carl, "Gate 3")]
            // Whoever's clock is ahead, and whatever arrives first.
            for (number, turn) in turns.enumerated() {
                let time = 5000 + Int64((number + first) % 3)
                try market.edit("address", .text(turn.1), by: turn.0, at: time)
                try market.edit("telephone", .text("11\(number)"), by: turn.0, at: time)
                let hours = OpeningHours([try #require(.init(day: number, from: 540, to: 1020))])
                try market.edit("hours", .data(try #require(hours).bytes), by: turn.0, at: time)
            }
            #expect(try market.shown("address") == ["\"Gate 2\""])
            #expect(try market.shown("telephone") == ["\"111\""])
            #expect(try market.shown("hours").count == 1)
            #expect(try Set(market.everybody.map { try $0.lines("place\t") }).count == 1)
        }
    }

    @Test func `a place is approved by those who moderate, and by nobody else`() throws {
        let market = try Market(seed: 3922)
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            try market.edit("approved", .number(1), by: market.bob, at: 5000)
        }
        try market.edit("approved", .number(1), by: market.ana, at: 5000)
        #expect(try market.shown("approved") == ["1"])
    }

    @Test func `what a removed person said of others' records goes, and comes back with the person`() throws {
        let market = try Market(seed: 3923)
        try market.edit("telephone", .text("110"), by: market.carl, at: 5000)
        #expect(try market.shown("telephone") == ["\"110\""])
        // From the founder's point of view all that came later than its admission counts for nothing.
        try market.ana.say(.remove(market.carl.own.person, keepsLinks: true), at: 6000, market.event.randomness)
        try market.edit("telephone", .text("112"), by: market.bob, at: 100)
        #expect(try market.shown("telephone") == ["\"112\""])
    }

    @Test func `a demoted moderator's pin before the demotion stands, and nothing past it is pinned`() throws {
        let market = try Market(seed: 3924)
        let person = market.carl.own.person
        try market.ana.say(.setLevel(person, .moderator), at: 5000, market.event.randomness)
        try market.everybody.meet()
        try market.edit("address", .text("Gate 1"), by: market.carl, at: 5001)
        try market.everybody.meet()
        try market.ana.say(.setLevel(person, .attendee), at: 5002, market.event.randomness)
        try market.everybody.meet()
        try market.edit("address", .text("Gate 2"), by: market.carl, at: 9000)
        try market.edit("address", .text("Gate 3"), by: market.bob, at: 9001)
        #expect(try market.shown("address") == ["\"Gate 1\""])
        try market.edit("address", .text("Gate 4"), by: market.ana, at: 1)
        #expect(try market.shown("address") == ["\"Gate 4\""])
    }

    @Test func `beyond 64 words that live a moderator decides`() throws {
        var market = try Market(seed: 3925)
        var crowd: [Replica] = []
        for number in 0..<70 {
            let guest = try market.event.join()
            try guest.receiveAll(from: market.bob)
            try guest.say(
                .edit(market.place, .place, values: ["telephone": .text("\(number)")]),
                at: 8000 + Int64(number),
                market.event.randomness
            )
            crowd.append(guest)
        }
        for guest in crowd { try market.ana.receiveAll(from: guest) }
        #expect(try market.shown("telephone") == ["\"69\""])
        try market.edit("telephone", .text("112"), by: market.ana, at: 1)
        #expect(try market.shown("telephone") == ["\"112\""])
    }

    @Test func `a photo that is held back is seen by its author and moderators until one of these clears it`() throws {
        let market = try Market(seed: 3926)
        let media = Media(root: Bytes32.zero, size: 5, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        let values: [String: Value] = [
            "thumbnail": .media(media), "preview": .media(media), "original": .media(media),
            "width": .number(640), "height": .number(480), "held": .number(1),
        ]
        let blobs = [BlobListing(name: media.name(owner: market.bob.own.person), size: 5)]
        let photo = try market.bob.say(
            .create(.photo, on: .nothing, values: values, blobs: blobs),
            at: 5000,
            market.event.randomness
        )
        try market.everybody.meet()
        #expect(try market.ana.sees(.photo, photo) && market.bob.sees(.photo, photo))
        #expect(try !market.carl.sees(.photo, photo) && market.carl.lines("photo\t").isEmpty)
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            try market.bob.say(.edit(photo, .photo, values: ["held": .cleared]), at: 6000, market.event.randomness)
        }
        try market.ana.say(.edit(photo, .photo, values: ["held": .number(0)]), at: 6000, market.event.randomness)
        try market.everybody.meet()
        #expect(try market.carl.sees(.photo, photo))
    }

    @Test func `who was put below those that make places says no more of an own one`() throws {
        let market = try Market(seed: 3928)
        try market.ana.say(.setLevel(market.bob.own.person, .guest), at: 5000, market.event.randomness)
        // Bob's node does not know it yet.
        try market.edit("name", .text("Still mine"), by: market.bob, at: 6000)
        #expect(try market.shown("name") == ["\"Stand\""])
    }

    @Test func `one more word about a place costs as much after a hundred as after ten`() throws {
        let market = try Market(seed: 3927)
        func reads(_ count: Int, from time: Int64) throws -> Int {
            for number in 0..<count {
                try market.edit("telephone", .text("\(number)"), by: market.carl, at: time + Int64(number))
                try market.ana.receiveAll(from: market.carl)
            }
            return try market.ana.keptStatements(about: market.place)
        }
        #expect(try reads(10, from: 5000) == reads(90, from: 6000))
        #expect(try market.shown("telephone") == ["\"89\""])
    }
}

extension Replica {
    /// How many words about a record the writer keeps, so that it need not read the journal.
    fileprivate func keptStatements(about reference: Reference) throws -> Int {
        try write(isDurable: false) { transaction in
            let row = try transaction.resolve(reference) ?? 0
            return transaction.memory.statements[row]?.statements.count ?? .max
        }
    }
}
