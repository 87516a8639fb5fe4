// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Status, events, invitations and what the operator looks at, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct EventRouteTests {
    @Test func `a new node says how it is, and that it is in no event`() async throws {
        try await withBrowser { browser in
            let status = try await browser.value(API.Status.self, .get, "status")
            #expect(status.version == Node.version && status.current == nil && status.events.isEmpty)
            #expect(status.name == nil && status.person == nil && status.disk.freeBytes > 0)
            #expect(status.discovery.state == "absent" && !status.discovery.detail.isEmpty)
            let members = try await browser.call(.get, "status").members
            #expect(members == ["discovery", "disk", "events", "sync", "unopened", "version", "warnings"])
            #expect(try await browser.call(.get, "events").text == #"{"events":[]}"#)
            let checks = try await browser.value(API.Envelope.Doctor.self, .get, "doctor").checks
            #expect(!checks.isEmpty && Set(checks.map(\.id)).count == checks.count)
            #expect(checks.allSatisfy { ["pass", "warn", "fail", "skip"].contains($0.status) && !$0.detail.isEmpty })
        }
    }

    @Test func `an event is made, chosen and left`() async throws {
        try await withBrowser { browser in
            let first = try await browser.value(
                API.Event.self,
                .post,
                "events",
                #"{"title":" Fête "}"#,
                status: 201
            )
            #expect(first.title == "Fête" && first.founder && first.current && first.people == 1)
            let made = try await browser.call(.post, "events", #"{"title":"Second"}"#)
            #expect(
                made.status == 201
                    && made.members == [
                        "areas", "created", "current", "founder", "id", "level", "moments", "nearby", "people",
                        "photos",
                        "report_threshold", "reports", "requests", "title", "waiting", "who_invites",
                    ]
            )
            let second = try API.decode(API.Event.self, from: Data(made.bytes))
            let listed = try await browser.value(API.Envelope.Events.self, .get, "events").events
            #expect(listed.filter(\.current).map(\.id) == [second.id] && listed.count == 2)

            let renamed = try await browser.value(
                API.Event.self,
                .put,
                "events/\(second.id)",
                #"{"title":"Third","report_threshold":5}"#
            )
            #expect(renamed.title == "Third" && renamed.reportThreshold == 5 && renamed.reports == 0)
            let nothing = try await browser.call(.put, "events/\(second.id)", "{}")
            #expect(nothing.status == 400)

            let chosen = try await browser.value(
                API.Event.self,
                .put,
                "events/current",
                #"{"id":"\#(first.id)"}"#
            )
            #expect(chosen.id == first.id && chosen.current)
            #expect(try await browser.value(API.Status.self, .get, "status").current?.id == first.id)
            let other = try await browser.value(API.Status.self, .get, "status?event=\(second.id)")
            #expect(other.current?.id == second.id)

            let left = try await browser.call(.delete, "events/\(second.id)")
            #expect(left.status == 200 && left.members == ["detail", "id", "state", "title", "told"])
            // Nobody else takes part, so there is nobody to tell.
            #expect(try API.decode(API.Farewell.self, from: Data(left.bytes)).state == .forgotten)
            #expect(try await browser.call(.delete, "events/\(second.id)").isProblem(.notFound, "no event"))
            #expect(try await browser.call(.put, "events/current", #"{"id":"\#(second.id)"}"#).isProblem(.notFound))
            #expect(try await browser.value(API.Envelope.Events.self, .get, "events").events.map(\.id) == [first.id])
        }
    }

    @Test(
        arguments: [
            (.get, "people", nil), (.get, "peers", nil), (.get, "moments", nil),
            (.get, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.get, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/participants", nil),
            (.get, "comments?target=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil), (.get, "photos", nil),
            (.get, "photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.get, "comments?target=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil), (.get, "news", nil), (.get, "dump", nil),
            (.get, "invitation", nil), (.get, "invitation.svg", nil),
            (.get, "media/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/thumbnail", nil),
            (.get, "media/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/preview", nil),
            (.get, "media/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/original", nil),
            (.get, "media/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/picture", nil),
            (.post, "invitations", "{}"), (.post, "moments", #"{"title":"T"}"#),
            (.patch, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "{}"),
            (.delete, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.post, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/join", nil),
            (.post, "moments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/check-in", #"{"latitude":1,"longitude":2}"#),
            (.put, "photos?name=a.jpg", "x"),
            (.delete, "photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.post, "comments", #"{"target":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","text":"T"}"#),
            (.post, "comments", #"{"target":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","text":"T"}"#),
            (.delete, "comments/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.put, "faves/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.delete, "faves/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.put, "bookmarks/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil), (.get, "bookmarks", nil),
            (.get, "connections", nil), (.put, "connections/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.delete, "connections/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
            (.put, "profile/picture", "x"),
        ] as [(HTTPRequest.Method, String, String?)]
    )
    func `a node in no event says so`(method: HTTPRequest.Method, path: String, json: String?) async throws {
        try await withBrowser { browser in
            #expect(try await browser.call(method, path, json).isProblem(.noEvent, "no event yet"), "\(method) \(path)")
            let separator = path.contains("?") ? "&" : "?"
            let answer = try await browser.call(method, "\(path)\(separator)event=none", json)
            #expect(answer.isProblem(.notFound, "none"), "\(path)")
        }
    }

    @Test func `the founder makes invitations, and shows the newest as a link and as a code`() async throws {
        try await withEvent { browser in
            let first = try await browser.value(API.Invitation.self, .get, "invitation")
            #expect(first.link.hasPrefix("mingle:") && first.expires == nil && first.uses == nil && first.used == 0)
            #expect(
                try await browser.call(.get, "invitation").members == [
                    "approval", "door", "id", "level", "link", "used",
                ]
            )
            let terms = #"{"expires_in_seconds":3600,"uses":3}"#
            let second = try await browser.value(API.Invitation.self, .post, "invitations", terms, status: 201)
            let expires = try #require(second.expires)
            #expect(second.uses == 3 && (3500...3700).contains(expires.timeIntervalSinceNow))
            let free = try await browser.value(API.Invitation.self, .post, "invitations", "{}", status: 201)
            #expect(free.uses == nil && free.expires == nil && free.link != second.link)
            #expect(try await browser.value(API.Invitation.self, .get, "invitation").link == free.link)

            let code = try await browser.call(.get, "invitation.svg")
            #expect(code.status == 200 && code.headers[.contentType] == "image/svg+xml")
            #expect(code.headers[.cacheControl] == "no-store" && XMLParser(data: Data(code.bytes)).parse())
            #expect(try code.text == QRCode(free.link).svg)
        }
    }

    @Test func `the founder lets anyone nearby in and nobody any more, and what is nearby is listed`() async throws {
        try await withEvent { browser in
            let id = try #require(try await browser.value(API.Status.self, .get, "status").current?.id)
            let shown = try await browser.value(API.Invitation.self, .get, "invitation").link
            for isOpen in [true, false] {
                let json = #"{"nearby":\#(isOpen)}"#
                let event = try await browser.value(API.Event.self, .put, "events/\(id)", json)
                #expect(event.nearby == isOpen && event.title == "Party")
                let members = try await browser.call(.put, "events/\(id)", json).members
                #expect(members.contains("nearby_until") == isOpen && (event.nearbyUntil != nil) == isOpen)
                let listed = try await browser.value(API.Envelope.Invitations.self, .get, "invitations").invitations
                #expect(listed.map(\.nearby) == [false, true] && listed.map(\.closed) == [false, !isOpen])
            }
            #expect(try await browser.value(API.Invitation.self, .get, "invitation").link == shown)
            #expect(try await browser.call(.put, "events/\(id)", #"{"nearby":1}"#).isProblem(.badRequest))
            let answer = try await browser.call(.get, "nearby")
            #expect(answer.status == 200 && answer.members == ["discovery", "nearby"])
            let list = try await browser.value(API.Envelope.Nearby.self, .get, "nearby")
            #expect(list.nearby.isEmpty && list.discovery.state == "absent")
        }
    }

    @Test func `invitations are listed, made for guests, and closed`() async throws {
        try await withEvent { browser in
            let made = try await browser.value(
                API.Invitation.self,
                .post,
                "invitations",
                #"{"level":"guest"}"#,
                status: 201
            )
            #expect(made.level == "guest")
            let listed = try await browser.value(API.Envelope.Invitations.self, .get, "invitations").invitations
            #expect(listed.map(\.level) == ["attendee", "guest"] && listed.allSatisfy { $0.maker.me && !$0.closed })
            #expect(listed.last?.link == made.link)
            let closed = try await browser.value(API.ListedInvitation.self, .delete, "invitations/\(made.id)")
            #expect(closed.closed && closed.id == made.id)
            #expect(try await browser.value(API.Invitation.self, .get, "invitation").level == "attendee")
            let answers = [
                try await browser.call(.delete, "invitations/none"),
                try await browser.call(.delete, "invitations/\(made.id)a"),
            ]
            #expect(answers.allSatisfy { $0.isProblem(.notFound) })
            for level in ["founder", "king", ""] {
                let answer = try await browser.call(.post, "invitations", #"{"level":"\#(level)"}"#)
                #expect(answer.isProblem(.badRequest, "Use one of: successor, host, moderator, attendee, guest"))
            }
        }
    }

    @Test func `who has a link joins, and who shows no good one does not`() async throws {
        try await withEvent { host in
            try await withNode(peers: ["127.0.0.1:\(host.node.peerPort)"]) { node in
                let guest = Browser(node)
                for link in ["", "https://example.org", "mingle://join/", "mingle://join/abc"] {
                    let answer = try await guest.call(.post, "join", #"{"link":"\#(link)"}"#)
                    #expect(answer.isProblem(.badRequest), "\(link)")
                }
                let link = try await host.value(API.Invitation.self, .get, "invitation").link
                let json = #"{"link":"\#(link)"}"#
                let event = try await guest.value(API.Event.self, .post, "join", json, status: 201)
                #expect(event.title == "Party" && !event.founder && event.current)
                #expect(try await guest.call(.post, "invitations", "{}").isProblem(.notAllowed, "Ask a host"))
                let peers = try await guest.value(API.Envelope.Peers.self, .get, "peers").peers
                #expect(peers.allSatisfy { ["in", "out"].contains($0.direction) && !$0.address.isEmpty })
                #expect(!peers.isEmpty)
            }
        }
    }

    @Test func `the news and the dump tell what is there`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "news").text == #"{"items":[]}"#)
            let moment = try browser.node.makeMoment(.about("Dinner"), event: nil)
            let news = try await browser.value(API.Envelope.News.self, .get, "news")
            #expect(news.items.map(\.type) == ["moment"] && news.items.first?.moment?.id == moment.id)
            #expect(try await browser.call(.get, "news?order=newest&before=x").isProblem(.badRequest, "cursor"))
            let dump = try await browser.call(.get, "dump")
            #expect(dump.status == 200 && dump.headers[.contentType] == "text/plain; charset=utf-8")
            let lines = dump.text.split(separator: "\n")
            #expect(dump.text.hasSuffix("\n") && lines == lines.sorted() && lines.contains { $0.contains("Dinner") })
        }
    }

    @Test func `yes and no in a query are said in no other words, where something irreversible hangs on it`()
        async throws
    {
        try await withEvent { browser in
            let id = try #require(try browser.node.status(event: nil).current?.id)
            let until = #"{"until":"2026-06-20T18:00:00Z"}"#
            for (method, path, json, name) in [
                (.delete, "events/\(id)?erase=maybe", nil, "erase"), (.delete, "events/\(id)?now=yes", nil, "now"),
                (.delete, "events/\(id)?force=TRUE", nil, "force"),
                (.delete, "people/x?keep_links=", nil, "keep_links"),
                (.post, "people/x/rescue?preview=2", until, "preview"), (.delete, "devices/x?force=on", nil, "force"),
                (.put, "photos?keep_location=maybe", nil, "keep_location"),
            ] as [(HTTPRequest.Method, String, String?, String)] {
                let answer = try await browser.call(method, path, json)
                #expect(answer.isProblem(.badRequest, "`\(name)` must be true or false."), "\(method) \(path)")
            }
            #expect(try browser.node.status(event: nil).current?.id == id)
            for word in ["true", "1", "false", "0"] {
                let answer = try await browser.call(.post, "people/x/rescue?preview=\(word)", until)
                #expect(answer.isProblem(.notFound), "\(word)")
            }
        }
    }
}
