// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// What is answered when something is wrong (RFC 9457), and that it is never the node's own fault.
@Suite(.timeLimit(.minutes(5)))
struct ProblemTests {
    private struct Defect: Error { let secret = "the details" }

    /// Paths that take JSON, with a body that is right.
    private static let takers: [(HTTPRequest.Method, String)] = [
        (.post, "events"), (.put, "events/current"), (.post, "join"), (.put, "profile"), (.post, "invitations"),
        (.post, "moments"), (.patch, "moments/x"), (.post, "moments/x/check-in"), (.post, "comments"),
        (.post, "comments"),
    ]

    // MARK: - Kinds

    @Test(arguments: API.Problem.Name.allCases)
    func `a problem of any kind is answered with the status of its kind`(name: API.Problem.Name) async throws {
        try await withNode { node in
            let router = Router(context: WebContext.self)
            router.add(middleware: ProblemMiddleware())
            router.get("**") { _, _ -> Response in throw API.Problem(name, "What happened: \"é\"\n.") }
            let answer = try await Browser(node, router).send(.get, "/x")
            #expect(answer.isProblem(name, "What happened: \"é\"\n."))
            #expect((answer.headers[.retryAfterSeconds] != nil) == (name == .unavailable))
        }
    }

    @Test func `a defect is an internal error, which tells nothing of its inside`() async throws {
        try await withNode { node in
            let router = Router(context: WebContext.self)
            router.add(middleware: ProblemMiddleware())
            router.get("**") { _, _ -> Response in throw Defect() }
            let answer = try await Browser(node, router).send(.get, "/x")
            #expect(answer.isProblem(.internal, "log"))
            #expect(!answer.text.contains("details") && !answer.text.contains("Defect"))
        }
    }

    // MARK: - Paths and methods

    @Test(arguments: [
        "", "/", "/nothing", "/v1", "/v1/", "/v2/status", "/v1/nothing", "/v1/status/more", "/v1/moments/a/b",
        "/v1/media", "/v1/media/a/b/c", "/v1/..%2Fstatus", "/v1/STATUS", "/v1/photos/a/comments/b",
    ])
    func `there is nothing at other paths of the API, whatever the method`(path: String) async throws {
        try await withBrowser { browser in
            for method in [.get, .post, .put, .patch, .delete] as [HTTPRequest.Method] {
                let answer = try await browser.send(method, "/api\(path)")
                #expect(answer.isProblem(.notFound, "/api"), "\(method) \(path)")
            }
            #expect(try await browser.send(.head, "/api\(path)").status == 404)
        }
    }

    @Test(
        arguments: [
            (.post, "/api/v1/status", "GET, HEAD"), (.delete, "/api/v1/events", "GET, HEAD, POST"),
            (.get, "/api/v1/join", "POST"), (.get, "/api/v1/profile/picture", "PUT"),
            (.get, "/api/v1/events/x", "PUT, DELETE"), (.get, "/api/v1/events/current", "PUT"),
            (.put, "/api/v1/moments/x", "GET, HEAD, PATCH, DELETE"), (.post, "/api/v1/photos", "GET, HEAD, PUT"),
            (.get, "/api/v1/faves/x", "PUT, DELETE"), (.patch, "/api/v1/stream", "GET, HEAD"),
            (.options, "/api/v1/status", "GET, HEAD"), (.trace, "/api/v1/status", "GET, HEAD"),
            (.post, "/api/v1/media/x/original", "GET, HEAD"),
            (.post, "/", "GET, HEAD"), (.put, "/assets/js/app.js", "GET, HEAD"), (.delete, "/photos/x", "GET, HEAD"),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func `another method than a path takes is refused, with those that it takes`(
        method: HTTPRequest.Method,
        path: String,
        allowed: String
    ) async throws {
        try await withBrowser { browser in
            let answer = try await browser.send(method, path)
            #expect(answer.status == 405 && answer.headers[.allow] == allowed)
            #expect(answer.isProblem(.methodNotAllowed, allowed))
            let head = try await browser.send(.head, path)
            #expect(head.bytes.isEmpty && (head.headers[.allow] == allowed) == !allowed.contains("HEAD"))
        }
    }

    @Test func `a method that nobody knows is refused`() async throws {
        try await withBrowser { browser in
            let method = try #require(HTTPRequest.Method("BREW"))
            #expect(try await browser.send(method, "/api/v1/status").isProblem(.notFound))
        }
    }

    // MARK: - JSON

    @Test(arguments: [
        ("moments", #"{"title":"T","start":"today"}"#, "`start` has a value of the wrong type"),
        ("moments", #"{"title":5}"#, "`title` has a value of the wrong type"),
        (
            "moments",
            #"{"title":"T","start":"2026-06-20T18:00:00Z","end":"2026-06-20T19:00:00Z","place":{"name":"P","latitude":1,"longitude":"2"}}"#,
            "`place.longitude` has a value of the wrong type"
        ),
        ("invitations", #"{"expires_in_seconds":"x"}"#, "`expires_in_seconds` has a value of the wrong type"),
        ("join", "{}", "`link` is missing"), ("join", "", "`link` is missing"),
        ("join", "{", "the body is not a JSON object"), ("join", "[]", "the body is not a JSON object"),
        ("invitations", #"{"uses":1.5}"#, "a number is too large, or is not a whole number"),
    ])
    func `of a body that is not what a path takes the field is named`(path: String, json: String, reason: String)
        async throws
    {
        try await withEvent { browser in
            let answer = try await browser.call(.post, path, json)
            #expect(answer.isProblem(.badRequest, "openapi.json): \(reason)."))
        }
    }

    @Test(arguments: [
        "", " ", "{", "[]", "null", "1", "\"x\"", "{}", "{\"title\":}", "{\"title\":1}", "{\"title\":null}",
        "{\"title\":[\"x\"]}", "{\"Title\":\"x\"}", "{\"title\":\"x\"", "{\"title\":\"x\"}}", "{'title':'x'}",
        "{\"title\":\"\\ud800\"}", "title=x", "\u{FEFF}", "<title>x</title>",
    ])
    func `what is not the JSON that a path takes is refused`(json: String) async throws {
        try await withBrowser { browser in
            let answer = try await browser.call(.post, "events", json)
            #expect(answer.isProblem(.badRequest))
            #expect(try await browser.call(.get, "events").text == #"{"events":[]}"#)
        }
    }

    @Test func `no body is an object that says nothing`() async throws {
        try await withEvent { browser in
            let answer = try await browser.call(.post, "invitations", "")
            #expect(answer.status == 201)
        }
    }

    @Test func `no path that takes JSON fails at what is none`() async throws {
        try await withEvent { browser in
            let deep = String(repeating: "[", count: 30_000)
            let bodies = [Array("{".utf8), [0xFF, 0xFE, 0x00], [0], Array(deep.utf8), Array("{\"a\":\(deep)".utf8)]
            for (method, path) in Self.takers {
                for body in bodies {
                    let answer = try await browser.send(method, "/api/v1/\(path)", body: .parts([body]))
                    #expect(answer.isProblem(.badRequest, "openapi.json"), "\(method) \(path)")
                }
            }
        }
    }

    @Test(arguments: [
        ("events", #"{"title":"Party","color":{"a":[1,null]}}"#, "`color`"),
        ("moments", #"{"title":"T","place":{"name":"Bar","floor":2}}"#, "`place.floor`"),
        ("comments", #"{"target":"a","text":"T","photo":"b"}"#, "`photo`"), ("events?colour=red", "{}", "`colour`"),
    ])
    func `a member or parameter that a call does not have is refused by its name`(
        path: String,
        json: String,
        name: String
    ) async throws {
        try await withEvent { browser async throws in
            #expect(try await browser.call(.post, path, json).isProblem(.badRequest, name))
        }
    }

    @Test func `JSON may have 64 KiB and not a byte more, in one part or in many`() async throws {
        try await withBrowser { browser in
            let json = Array(#"{"title":"Party"}"#.utf8)
            let most = json + [UInt8](repeating: UInt8(ascii: " "), count: (64 << 10) - json.count)
            let halves = [Array(most.prefix(40_000)), Array(most.dropFirst(40_000))]
            for body in [.parts([most]), .parts(halves)] as [RequestBody] {
                #expect(try await browser.send(.post, "/api/v1/events", body: body).status == 201)
            }
            for body in [.parts([most + [32]]), .parts(halves + [[32]]), .megabytes(3)] as [RequestBody] {
                let answer = try await browser.send(.post, "/api/v1/events", body: body)
                #expect(answer.isProblem(.tooLarge, "64 KiB"))
            }
            #expect(try await browser.value(API.Envelope.Events.self, .get, "events").events.count == 2)
        }
    }

    @Test func `JSON that breaks off is not called too large`() async throws {
        try await withBrowser { browser in
            let body = RequestBody.broken(after: Array(#"{"title":"#.utf8))
            let answer = try await browser.send(.post, "/api/v1/events", body: body)
            #expect(answer.isProblem(.badRequest, "was interrupted"))
        }
    }

    // MARK: - Ids

    @Test(arguments: [
        "x", "0", "-1", ".", "..", "%2e%2e", "%2F", "%00", "%", "%zz", "a%20b", "ñ", "🎉", "' OR 1=1", "null",
        String(repeating: "a", count: 52), String(repeating: "a", count: 3000), "../../etc/passwd", "*", "{id}", "**",
    ])
    func `an id of nothing is not found`(id: String) async throws {
        try await withEvent { browser in
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.get, "moments/\(id)", nil), (.patch, "moments/\(id)", "{}"), (.delete, "moments/\(id)", nil),
                (.post, "moments/\(id)/join", nil), (.post, "moments/\(id)/check-in", #"{"latitude":1,"longitude":2}"#),
                (.get, "moments/\(id)/participants", nil), (.get, "comments?target=\(id)", nil),
                (.get, "photos/\(id)", nil), (.delete, "photos/\(id)", nil), (.get, "comments?target=\(id)", nil),
                (.post, "comments", #"{"target":"\#(id)","text":"T"}"#), (.delete, "comments/\(id)", nil),
                (.put, "faves/\(id)", nil), (.put, "bookmarks/\(id)", nil), (.delete, "bookmarks/\(id)", nil),
                (.put, "connections/\(id)", nil), (.delete, "connections/\(id)", nil),
                (.delete, "faves/\(id)", nil), (.get, "media/\(id)/thumbnail", nil),
                (.get, "media/\(id)/original", nil), (.get, "media/\(id)/picture", nil), (.delete, "events/\(id)", nil),
                (.get, "photos?event=\(id)", nil), (.get, "news?event=\(id)", nil),
            ]
            for (method, path, json) in calls {
                let answer = try await browser.call(method, path, json)
                #expect(answer.isProblem(.notFound), "\(method) \(path)")
                #expect((answer.problem?.detail.utf8.count ?? 0) < 4000)
            }
        }
    }

    @Test func `an id of something else is not found either`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Dinner"), event: nil).id
            let person = try #require(try browser.node.people(event: nil).people.first?.id)
            for path in [
                "photos/\(moment)", "media/\(moment)/original", "moments/\(person)", "media/\(moment)/picture",
            ] {
                #expect(try await browser.call(.get, path).isProblem(.notFound), "\(path)")
            }
            #expect(try await browser.call(.put, "faves/\(person)").isProblem(.notFound))
            #expect(try await browser.call(.delete, "moments/\(person)").isProblem(.notFound))
            #expect(
                try await browser.call(.post, "comments", #"{"target":"\#(person)","text":"T"}"#).isProblem(.notFound)
            )
        }
    }
}
