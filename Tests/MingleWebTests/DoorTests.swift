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

/// What guests of a door can ask for, and that it is all.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorTests {
    /// All that is open; whatever is not here is refused.
    private static let open: Set<String> = Set(
        [
            "", "check-ins", "deals", "deals/{id}", "for-you", "moments", "moments/{id}", "news", "people",
            "people/{id}", "photos", "photos/{id}", "places", "places/{id}", "wall", "assets/**",
        ].map {
            "GET /\($0)"
        }
            + [
                "GET visit", "DELETE visit", "PUT profile", "PUT profile/picture", "POST sign-in-codes", "POST sign-in",
                "GET stream", "GET openapi.json", "GET news", "GET notifications", "GET people",
                "GET people/{id}", "GET people/{id}/pictures", "GET people/{id}/moments", "GET search",
                "GET moments/{id}/thumbnail", "GET moments/{id}/preview", "GET moments/{id}/calendar.ics",
                "GET photos/times", "GET photos/nearby", "PUT votes/{id}", "DELETE votes/{id}", "GET places",
                "GET places/find", "GET places/suggest",
                "GET places/trending", "GET places/inspire", "GET categories", "GET themes",
                "GET deals", "GET deals/{id}", "GET deals/{id}/thumbnail", "GET deals/{id}/preview",
                "PUT deal_uses/{id}", "GET places/{id}", "GET place_pages", "GET place_pages/{id}/thumbnail",
                "GET place_pages/{id}/preview", "GET ownerships", "GET kinds", "PUT ratings/{id}",
                "DELETE ratings/{id}",
                "POST check_ins", "GET site_plans", "GET site_plans/{id}/thumbnail", "GET site_plans/{id}/preview",
                "GET photos", "PUT photos", "GET photos/{id}", "PATCH photos/{id}", "DELETE photos/{id}",
                "GET moments", "POST moments", "GET moments/{id}", "PATCH moments/{id}", "DELETE moments/{id}",
                "POST moments/{id}/join", "POST moments/{id}/check-in", "GET moments/{id}/participants",
                "GET comments", "POST comments", "PATCH comments/{id}", "DELETE comments/{id}",
                "GET comments/{id}/thumbnail", "GET comments/{id}/preview",
                "PUT faves/{id}", "DELETE faves/{id}", "GET reports/{id}", "PUT reports/{id}",
                "GET media/{id}/thumbnail", "GET media/{id}/preview", "GET media/{id}/original", "GET media/{id}/jpeg",
                "GET media/{id}/picture", "GET photos.zip", "POST photos.zip", "GET doors/code.svg", "POST device-link",
                "POST uploads", "PATCH uploads/{id}", "DELETE uploads/{id}",
            ].map { $0.replacing(" ", with: " /api/v1/") }
    )

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

    @Test func `what is open is a list`() async throws {
        try await withParty { party async throws in
            let server = DoorServer(party.door, code: party.code, logger: .silent, now: { .zero })
            let routes = server.guestRouter().routes.filter { $0.method != .head }
            #expect(Set(routes.map { "\($0.method) \(name($0.path))" }) == Self.open)
        }
    }

    @Test func `of all that the local API has, guests reach what is open and no more, whatever the method`()
        async throws
    {
        try await withOpenParty { party async throws in
            let whole =
                WebServer.browserRouter(party.node).routes + WebServer.commandLineRouter(party.node).routes
                + RelayServer.router(party.node).routes
            #expect(whole.count > 100)
            for route in whole where route.method != .head && !Self.open.contains("\(route.method) \(name(route.path))")
            {
                let path = name(route.path)
                let answer = try await party.look(example(path), route.method)
                #expect([404, 405].contains(answer.status), "\(route.method) \(path): \(answer.status)")
                #expect(answer.headers[.contentType] == "application/problem+json", "\(path)")
            }
            #expect(party.door.count == 0)
        }
    }

    @Test func `who only looks writes nothing, by whatever call, and sends no file for nothing`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small)
            try await eventually("the photo comes", at: party.node) {
                try party.visited().photos(ListQuery(.photo, [:])).photos.count == 1
            }
            for call in Self.open where !call.hasPrefix("GET ") {
                let words = call.split(separator: " ")
                let method = try #require(HTTPRequest.Method(rawValue: String(words[0])))
                let path = String(words[1]).replacing("{id}", with: photo.id)
                let headers: HTTPFields = [.origin: "http://\(DoorParty.host)", .contentLength: "1000000000"]
                let answer = try await party.look(path, method, headers, body: .unread)
                #expect(answer.isProblem(.notAllowed, "only look"), "\(call)")
            }
            #expect(party.door.count == 0)
            #expect(try await party.founder.value(API.Photo.self, .get, "photos/\(photo.id)").comments == 0)
        }
    }

    @Test func `nothing of the node and nothing of its person is there`() async throws {
        let api = [
            "status", "events", "doctor", "dump", "invitation", "invitations", "invitation.svg", "peers", "devices",
            "device-link", "bookmarks", "connections", "hidden", "hidden/log", "reports", "nearby", "missing", "join",
            "moments/x/guests", "profile", "verify", "backup", "pictures", "people/x/muted", "feedback", "claims",
        ]
        let pages = ["/metrics", "/health/live", "/health/ready", "/invite", "/hidden", "/bookmarks", "/api", "/x"]
        try await withParty { party async throws in
            for path in api.map({ "/api/v1/\($0)" }) + pages {
                #expect(try await party.look(path).isProblem(.notFound), "\(path)")
            }
        }
    }

    @Test func `who looks sees what everybody sees, and nothing that lets anybody in`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small, "name=a.jpg&title=Cake")
            let moment = try party.founder.node.makeMoment(.about("Dinner"), event: nil)
            _ = try party.founder.node.comment(on: photo.id, text: "Yum", event: nil)
            try await eventually("all has come", at: party.node) {
                let event = try party.visited()
                return try event.photos(ListQuery(.photo, [:])).photos.first?.held.original == true
                    && event.records(of: .comment, ListQuery(.comment, ["target": photo.id])).records.count == 1
                    && event.moments().moments.count == 1
                    && party.node.service(nil).ownPerson().name == Node.doorName
            }
            let visit = try await party.value(API.Visit.self, "visit")
            #expect(visit.title == "Party" && visit.people == 1 && visit.photos == 1 && visit.moments == 1)
            #expect(visit.me == nil && !visit.takesPart && visit.door == Node.doorName)
            let people = try await party.value(API.Envelope.People.self, "people")
            #expect(Set(people.people.map(\.name)) == ["Ana", Node.doorName] && people.relays.isEmpty)
            #expect(people.people.allSatisfy { !$0.me })
            let news = try await party.value(API.Envelope.News.self, "news?order=newest")
            #expect(Set(news.items.map(\.type)) == ["photo", "comment", "moment"] && news.locked == nil)
            #expect(try await party.value(API.Photo.self, "photos/\(photo.id)").title == "Cake")
            #expect(try await party.value(API.Moment.self, "moments/\(moment.id)").mayEdit == false)
            let comments = try await party.value(API.Envelope.Comments.self, "comments?target=\(photo.id)")
            #expect(comments.comments.map(\.text) == ["Yum"])
            for form in ["thumbnail", "preview", "original"] {
                let media = try await party.look("/api/v1/media/\(photo.id)/\(form)")
                #expect(media.status == 200 && media.headers[.contentType] == "image/jpeg")
                #expect(media.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            }
            for path in [
                "visit", "news", "notifications", "people", "photos", "moments", "comments?target=\(photo.id)",
            ] {
                let text = try await party.look("/api/v1/\(path)").text
                #expect(!text.contains(party.node.doorEvent ?? "?") && !text.contains(party.code.code), "\(path)")
                #expect(!text.contains("mingle://"), "\(path)")
            }
        }
    }

    @Test func `what a moderator hides is gone from the page`() async throws {
        try await withParty { party async throws in
            let photo = try await party.founder.share(Picture.small)
            try await eventually("the photo comes", at: party.node) {
                (try? party.visited().photo(RequestValidation.reference(photo.id))) != nil
            }
            try party.founder.node.hide(photo.id, because: "no", event: nil)
            try await eventually("it is gone", at: party.node) {
                (try? party.visited().photo(RequestValidation.reference(photo.id))) == nil
            }
            #expect(try await party.look("/api/v1/media/\(photo.id)/thumbnail").isProblem(.notFound))
            #expect(try await party.value(API.Envelope.News.self, "news").items.isEmpty)
        }
    }

    @Test func `a page is told what changed of what it sees, and its stream ends once a host closes the page`()
        async throws
    {
        try await withParty { party async throws in
            let response = try await party.page.open(
                .get,
                "/api/v1/stream",
                [.cookie: party.cookie],
                host: DoorParty.host
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
            _ = try party.founder.node.remove(party.node.doorPerson, keepsLinks: false, event: nil)
            try await eventually("it is out", at: party.node) { try party.node.doorState() == .out }
            try await reading.value
            #expect(page.isFinished)
            for path in [
                "visit", "news", "notifications", "photos", "people", "moments", "stream", "media/x/thumbnail",
            ] {
                #expect(try await party.look("/api/v1/\(path)").isProblem(.notAllowed, "closed this page"), "\(path)")
            }
        }
    }

    @Test func `one browser has so many streams, and one that ends makes room`() async throws {
        try await withParty { party async throws in
            let open = {
                try await party.page.open(.get, "/api/v1/stream", [.cookie: party.cookie], host: DoorParty.host)
            }
            var streams: [Response] = []
            for _ in 0..<6 { streams.append(try await open()) }
            #expect(streams.allSatisfy { $0.status == .ok })
            let refused = try await party.look("/api/v1/stream")
            #expect(refused.isProblem(.tooMany, "Close some") && refused.problem?.title == "Too many at a time")
            streams.removeLast()
            #expect(try await open().status == .ok)
        }
    }

    @Test func `the operator's socket answers how it is, and takes no part`() async throws {
        try await withParty { party async throws in
            let server = Browser(party.node, RelayServer.router(party.node, refusing: .doorTakesNoPart))
            #expect(try await server.value(API.Status.self, .get, "status").current?.title == "Party")
            for path in ["photos", "invitations", "dump"] {
                #expect(try await server.call(.get, path).isProblem(.notAllowed, "door"))
            }
            #expect(try await server.call(.post, "join", "{}").isProblem(.notAllowed, "door"))
            #expect(try await server.call(.post, "events", "{}").isProblem(.notAllowed, "door"))
            // Those who are connected would hear of it otherwise.
            let path = "events/\(try #require(party.node.doorEvent))?now=true"
            let farewell = try await server.value(API.Farewell.self, .delete, path)
            #expect(farewell.state == .forgotten && farewell.told == 0 && party.node.doorEvent == nil)
        }
    }
}
