// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import TestSupport
import Testing

@testable import MingleReplica

/// Places by category, words, position, rating, hours and favourites.
struct PlaceFindingTests {
    private static let center = GridPosition(latitudeDegrees: 55.7, longitudeDegrees: 12.5)

    // MARK: - Categories

    @Test(arguments: ["Cafés", "CAFE", "caf.", "coffee", "kaffee"])
    func `each word for a category finds what is in it and below, and nothing else`(text: String) throws {
        let town = try Town(seed: 4401)
        let more = ["singular": "Café", "short": "caf.", "synonyms": "coffee, Kaffee"]
        let cafés = try town.category("Cafés", more)
        let roasters = try town.category("Roasters", in: cafés, at: 3501)
        let bars = try town.category("Bars", at: 3502)
        try town.place("Ada's", [cafés], at: 4000)
        try town.place("Bo's", [bars, roasters], at: 4001)
        // The word stands in its name, and it is no café.
        try town.place("Coffee Machines", [bars], at: 4002)
        let found = try town.find(text)
        #expect(Set(found.names) == ["Ada's", "Bo's"])
        #expect(found.category?.id == cafés && found.order == .rating)
        #expect(try town.find { $0.category = roasters }.names == ["Bo's"])
        // Both hold.
        #expect(try town.find(text) { $0.category = bars }.names == ["Bo's"])
    }

    @Test func `a deleted or hidden category finds nothing, and what was below it is found by itself`() throws {
        let town = try Town(seed: 4402)
        let kitchens = try town.category("Kitchens")
        let noodles = try town.category("Noodles", in: kitchens, at: 3501)
        let soups = try town.category("Soups", in: kitchens, at: 3502)
        try town.place("Kim's", [noodles])
        try town.place("Lee's", [soups], at: 4001)
        #expect(Set(try town.find("kitchens").names) == ["Kim's", "Lee's"])
        try town.ana.say(.hide(soups, because: "double"), at: 5000, town.event.randomness)
        #expect(try town.find("kitchens").names == ["Kim's"] && town.find("soups").names.isEmpty)
        try town.ana.say(.delete(kitchens), at: 5001, town.event.randomness)
        #expect(try town.find("kitchens").names.isEmpty && town.find("noodles").names == ["Kim's"])
        #expect(try town.find { $0.category = kitchens }.names.isEmpty)
    }

    @Test func `in a loop of categories the parent said last counts as none, on every node`() throws {
        let town = try Town(seed: 4403)
        let food = try town.category("Food")
        let noodles = try town.category("Noodles", in: food, at: 3501)
        try town.place("Kim's", [noodles])
        try town.place("Hall", [food], at: 4001)
        // Written last, although an earlier record.
        let loop = Draft.edit(food, .category, values: ["parent": .data(noodles.bytes)])
        try town.ana.say(loop, at: 5000, town.event.randomness)
        // Another word about the other one comes later and names no parent.
        let synonyms = Draft.edit(noodles, .category, values: ["synonyms": .text("pho")])
        try town.ana.say(synonyms, at: 6000, town.event.randomness)
        try town.meet()
        _ = try town.bob.recompute { $0.reverse() }
        for replica in [town.ana, town.bob] {
            #expect(Set(try town.find("food", at: replica).names) == ["Kim's", "Hall"])
            #expect(try town.find("pho", at: replica).names == ["Kim's"])
        }
    }

    // MARK: - Words

    @Test func `words are found in a place, its owner's page and its categories, the name's beginning first`() throws {
        let town = try Town(seed: 4404)
        let stands = try town.category("Food stands", ["synonyms": "streetfood"])
        let quay = try town.place("Quay", [stands], at: 4000)
        try town.place("Streetfood Market", at: 4001)
        try town.place("Old Hall", saying: ["description": .text("Streetfood all day")], at: 4002)
        try town.place("Streetfodd", at: 4003)
        #expect(Set(try town.find("street").names.prefix(2)) == ["Streetfood Market", "Streetfodd"])
        let names = try town.find("streetfoo").names
        #expect(names.first == "Streetfood Market" && names.last == "Streetfodd" && names.count == 4)
        #expect(try town.find("streetfood ma").names == ["Streetfood Market"])
        #expect(try town.find("streetfood hall").names == ["Old Hall"])
        let ownership = Draft.create(
            .ownership,
            on: .record(quay),
            values: ["person": .data(town.bob.own.person.bytes), "on": .number(1)]
        )
        try town.ana.say(ownership, at: 5000, town.event.randomness)
        try town.meet()
        let page = Draft.set(.placePage, on: .record(quay), values: ["text": .text("Lobster rolls")])
        try town.bob.say(page, at: 5001, town.event.randomness)
        try town.meet()
        for words in ["lobster", "lobster streetfood", "quay lobtser"] {
            #expect(try town.find(words).names == ["Quay"], "\(words)")
        }
        #expect(try town.find("c").names.isEmpty && town.find("!").names.isEmpty && town.find(" ").names.count == 4)
    }

    @Test func `what is near a place of some name is found, and a name that nobody knows is a word`() throws {
        let town = try Town(seed: 4405)
        let cafés = try town.category("Cafés", ["synonyms": "coffee"])
        try town.place("Far Café", [cafés], north: 40_000, at: 4000)
        try town.place("Close Café", [cafés], north: 900, at: 4001)
        try town.place("Station", north: 1000, saying: ["address": .text("Lyngby Torv 1")], at: 4002)
        try town.place("Museum", north: 30_000, saying: ["description": .text("Not far from Lyngby")], at: 4003)
        let found = try town.find("coffee near Lyngby")
        #expect(found.names == ["Close Café"] && found.order == .distance)
        #expect(found.around.map(FoundPlaces.name) == "Station" && found.category?.id == cafés)
        #expect(found.places.first?.metres.map { Int($0.rounded()) } == 100)
        #expect(try town.find("café cerca de lyngbi").names == ["Close Café"])
        #expect(try town.find("near station").names == ["Station", "Close Café"])
        let wide = try town.find("coffee bei Station") { $0.metres = 50_000 }
        #expect(wide.names == ["Close Café", "Far Café"])
        #expect(try town.find("coffee near Atlantis").around == nil)
        try town.place("Bar near Atlantis", at: 4004)
        #expect(try town.find("bar near atlantis").names == ["Bar near Atlantis"])
    }

    // MARK: - What narrows

    @Test func `positions, ratings, prices, hours and favourites narrow together`() throws {
        let town = try Town(seed: 4406)
        let zone = TimeZone.gmt
        let hours = OpeningHours([OpeningHours.Span(day: 3, from: 0, to: 60)].compactMap(\.self))?.bytes ?? []
        let near = try town.place("Near", north: 400, saying: ["hours": .data(hours)], at: 4000)
        let far = try town.place("Far", north: 2400, at: 4001)
        let away = try town.place("Away", north: 9000, at: 4002)
        try town.place("New", north: 100, at: 4003)
        try town.meet()
        try town.rate(near, 4, price: 2, by: town.ana)
        try town.rate(near, 5, price: 3, by: town.bob)
        try town.rate(far, 5, price: 1, by: town.ana)
        try town.rate(away, 1, by: town.ana)
        try town.meet()
        try town.ana.say(
            .set(.favourite, on: .record(far), values: ["on": .number(1)]),
            at: 7000,
            town.event.randomness
        )
        #expect(try town.find { $0.origin = Self.center }.names == ["New", "Near", "Far", "Away"])
        #expect(try town.find { ($0.origin, $0.metres) = (Self.center, 500) }.names == ["New", "Near"])
        #expect(try town.find { ($0.origin, $0.isWide) = (Self.center, true) }.names == ["New", "Near", "Far"])
        #expect(try town.find().names == ["Near", "Far", "New", "Away"] && town.find().order == .rating)
        #expect(try town.find { $0.leastRating = 4500 }.names == ["Near", "Far"])
        #expect(try town.find { $0.leastRating = 4501 }.names == ["Far"])
        #expect(try town.find { $0.highestPrice = 2 }.names == ["Far"])
        #expect(try town.find { ($0.highestPrice, $0.leastRating) = (3, 1000) }.names == ["Near", "Far"])
        #expect(try town.find { ($0.leastRating, $0.hasRatings) = (1000, false) }.names.isEmpty)
        #expect(try town.find { $0.isFavourite = true }.names == ["Far"])
        #expect(try town.find("", at: town.bob) { $0.isFavourite = true }.names.isEmpty)
        // The first of 1970 was a Thursday.
        let opening = { PlaceQuery.Opening(time: Timestamp(milliseconds: $0 * 60_000), zone: zone) }
        #expect(try town.find { $0.opening = opening(59) }.names == ["Near"])
        #expect(try town.find { $0.opening = opening(60) }.names.isEmpty)
        let south = try #require(
            GridRectangle(south: 557_000_000, west: 124_000_000, north: 557_100_000, east: 126_000_000)
        )
        #expect(try town.find { ($0.rectangle, $0.origin) = (south, Self.center) }.names == ["New", "Near"])
        #expect(try town.find("near") { $0.rectangle = south }.names == ["Near"])
    }

    @Test func `a rating that is changed or taken out of sight counts as it is now`() throws {
        let town = try Town(seed: 4407)
        let place = try town.place("Stand")
        try town.meet()
        try town.rate(place, 5, by: town.bob)
        try town.meet()
        #expect(try town.find { $0.leastRating = 5000 }.names == ["Stand"])
        let worse = Draft.set(.rating, on: .record(place), values: ["overall": .number(2)])
        try town.bob.say(worse, at: 7000, town.event.randomness)
        try town.meet()
        #expect(try town.find { $0.leastRating = 2001 }.names.isEmpty)
        #expect(try town.find { $0.leastRating = 2000 }.names == ["Stand"])
    }

    @Test func `nobody finds what is hidden, and what muted people say`() throws {
        let town = try Town(seed: 4408)
        let cafés = try town.category("Cafés")
        let place = try town.place("Rude Café", [cafés], by: town.bob)
        try town.place("Nice Café", [cafés], at: 4001)
        try town.meet()
        try town.ana.say(.hide(place, because: "rude"), at: 5000, town.event.randomness)
        try town.meet()
        let carl = try town.event.reader()
        try [town.ana, carl].meet()
        for text in ["", "rude", "cafés", "café near rude"] {
            #expect(try !town.find(text, at: carl).names.contains("Rude Café"), "\(text)")
            #expect(try town.find(text, at: carl).around == nil)
        }
        #expect(try carl.suggestPlaces("rude", near: nil).places.isEmpty)
        // A moderator and its author look at it.
        #expect(try town.find("rude", at: town.bob).names == ["Rude Café"] && town.find("rude").names == ["Rude Café"])
        try town.bob.mute(town.ana.own.person)
        #expect(try town.find("nice", at: town.bob).names.isEmpty && town.find("", at: town.bob).names == ["Rude Café"])
        #expect(try town.bob.suggestPlaces("cafés", near: nil).categories.isEmpty)
    }

    // MARK: - Suggestions

    @Test func `suggestions begin with categories, then names that begin so, then words with an error`() throws {
        let town = try Town(seed: 4409)
        let drinks = try town.category("Drinks")
        try town.category("Coffee bars", in: drinks, at: 3501)
        try town.place("Toffee Shop", at: 4000)
        try town.place("Iced Coffee", north: 500, at: 4001)
        try town.place("Coffee House", north: 900, at: 4002)
        try town.place("Coffee Home", north: 700, at: 4003)
        let found = try town.ana.suggestPlaces("coffee", near: Self.center)
        #expect(found.categories.compactMap { $0.parent.map(FoundPlaces.name) } == ["Drinks"])
        #expect(
            found.places.map(FoundPlaces.name) == ["Coffee Home", "Coffee House", "Iced Coffee", "Toffee Shop"]
        )
        #expect(try town.ana.suggestPlaces("cof", near: nil).places.count == 3)
        #expect(try town.ana.suggestPlaces("c", near: nil).places.isEmpty)
    }

    // MARK: - Laws

    @Test(arguments: LawSeeds.first(6))
    func `equal replicas find the same in the same order, in whatever order it came`(seed: UInt64) throws {
        let town = try Town(seed: 4410 + seed)
        var numbers = SplitMix(seed: seed)
        var categories: [Reference] = []
        for number in 0..<8 {
            let parent = numbers.chance(60) ? categories.randomElement(using: &numbers) : nil
            categories.append(
                try town.category("\(numbers.word(2...4, of: "abc"))", in: parent, at: 3500 + Int64(number))
            )
        }
        for category in categories where numbers.chance(40) {
            let parent = Value.data(numbers.pick(categories).bytes)
            let time = 3600 + Int64.random(in: 0..<3, using: &numbers)
            try town.ana.say(.edit(category, .category, values: ["parent": parent]), at: time, town.event.randomness)
        }
        for number in 0..<60 {
            let name = "\(numbers.word(2...5, of: "abc")) \(numbers.word(2...5, of: "abc"))"
            let metres = Double(Int.random(in: 0..<4, using: &numbers) * 700)
            let place = try town.place(name, [numbers.pick(categories)], north: metres, at: 4000 + Int64(number / 3))
            if numbers.chance(50) { try town.rate(place, Int64.random(in: 1...5, using: &numbers), by: town.ana) }
        }
        let anew = try town.event.reader()
        try anew.receiveAll(from: town.ana)
        _ = try anew.recompute { $0.shuffle(using: &numbers) }
        for text in ["", "ab", "abc", "bca cab", "ab near ca", "aabc"] {
            for origin in [nil, Self.center] {
                let found = try [town.ana, anew].map { replica in
                    try town.find(text, at: replica) { $0.origin = origin }
                }
                #expect(found[0].places.map(\.id) == found[1].places.map(\.id), "'\(text)'")
                #expect(found[0].category?.id == found[1].category?.id && found[0].around?.id == found[1].around?.id)
            }
        }
        for category in categories {
            let found = try [town.ana, anew].map { replica in try town.find("", at: replica) { $0.category = category }
            }
            #expect(found[0].names == found[1].names)
        }
    }
}
