// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// The calls that follow from the declarations of kinds; Tests/Api makes each of them.
@Suite(.timeLimit(.minutes(2)))
struct KindRouteTests {
    private static let bar = #"{"name":"Bar","latitude":55.6,"longitude":12.5,"radius_m":100}"#

    /// Lends an event with all areas, and a place in it.
    private func withPlace(_ body: (Browser, String) async throws -> Void) async throws {
        try await withEvent { browser async throws in
            let id = try #require(try browser.node.status(event: nil).current?.id)
            var change = API.Envelope.EventChange()
            change.areas = Area.allCases.map(\.word)
            _ = try await browser.node.changeEvent(id, change)
            let made = try await browser.call(.post, "places", Self.bar)
            try await body(browser, try #require(Self.json(made)["id"]?.text))
        }
    }

    private static func json(_ answer: Answer) throws -> API.JSON {
        try API.decode(API.JSON.self, from: Data(answer.bytes))
    }

    @Test func `a place is made, found by name and position, changed, rated and deleted`() async throws {
        try await withPlace { browser, id async throws in
            let near = try Self.json(await browser.call(.get, "places?near=55.6005,12.5&radius_m=200"))
            guard case .list(let places)? = near["places"], let place = places.first else { throw TooLate(what: "it") }
            #expect(place["id"] == .text(id) && place["distance_m"] == 56 && place["name"] == "Bar")
            for (query, count) in [("q=bra", 0), ("q=ba", 1), ("within=55,12,56,13", 1), ("within=50,12,51,13", 0)] {
                let list = try Self.json(await browser.call(.get, "places?\(query)"))
                guard case .list(let found)? = list["places"] else { throw TooLate(what: "a list") }
                #expect(found.count == count, "\(query)")
            }
            let changed = try Self.json(await browser.call(.patch, "places/\(id)", #"{"description":"Loud"}"#))
            #expect(changed["description"] == "Loud" && changed["name"] == "Bar")
            #expect(try await browser.call(.put, "ratings/\(id)", #"{"overall":4}"#).status == 200)
            let rated = try Self.json(await browser.call(.get, "places/\(id)"))
            #expect(rated["ratings"]?["means"]?["overall"] == 4 && rated["ratings"]?["mine"]?["overall"] == 4)
            #expect(try await browser.call(.delete, "places/\(id)").status == 204)
            #expect(try await browser.call(.get, "places/\(id)").isProblem(.notFound))
        }
    }

    @Test func `a place has a code that leads to its page`() async throws {
        try await withPlace { browser, id async throws in
            let code = try await browser.call(.get, "places/\(id)/code.svg")
            #expect(code.status == 200 && code.headers[.contentType] == "image/svg+xml")
            let other = try #require(try Self.json(await browser.call(.post, "places", Self.bar))["id"]?.text)
            #expect(try await browser.call(.get, "places/\(other)/code.svg").text != code.text)
            #expect(try await browser.call(.delete, "places/\(id)").status == 204)
            #expect(try await browser.call(.get, "places/\(id)/code.svg").isProblem(.notFound))
        }
    }

    @Test func `a photo of a place stands in the list of the place, and in no moment`() async throws {
        try await withPlace { browser, id async throws in
            let photo = try await browser.share(Picture.small, "name=a.jpg&target=\(id)")
            #expect(photo.place == id && photo.moment == nil)
            let again = try await browser.send(
                .put,
                "/api/v1/photos?name=a.jpg&target=\(id)",
                body: .parts([try Picture.small])
            )
            #expect(again.status == 200)
            let photos = try await browser.value(API.Envelope.Photos.self, .get, "photos?target=\(id)").photos
            #expect(photos.map(\.id) == [photo.id])
        }
    }

    @Test func `a deal needs a place of one's own`() async throws {
        try await withPlace { browser, id async throws in
            let times = #""start":"2026-06-20T18:00:00Z","end":"2026-06-20T20:00:00Z""#
            let deal = #"{"target":"\#(id)","title":"Two for one",\#(times)}"#
            #expect(try await browser.call(.post, "deals", deal).isProblem(.notAllowed, "own"))
            let me = try #require(try browser.node.people(event: nil).people.first?.id)
            let owning = #"{"target":"\#(id)","person":"\#(me)"}"#
            #expect(try await browser.call(.post, "ownerships", owning).status == 201)
            let made = try await browser.call(.post, "deals", deal)
            #expect(made.status == 201)
            let early = #"{"end":"2026-06-20T17:00:00Z"}"#
            let path = "deals/\(try #require(Self.json(made)["id"]?.text))"
            #expect(try await browser.call(.patch, path, early).isProblem(.badRequest, "`end`"))
        }
    }

    @Test func `in an area that is off nothing is written and nothing listed, and what was written comes back`()
        async throws
    {
        try await withPlace { browser, _ async throws in
            let event = try #require(try browser.node.status(event: nil).current?.id)
            let set = { (areas: String) in try await browser.call(.put, "events/\(event)", #"{"areas":[\#(areas)]}"#) }
            #expect(try await set(#""moments""#).status == 200)
            #expect(try await browser.call(.get, "places").text == #"{"places":[]}"#)
            #expect(try await browser.call(.post, "places", Self.bar).isProblem(.conflict, "venues"))
            #expect(try await set(#""moments","venues""#).status == 200)
            #expect(try await browser.call(.get, "places").text.contains("Bar"))
            #expect(try await set(#""cellars""#).isProblem(.badRequest, "cellars"))
        }
    }

    @Test func `a cursor leads to the next page of its own list only`() async throws {
        try await withPlace { browser, id async throws in
            for number in 1...5 {
                _ = try browser.node.comment(on: id, text: "\(number)", event: nil)
            }
            let page = try Self.json(await browser.call(.get, "comments?target=\(id)&limit=2"))
            let cursor = try #require(page["next"]?.text)
            let next = try await browser.call(.get, "comments?target=\(id)&limit=3&before=\(cursor)")
            #expect(try "\(Self.json(next))".contains("\"3\""))
            for path in [
                "places?before=\(cursor)", "comments?before=\(cursor)", "photos?before=\(cursor)",
                "news?order=newest&before=\(cursor)",
            ] {
                #expect(try await browser.call(.get, path).isProblem(.badRequest, "other parameters"), "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("places", #"{"name":"Bar","latitude":95,"longitude":0,"radius_m":1}"#, "`latitude`"),
        ("places", #"{"latitude":5,"longitude":0,"radius_m":1}"#, "`name` is missing"),
        ("places", #"{"name":"Bar","latitude":5,"longitude":0,"radius_m":1,"stars":5}"#, "`stars`"),
        ("comments", #"{"text":"T"}"#, "`target` is missing"),
        ("categories", #"{"name":["x"]}"#, "`name`"),
    ])
    func `what is wrong with a record is said by the name of its member`(path: String, json: String, words: String)
        async throws
    {
        try await withPlace { browser, _ async throws in
            #expect(try await browser.call(.post, path, json).isProblem(.badRequest, words))
        }
    }

    @Test func `a record hangs only on what its kind can hang on`() async throws {
        try await withPlace { browser, id async throws in
            let category =
                try await Self.json(browser.call(.post, "categories", #"{"name":"Cafés"}"#))["id"]?.text ?? ""
            #expect(try await browser.call(.put, "ratings/\(category)", #"{"overall":4}"#).isProblem(.notFound))
            #expect(
                try await browser.call(.put, "ratings/\(id)", #"{"overall":6}"#).isProblem(.badRequest, "`overall`")
            )
            #expect(try await browser.call(.get, "ratings?target=\(category)").isProblem(.notFound))
        }
    }

    @Test func `the description has every call that a browser can make`() async throws {
        try await withEvent { browser async throws in
            let described = try Self.json(await browser.call(.get, "openapi.json"))
            let kinds = try Self.json(await browser.call(.get, "kinds"))
            guard case .list(let list)? = kinds["kinds"] else { throw TooLate(what: "kinds") }
            for kind in list {
                let path = "/\(kind["plural"]?.text ?? "")"
                // Of votes each person has one on a photo, and nobody lists them.
                #expect(described["paths"]?[path] != nil || described["paths"]?["\(path)/{id}"] != nil)
            }
            #expect(described["components"]?["schemas"]?["Problem"]?["required"] != nil)
        }
    }
}
