// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import MinglePeering
import NIOCore
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Profiles and the search for everything, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct ProfileRouteTests {
    private func me(_ browser: Browser) async throws -> API.Person {
        try #require(try await browser.value(API.Envelope.People.self, .get, "people").people.first)
    }

    private func search(_ browser: Browser, _ words: String) async throws -> API.Search {
        let query = try #require(words.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await browser.value(API.Search.self, .get, "search?q=\(query)")
    }

    @Test func `a profile has its person, and its own last name and address, which no record and no other has`()
        async throws
    {
        try await withEvent { browser in
            _ = try await browser.call(.put, "profile", #"{"name":"Ana"}"#)
            let contact = #"{"last_name":" Canaryruiz ","email":"canary@example.org"}"#
            let kept = try await browser.value(API.Contact.self, .patch, "profile", contact)
            #expect(kept == API.Contact(lastName: "Canaryruiz", email: "canary@example.org"))
            #expect(try await browser.value(API.Contact.self, .get, "profile") == kept)
            let id = try await me(browser).id
            let profile = try await browser.value(API.Profile.self, .get, "people/\(id)")
            #expect(profile.person.name == "Ana" && profile.own == kept && profile.connection == nil)
            #expect(try await !browser.call(.get, "dump").text.contains("anary"))
            #expect(try await !browser.call(.get, "people").text.contains("anary"))
            #expect(try await search(browser, "canaryruiz").people.items.isEmpty)
            let cleared = try await browser.value(API.Contact.self, .patch, "profile", #"{"last_name":""}"#)
            #expect(cleared == API.Contact(email: "canary@example.org"))
            for wrong in ["ana", "@", "a@b@c", "a b@c"] {
                #expect(try await browser.call(.patch, "profile", #"{"email":"\#(wrong)"}"#).isProblem(.badRequest))
            }
            #expect(try await browser.call(.patch, "profile", "{}").isProblem(.badRequest, "Nothing to change"))
        }
    }

    @Test func `an id that is no person's, and a list that there is not, are told apart`() async throws {
        try await withEvent { browser in
            let id = try await me(browser).id
            let moment = try await browser.value(
                API.Moment.self,
                .post,
                "moments",
                try API.NewMoment.about("Dance").json,
                status: 201
            )
            let stranger = String(repeating: "a", count: id.count)
            for path in ["people/x", "people/\(stranger)", "people/\(moment.id)", "people/\(stranger)/moments"] {
                #expect(try await browser.call(.get, path).isProblem(.notFound), "\(path)")
            }
            #expect(try await browser.call(.get, "people/\(id)/moments?in=lost").isProblem(.badRequest, "made, joined"))
            #expect(try await browser.call(.get, "people/\(id)/moments?limit=0").isProblem(.badRequest, "`limit`"))
            let made = try await browser.value(API.Envelope.Moments.self, .get, "people/\(id)/moments?in=made")
            #expect(made.moments.map(\.title) == ["Dance"] && made.next == nil)
            let other = try await browser.call(.get, "people/\(id)/pictures?before=1.1.x")
            #expect(other.isProblem(.badRequest, "cursor"))
        }
    }

    @Test func `earlier profile pictures are listed, and each has its bytes`() async throws {
        try await withEvent { browser in
            for picture in try [Picture.small, Picture.large] {
                let answer = try await browser.send(
                    .put,
                    "/api/v1/profile/picture",
                    [.contentLength: "\(picture.count)"],
                    body: RequestBody(buffer: ByteBuffer(bytes: picture))
                )
                #expect(answer.status == 200, "\(answer)")
            }
            let id = try await me(browser).id
            let pictures = try await browser.value(API.Envelope.ProfilePictures.self, .get, "people/\(id)/pictures")
                .pictures
            #expect(pictures.map(\.current) == [true, false])
            for picture in pictures {
                for path in [picture.thumbnail, picture.preview] {
                    let answer = try await browser.send(.get, path)
                    #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg", "\(path)")
                }
            }
            let missing = try await browser.call(.get, "media/\(id)/picture?of=\(String(repeating: "a", count: 52))")
            #expect(missing.isProblem(.notFound))
        }
    }

    @Test func `one search finds people, moments, places and photos, the best few, and says where more are`()
        async throws
    {
        try await withEvent { browser in
            _ = try await browser.call(.put, "profile", #"{"name":"Harriet"}"#)
            // Places are of the area of venues.
            let event = try #require(try await browser.value(API.Status.self, .get, "status").current?.id)
            _ = try await browser.call(.put, "events/\(event)", #"{"areas":["moments","venues"]}"#)
            for number in 0..<7 {
                _ = try await browser.call(.post, "moments", try API.NewMoment.about("Harbour walk \(number)").json)
            }
            let found = try await search(browser, "harb")
            #expect(found.moments.items.count == 5 && found.moments.more == "moments?q=harb")
            #expect(found.moments.items[0].link == "/moments/\(found.moments.items[0].id)")
            let all = try await browser.value(API.Envelope.Moments.self, .get, try #require(found.moments.more))
            #expect(all.moments.count == 7)
            let people = try await search(browser, "harriat").people
            #expect(people.items.map(\.title) == ["Harriet"] && people.more == nil)
            #expect(people.items[0].link == "/people/\(people.items[0].id)")
            #expect(try await search(browser, "plaza").places.items.map(\.title).first == "Plaza")
            let named = try await browser.value(API.Envelope.People.self, .get, "people?q=har")
            #expect(named.people.map(\.name) == ["Harriet"])
        }
    }

    @Test func `captions are found by their words, and by a tag those that have it`() async throws {
        try await withEvent { browser in
            for (title, shade) in try [("We dance", Picture.small), ("Late #Dance 🎉 مرحبا", Picture.large)] {
                let query = try #require(title.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let answer = try await browser.send(
                    .put,
                    "/api/v1/photos?name=a.jpg&title=\(query)",
                    [.contentLength: "\(shade.count)"],
                    body: RequestBody(buffer: ByteBuffer(bytes: shade))
                )
                #expect(answer.status == 201, "\(answer)")
            }
            #expect(try await search(browser, "dance").photos.items.count == 2)
            for words in ["#dance", "#dan", "🎉", "مرح"] {
                #expect(
                    try await search(browser, words).photos.items.map(\.title) == ["Late #Dance 🎉 مرحبا"],
                    "\(words)"
                )
            }
            #expect(try await search(browser, "#late").photos.items.isEmpty)
        }
    }

    @Test func `what nothing can be found by is refused with what to do`() async throws {
        try await withEvent { browser in
            for words in ["", "a", "%20%20", "!!", "%23"] {
                #expect(
                    try await browser.call(.get, "search?q=\(words)").isProblem(.badRequest, "two letters"),
                    "\(words)"
                )
            }
            #expect(try await browser.call(.get, "search").isProblem(.badRequest))
            #expect(try await browser.call(.get, "people?q=a").isProblem(.badRequest, "two letters"))
            #expect(try await browser.call(.get, "search?q=ab&limit=21").isProblem(.badRequest, "`limit`"))
            let long = try await search(browser, String(repeating: "ab ", count: 3333))
            #expect(long.people.items.isEmpty && long.photos.more == nil)
        }
    }

    @Test func `a contact file is read, and nothing of it is kept`() async throws {
        try await withEvent { browser in
            func read(_ text: String) async throws -> Answer {
                let body = RequestBody(buffer: ByteBuffer(string: text))
                return try await browser.send(.post, "/api/v1/profile/card", body: body)
            }
            let good = try await read("BEGIN:VCARD\nVERSION:4.0\nN:Ruiz;Ana;;;\nEMAIL:a@b.example\nEND:VCARD\n")
            #expect(good.status == 200)
            let card = try API.decode(API.Card.self, from: Data(good.bytes))
            #expect(card.name == "Ana" && card.lastName == "Ruiz" && card.email == "a@b.example" && card.picture == nil)
            #expect(try await browser.value(API.Contact.self, .get, "profile") == API.Contact())
            #expect(try await read("hello").isProblem(.badRequest, ".vcf"))
            #expect(try await read("BEGIN:VCARD\nVERSION:2.1\nFN:Ana\nEND:VCARD").isProblem(.badRequest, "3.0 or 4.0"))
            #expect(try await read(String(repeating: "x", count: 3 << 20)).isProblem(.tooLarge, "2 MiB"))
        }
    }

    @Test func `guests of a door that shows them only what they sent are told of nobody`() async throws {
        try await withOpenParty(DoorTerms(isDropOnly: true)) { party async throws in
            let phone = try await party.scan()
            let host = try #require(try party.founder.node.people(event: nil).people.first).id
            for path in [
                "people/\(host)", "people/\(host)/moments", "people/\(host)/pictures", "search?q=ana", "people?q=ana",
            ] {
                #expect(try await phone.call(.get, path).isProblem(.notFound), "\(path)")
            }
        }
    }
}
