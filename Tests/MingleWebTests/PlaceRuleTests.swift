// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleModel
import MingleNode
import MingleReplica
import NodeTestSupport
import Testing

@testable import MingleEvent
@testable import MingleWeb

/// Places as one node's API has them: claims, plans, check-ins, and where something goes on.
@Suite(.timeLimit(.minutes(2)))
struct PlaceRuleTests {
    /// An event with all areas and a place in it.
    private struct Fair {
        let browser: Browser
        let place: String

        func json(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, status: Int = 200) async throws
            -> API.JSON
        {
            let answer = try await browser.call(method, path, body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
            return try API.decode(API.JSON.self, from: Data(answer.bytes))
        }

        func list(_ path: String) async throws -> [API.JSON] {
            let answer = try await json(.get, path)
            let name = String(path.prefix { $0.isLetter || $0 == "_" })
            guard case .list(let list)? = answer[name] else { throw TooLate(what: path) }
            return list
        }

        func picture() async throws -> String {
            let upload = try await browser.send(.post, "/api/v1/pictures", body: .parts([try Picture.small]))
            return try API.decode(API.Picture.self, from: Data(upload.bytes)).id
        }
    }

    private static let bar = #"{"name":"Bar","latitude":55.6,"longitude":12.5,"radius_m":100}"#

    private func withFair(_ body: (Fair) async throws -> Void) async throws {
        try await withEvent { browser async throws in
            let event = try #require(try browser.node.status(event: nil).current?.id)
            var change = API.Envelope.EventChange()
            change.areas = Area.allCases.map(\.word)
            _ = try await browser.node.changeEvent(event, change)
            let answer = try await browser.call(.post, "places", Self.bar)
            let place = try #require(try API.decode(API.JSON.self, from: Data(answer.bytes))["id"]?.text)
            try await body(Fair(browser: browser, place: place))
        }
    }

    @Test func `one checks in at a place by a position within it or by its code, and lists where one was`() async throws
    {
        try await withFair { fair async throws in
            func body(_ rest: String) -> String { #"{"target":"\#(fair.place)"\#(rest)}"# }
            let none = try await fair.browser.call(.post, "check_ins", body(""))
            #expect(none.isProblem(.badRequest, "`code`"))
            let pin = try await fair.browser.call(.post, "check_ins", body(#","source":"pin""#))
            #expect(pin.isProblem(.badRequest, "latitude"))
            let far = try await fair.browser.call(.post, "check_ins", body(#","latitude":55.7,"longitude":12.5"#))
            #expect(far.isProblem(.notAllowed, "within 100 m"))
            #expect(try await fair.list("places?list=visited").isEmpty)
            let scanned = try await fair.json(.post, "check_ins", body(#","source":"code""#), status: 201)
            #expect(scanned["source"] == "code" && scanned["latitude"] == nil)
            let near = body(#","latitude":55.6001,"longitude":12.5,"source":"device""#)
            _ = try await fair.json(.post, "check_ins", near, status: 201)
            #expect(try await fair.list("places?list=visited").map { $0["name"] } == ["Bar"])
            #expect(try await fair.list("places?list=rated").isEmpty)
            let odd = try await fair.browser.call(.get, "places?list=lost")
            #expect(odd.isProblem(.badRequest, "visited, favourite, rated"))
            let both = try await fair.browser.call(.get, "places?list=rated&q=bar")
            #expect(both.isProblem(.badRequest, "`before` and `limit` only"))
        }
    }

    @Test func `a mean has its word, and news near a place tell of what is rated there`() async throws {
        try await withFair { fair async throws in
            _ = try await fair.json(.put, "ratings/\(fair.place)", #"{"overall":4,"price_level":2}"#)
            let rated = try await fair.json(.get, "places/\(fair.place)")["ratings"]
            #expect(rated?["word"] == "very good" && rated?["price_word"] == "moderate")
            let comment =
                #"{"target":"\#(fair.place)","text":"Nice","picture":"\#(try await fair.picture())"}"#
            _ = try await fair.json(.post, "comments", comment, status: 201)
            let news = try await fair.browser.value(
                API.Envelope.News.self,
                .get,
                "news?near=55.6,12.5&radius_m=50&order=newest"
            )
            #expect(news.items.map(\.type) == ["comment", "rating"])
            #expect(news.items.map(\.thing?.title) == ["Bar", "Bar"])
            #expect(news.items[1].rating == 4 && news.items[1].word == "very good")
            let picture = try #require(news.items[0].comments.first?.thumbnail)
            #expect(try await fair.browser.send(.get, picture).status == 200)
            let elsewhere = "news?near=40.4,-3.7&radius_m=500"
            #expect(try await fair.browser.value(API.Envelope.News.self, .get, elsewhere).items.isEmpty)
            #expect(
                try await fair.browser.call(.get, "news?near=55.6,12.5&order=best").isProblem(.badRequest, "newest")
            )
            #expect(try await fair.browser.call(.get, "news?radius_m=5").isProblem(.badRequest, "`near`"))
        }
    }

    @Test func `where ratings are off none is written, listed or told, and what is hidden says so`() async throws {
        try await withFair { fair async throws in
            _ = try await fair.json(.put, "ratings/\(fair.place)", #"{"overall":4}"#)
            #expect(try await fair.browser.call(.put, "hidden/\(fair.place)", #"{"reason":"gone"}"#).status == 204)
            let news = "news?near=55.6,12.5"
            let told = try await fair.browser.value(API.Envelope.News.self, .get, news).items
            #expect(told.map(\.hidden?.reason) == ["gone"])
            #expect(try await fair.list("places/trending").isEmpty)
            let event = try #require(try fair.browser.node.status(event: nil).current?.id)
            _ = try await fair.json(.put, "events/\(event)", #"{"areas":["venues"]}"#)
            #expect(try await fair.browser.call(.put, "ratings/\(fair.place)", #"{"overall":5}"#).isProblem(.conflict))
            #expect(try await fair.list("places?list=rated").isEmpty)
            for path in [news, "news?order=newest", "news"] {
                #expect(try await fair.browser.value(API.Envelope.News.self, .get, path).items.isEmpty, "\(path)")
            }
        }
    }

    @Test func `where something goes on is a place that trends, and one that is open or liked inspires`() async throws {
        try await withFair { fair async throws in
            #expect(try await fair.list("places/trending").isEmpty)
            #expect(try await fair.browser.call(.get, "places/inspire").isProblem(.notFound, "open now"))
            let cafe = #"{"name":"Café","latitude":55.61,"longitude":12.5,"radius_m":100}"#
            let other = try #require(try await fair.json(.post, "places", cafe, status: 201)["id"]?.text)
            _ = try await fair.json(.put, "ratings/\(other)", #"{"overall":5}"#)
            let scan = #"{"target":"\#(fair.place)","source":"code"}"#
            _ = try await fair.json(.post, "check_ins", scan, status: 201)
            #expect(try await fair.list("places/trending").map { $0["name"] } == ["Bar", "Café"])
            #expect(try await fair.list("places/trending?limit=1").map { $0["name"] } == ["Bar"])
            #expect(try await fair.json(.get, "places/inspire?seed=a")["name"] == "Café")
            let days = OpeningHours.days.map { "\"\($0)\":[[\"00:00\",\"24:00\"]]" }.joined(separator: ",")
            _ = try await fair.json(.patch, "places/\(fair.place)", "{\"hours\":{\(days)}}")
            var found: Set<String> = []
            for seed in 0..<20 {
                let one = try await fair.json(.get, "places/inspire?seed=\(seed)")["name"]?.text
                #expect(try await fair.json(.get, "places/inspire?seed=\(seed)")["name"]?.text == one)
                found.insert(one ?? "")
            }
            #expect(found == ["Bar", "Café"])
            #expect(try await fair.json(.get, "places/inspire?near=55.6,12.5&radius_m=50")["name"] == "Bar")
        }
    }

    @Test func `who owns a place claims it no more, and others are listed as open`() async throws {
        try await withFair { fair async throws in
            let claim = try await fair.json(.put, "claims/\(fair.place)", #"{"text":"I stand there"}"#)
            #expect(claim["text"] == "I stand there" && claim["private"] == true)
            #expect(try await fair.list("claims?open=true").count == 1)
            let me = try #require(try fair.browser.node.people(event: nil).people.first?.id)
            let owner = #"{"target":"\#(fair.place)","person":"\#(me)"}"#
            _ = try await fair.json(.post, "ownerships", owner, status: 201)
            #expect(try await fair.list("claims?open=true").isEmpty)
            #expect(try await fair.list("claims").count == 1)
            #expect(try await fair.browser.call(.put, "claims/\(fair.place)", "{}").isProblem(.conflict, "already"))
            #expect(try await fair.browser.call(.delete, "claims/\(fair.place)").status == 204)
            #expect(try await fair.list("claims").isEmpty)
        }
    }

    @Test func `feedback is written, listed and deleted, and not changed`() async throws {
        try await withFair { fair async throws in
            let said = try await fair.json(.post, "feedback", #"{"text":"Too loud"}"#, status: 201)
            let id = try #require(said["id"]?.text)
            #expect(try await fair.list("feedback").map { $0["text"] } == ["Too loud"])
            // A moderator takes home nothing that others said.
            let service = try fair.browser.node.service(nil)
            #expect(service.exported(.feedback, includesPrivate: true).author == service.me)
            #expect(try await fair.browser.call(.post, "feedback", #"{"text":" "}"#).isProblem(.badRequest, "`text`"))
            let change = try await fair.browser.call(.patch, "feedback/\(id)", #"{"text":"Quiet"}"#)
            #expect(change.isProblem(.methodNotAllowed))
            #expect(try await fair.browser.call(.delete, "feedback/\(id)").status == 204)
            #expect(try await fair.list("feedback").isEmpty)
        }
    }

    @Test func `a site plan needs a picture with two points that differ, or an outline`() async throws {
        try await withFair { fair async throws in
            let a = #""a_x":0,"a_y":0,"a_latitude":55.6,"a_longitude":12.5"#
            let b = #""b_x":9000,"b_y":0,"b_latitude":55.6,"b_longitude":12.6"#
            func refusal(_ members: String, picture: Bool = true) async throws -> Answer {
                let id = picture ? #","picture":"\#(try await fair.picture())""# : ""
                let rest = members.isEmpty ? "" : ",\(members)"
                return try await fair.browser.call(.post, "site_plans", #"{"title":"Hall"\#(rest)\#(id)}"#)
            }
            #expect(try await refusal("", picture: false).isProblem(.badRequest, "`picture` or `outline`"))
            #expect(try await refusal(a).isProblem(.badRequest, "`b_x` is missing"))
            let same = b.replacing("9000", with: "0")
            #expect(try await refusal("\(a),\(same)").isProblem(.badRequest, "one in the picture"))
            let nowhere = b.replacing("12.6", with: "12.5")
            #expect(try await refusal("\(a),\(nowhere)").isProblem(.badRequest, "on the ground"))
            #expect(try await refusal("\(a),\(b),\"outline\":\"[]\"").isProblem(.badRequest, "GeoJSON"))
            let made = try await refusal("\(a),\(b)")
            #expect(made.status == 201, "\(made.text)")
            let plan = try API.decode(API.JSON.self, from: Data(made.bytes))
            #expect(plan["width"] == 96 && plan["a_latitude"] == 55.6 && plan["preview"]?["held"] == true)
            let path = "site_plans/\(try #require(plan["id"]?.text))"
            #expect(try await fair.browser.send(.get, "/api/v1/\(path)/preview").status == 200)
            let moved = try await fair.browser.call(.patch, path, #"{"b_longitude":12.5}"#)
            #expect(moved.isProblem(.badRequest, "on the ground"))
            #expect(try await fair.browser.call(.patch, path, #"{"a_x":10001}"#).isProblem(.badRequest, "`a_x`"))
        }
    }

    @Test(
        arguments: [
            (#"{"type":"Point","coordinates":[12.5,55.6]}"#, nil),
            (
                #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"id":1}"#,
                nil
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"MultiPolygon","coordinates":[[[[0,0,5],[1,0],[0,0]]]]}]}}]}"#,
                nil
            ),
            ("{", "not JSON"), (#"{"type":"Circle"}"#, "'Circle'"),
            (#"{"type":"Point","coordinates":[55.6]}"#, "[longitude, latitude]"),
            (#"{"type":"Point","coordinates":[55.6,190]}"#, "[longitude, latitude]"),
            (#"{"type":"LineString","coordinates":[[[0,0]]]}"#, "[longitude, latitude]"),
            (#"{"type":"Polygon"}"#, "`coordinates`"), (#"{"type":"FeatureCollection","features":[]}"#, "no position"),
            (#"{"type":"Feature"}"#, "`geometry`"), (String(repeating: "[", count: 40_000), "levels"),
            (
                #"{"type":"LineString","coordinates":["# + String(repeating: "[0,0],", count: 5000) + "[0,0]]}",
                "positions"
            ),
        ] as [(String, String?)]
    )
    func `an outline is GeoJSON, bounded, or what is wrong with it is said`(text: String, words: String?) throws {
        guard let words else { return try GeoJSONOutline.require(text) }
        let problem = #expect(throws: API.Problem.self) { try GeoJSONOutline.require(text) }
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }
}
