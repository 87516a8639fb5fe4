// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleWeb

/// Moments, who takes part in them, and people, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct MomentRouteTests {
    private static let there = #"{"latitude":40.4156,"longitude":-3.7075,"accuracy_m":12}"#

    @Test func `a moment is made, shown, changed and deleted`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "moments").text == #"{"moments":[]}"#)
            let answer = try await browser.call(.post, "moments", API.NewMoment.about("Dinner").json)
            #expect(answer.status == 201)
            #expect(
                answer.members == [
                    "author", "bookmarked", "button", "categories", "checked_in", "comments", "created", "description",
                    "end", "faved", "faves",
                    "id", "invited", "joined", "may_edit", "may_post", "participation", "photos", "place", "private",
                    "start", "status", "title",
                ]
            )
            let moment = try API.decode(API.Moment.self, from: Data(answer.bytes))
            #expect(moment.status == "ongoing" && moment.button == "check_in" && moment.mayEdit && !moment.mayPost)
            let path = "moments/\(moment.id)"
            #expect(try await browser.value(API.Moment.self, .get, path).title == "Dinner")

            let change = #"{"title":"Supper","place":{"name":"Bar","latitude":40.5,"longitude":-3.5,"radius_m":50}}"#
            let changed = try await browser.value(API.Moment.self, .patch, path, change)
            #expect(changed.title == "Supper" && changed.place.name == "Bar" && changed.place.radiusM == 50)
            #expect(changed.start == moment.start && changed.end == moment.end)
            let listed = try await browser.value(API.Envelope.Moments.self, .get, "moments").moments
            #expect(listed.map(\.title) == ["Supper"])

            let gone = try await browser.call(.delete, path)
            #expect(gone.status == 204 && gone.bytes.isEmpty)
            for (method, path, json) in [
                (.get, path, nil), (.patch, path, "{}"), (.post, path + "/join", nil),
                (.get, "comments?target=\(moment.id)", nil),
                (.post, "comments", #"{"target":"\#(moment.id)","text":"T"}"#), (.get, path + "/participants", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                #expect(try await browser.call(method, path, json).isProblem(.notFound), "\(method) \(path)")
            }
        }
    }

    @Test func `one joins, checks in where it is, and is listed`() async throws {
        try await withEvent { browser in
            // Nobody has joined what was over when it was made.
            let path = "moments/\(try browser.node.makeMoment(.about("Dinner", startsIn: -5), event: nil).id)"
            let later = String(decoding: try API.encode(Date().addingTimeInterval(3600)), as: UTF8.self)
            _ = try await browser.value(API.Moment.self, .patch, path, #"{"end":\#(later)}"#)
            let early = try await browser.call(.post, path + "/check-in", Self.there)
            #expect(early.isProblem(.notAllowed, "Join the moment first"))
            let ignored = try await browser.call(.post, path + "/ignore")
            #expect(ignored.isProblem(.notAllowed, "Nobody has invited you to Dinner"))
            let joined = try await browser.value(API.Moment.self, .post, path + "/join")
            #expect(joined.participation == "joined" && joined.button == "check_in" && joined.joined == 1)
            let far = #"{"latitude":40.45,"longitude":-3.69}"#
            #expect(try await browser.call(.post, path + "/check-in", far).isProblem(.notAllowed, "within 100 m"))
            for nowhere in [#"{"latitude":91,"longitude":0}"#, #"{"latitude":0,"longitude":-181}"#] {
                #expect(
                    try await browser.call(.post, path + "/check-in", nowhere).isProblem(
                        .badRequest,
                        "latitude must be"
                    )
                )
            }
            let there = try await browser.value(API.Moment.self, .post, path + "/check-in", Self.there)
            #expect(there.participation == "checked_in" && there.mayPost)
            let answer = try await browser.call(.get, path + "/participants")
            #expect(answer.members == ["checked_in", "invited", "joined"])
            let people = try API.decode(API.Envelope.Participants.self, from: Data(answer.bytes))
            #expect(people.checkedIn.map(\.me) == [true])
            let late = try browser.node.makeMoment(.about("Breakfast", startsIn: -5), event: nil)
            #expect(try await browser.call(.post, "moments/\(late.id)/join").isProblem(.notAllowed, "ended"))
        }
    }

    @Test(arguments: [
        ("{}", "needs a title"), (#"{"description":"D"}"#, "needs a title"),
        (#"{"title":"T","start":"2026-01-01T00:00:00Z","end":"2025-01-01T00:00:00Z"}"#, "ends before it starts"),
        (#"{"title":"T","place":{"radius_m":50}}"#, "radius needs a position"),
        (#"{"title":"T","place":{"latitude":50}}"#, "latitude and a longitude"),
        (#"{"place":{"latitude":50,"longitude":5}}"#, "needs a title"),
        (#"{"title":"T","categories":["a","b","c","d"]}"#, "at most three"),
        (#"{"title":"T","start":"today"}"#, "not the JSON"), (#"{"start":5}"#, "not the JSON"),
    ])
    func `what is no moment is refused`(json: String, words: String) async throws {
        try await withEvent { browser in
            let answer = try await browser.call(.post, "moments", json)
            #expect(answer.isProblem(.badRequest, words))
        }
    }

    @Test func `a moment is commented on and faved`() async throws {
        try await withEvent { browser in
            let id = try browser.node.makeMoment(.about("Dinner"), event: nil).id
            let answer = try await browser.call(.post, "comments", #"{"target":"\#(id)","text":" ¡Hola! "}"#)
            #expect(
                answer.status == 201
                    && answer.members == [
                        "author", "id", "kind", "mine", "posted", "private", "target", "target_kind", "text",
                    ]
            )
            let comment = try API.decode(API.Comment.self, from: Data(answer.bytes))
            #expect(comment.text == "¡Hola!" && comment.target == id && comment.targetKind == "moment" && comment.mine)
            let list = try await browser.value(API.Envelope.Comments.self, .get, "comments?target=\(id)")
            #expect(list.comments.map(\.id) == [comment.id] && list.next == nil)
            #expect(try await browser.call(.get, "comments?target=\(id)&before=x").isProblem(.badRequest, "cursor"))
            let empty = try await browser.call(.post, "comments", #"{"target":"\#(id)","text":" "}"#)
            #expect(empty.isProblem(.badRequest, "empty"))
            #expect(try await browser.call(.put, "faves/\(id)").text == #"{"faved":true,"faves":1}"#)
            #expect(try await browser.call(.delete, "faves/\(id)").text == #"{"faved":false,"faves":0}"#)
            #expect(try await browser.call(.delete, "comments/\(comment.id)").status == 204)
            #expect(try await browser.call(.get, "comments?target=\(id)").text == #"{"comments":[]}"#)
        }
    }

    @Test func `comments come in pages, the newest first`() async throws {
        // Of two comments of one millisecond, the hashes decide which is newer.
        let next = Atomic(Date().milliseconds)
        let clock = NodeClock(
            now: { Timestamp(milliseconds: next.add(1, ordering: .relaxed).newValue) },
            uptime: NodeClock.system.uptime
        )
        try await withNode(clock: clock) { node in
            _ = try await node.createEvent(title: "Party")
            let browser = Browser(node)
            let id = try node.makeMoment(.about("Dinner"), event: nil).id
            for number in 1...51 { _ = try node.comment(on: id, text: "\(number)", event: nil) }
            let last = try await browser.value(API.Envelope.Comments.self, .get, "comments?target=\(id)")
            #expect(last.comments.map(\.text) == (2...51).reversed().map { "\($0)" })
            let cursor = try #require(last.next)
            let path = "comments?target=\(id)&before=\(cursor)"
            #expect(try await browser.value(API.Envelope.Comments.self, .get, path).comments.map(\.text) == ["1"])
        }
    }

    @Test func `a name is kept for the next event, and people are listed with it`() async throws {
        try await withBrowser { browser in
            #expect(try await browser.value(API.Person.self, .put, "profile", #"{"name":" Ana "}"#).name == "Ana")
            #expect(try await browser.value(API.Status.self, .get, "status").name == "Ana")
            #expect(try await browser.call(.put, "profile", #"{"name":""}"#).isProblem(.badRequest, "name is empty"))
            _ = try await browser.node.createEvent(title: "Party")
            let people = try await browser.value(API.Envelope.People.self, .get, "people").people
            #expect(people.map(\.name) == ["Ana"] && people.map(\.me) == [true] && people.map(\.level) == ["founder"])
            let renamed = try await browser.value(API.Person.self, .put, "profile", #"{"name":"Ana B."}"#)
            #expect(renamed.name == "Ana B." && renamed.id == people.first?.id && !renamed.fingerprint.isEmpty)
            #expect(try await browser.call(.get, "peers").text == #"{"peers":[]}"#)
        }
    }
}
