// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import MingleModel

/// What decides which places a search finds, and in which order.
struct PlaceSearchTests {
    // MARK: - Hours

    private func time(_ text: String) throws -> Timestamp {
        let date = try Date(text, strategy: .iso8601)
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    @Test func `a place is open by the clocks of its time zone, past midnight and the week's end`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Copenhagen"))
        // Sunday from 18:00 to 02:00, Monday from 9:00 to 17:00.
        let spans = [
            OpeningHours.Span(day: 6, from: 1080, to: 1560), OpeningHours.Span(day: 0, from: 540, to: 1020),
        ]
        let hours = try #require(OpeningHours(spans.compactMap(\.self)))
        for (text, isOpen) in [
            ("2026-06-21T15:59:59Z", false), ("2026-06-21T16:00:00Z", true), ("2026-06-21T23:59:59Z", true),
            ("2026-06-22T00:00:00Z", false), ("2026-06-22T07:00:00Z", true), ("2026-06-22T15:00:00Z", false),
            ("1970-01-01T00:00:00Z", false), ("1970-01-04T17:00:00Z", true),
        ] {
            #expect(hours.isOpen(at: try time(text), in: zone) == isOpen, "\(text)")
        }
    }

    @Test func `in a night in which clocks change a place closes when they show it`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Copenhagen"))
        let night = try #require(OpeningHours.Span(day: 5, from: 1320, to: 1440 + 210))
        let hours = try #require(OpeningHours([night]))
        // On 29 March clocks go from 2:00 to 3:00, on 25 October from 3:00 to 2:00; it closes at 3:30.
        for (text, isOpen) in [
            ("2026-03-29T00:59:59Z", true), ("2026-03-29T01:00:00Z", true), ("2026-03-29T01:29:00Z", true),
            ("2026-03-29T01:30:00Z", false), ("2026-10-25T00:30:00Z", true), ("2026-10-25T01:30:00Z", true),
            ("2026-10-25T02:29:00Z", true), ("2026-10-25T02:30:00Z", false),
        ] {
            #expect(hours.isOpen(at: try time(text), in: zone) == isOpen, "\(text)")
        }
    }

    // MARK: - Categories

    private func category(_ number: UInt64) -> Reference {
        Reference(device: 1, journal: .content, sequence: UInt32(number), hash: number)
    }

    private func tree(_ parents: [UInt64: UInt64], among shown: ClosedRange<UInt64>) -> CategoryTree {
        let named = Dictionary(uniqueKeysWithValues: parents.map { (category($0.key), category($0.value)) })
        return CategoryTree(named, among: Set(shown.map(category))) { $0.max { $0.hash < $1.hash } ?? $0[0] }
    }

    @Test func `a category has all below it, and a parent that is not shown is none`() {
        let tree = tree([2: 1, 3: 2, 4: 2, 5: 9], among: 1...5)
        #expect(tree.subtree(of: category(1)) == Set((1...4).map { category($0) }))
        #expect(tree.subtree(of: category(2)) == Set((2...4).map { category($0) }))
        #expect(tree.parent(of: category(5)) == nil && tree.parent(of: category(4)) == category(2))
    }

    @Test func `in a loop the parent said last is none, and what hangs below stays there`() {
        // 1 → 2 → 3 → 1, with 4 below 2, and 5 below itself.
        let tree = tree([1: 2, 2: 3, 3: 1, 4: 2, 5: 5], among: 1...5)
        #expect(tree.parent(of: category(3)) == nil && tree.parent(of: category(5)) == nil)
        #expect(tree.subtree(of: category(3)) == Set((1...4).map { category($0) }))
        #expect(tree.subtree(of: category(1)) == [category(1)])
    }

    @Test(arguments: LawSeeds.first(20))
    func `whoever is whose parent, each category has one way to the top`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let count: UInt64 = 30
        let pairs = (1...count).filter { _ in numbers.chance(90) }.map {
            ($0, UInt64.random(in: 1...count, using: &numbers))
        }
        let tree = tree(Dictionary(uniqueKeysWithValues: pairs), among: 1...count)
        for number in 1...count {
            var (way, next) = ([Reference](), tree.parent(of: category(number)))
            while let parent = next, way.count <= Int(count) {
                way.append(parent)
                next = tree.parent(of: parent)
            }
            #expect(way.count < Int(count))
            #expect(way.allSatisfy { tree.subtree(of: $0).contains(category(number)) })
        }
    }

    // MARK: - Texts

    @Test func `what is looked for and what it is near are told apart in three languages`() {
        for (text, what, place) in [
            ("coffee near Lyngby", "coffee", "Lyngby"), ("Kaffee nahe bei Halle 7", "Kaffee", "Halle 7"),
            ("tapas  CERCA DE la plaza", "tapas", "la plaza"), ("bar cerca del puerto", "bar", "puerto"),
            ("Bier bei Anna", "Bier", "Anna"), ("near the stage", "", "the stage"),
            ("bar near the hall near Lyngby", "bar near the hall", "Lyngby"),
        ] {
            let phrase = NearPhrase(text)
            #expect(phrase?.what == what && phrase?.place == place, "\(text)")
        }
        for text in ["coffee", "coffee near", "nearly coffee", "cerca", "cerca la plaza", "nahe bei", ""] {
            #expect(NearPhrase(text) == nil, "\(text)")
        }
    }

    @Test(arguments: LawSeeds.first(10))
    func `one word is found with an error by itself as it is among many`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        for _ in 0..<200 {
            let (query, word) = (numbers.word(4...7, of: "abc"), numbers.word(3...8, of: "abc"))
            let patterns = try #require(OneErrorPatterns(of: query))
            let isFound = patterns.find(word) || word.hasPrefix(query)
            #expect(isFound == EditDistance.isForgiven(query, in: word), "\(query) \(word)")
        }
    }

    // MARK: - Squares

    @Test func `a wide area has its corners, and nothing beyond its edges`() throws {
        let center = try #require(GridPosition(latitudeDegrees: 55.7, longitudeDegrees: 12.5))
        let square = GridRectangle(about: center, metres: 5000)
        // A degree of latitude has 111 195 m; at 55.7° a degree of longitude has 0.5635 of that.
        let (north, east) = (2499.0 / 111_194.93, 2499.0 / (111_194.93 * cos(55.7 * .pi / 180)))
        for (latitude, longitude) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1), (0, 1), (1, 0)] {
            let at = { (part: Double) in
                GridPosition(
                    latitudeDegrees: 55.7 + latitude * north * part,
                    longitudeDegrees: 12.5 + longitude * east * part
                )
            }
            let (inside, outside) = (try #require(at(1)), try #require(at(1.001)))
            #expect(square.contains(inside) && !square.contains(outside))
        }
        let corner = try #require(GridPosition(latitude: square.north, longitude: square.east))
        #expect(square.contains(corner))
        let pole = try #require(GridPosition(latitudeDegrees: 89.999, longitudeDegrees: 0))
        let behind = try #require(GridPosition(latitudeDegrees: 89.999, longitudeDegrees: 180))
        #expect(GridRectangle(about: pole, metres: 5000).contains(behind))
    }

    // MARK: - Ranks

    @Test func `a name that is the text comes first, then one that begins so, then what fits better`() {
        let query = ["green", "cof"]
        let fits = [["green", "cof"], ["green", "coffee", "bar"], ["coffee", "green"]].map {
            PlaceRank.fit(5, name: $0, query: query)
        }
        #expect(fits == [13, 9, 5])
        let ranks = [
            PlaceRank(fit: 9, metres: 3, tie: 1), PlaceRank(fit: 5, metres: 1.9, tie: 2),
            PlaceRank(fit: 5, metres: 1.2, tie: 1), PlaceRank(fit: 5, metres: 2, tie: 9),
        ]
        #expect(ranks.reversed().sorted() == ranks)
    }

    @Test func `one person's five does not outrank a hundred, and nobody's rating passes no filter`() {
        var (one, many, poor) = (PlaceRating(), PlaceRating(), PlaceRating())
        one.add(1, overall: 5, price: nil)
        many.add(90, overall: 5, price: 2)
        many.add(10, overall: 4, price: 4)
        poor.add(4, overall: 1, price: 3)
        #expect([poor, PlaceRating(), one, many].map(\.rank) == [1857, 3000, 3500, 4844])
        #expect(many.isAtLeast(thousandths: 4900) && !many.isAtLeast(thousandths: 4901))
        #expect(!PlaceRating().isAtLeast(thousandths: 1000) && PlaceRating().priceLevel == nil)
        #expect(many.priceLevel == 2 && poor.priceLevel == 3 && one.priceLevel == nil)
    }
}
