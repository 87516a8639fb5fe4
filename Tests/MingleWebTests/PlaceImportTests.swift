// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Places that a host imports.
@Suite(.timeLimit(.minutes(2)))
struct PlaceImportTests {
    /// Lends an event with places.
    private func withFair(_ body: (Browser) async throws -> Void) async throws {
        try await withSilentNode { browser in
            let event = try await browser.node.createEvent(title: "Fair")
            var change = API.Envelope.EventChange()
            change.areas = Area.allCases.map(\.word)
            _ = try await browser.node.changeEvent(event.id, change)
            try await body(browser)
        }
    }

    private func place(_ name: String, _ latitude: Double = 55.6, _ source: String? = nil) -> API.ImportedPlace {
        var place = API.ImportedPlace(name: name, latitude: latitude, longitude: 12.5)
        place.source = source
        return place
    }

    private func bring(_ request: API.PlaceImport, _ browser: Browser) async throws -> API.PlaceImportOutcome {
        let json = String(decoding: try API.encode(request), as: UTF8.self)
        return try await browser.value(API.PlaceImportOutcome.self, .post, "places/import", json)
    }

    private func list(_ browser: Browser, _ path: String) async throws -> [API.JSON] {
        let answer = try API.decode(API.JSON.self, from: Data(await browser.call(.get, "\(path)?limit=500").bytes))
        if case .list(let list)? = answer[path] { return list }
        return []
    }

    private func counts(_ outcome: API.PlaceImportOutcome) -> [Int] { [outcome.made, outcome.changed, outcome.known] }

    @Test func `places come in once, and what the file says anew changes them`() async throws {
        try await withFair { browser in
            // Two of one name and place are two where their sources differ.
            let file = [place("Stall", 55.6, "osm:node/1"), place("Stall", 55.6, "osm:node/2"), place("Tent", 55.7)]
            #expect(try await counts(bring(API.PlaceImport(places: file), browser)) == [3, 0, 0])
            #expect(try await counts(bring(API.PlaceImport(places: file), browser)) == [0, 0, 3])
            // By its source one is known that moved and has another name; by its name one within 25 metres.
            var moved = place("Stall of Ana", 55.65, "osm:node/1")
            moved.telephone = "123"
            let near = place("  TÉNT ", 55.7002), far = place("Tent", 55.701)
            let again = API.PlaceImport(places: [moved, near, far])
            let planned = try await bring(API.PlaceImport(places: again.places, dryRun: true), browser)
            #expect(counts(planned) == [1, 2, 0])
            #expect(try await list(browser, "places").count == 3)
            #expect(try await counts(bring(again, browser)) == [1, 2, 0])
            let places = try await list(browser, "places")
            #expect(places.count == 4 && places.contains { $0["name"] == "Stall of Ana" && $0["telephone"] == "123" })
        }
    }

    @Test func `categories that the event lacks are made below those that the mapping names`() async throws {
        try await withFair { browser in
            #expect(try await browser.call(.post, "categories", #"{"name":"cafe"}"#).status == 201)
            var (stall, bar) = (place("Stall", 55.6), place("Bar", 55.7))
            (stall.categories, bar.categories) = (["Café", "Waffles"], ["Bars"])
            var waffles = API.ImportedCategory(name: "Waffles")
            (waffles.parent, waffles.synonyms) = ("Food", "gofre")
            let request = API.PlaceImport(places: [stall, bar], categories: [waffles])
            let planned = try await bring(
                API.PlaceImport(places: [stall, bar], categories: [waffles], dryRun: true),
                browser
            )
            #expect(planned.categories == ["Food", "Waffles", "Bars"] && planned.made == 2)
            #expect(try await bring(request, browser).categories.count == 3)
            let categories = try await list(browser, "categories")
            let ids = Dictionary(categories.map { ($0["name"]?.text ?? "", $0["id"]) }) { first, _ in first }
            #expect(Set(ids.keys) == ["cafe", "Waffles", "Food", "Bars"])
            #expect(
                categories.contains {
                    $0["name"] == "Waffles" && $0["parent"] == ids["Food"] && $0["synonyms"] == "gofre"
                }
            )
            let places = try await list(browser, "places")
            #expect(places.contains { $0["categories"] == .list(["cafe", "Waffles"].compactMap { ids[$0] ?? nil }) })
            #expect(try await counts(bring(request, browser)) == [0, 0, 2])
        }
    }

    @Test func `a place that cannot be is named, and the others come in`() async throws {
        try await withFair { browser in
            var four = place("Four", 10)
            four.categories = ["A", "B", "C", "D"]
            var long = place("Long", 20)
            long.telephone = String(repeating: "1", count: 51)
            let file = [place("Good", 30), four, place("  ", 40), place("North", 91), long, place("good", 30)]
            let outcome = try await bring(API.PlaceImport(places: file), browser)
            #expect(outcome.made == 1 && outcome.categories.isEmpty && outcome.leftOut.map(\.index) == [1, 2, 3, 4, 5])
            #expect(outcome.leftOut[1].detail.contains("name") && outcome.leftOut[3].detail.contains("telephone"))
            let many = API.PlaceImport(places: Array(repeating: place("A"), count: 501))
            let json = String(decoding: try API.encode(many), as: UTF8.self)
            #expect(try await browser.call(.post, "places/import", json).isProblem(.tooLarge, "500"))
        }
    }
}
