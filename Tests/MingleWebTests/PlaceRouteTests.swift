// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Finding places by the API; what is found is tested in PlaceFindingTests.
@Suite(.timeLimit(.minutes(2)))
struct PlaceRouteTests {
    private struct Town {
        let browser: Browser
        let event: String

        func json(_ answer: Answer) throws -> API.JSON { try API.decode(API.JSON.self, from: Data(answer.bytes)) }

        func make(_ path: String, _ body: String) async throws -> String {
            let answer = try await browser.call(.post, path, body)
            return try #require(json(answer)["id"]?.text, "\(answer.text)")
        }

        func get(_ path: String) async throws -> API.JSON { try json(try await browser.call(.get, path)) }

        func names(_ query: String) async throws -> [String] {
            guard case .list(let places)? = try await get("places/find?\(query)")["places"] else { return ["none"] }
            return places.compactMap { $0["name"]?.text }
        }

        func setAreas(_ words: String) async throws {
            _ = try await browser.call(.put, "events/\(event)", #"{"areas":[\#(words)],"time_zone":"Asia/Tokyo"}"#)
        }
    }

    /// Lends an event with two cafés, one above the other in the tree of categories.
    private func withTown(_ body: (Town, _ cafés: String) async throws -> Void) async throws {
        try await withEvent { browser async throws in
            let town = Town(browser: browser, event: try #require(try browser.node.status(event: nil).current?.id))
            try await town.setAreas(#""venues","ratings""#)
            let cafés = try await town.make("categories", #"{"name":"Cafés","synonyms":"coffee"}"#)
            let roasters = try await town.make("categories", #"{"name":"Roasters","parent":"\#(cafés)"}"#)
            let always = OpeningHours.days.map { #""\#($0)":[["00:00","24:00"]]"# }.joined(separator: ",")
            let place = { (name: String, latitude: Double, more: String) in
                #"{"name":"\#(name)","latitude":\#(latitude),"longitude":12.5,"radius_m":20,\#(more)}"#
            }
            let open = #""categories":["\#(cafés)"],"hours":{\#(always)}"#
            _ = try await town.make("places", place("Ada", 55.6, open))
            _ = try await town.make("places", place("Bo", 55.61, #""categories":["\#(roasters)"]"#))
            try await body(town, cafés)
        }
    }

    @Test func `places are found by a synonym of their category, with distance, opening and how they are rated`()
        async throws
    {
        try await withTown { town, cafés async throws in
            let found = try await town.get("places/find?q=Coffee&near=55.6,12.5")
            guard case .list(let places)? = found["places"] else { throw TooLate(what: "places") }
            #expect(places.map { $0["name"] } == ["Ada", "Bo"] && places[1]["distance_m"] == 1112)
            #expect(places[0]["open"] == true && places[1]["open"] == nil)
            #expect(found["category"]?["id"] == .text(cafés) && found["order"] == "distance" && found["around"] == nil)
            let id = try #require(places[1]["id"]?.text)
            #expect(try await town.get("places/\(try #require(places[0]["id"]?.text))")["open"] == true)
            _ = try await town.browser.call(.put, "ratings/\(id)", #"{"overall":4,"price_level":2}"#)
            _ = try await town.browser.call(.put, "favourites/\(id)", "{}")
            for query in ["rating=4", "price=2", "favourite=true", "wide=true&near=55.63,12.5", "q=roasters", "q=bo"] {
                #expect(try await town.names(query) == ["Bo"], "\(query)")
            }
            for query in [
                "open=true", "radius_m=500&near=55.6,12.5", "within=55,12,55.605,13", "limit=1&near=55.6,12.5",
            ] {
                #expect(try await town.names(query) == ["Ada"], "\(query)")
            }
            #expect(try await town.names("rating=4.1").isEmpty)
            #expect(try await town.names("category=\(cafés)").count == 2)
            let near = try await town.get("places/find?q=coffee%20near%20bo&radius_m=100")
            #expect(near["around"]?["name"] == "Bo" && near["around"]?["latitude"] == 55.61)
        }
    }

    @Test func `what is typed is completed to a category and places`() async throws {
        try await withTown { town, cafés async throws in
            let text = try await town.browser.call(.get, "places/suggest?q=co").text
            #expect(text == #"{"suggestions":[{"id":"\#(cafés)","kind":"category","text":"Cafés"}]}"#)
            let roasters = try await town.browser.call(.get, "places/suggest?q=roa").text
            #expect(roasters.contains(#""detail":"Cafés""#))
            #expect(try await town.browser.call(.get, "places/suggest?q=ada").text.contains(#""kind":"place""#))
            #expect(try await town.browser.call(.get, "places/suggest?q=a").text == #"{"suggestions":[]}"#)
        }
    }

    @Test func `a place needs one to three categories once the event has some`() async throws {
        try await withTown { town, cafés async throws in
            let place = #""name":"C","latitude":55.6,"longitude":12.5,"radius_m":20"#
            let none = try await town.browser.call(.post, "places", "{\(place)}")
            #expect(none.isProblem(.badRequest, "1 to 3 `categories`"))
            let empty = try await town.browser.call(.post, "places", #"{\#(place),"categories":[]}"#)
            #expect(empty.isProblem(.badRequest, "1 to 3 `categories`"))
            var four = [cafés]
            for name in ["D", "E", "F"] { four.append(try await town.make("categories", #"{"name":"\#(name)"}"#)) }
            let list = four.map { #""\#($0)""# }.joined(separator: ",")
            let many = try await town.browser.call(.post, "places", #"{\#(place),"categories":[\#(list)]}"#)
            #expect(many.isProblem(.badRequest, "at most 3"))
            let made = try await town.make("places", #"{\#(place),"categories":["\#(cafés)"]}"#)
            let cleared = try await town.browser.call(.patch, "places/\(made)", #"{"categories":null}"#)
            #expect(cleared.isProblem(.badRequest, "1 to 3"))
            #expect(try await town.browser.call(.patch, "places/\(made)", #"{"name":"G"}"#).status == 200)
        }
    }

    @Test func `where places or ratings are off neither is found by them`() async throws {
        try await withTown { town, _ async throws in
            let found = try await town.get("places/find?q=ada")
            guard case .list(let places)? = found["places"] else { throw TooLate(what: "places") }
            let id = try #require(places.first?["id"]?.text)
            _ = try await town.browser.call(.put, "ratings/\(id)", #"{"overall":5}"#)
            #expect(try await town.names("rating=5") == ["Ada"])
            try await town.setAreas(#""venues""#)
            #expect(try await town.names("rating=5").isEmpty)
            #expect(try await town.names("q=ada") == ["Ada"])
            try await town.setAreas(#""moments""#)
            #expect(try await town.names("q=ada").isEmpty)
            #expect(try await town.browser.call(.get, "places/suggest?q=ada").text == #"{"suggestions":[]}"#)
        }
    }

    @Test(arguments: [
        ("near=95,0", "`near`"), ("near=1", "`near`"), ("radius_m=100", "`near`"), ("wide=true", "`near`"),
        ("near=1,1&radius_m=0", "`radius_m`"), ("within=2,0,1,0", "`within`"), ("price=5", "`price`"),
        ("rating=0.5", "`rating`"), ("rating=nan", "`rating`"), ("open=maybe", "`open`"), ("limit=41", "`limit`"),
        ("stars=5", "`stars`"),
    ])
    func `what is wrong with a search is said by the name of its parameter`(query: String, words: String) async throws {
        try await withEvent { browser async throws in
            #expect(try await browser.call(.get, "places/find?\(query)").isProblem(.badRequest, words))
        }
    }
}
