// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// What a node demands before it writes a record of any kind, and what it answers afterwards.
@Suite(.timeLimit(.minutes(2)))
struct RecordRuleTests {
    /// An event with all areas, a place that its founder owns, and a deal there of which one is to be had.
    private struct Fair {
        let browser: Browser
        let event: String
        let me: String
        let place: String
        let ownership: String
        let deal: String

        /// The answer to a request as JSON; fails unless the status is as expected.
        func json(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, status: Int = 200) async throws
            -> API.JSON
        {
            let answer = try await browser.call(method, path, body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
            return try API.decode(API.JSON.self, from: Data(answer.bytes))
        }

        func set(areas: [Area]) async throws {
            let words = areas.map { "\"\($0.word)\"" }.joined(separator: ",")
            _ = try await json(.put, "events/\(event)", #"{"areas":[\#(words)]}"#)
        }
    }

    private func withFair(_ body: (Fair) async throws -> Void) async throws {
        try await withEvent { browser async throws in
            let event = try #require(try browser.node.status(event: nil).current?.id)
            var change = API.Envelope.EventChange()
            change.areas = Area.allCases.map(\.word)
            _ = try await browser.node.changeEvent(event, change)
            let me = try #require(try browser.node.people(event: nil).people.first?.id)
            let make = { (path: String, body: String) in
                let answer = try await browser.call(.post, path, body)
                return try #require(
                    try API.decode(API.JSON.self, from: Data(answer.bytes))["id"]?.text,
                    "\(answer.text)"
                )
            }
            let place = try await make("places", #"{"name":"Bar","latitude":55.6,"longitude":12.5,"radius_m":100}"#)
            let ownership = try await make("ownerships", #"{"target":"\#(place)","person":"\#(me)"}"#)
            let times = #""start":"2026-06-20T18:00:00Z","end":"2027-06-20T20:00:00Z""#
            let deal = try await make("deals", #"{"target":"\#(place)","title":"Cake","quantity":1,\#(times)}"#)
            try await body(
                Fair(browser: browser, event: event, me: me, place: place, ownership: ownership, deal: deal)
            )
        }
    }

    @Test func `a text that nobody can see, and times that no moment has, are refused by name`() async throws {
        try await withFair { fair in
            let moment = try #require(
                try await fair.json(.post, "moments", Self.moment("Dinner"), status: 201)["id"]?.text
            )
            let place = #""latitude":55.6,"longitude":12.5,"radius_m":100"#
            let requests: [(HTTPRequest.Method, String, (_ text: String) -> String, String)] = [
                (.put, "profile", { #"{"name":"\#($0)"}"# }, "name"), (.post, "moments", Self.moment, "title"),
                (.post, "comments", { #"{"target":"\#(moment)","text":"\#($0)"}"# }, "text"),
                (.post, "places", { #"{"name":"\#($0)",\#(place)}"# }, "name"),
                (.put, "events/\(fair.event)", { #"{"title":"\#($0)"}"# }, "title"),
            ]
            for text in ["", " \u{a0}", "\u{200b}", "\u{202e}", "\u{e0041}", "\u{3164}", "\u{2800}", "\u{301}"] {
                for (method, path, body, field) in requests {
                    let answer = try await fair.browser.call(method, path, body(text))
                    #expect(
                        answer.status == 400 && answer.text.contains(field),
                        "\(path) \(text.debugDescription): \(answer.text)"
                    )
                }
            }
            for (start, end) in [
                ("2026-06-20T18:00:00Z", "2026-06-20T17:00:00Z"), ("2026-06-20T18:00:00Z", "9999-12-31T00:00:00Z"),
            ] {
                let answer = try await fair.browser.call(.post, "moments", Self.moment("Late", start, end))
                #expect(answer.status == 400 && answer.text.contains("end"), "\(answer.text)")
            }
        }
    }

    private static func moment(_ title: String) -> String {
        moment(title, "2026-06-20T18:00:00Z", "2026-06-20T20:00:00Z")
    }

    private static func moment(_ title: String, _ start: String, _ end: String) -> String {
        let place = #"{"name":"Hall","latitude":55.7,"longitude":12.6,"radius_m":50}"#
        return #"{"title":"\#(title)","start":"\#(start)","end":"\#(end)","place":\#(place)}"#
    }

    @Test func `a record about a person is refused without one, and damages nothing`() async throws {
        try await withFair { fair async throws in
            let path = "deal_confirmations/\(fair.deal)"
            #expect(try await fair.browser.call(.put, path, "{}").isProblem(.badRequest, "`subject`"))
            let nobody = String(repeating: "a", count: 52)
            #expect(try await fair.browser.call(.put, path, #"{"subject":"\#(nobody)"}"#).isProblem(.notFound))
            _ = try await fair.json(.put, path, #"{"subject":"\#(fair.me)"}"#)
            // Said again it is the same confirmation.
            _ = try await fair.json(.put, path, #"{"subject":"\#(fair.me)"}"#)
            #expect(try await fair.browser.call(.get, "dump").status == 200)
        }
    }

    @Test func `a deal is confirmed by a device of its owner's alone`() async throws {
        try await withFair { fair async throws in
            let times = #""start":"2026-06-20T18:00:00Z","end":"2027-06-20T20:00:00Z""#
            for device in [fair.me, String(repeating: "a", count: 52)] {
                let body = #"{"target":"\#(fair.place)","title":"Tea","confirming":"\#(device)",\#(times)}"#
                #expect(try await fair.browser.call(.post, "deals", body).isProblem(.notFound, "device"))
                let change = #"{"confirming":"\#(device)"}"#
                #expect(try await fair.browser.call(.patch, "deals/\(fair.deal)", change).isProblem(.notFound))
            }
        }
    }

    @Test func `the place that was made with a moment goes when the moment becomes private`() async throws {
        try await withFair { fair async throws in
            let moment = try await fair.json(.post, "moments", Self.moment("Dinner"), status: 201)
            let id = try #require(moment["id"]?.text)
            #expect("\(try await fair.json(.get, "places"))".contains("Hall"))
            _ = try await fair.json(.post, "moments/\(id)/visibility", #"{"private":true}"#)
            let places = try await fair.browser.call(.get, "places").text
            #expect(!places.contains("Hall") && places.contains("Bar"))
        }
    }

    @Test func `an ownership is ended and taken up again`() async throws {
        try await withFair { fair async throws in
            let path = "ownerships/\(fair.ownership)"
            #expect(try await fair.json(.patch, path, #"{"on":false}"#)["on"] == false)
            #expect(try await fair.browser.call(.get, "deals/\(fair.deal)").isProblem(.notFound))
            #expect(try await fair.json(.patch, path, #"{"on":true}"#)["on"] == true)
            #expect(try await fair.json(.get, "deals/\(fair.deal)")["title"] == "Cake")
        }
    }

    @Test func `an ownership of a place that is gone is gone, too`() async throws {
        try await withFair { fair async throws in
            let path = "ownerships/\(fair.ownership)"
            _ = try await fair.json(.patch, path, #"{"on":false}"#)
            #expect(try await fair.browser.call(.delete, "places/\(fair.place)").status == 204)
            #expect(try await fair.browser.call(.get, path).isProblem(.notFound))
        }
    }

    @Test func `what was never set is taken back without a word`() async throws {
        try await withFair { fair async throws in
            let before = try fair.browser.node.status(event: nil).sync.records
            #expect(try await fair.browser.call(.delete, "favourites/\(fair.place)").status == 204)
            #expect(try fair.browser.node.status(event: nil).sync.records == before)
            _ = try await fair.json(.put, "favourites/\(fair.place)", "{}")
            #expect(try fair.browser.node.status(event: nil).sync.records > before)
        }
    }

    @Test func `an uploaded picture is used once`() async throws {
        try await withFair { fair async throws in
            let upload = try await fair.browser.send(.post, "/api/v1/pictures", body: .parts([try Picture.small]))
            let picture = try API.decode(API.Picture.self, from: Data(upload.bytes)).id
            let refused = #"{"target":"\#(fair.ownership)","picture":"\#(picture)"}"#
            #expect(try await fair.browser.call(.post, "comments", refused).isProblem(.notFound))
            let body = #"{"target":"\#(fair.place)","picture":"\#(picture)"}"#
            let made = try await fair.json(.post, "comments", body, status: 201)
            #expect(made["preview"]?["held"] == true && made["text"] == nil)
            #expect(try await fair.browser.call(.post, "comments", body).isProblem(.notFound, "Upload it again"))
        }
    }

    @Test func `what a comment says cannot be cleared away`() async throws {
        try await withFair { fair async throws in
            let made = try await fair.json(.post, "comments", #"{"target":"\#(fair.place)","text":"T"}"#, status: 201)
            let id = try #require(made["id"]?.text)
            #expect(
                try await fair.browser.call(.patch, "comments/\(id)", #"{"text":null}"#).isProblem(
                    .badRequest,
                    "`text`"
                )
            )
            #expect(try await fair.json(.get, "comments/\(id)")["text"] == "T")
        }
    }

    @Test func `a rating loses a part that is cleared, and not what it needs`() async throws {
        try await withFair { fair async throws in
            _ = try await fair.json(.put, "ratings/\(fair.place)", #"{"overall":4,"service":3}"#)
            let rated = try await fair.json(.put, "ratings/\(fair.place)", #"{"overall":5,"service":null}"#)
            #expect(rated["overall"] == 5 && rated["service"] == nil)
            let none = try await fair.browser.call(.put, "ratings/\(fair.place)", #"{"overall":null}"#)
            #expect(none.isProblem(.badRequest, "`overall`"))
        }
    }

    @Test func `places and deals are faved and reported like photos`() async throws {
        try await withFair { fair async throws in
            #expect(try await fair.browser.call(.put, "faves/\(fair.deal)").text == #"{"faved":true,"faves":1}"#)
            #expect(try await fair.browser.call(.delete, "faves/\(fair.deal)").text == #"{"faved":false,"faves":0}"#)
            let report = try await fair.browser.call(.put, "reports/\(fair.place)", #"{"reason":"spam"}"#)
            #expect(report.isProblem(.conflict, "yours"))
            #expect(try await fair.browser.call(.put, "bookmarks/\(fair.place)").isProblem(.conflict, "favourite"))
        }
    }

    @Test func `a record without a value stands at the end of a list in its order`() async throws {
        try await withFair { fair async throws in
            let body = #"{"name":"Tea","latitude":55.6,"longitude":12.5,"radius_m":100}"#
            let tea = try #require(try await fair.json(.post, "places", body, status: 201)["id"])
            _ = try await fair.json(.put, "ratings/\(fair.place)", #"{"overall":4}"#)
            _ = try await fair.json(.put, "ratings/\(tea.text ?? "")", #"{"overall":3,"service":5}"#)
            for order in ["service", "-service"] {
                let first = try await fair.json(.get, "ratings?order=\(order)&limit=1")
                guard case .list(let page)? = first["ratings"] else { throw TooLate(what: "a page") }
                #expect(page.map { $0["target"] } == [tea])
                let cursor = try #require(first["next"]?.text)
                let next = try await fair.json(.get, "ratings?order=\(order)&limit=1&before=\(cursor)")
                #expect("\(next)".contains(fair.place) && next["next"] == nil)
            }
        }
    }

    @Test func `a check-in at a moment by its record is one by its call`() async throws {
        try await withFair { fair async throws in
            let moment = try fair.browser.node.makeMoment(.about("Dinner", startsIn: -5), event: nil).id
            var longer = API.NewMoment()
            longer.end = Date().addingTimeInterval(3600)
            _ = try fair.browser.node.editMoment(moment, longer, event: nil)
            let body = #"{"target":"\#(moment)","latitude":40.4155,"longitude":-3.7074}"#
            #expect(try await fair.browser.call(.post, "check_ins", body).isProblem(.notAllowed, "Join"))
            _ = try await fair.json(.post, "moments/\(moment)/join")
            _ = try await fair.json(.post, "check_ins", body, status: 201)
            #expect(try await fair.json(.get, "moments/\(moment)")["participation"] == "checked_in")
        }
    }

    @Test func `of an area that is off nothing is read by its id, and nothing hangs on it`() async throws {
        try await withFair { fair async throws in
            let told = try await fair.json(.post, "comments", #"{"target":"\#(fair.place)","text":"T"}"#, status: 201)
            let moment = try fair.browser.node.makeMoment(.about("Dinner"), event: nil).id
            try await fair.set(areas: [])
            let comment = try #require(told["id"]?.text)
            for path in ["places/\(fair.place)", "deals/\(fair.deal)", "comments/\(comment)", "moments/\(moment)"] {
                #expect(try await fair.browser.call(.get, path).isProblem(.notFound), "\(path)")
            }
            for path in ["comments", "comments?target=\(fair.place)", "places", "deals"] {
                #expect(try await fair.browser.call(.get, path).text.hasSuffix("[]}"), "\(path)")
            }
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.put, "faves/\(fair.place)", nil), (.delete, "favourites/\(fair.place)", nil),
                (.post, "moments/\(moment)/join", nil), (.patch, "moments/\(moment)", #"{"title":"T"}"#),
                (.patch, "places/\(fair.place)", #"{"name":"T"}"#), (.put, "ratings/\(fair.place)", #"{"overall":1}"#),
            ]
            for (method, path, body) in calls {
                let answer = try await fair.browser.call(method, path, body)
                #expect([404, 409].contains(answer.status), "\(method) \(path): \(answer.text)")
            }
            let photo = try await fair.browser.send(
                .put,
                "/api/v1/photos?name=a.jpg&target=\(fair.place)",
                body: .parts([try Picture.small])
            )
            #expect(photo.isProblem(.conflict, "venues"))
            try await fair.set(areas: Area.allCases)
            #expect(try await fair.json(.get, "places/\(fair.place)")["name"] == "Bar")
        }
    }
}
