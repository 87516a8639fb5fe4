// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport
import Testing

/// What people do at places: ratings, visits, and what is told of them near a point.
struct PlaceDeedTests {
    private struct Fair {
        var event: TestEvent
        let ana, bob: Replica

        init(seed: UInt64) throws {
            event = try TestEvent(seed: seed)
            ana = event.founder
            bob = try event.join()
            try [ana, bob].meet()
        }

        func meet() throws { try [ana, bob].meet() }

        func place(_ name: String, latitude: Int64 = 557_800_000, at time: Int64 = 4000) throws -> Reference {
            let values: [String: Value] = [
                "name": .text(name), "latitude": .number(latitude), "longitude": .number(125_200_000),
                "radius": .number(20),
            ]
            return try ana.say(.create(.place, on: .nothing, values: values), at: time, event.randomness)
        }

        func rate(_ place: Reference, _ stars: Int64, by author: Replica, at time: Int64) throws {
            let rating = Draft.set(.rating, on: .record(place), values: ["overall": .number(stars)])
            try author.say(rating, at: time, event.randomness)
        }

        func visit(_ place: Reference, by author: Replica, at time: Int64) throws {
            try author.say(.create(.checkIn, on: .record(place), values: [:]), at: time, event.randomness)
        }
    }

    private static func names(_ records: [ShownRecord]) -> [String] {
        records.compactMap { if case .text(let name)? = $0.values["name"] { name } else { nil } }
    }

    @Test func `ten people on ten nodes rate one place at once, and each node has the mean of ten`() throws {
        var event = try TestEvent(seed: 4401)
        let ana = event.founder
        let values: [String: Value] = [
            "name": .text("Stand"), "latitude": .number(1), "longitude": .number(2), "radius": .number(30),
        ]
        let place = try ana.say(.create(.place, on: .nothing, values: values), at: 3000, event.randomness)
        let nodes = [ana] + (try (1..<10).map { _ in try event.join() })
        try nodes.meet()
        for (number, node) in nodes.enumerated() {
            let stars = Int64(number % 5 + 1)
            let rating = Draft.set(
                .rating,
                on: .record(place),
                values: ["overall": .number(stars), "price_level": .number(min(4, stars))]
            )
            // Nobody has heard of another's.
            try node.say(rating, at: 5000, event.randomness)
        }
        try nodes.meet()
        for node in nodes {
            let rated = try #require(try node.aggregates(on: place, of: .place)["rating"])
            #expect(rated.count == 10 && rated.means["overall"] == 3 && rated.means["price_level"] == 2.8)
        }
    }

    @Test func `one lists where one was, what one rated and what one likes, and profiles count what all may see`()
        throws
    {
        let fair = try Fair(seed: 4402)
        let (bar, hall) = (try fair.place("Bar"), try fair.place("Hall", at: 4001))
        try fair.meet()
        for (place, time) in [(bar, 5000), (hall, 5001), (bar, 5002)] as [(Reference, Int64)] {
            try fair.visit(place, by: fair.bob, at: time)
        }
        try fair.rate(hall, 4, by: fair.bob, at: 5003)
        let liked = Draft.set(.favourite, on: .record(bar), values: ["on": .number(1)])
        try fair.bob.say(liked, at: 5004, fair.event.randomness)
        try fair.meet()
        func list(_ list: OwnPlaces, at replica: Replica) throws -> [String] {
            try Self.names(replica.places(list, before: nil, limit: 9).items)
        }
        #expect(try list(.visited, at: fair.bob) == ["Bar", "Hall"])
        #expect(try list(.rated, at: fair.bob) == ["Hall"] && list(.favourite, at: fair.bob) == ["Bar"])
        for one in OwnPlaces.allCases { #expect(try list(one, at: fair.ana).isEmpty) }
        let first = try fair.bob.places(.visited, before: nil, limit: 1)
        #expect(try Self.names(fair.bob.places(.visited, before: first.next, limit: 1).items) == ["Hall"])
        let profile = try fair.ana.profile(of: fair.bob.own.person)
        #expect(profile.visited == 2 && profile.rated == 1)
        // What is hidden is no part of anybody's number, not even for moderators.
        try fair.ana.say(.hide(hall, because: "rude"), at: 6000, fair.event.randomness)
        try fair.meet()
        let later = try fair.ana.profile(of: fair.bob.own.person)
        #expect(later.visited == 1 && later.rated == 0)
        #expect(try list(.visited, at: fair.bob) == ["Bar"])
    }

    @Test func `news near a point have what happens at its places, newest first, and nothing from elsewhere`() throws {
        let fair = try Fair(seed: 4403)
        let (bar, far) = (try fair.place("Bar"), try fair.place("Far", latitude: 560_000_000, at: 4001))
        try fair.meet()
        for (number, place) in [bar, far].enumerated() {
            let time = 5000 + Int64(number) * 10
            try fair.visit(place, by: fair.bob, at: time)
            try fair.rate(place, 5, by: fair.bob, at: time + 1)
            let comment = Draft.create(.comment, on: .record(place), values: ["text": .text("Nice")])
            try fair.bob.say(comment, at: time + 2, fair.event.randomness)
        }
        try fair.meet()
        let center = try #require(GridPosition(latitude: 557_800_000, longitude: 125_200_000))
        let circle = try #require(GridCircle(center: center, metres: 500))
        func told() throws -> [Kind] {
            try fair.ana.news { try $0.happenings(near: circle, hasDeals: true, limit: 9).items.map(\.kind) }
        }
        #expect(try told() == [.comment, .rating, .checkIn])
        try fair.rate(bar, 3, by: fair.bob, at: 5003)
        try fair.meet()
        #expect(try told() == [.rating, .comment, .checkIn])
        try fair.ana.mute(fair.bob.own.person)
        #expect(try told().isEmpty)
        try fair.ana.unmute(fair.bob.own.person)
        try fair.ana.say(.delete(bar), at: 6000, fair.event.randomness)
        #expect(try told().isEmpty)
    }

    @Test func `what people did at places is told once for each person and kind, and nothing that is old`() throws {
        let fair = try Fair(seed: 4404)
        let bar = try fair.place("Bar")
        try fair.meet()
        try fair.visit(bar, by: fair.bob, at: 5000)
        try fair.visit(bar, by: fair.bob, at: 6000)
        try fair.visit(bar, by: fair.ana, at: 5500)
        try fair.rate(bar, 5, by: fair.bob, at: 5700)
        try fair.meet()
        func times(since time: Int64) throws -> [Int64] {
            try fair.ana.placeDeeds { try $0.deeds(of: [.checkIn, .rating], since: time) }.map(\.at).sorted()
        }
        #expect(try times(since: 5000) == [5500, 5700, 6000] && times(since: 5600) == [5700, 6000])
        #expect(try fair.ana.placesLiked(since: 5000, hasRatings: true) == [bar])
        #expect(try fair.ana.placesLiked(since: 5000, hasRatings: false).isEmpty)
    }
}
