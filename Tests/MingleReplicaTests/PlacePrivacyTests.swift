// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

@testable import MingleReplica

/// What places, claims and feedback tell nobody who is not to know it.
struct PlacePrivacyTests {
    @Test func `others' claims and feedback are read by moderators, and by none that was one before`() throws {
        var town = try Town(seed: 4501)
        let place = try town.place("Bar")
        let (carl, dora) = (try town.event.join(), try town.event.join())
        let everybody = [town.ana, town.bob, carl, dora]
        try town.ana.say(.setLevel(town.bob.own.person, .moderator), at: 4001, town.event.randomness)
        try everybody.meet()
        try carl.say(.set(.claim, on: .record(place), values: ["on": .number(1)]), at: 5000, town.event.randomness)
        let words = Draft.create(.feedback, on: .nothing, values: ["text": .text("Too loud")])
        try carl.say(words, at: 5001, town.event.randomness)
        try everybody.meet()
        func read() throws -> [Int] {
            try everybody.map { try $0.records(of: .claim).items.count + $0.records(of: .feedback).items.count }
        }
        #expect(try read() == [2, 2, 2, 0])
        try town.ana.say(.setLevel(town.bob.own.person, .attendee), at: 6000, town.event.randomness)
        try everybody.meet()
        #expect(try read() == [2, 0, 2, 0])
    }

    @Test func `what muted people do, what one does at their places, and what is hidden count nowhere`() throws {
        let town = try Town(seed: 4502)
        let (bar, den) = (try town.place("Bar"), try town.place("Den", by: town.bob, at: 4001))
        try town.meet()
        for (author, place) in [(town.bob, bar), (town.ana, den)] {
            try author.say(.create(.checkIn, on: .record(place), values: [:]), at: 5000, town.event.randomness)
            try town.rate(place, 5, by: author)
        }
        try town.meet()
        func deeds() throws -> Int {
            try town.ana.placeDeeds { try $0.deeds(of: [.checkIn, .rating], since: 0).count }
        }
        func visited() throws -> [Int] {
            let listed = try town.ana.places(.visited, before: nil, limit: 9).items.count
            return [listed, try town.ana.profile(of: town.ana.own.person).visited]
        }
        func exported() throws -> Int {
            var query = RecordQuery()
            query.isShown = true
            return try town.ana.records(of: .checkIn, query).items.count
        }
        #expect(try deeds() == 4 && visited() == [1, 1] && exported() == 2)
        #expect(try town.ana.placesLiked(since: 0, hasRatings: true) == [bar, den])
        try town.ana.mute(town.bob.own.person)
        #expect(try deeds() == 0 && visited() == [0, 0] && exported() == 0)
        #expect(try !town.ana.placesLiked(since: 0, hasRatings: true).contains(bar))
        try town.ana.unmute(town.bob.own.person)
        try town.ana.say(.hide(bar, because: "rude"), at: 7000, town.event.randomness)
        #expect(try deeds() == 2 && town.ana.placesLiked(since: 0, hasRatings: true) == [den])
        // One's own rating of what is hidden does not say what that is.
        try town.meet()
        let named = try town.bob.news { reader in
            try reader.happenings(limit: 9).items.compactMap { try reader.named($0.target)?.title }
        }
        #expect(Set(named) == ["Den"])
    }

    @Test func `an import knows hosts' places by their source, and none that is hidden`() throws {
        let town = try Town(seed: 4503)
        let source = ["source": Value.text("osm:node/1")]
        try town.place("Stall", north: 500, saying: source, by: town.bob)
        let tent = try town.place("Tent", at: 4001)
        try town.meet()
        let center = try #require(GridPosition(latitudeDegrees: 55.7, longitudeDegrees: 12.5))
        func known(_ name: String, _ source: String? = nil) throws -> Reference? {
            try town.ana.knownPlaces([PlaceMark(source: source, name: name, position: center)])[0]
        }
        #expect(try known("Stand", "osm:node/1") == nil && known("Tent") == tent)
        let own = try town.place("Stall", north: 900, saying: source, at: 4002)
        #expect(try known("Stand", "osm:node/1") == own)
        try town.ana.say(.hide(tent, because: "gone"), at: 5000, town.event.randomness)
        #expect(try known("Tent") == nil)
    }
}
