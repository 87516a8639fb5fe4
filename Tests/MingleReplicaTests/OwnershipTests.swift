// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport
import Testing

/// Who owns a place, and what hangs on that.
struct OwnershipTests {
    /// A place with an owner, Carl, named by the host, Bob; Ana is the founder.
    private struct Stand {
        var event: TestEvent
        let ana, bob, carl: Replica
        let place, ownership, deal: Reference

        init(seed: UInt64) throws {
            event = try TestEvent(seed: seed)
            ana = event.founder
            (bob, carl) = (try event.join(), try event.join())
            try [ana, bob, carl].meet()
            try ana.say(.setLevel(bob.own.person, .host), at: 3000, event.randomness)
            try [ana, bob, carl].meet()
            place = try ana.say(.create(.place, on: .nothing, values: placeValues), at: 4000, event.randomness)
            try [ana, bob, carl].meet()
            ownership = try bob.say(
                .create(
                    .ownership,
                    on: .record(place),
                    values: ["person": .data(carl.own.person.bytes), "on": .number(1)]
                ),
                at: 5000,
                event.randomness
            )
            try [ana, bob, carl].meet()
            deal = try carl.say(.create(.deal, on: .record(place), values: dealValues), at: 6000, event.randomness)
            try [ana, bob, carl].meet()
        }

        var everybody: [Replica] { [ana, bob, carl] }

        /// How many deals each node shows.
        func deals() throws -> [Int64] { try everybody.map { try $0.visibleCount(of: .deal) } }
    }

    private static let placeValues: [String: Value] = [
        "name": .text("Stand"), "latitude": .number(1), "longitude": .number(2), "radius": .number(30),
    ]

    private static let dealValues: [String: Value] = [
        "title": .text("Half price"), "start": .number(1), "end": .number(9),
    ]

    @Test func `the owner's deal is shown, and nobody else's`() throws {
        let stand = try Stand(seed: 3910)
        #expect(try stand.deals() == [1, 1, 1])
        for other in [stand.ana, stand.bob] {
            try other.say(
                .create(.deal, on: .record(stand.place), values: Self.dealValues),
                at: 7000,
                stand.event.randomness
            )
        }
        try stand.everybody.meet()
        #expect(try stand.deals() == [1, 1, 1])
    }

    @Test func `an ownership that ends takes deals out of sight, and given again brings them back`() throws {
        let stand = try Stand(seed: 3911)
        let use = Draft.set(.dealUse, on: .record(stand.deal), values: ["used": .number(1)])
        try stand.ana.say(use, at: 7000, stand.event.randomness)
        // The founder ends what a host said.
        try stand.ana.say(
            .edit(stand.ownership, .ownership, values: ["on": .number(0)]),
            at: 7001,
            stand.event.randomness
        )
        try stand.everybody.meet()
        #expect(try stand.deals() == [0, 0, 0] && stand.bob.visibleCount(of: .dealUse) == 0)
        try stand.bob.say(
            .edit(stand.ownership, .ownership, values: ["on": .number(1)]),
            at: 6000,
            stand.event.randomness
        )
        try stand.everybody.meet()
        #expect(try stand.deals() == [1, 1, 1] && stand.bob.visibleCount(of: .dealUse) == 1)
    }

    @Test func `two hosts who disagree apart end alike, and the next word decides`() throws {
        let stand = try Stand(seed: 3912)
        try stand.ana.say(
            .edit(stand.ownership, .ownership, values: ["on": .number(0)]),
            at: 8000,
            stand.event.randomness
        )
        try stand.bob.say(
            .edit(stand.ownership, .ownership, values: ["on": .number(1)]),
            at: 8000,
            stand.event.randomness
        )
        try stand.everybody.meet()
        #expect(Set(try stand.deals()).count == 1)
        try stand.bob.say(
            .edit(stand.ownership, .ownership, values: ["on": .number(0)]),
            at: 100,
            stand.event.randomness
        )
        try stand.everybody.meet()
        #expect(try stand.deals() == [0, 0, 0])
    }

    @Test func `an owner who is removed owns nothing, and let in again owns it as before`() throws {
        let stand = try Stand(seed: 3913)
        let person = stand.carl.own.person
        try stand.ana.say(.remove(person, keepsLinks: true), at: 9000, stand.event.randomness)
        try [stand.ana, stand.bob].meet()
        #expect(try stand.ana.visibleCount(of: .deal) == 0 && stand.bob.visibleCount(of: .deal) == 0)
        try stand.ana.say(.setLevel(person, .attendee), at: 9001, stand.event.randomness)
        try stand.everybody.meet()
        #expect(try stand.deals() == [1, 1, 1])
    }

    @Test func `who is no host makes nobody an owner`() throws {
        let stand = try Stand(seed: 3914)
        let own = Draft.create(
            .ownership,
            on: .record(stand.place),
            values: ["person": .data(stand.carl.own.person.bytes), "on": .number(1)]
        )
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            try stand.carl.say(own, at: 9000, stand.event.randomness)
        }
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            let edit = Draft.edit(stand.ownership, .ownership, values: ["on": .number(1)])
            try stand.carl.say(edit, at: 9000, stand.event.randomness)
        }
    }

    @Test func `a place that is deleted takes its ratings, deals and page out of sight on every node`() throws {
        let stand = try Stand(seed: 3915)
        try stand.bob.say(
            .set(.rating, on: .record(stand.place), values: ["overall": .number(4)]),
            at: 7000,
            stand.event.randomness
        )
        try stand.carl.say(
            .set(.placePage, on: .record(stand.place), values: ["text": .text("Welcome")]),
            at: 7000,
            stand.event.randomness
        )
        try stand.everybody.meet()
        for kind in [Kind.rating, .placePage, .deal] { #expect(try stand.ana.visibleCount(of: kind) == 1) }
        try stand.ana.say(.delete(stand.place), at: 8000, stand.event.randomness)
        try stand.everybody.meet()
        for replica in stand.everybody {
            for kind in [Kind.place, .rating, .placePage, .deal] { #expect(try replica.visibleCount(of: kind) == 0) }
        }
    }

    @Test func `a confirmation counts where the deal is by its author, of each person once`() throws {
        let stand = try Stand(seed: 3916)
        for (author, person) in [(stand.carl, stand.ana), (stand.carl, stand.bob), (stand.bob, stand.bob)] {
            for time in [7000, 7001] as [Int64] {
                let confirmed = Draft.set(
                    .dealConfirmation,
                    on: .record(stand.deal),
                    about: .person(person.own.person),
                    values: ["confirmed": .number(1)]
                )
                try author.say(confirmed, at: time, stand.event.randomness)
            }
        }
        try stand.everybody.meet()
        for replica in stand.everybody { #expect(try replica.visibleCount(of: .dealConfirmation) == 2) }
    }

    @Test func `what a host said before anybody heard of the host counts once that is known`() throws {
        var event = try TestEvent(seed: 3917)
        let (ana, bob) = (event.founder, try event.join())
        try [ana, bob].meet()
        let late = try event.reader()
        try late.receiveAll(from: ana)
        try ana.say(.setLevel(bob.own.person, .host), at: 3000, event.randomness)
        try bob.receiveAll(from: ana)
        try bob.say(.create(.category, on: .nothing, values: ["name": .text("Drinks")]), at: 4000, event.randomness)
        // Bob's journals come first, and then that the founder made Bob a host.
        let content = try bob.runs(of: bob.own.name, .content, after: [], byteLimit: .max)
        let fabric = try bob.runs(of: bob.own.name, .fabric, after: [], byteLimit: .max)
        _ = try late.merge(fabric + content)
        #expect(try late.visibleCount(of: .category) == 0)
        try late.receiveAll(from: ana)
        #expect(try late.visibleCount(of: .category) == 1)
    }
}
