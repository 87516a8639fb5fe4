// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// What visitors of a showcase can ask for, and that it is all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShowcaseTests {
    /// All that is open, besides files of the page; whatever is not here is refused.
    private static let open: Set<String> = [
        "/", "/feed", "/moments", "/moments/{id}", "/people", "/photos", "/photos/{id}", "/assets/**",
        "/api/v1/visit", "/api/v1/feed", "/api/v1/people", "/api/v1/photos", "/api/v1/photos/{id}",
        "/api/v1/comments", "/api/v1/moments", "/api/v1/moments/{id}",
        "/api/v1/media/{id}/thumbnail", "/api/v1/media/{id}/preview", "/api/v1/media/{id}/original",
        "/api/v1/media/{id}/picture", "/api/v1/stream",
    ]

    /// A path with something in the place of what stands for it.
    private func example(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map { part in
            part == "**" ? "app.js" : part.hasPrefix("{") || part.hasPrefix(":") ? "x" : String(part)
        }
        return "/" + parts.joined(separator: "/")
    }

    private func name(_ path: RouterPath) -> String {
        let text = path.description
        return text.hasPrefix("/") ? text : "/" + text
    }

    @Test func `what is open is a list, and nothing but reading`() async throws {
        try await withParty { party async throws in
            let server = ShowcaseServer(
                party.node,
                code: party.code,
                logger: .init(label: "test"),
                now: { .zero }
            )
            let routes = server.visitorRouter().routes
            #expect(Set(routes.map { name($0.path) }) == Self.open)
            #expect(routes.allSatisfy { $0.method == .get || $0.method == .head })
        }
    }

    @Test func `of all that the local API has, visitors reach what is open and no more, whatever the method`()
        async throws
    {
        try await withParty { party async throws in
            let whole =
                WebServer.browserRouter(party.node).routes + WebServer.commandLineRouter(party.node).routes
                + RelayServer.router(party.node).routes
            #expect(whole.count > 100)
            for route in whole where route.method != .head {
                let path = name(route.path)
                let answer = try await party.visitors.open(
                    route.method,
                    example(path),
                    [.cookie: party.cookie],
                    host: Showcase.host
                )
                if route.method != .get {
                    #expect(answer.status == .forbidden, "\(route.method) \(path)")
                } else if !Self.open.contains(path) {
                    #expect(answer.status == .notFound, "\(route.method) \(path)")
                    #expect(answer.headers[.contentType] == "application/problem+json", "\(path)")
                }
            }
        }
    }

    @Test func `nothing of the node and nothing of its person is there`() async throws {
        let api = [
            "status", "events", "doctor", "dump", "invitation", "invitations", "invitation.svg", "peers", "devices",
            "device-link", "bookmarks", "connections", "hidden", "hidden/log", "reports", "nearby", "missing", "join",
            "moments/x/participants", "moments/x/guests", "profile", "verify", "backup",
        ]
        let pages = ["/metrics", "/health/live", "/health/ready", "/invite", "/hidden", "/bookmarks", "/api", "/x"]
        try await withParty { party async throws in
            for path in api.map({ "/api/v1/\($0)" }) + pages {
                #expect(try await party.look(path).isProblem(.notFound), "\(path)")
            }
        }
    }

    @Test func `who writes is refused, and a body ends the connection`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small)
            try await eventually("the photo comes", at: party.node) {
                try party.node.visitedEvent().photos(ListQuery(.photo, [:])).photos.count == 1
            }
            for method in [.put, .post, .delete, .patch, .options] as [HTTPRequest.Method] {
                for path in [
                    "photos/\(photo.id)", "comments?target=\(photo.id)", "faves/\(photo.id)", "profile", "visit",
                ] {
                    let body = RequestBody.parts([Array(#"{"text":"Hi"}"#.utf8)])
                    let answer = try await party.look(
                        "/api/v1/\(path)",
                        method,
                        [.origin: "http://\(Showcase.host)", .contentLength: "13"],
                        body: body
                    )
                    #expect(answer.isProblem(.notAllowed, "on your own device"), "\(method) \(path)")
                    #expect(answer.headers[.connection] == "close")
                }
            }
            let sent = try await party.look("/api/v1/visit", .get, [.contentLength: "1000000"])
            #expect(sent.isProblem(.tooLarge) && sent.headers[.connection] == "close")
            let chunked = try await party.look("/api/v1/visit", .get, [.transferEncoding: "chunked"])
            #expect(chunked.isProblem(.tooLarge))
            #expect(try await party.founder.value(API.Photo.self, .get, "photos/\(photo.id)").comments == 0)
        }
    }

    @Test func `visitors see what everybody sees, and nothing of whose node it is`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small, "name=a.jpg&title=Cake")
            let moment = try party.founder.node.makeMoment(.about("Dinner"), event: nil)
            _ = try party.founder.node.comment(on: photo.id, text: "Yum", event: nil)
            try await eventually("all has come", at: party.node) {
                let event = try party.node.visitedEvent()
                return try event.photos(ListQuery(.photo, [:])).photos.first?.held.original == true
                    && event.comments(ListQuery(.comment, ["target": photo.id])).records.count == 1
                    && event.moments().moments.count == 1
            }
            let visit = try await party.value(API.Visit.self, "visit")
            #expect(visit.title == "Party" && visit.people == 1 && visit.photos == 1 && visit.moments == 1)
            let people = try await party.value(API.Envelope.People.self, "people")
            #expect(people.people.map(\.name) == ["Ana"] && people.relays.isEmpty)
            let ana = try #require(people.people.first)
            #expect(ana.fingerprint.isEmpty && !ana.here && !ana.me && ana.joined == nil)
            let feed = try await party.value(API.Envelope.Feed.self, "feed")
            #expect(Set(feed.items.map(\.type)) == ["photo", "comment", "moment"] && feed.locked == nil)
            #expect(try await party.value(API.Photo.self, "photos/\(photo.id)").title == "Cake")
            #expect(try await party.value(API.Moment.self, "moments/\(moment.id)").mayEdit == false)
            let comments = try await party.value(API.Envelope.Comments.self, "comments?target=\(photo.id)")
            #expect(comments.comments.map(\.text) == ["Yum"])
            for form in ["thumbnail", "preview", "original"] {
                let media = try await party.look("/api/v1/media/\(photo.id)/\(form)")
                #expect(media.status == 200 && media.headers[.contentType] == "image/jpeg")
                #expect(media.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            }
            // Visitors make a node decode nothing.
            #expect(try await party.look("/api/v1/media/\(photo.id)/jpeg").status == 404)
            let fingerprint = try #require(party.founder.node.people(event: nil).people.first?.fingerprint)
            for path in ["visit", "feed", "people", "photos", "moments", "comments?target=\(photo.id)"] {
                let text = try await party.look("/api/v1/\(path)").text
                #expect(!text.contains(fingerprint) && !text.contains(party.node.showcaseEvent ?? "?"), "\(path)")
                #expect(!text.contains(party.code.code) && !text.contains(party.code.token), "\(path)")
                #expect(!text.contains("mingle://"), "\(path)")
            }
        }
    }

    @Test func `visitors are not told who was where`() async throws {
        try await withParty { party async throws in
            let moment = try party.founder.node.makeMoment(.about("Dinner"), event: nil).id
            _ = try party.founder.node.joinMoment(moment, event: nil)
            let position = API.Envelope.Position(latitude: 40.4155, longitude: -3.7074, accuracyM: nil)
            _ = try party.founder.node.checkIn(moment, at: position, event: nil)
            let own = try party.founder.node.feed(before: nil, event: nil)
            #expect(own.items.contains { $0.type == "check_in" })
            try await eventually("all has come", at: party.node) {
                try party.node.feed(before: nil, event: nil).items.contains { $0.type == "check_in" }
            }
            let feed = try await party.value(API.Envelope.Feed.self, "feed")
            #expect(feed.items.map(\.type) == ["moment"])
            #expect(try await !party.look("/api/v1/feed").text.contains("check_in"))
        }
    }

    @Test func `what a moderator hides is gone from the page`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small)
            try await eventually("the photo comes", at: party.node) {
                (try? party.node.visitedEvent().photo(RequestValidation.reference(photo.id))) != nil
            }
            try party.founder.node.hide(photo.id, because: "no", event: nil)
            try await eventually("it is gone", at: party.node) {
                (try? party.node.visitedEvent().photo(RequestValidation.reference(photo.id))) == nil
            }
            #expect(try await party.look("/api/v1/media/\(photo.id)/thumbnail").isProblem(.notFound))
            #expect(try await party.value(API.Envelope.Feed.self, "feed").items.isEmpty)
        }
    }

    @Test func `a page is told what changed of what it sees, and its stream ends once a host closes the page`()
        async throws
    {
        try await withParty { party async throws in
            let response = try await party.visitors.open(
                .get,
                "/api/v1/stream",
                [.cookie: party.cookie],
                host: Showcase.host
            )
            #expect(response.status == .ok && response.headers[.contentType] == "text/event-stream")
            let page = Page()
            let reading = Task { try await response.body.write(PageWriter(page: page)) }
            defer { reading.cancel() }
            try await page.eventually("the stream begins") { page.parts >= 2 }
            party.node.changes.publish(kinds: ["report", "connection", "peers", "status", "nearby"])
            party.node.changes.publish(kinds: ["photo", "report"])
            try await page.eventually("the photo is told of") { page.text.contains(#""kinds":["photo"]"#) }
            for kind in ["report", "connection", "peers", "status", "nearby"] {
                #expect(!page.text.contains("\"\(kind)\""))
            }
            _ = try party.founder.node.remove(party.node.showcasePerson, keepsLinks: false, event: nil)
            try await eventually("it is out", at: party.node) { try party.node.showcaseState() == .out }
            try await reading.value
            #expect(page.isFinished)
            for path in ["visit", "feed", "photos", "people", "moments", "stream", "media/x/thumbnail"] {
                #expect(try await party.look("/api/v1/\(path)").isProblem(.notAllowed, "closed this page"), "\(path)")
            }
        }
    }

    @Test func `one address has so many streams, and one that ends makes room`() async throws {
        try await withParty { party async throws in
            let open = {
                try await party.visitors.open(.get, "/api/v1/stream", [.cookie: party.cookie], host: Showcase.host)
            }
            var streams: [Response] = []
            for _ in 0..<32 { streams.append(try await open()) }
            #expect(streams.allSatisfy { $0.status == .ok })
            let refused = try await party.look("/api/v1/stream")
            #expect(refused.isProblem(.tooMany, "Close some") && refused.problem?.title == "Too many at a time")
            streams.removeLast()
            #expect(try await open().status == .ok)
        }
    }

    @Test func `the operator's socket answers how it is, and takes no part`() async throws {
        try await withParty { party async throws in
            let server = Browser(party.node, RelayServer.router(party.node, refusing: .showcaseTakesNoPart))
            #expect(try await server.value(API.Status.self, .get, "status").current?.title == "Party")
            for path in ["photos", "invitations", "dump"] {
                #expect(try await server.call(.get, path).isProblem(.notAllowed, "showcase"))
            }
            #expect(try await server.call(.post, "join", "{}").isProblem(.notAllowed, "showcase"))
            #expect(try await server.call(.post, "events", "{}").isProblem(.notAllowed, "showcase"))
            // Those who are connected would hear of it otherwise.
            let path = "events/\(try #require(party.node.showcaseEvent))?now=true"
            let farewell = try await server.value(API.Farewell.self, .delete, path)
            #expect(farewell.state == .forgotten && farewell.told == 0 && party.node.showcaseEvent == nil)
        }
    }
}
