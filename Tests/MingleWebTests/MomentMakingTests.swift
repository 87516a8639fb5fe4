// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Moments made with a word, covers of their own, calendars, categories and the lists of one's own.
@Suite(.timeLimit(.minutes(5)))
struct MomentMakingTests {
    @Test func `a title is enough, and so is a place: it goes on now for two hours, and one has joined`() async throws {
        try await withEvent { browser in
            let made = try await browser.value(API.Moment.self, .post, "moments", #"{"title":"Toast"}"#, status: 201)
            #expect(made.status == "ongoing" && made.end.timeIntervalSince(made.start) == 7200)
            #expect(abs(made.start.timeIntervalSinceNow) < 60 && !made.private && made.place.name.isEmpty)
            #expect(made.participation == "joined" && made.joined == 1)
            let hall = #"{"place":{"name":"Hall"},"private":true}"#
            let named = try await browser.value(API.Moment.self, .post, "moments", hall, status: 201)
            #expect(named.title == "Hall" && named.place.name == "Hall" && named.private && named.joined == 1)
            // A position without a radius holds nobody to it.
            let open = #"{"title":"Walk","place":{"latitude":55.6,"longitude":12.5}}"#
            let walk = try await browser.value(API.Moment.self, .post, "moments", open, status: 201)
            #expect(walk.place.latitude == 55.6 && walk.place.radiusM == nil)
            let far = #"{"latitude":0,"longitude":0}"#
            let there = try await browser.value(API.Moment.self, .post, "moments/\(walk.id)/check-in", far)
            #expect(there.participation == "checked_in")
            let later = #"{"title":"Soon","start":"2099-06-20T22:00:00Z"}"#
            let soon = try await browser.value(API.Moment.self, .post, "moments", later, status: 201)
            #expect(soon.end.timeIntervalSince(soon.start) == 7200 && soon.button == "joined")
        }
    }

    @Test func `a place of the event is named by its id, and no second one is made of it`() async throws {
        try await withEvent { browser in
            let plaza = try browser.node.makeMoment(.about("Dinner"), event: nil).place.id
            let id = try #require(plaza)
            let json = #"{"place":{"id":"\#(id)"}}"#
            let made = try await browser.value(API.Moment.self, .post, "moments", json, status: 201)
            #expect(made.title == "Plaza" && made.place.id == id && made.place.radiusM == 100)
            #expect(made.place.latitude == 40.4155)
            let unknown = try await browser.call(.post, "moments", #"{"place":{"id":"nothing"}}"#)
            #expect(unknown.isProblem(.notFound))
            let renamed = #"{"place":{"name":"Corner"}}"#
            let moved = try await browser.value(API.Moment.self, .patch, "moments/\(made.id)", renamed)
            #expect(moved.place.name == "Corner" && moved.place.id == nil && moved.place.latitude == nil)
        }
    }

    @Test func `a cover of its own is no photo, gives way to one, and stays when the moment becomes public`()
        async throws
    {
        try await withEvent { browser in
            let json = #"{"title":"Toast","private":true}"#
            let id = try await browser.value(API.Moment.self, .post, "moments", json, status: 201).id
            let body = RequestBody.parts([try Picture.small])
            let answer = try await browser.send(.put, "/api/v1/moments/\(id)/cover", body: body)
            let covered = try API.decode(API.Moment.self, from: Data(answer.bytes))
            let preview = try #require(covered.coverPreview)
            #expect(covered.cover == nil && preview.hasPrefix("/api/v1/moments/\(id)/preview?v="))
            #expect(try await browser.send(.get, preview).headers[.contentType] == "image/jpeg")
            #expect(try await browser.call(.get, "photos").text == #"{"photos":[]}"#)
            let open = #"{"private":false}"#
            let shown = try await browser.value(API.Moment.self, .post, "moments/\(id)/visibility", open)
            let moved = try #require(shown.coverThumbnail)
            #expect(shown.cover == nil && moved.contains(shown.id))
            #expect(try await browser.send(.get, moved).status == 200)
            let path = "moments/\(shown.id)"
            _ = try await browser.value(API.Moment.self, .post, path + "/check-in", "{}")
            let photo = try await browser.share(Picture.png, "name=a.png&target=\(shown.id)")
            #expect(try await browser.value(API.Moment.self, .get, path).cover == nil)
            let chosen = try await browser.value(API.Moment.self, .patch, path, #"{"cover":"\#(photo.id)"}"#)
            #expect(chosen.cover == photo.id && chosen.coverPreview == "/api/v1/media/\(photo.id)/preview")
            let wrong = try await browser.send(.put, "/api/v1/\(path)/cover", body: .parts([Array("no".utf8)]))
            #expect(wrong.status == 415)
            let nowhere = try await browser.send(.put, "/api/v1/moments/x/cover", body: .parts([try Picture.small]))
            #expect(nowhere.isProblem(.notFound))
        }
    }

    @Test func `a moment is a file that calendars read`() async throws {
        try await withEvent { browser in
            let words = String(repeating: "Brïng wine; cheese, bread\\n", count: 10)
            let json = """
                {"title":"Tea, cake; and more","description":"\(words)","start":"2026-10-24T23:30:00Z",
                "end":"2026-10-25T02:30:00.500Z","place":{"name":"Hall","latitude":-1.5,"longitude":12.25,"radius_m":5}}
                """
            let id = try await browser.value(API.Moment.self, .post, "moments", json, status: 201).id
            let answer = try await browser.call(.get, "moments/\(id)/calendar.ics")
            #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
            #expect(answer.headers[.contentDisposition]?.contains("Tea") == true)
            let lines = answer.text.components(separatedBy: "\r\n")
            #expect(lines.last == "" && lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") })
            let unfolded = answer.text.replacing("\r\n ", with: "")
            for line in [
                "BEGIN:VCALENDAR", "VERSION:2.0", "UID:\(id)", "DTSTART:20261024T233000Z", "DTEND:20261025T023000Z",
                "SUMMARY:Tea\\, cake\\; and more", "LOCATION:Hall", "GEO:-1.500000;12.250000", "END:VCALENDAR",
                "DESCRIPTION:" + String(repeating: "Brïng wine\\; cheese\\, bread\\n", count: 10),
            ] { #expect(unfolded.contains("\(line)\r\n"), "\(line)") }
            #expect(!unfolded.contains("CLASS:PRIVATE"))
            #expect(try await browser.call(.get, "moments/x/calendar.ics").isProblem(.notFound))
        }
    }

    @Test func `moments have categories of the event, by which the list is narrowed`() async throws {
        try await withEvent { browser in
            let made = try await browser.call(.post, "categories", #"{"name":"Music"}"#)
            let category = try API.decode(API.JSON.self, from: Data(made.bytes))["id"]?.text ?? ""
            let json = #"{"title":"Jazz","categories":["\#(category)"]}"#
            let jazz = try await browser.value(API.Moment.self, .post, "moments", json, status: 201)
            #expect(jazz.categories == [category])
            _ = try await browser.value(API.Moment.self, .post, "moments", #"{"title":"Toast"}"#, status: 201)
            let list = try await browser.value(API.Envelope.Moments.self, .get, "moments?categories=\(category)")
            #expect(list.moments.map(\.title) == ["Jazz"])
            let unknown = #"{"title":"T","categories":["\#(jazz.id)"]}"#
            #expect(try await browser.call(.post, "moments", unknown).isProblem(.notFound, "category"))
            let none = try await browser.value(API.Moment.self, .patch, "moments/\(jazz.id)", #"{"categories":[]}"#)
            #expect(none.categories.isEmpty)
        }
    }

    @Test func `one's own lists come in pages, and go with no other parameter`() async throws {
        try await withEvent { browser in
            for title in ["One", "Two", "Three"] {
                let json = #"{"title":"\#(title)"}"#
                let made = try await browser.value(API.Moment.self, .post, "moments", json, status: 201)
                if title != "Two" { _ = try await browser.call(.post, "moments/\(made.id)/check-in", "{}") }
            }
            func titles(_ query: String) async throws -> [String] {
                try await browser.value(API.Envelope.Moments.self, .get, "moments?\(query)").moments.map(\.title)
            }
            #expect(try await titles("list=mine") == ["Three", "Two", "One"])
            #expect(try await titles("list=checked_in") == ["Three", "One"])
            #expect(try await titles("list=invited").isEmpty)
            let page = try await browser.value(API.Envelope.Moments.self, .get, "moments?list=joined&limit=2")
            let cursor = try #require(page.next)
            #expect(try await titles("list=joined&limit=2&before=\(cursor)").count == 1)
            #expect(try await browser.call(.get, "moments?list=mine&before=\(cursor)").isProblem(.badRequest, "cursor"))
            #expect(try await browser.call(.get, "moments?list=all").isProblem(.badRequest, "must be one of"))
            #expect(try await browser.call(.get, "moments?list=mine&q=one").isProblem(.badRequest, "goes with"))
        }
    }

    @Test func `photos are narrowed, ordered and counted by parameters`() async throws {
        try await withEvent { browser in
            let (first, second) = (try await browser.share(Picture.small), try await browser.share(Picture.png))
            _ = try await browser.call(.put, "faves/\(first.id)")
            func ids(_ query: String) async throws -> [String] {
                try await browser.value(API.Envelope.Photos.self, .get, "photos?\(query)").photos.map(\.id)
            }
            #expect(try await ids("faved=true") == [first.id])
            #expect(try await ids("order=-taken") == [second.id, first.id])
            #expect(try await ids("order=taken&author=\(first.author.id)") == [first.id, second.id])
            #expect(try await browser.call(.get, "photos?faved=perhaps").isProblem(.badRequest, "true or false"))
            let times = try await browser.value(API.Envelope.PhotoTimes.self, .get, "photos/times?order=-taken")
            #expect(times.seconds == 600 && times.times.reduce(0) { $0 + $1.count } == 2)
            let start = try #require(times.times.first?.before)
            #expect(try await ids("order=-taken&before=\(start)") == [second.id, first.id])
            #expect(try await browser.call(.get, "photos?before=\(start)").isProblem(.badRequest, "other parameters"))
            let long = String(repeating: "c", count: 10_000)
            let caption = try await browser.call(.patch, "photos/\(first.id)", #"{"title":"\#(long)"}"#)
            #expect(caption.isProblem(.badRequest, "too long"))
            let path = "/api/v1/photos?name=a.jpg&title=\(long)"
            let shared = try await browser.send(.put, path, body: .parts([try Picture.small]))
            #expect(shared.status == 400)
        }
    }
}
