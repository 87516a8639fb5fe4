// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// People who take part with a phone: how they come, what is theirs, and how they go.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorGuestTests {
    @Test func `looking makes nobody and keeps no file, and the first act makes one person, also of parallel requests`()
        async throws
    {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            for path in [
                "visit", "news", "people", "photos", "moments", "moments/\(dinner)", "comments?target=\(dinner)",
            ] {
                #expect(try await phone.call(.get, path).status == 200, "\(path)")
            }
            #expect(try await phone.me == nil && party.door.count == 0 && party.files.isEmpty)
            let comments = try await withThrowingTaskGroup(of: API.Comment.self) { group in
                for number in 0..<8 { group.addTask { try await phone.comment(on: dinner, "Hi \(number)") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(comments.map(\.author.id)).count == 1 && comments.allSatisfy(\.mine))
            #expect(try party.door.count == 1 && party.files.count == 1)
            let second = try await other.comment(on: dinner, "Me too")
            #expect(second.author.id != comments[0].author.id && party.door.count == 2)
            #expect(try await phone.me?.id == comments[0].author.id)
            #expect(try await other.me?.id == second.author.id)
            try await eventually("the founder knows both, and by which door they came", at: party.founder.node) {
                try party.founder.node.people(event: nil).people.filter { $0.byDoor == Node.doorName }.count == 2
            }
        }
    }

    @Test func `a guest changes and deletes what is their own, and nothing of anybody else's`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            let photo = try API.decode(
                API.Photo.self,
                from: Data(try await phone.share(Picture.small, "title=Cake").bytes)
            )
            let moment = try await phone.value(API.Moment.self, .post, "moments", try API.NewMoment.about("Dance").json)
            let comment = try await phone.comment(on: dinner, "Mine")
            for (path, change) in [
                ("photos/\(photo.id)", #"{"title":"Theirs"}"#), ("moments/\(moment.id)", #"{"title":"Theirs"}"#),
                ("comments/\(comment.id)", #"{"text":"Theirs"}"#), ("moments/\(dinner)", #"{"title":"Theirs"}"#),
            ] {
                for phone in [other, dinner == path.suffix(dinner.count) ? phone : other] {
                    #expect(try await phone.call(.patch, path, change).problem?.status == 403, "PATCH \(path)")
                    #expect(try await phone.call(.delete, path).problem.map { [403, 404].contains($0.status) } == true)
                }
            }
            #expect(try await other.value(API.Photo.self, .get, "photos/\(photo.id)").title == "Cake")
            #expect(try await phone.call(.patch, "photos/\(photo.id)", #"{"title":"Tart"}"#).status == 200)
            for path in ["photos/\(photo.id)", "moments/\(moment.id)", "comments/\(comment.id)"] {
                #expect(try await phone.call(.delete, path).status == 204, "\(path)")
            }
            #expect(try await other.call(.get, "photos/\(photo.id)").isProblem(.notFound))
            #expect(try await other.call(.get, "media/\(photo.id)/original").isProblem(.notFound))
            #expect(try await other.value(API.Moment.self, .get, "moments/\(dinner)").title == "Dinner")
        }
    }

    @Test func `who leaves takes along what they shared, is forgotten, and comes again as somebody new`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            #expect(try await phone.share(Picture.small).status == 201)
            _ = try await phone.comment(on: dinner, "Hi")
            let me = try #require(try await phone.me?.id)
            let answer = try await phone.call(.delete, "visit")
            #expect(answer.status == 204 && answer.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await phone.me == nil && party.door.count == 0 && party.files.isEmpty)
            #expect(try await phone.value(API.Envelope.Photos.self, .get, "photos").photos.isEmpty)
            try await eventually("the founder hears of it", at: party.founder.node) {
                let people = try party.founder.node.people(event: nil).people
                return try people.first { $0.id == me }?.level == API.Person.left
                    && party.founder.node.texts(on: dinner).isEmpty
            }
            // Who has not left twice.
            #expect(try await phone.call(.delete, "visit").status == 204)
            _ = try await phone.comment(on: dinner, "Back")
            #expect(try await phone.me?.id != me)
        }
    }

    @Test func `a guest needs no name, and may have any that can be read`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            _ = try await phone.comment(on: dinner, "Hi")
            let visit = try await phone.value(API.Visit.self, .get, "visit")
            #expect(!visit.named && visit.me?.name.hasPrefix("Guest ") == true)
            let markup = #"<img src=x onerror=alert(1)>"#
            for name in [markup, "\u{202E}Zoë", "李"] {
                let body = String(decoding: try API.encode(API.Envelope.Name(name: name)), as: UTF8.self)
                let person = try await phone.value(API.Person.self, .put, "profile", body)
                #expect(person.me && person.byDoor == Node.doorName)
            }
            for name in [String(repeating: "x", count: 500), "", " \n ", "\u{200B}\u{2060}", "\u{3164}", "\u{202E}"] {
                let body = String(decoding: try API.encode(API.Envelope.Name(name: name)), as: UTF8.self)
                #expect(try await phone.call(.put, "profile", body).isProblem(.badRequest), "\(name.debugDescription)")
            }
            let named = try await phone.value(API.Visit.self, .get, "visit")
            #expect(named.named && named.me?.name == "李")
            try await eventually("the founder reads it", at: party.founder.node) {
                try party.founder.node.people(event: nil).people.contains { $0.name == "李" }
            }
        }
    }

    @Test func `what a door holds back shows to its author and to moderators, until they let it through`()
        async throws
    {
        try await withOpenParty(DoorTerms(holdsBack: true)) { party async throws in
            let (phone, other) = (try await party.scan(), try await party.scan())
            #expect(try await phone.value(API.Visit.self, .get, "visit").held)
            let answer = try await phone.share(Picture.small, "title=Cake")
            let photo = try API.decode(API.Photo.self, from: Data(answer.bytes)).id
            #expect(try await phone.call(.get, "photos/\(photo)").status == 200)
            #expect(try await phone.call(.get, "media/\(photo)/original").status == 200)
            for path in [
                "photos/\(photo)", "media/\(photo)/thumbnail", "media/\(photo)/original", "comments?target=\(photo)",
            ] {
                #expect(try await other.call(.get, path).isProblem(.notFound), "\(path)")
            }
            #expect(try await other.call(.put, "faves/\(photo)").isProblem(.notFound))
            for path in ["photos", "news", "visit"] {
                let text = try await other.call(.get, path).text
                #expect(!text.contains(photo) && !text.contains("Cake"), "\(path)")
            }
            #expect(try await other.value(API.Visit.self, .get, "visit").photos == 0)
            #expect(try await phone.call(.patch, "photos/\(photo)", #"{"held":false}"#).isProblem(.badRequest))
            let founder = party.founder.node
            try await eventually("the founder sees it", at: founder) { (try? founder.photo(photo, event: nil)) != nil }
            let id = try RequestValidation.reference(photo)
            try founder.session(nil).service.author([.edit(id, .photo, values: ["held": .cleared])])
            try await eventually("it is let through", at: party.node) {
                try party.visited().photos(.all).photos.count == 1
            }
            #expect(try await other.call(.get, "photos/\(photo)").status == 200)
        }
    }

    @Test func `a removed guest is refused from then on, and scans the code again as somebody new`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            let me = try await phone.comment(on: dinner, "Hi").author.id
            _ = try await other.comment(on: dinner, "Hi")
            let founder = party.founder.node
            try await eventually("the founder knows the guest", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == me }
            }
            _ = try founder.remove(me, keepsLinks: false, event: nil)
            try await eventually("the door hears of it", at: party.node) {
                try party.door.state(of: phone.browser) == .over
            }
            for path in ["visit", "news", "photos", "media/\(dinner)/original", "stream"] {
                #expect(try await phone.call(.get, path).isProblem(.notAllowed, "scan the code"), "\(path)")
            }
            #expect(try await phone.call(.put, "faves/\(dinner)").isProblem(.notAllowed, "removed you"))
            #expect(try await phone.call(.post, "sign-in-codes").isProblem(.notAllowed, "removed you"))
            _ = try await other.comment(on: dinner, "Still here")
            let anew = try await party.scan(phone.cookie)
            #expect(anew.cookie != phone.cookie)
            let next = try await anew.comment(on: dinner, "Again").author.id
            #expect(next != me)
            let links = try founder.invitations(event: nil).invitations.filter { $0.door == true }
            #expect(links.map(\.closed) == [false])
            try await eventually("the founder knows who came again", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == next && $0.level == "attendee" }
            }
        }
    }

    @Test func `once a host closes the link nobody new takes part, and who came by it goes on`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            let me = try await phone.comment(on: dinner, "Hi").author.id
            let founder = party.founder.node
            try await eventually("the founder knows the guest", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == me && $0.level == "attendee" }
            }
            let link = try #require(try founder.invitations(event: nil).invitations.first { $0.door == true })
            _ = try founder.closeInvitation(link.id, event: nil)
            try await eventually("the door hears of it", at: party.node) {
                try party.node.invitations(event: nil).invitations.first { $0.id == link.id }?.closed == true
            }
            let late = try await party.scan()
            #expect(
                try await late.call(.put, "faves/\(dinner)").isProblem(.notAllowed, "closed this page to newcomers")
            )
            #expect(party.door.count == 1)
            #expect(try await late.value(API.Envelope.Moments.self, .get, "moments").moments.count == 1)
            _ = try await phone.comment(on: dinner, "Still here")
        }
    }

    @Test func `with a new code a guest scans again as the same person, and without that is left outside`() async throws
    {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            let me = try await phone.comment(on: dinner, "Hi").author.id
            let code = try party.node.doorCode(isNew: true)
            let server = DoorServer(party.door, code: code, logger: .silent) { .zero }
            let page = Browser(party.node, server.guestRouter())
            let refused = try await Phone(page: page, cookie: phone.cookie).call(.get, "visit")
            #expect(refused.isProblem(.notAllowed, "Scan the code"))
            let answer = try await page.send(.get, "/\(code.code)", [.cookie: phone.cookie], host: DoorParty.host)
            #expect(try await Phone(page: page, cookie: answer.cookie).me?.id == me)
            #expect(try answer.cookie != phone.cookie)
        }
    }

    @Test func `the person of a door keeps no word of what a guest reports`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            #expect(try await phone.value(API.ReportReaders.self, .get, "reports/\(dinner)").readers == 0)
            let rude = try await party.scan().comment(on: dinner, "Rude").id
            let body = #"{"reason":"rude","text":"Canary words"}"#
            #expect(try await phone.call(.put, "reports/\(rude)", body).status == 200)
            let founder = party.founder.node
            try await eventually("the founder reads it", at: founder) {
                try founder.service(nil).reported().reported.first?.reports.map(\.text) == ["Canary words"]
            }
            let folder = party.node.folder.path
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                #expect(data.range(of: Data("Canary".utf8)) == nil, "\(name)")
            }
            for path in ["news", "comments?target=\(dinner)", "visit"] {
                #expect(try await !phone.call(.get, path).text.contains("Canary"), "\(path)")
            }
            #expect(try await phone.value(API.Envelope.News.self, .get, "news").locked == nil)
        }
    }
}

extension DoorParty {
    /// A moment that goes on, which the founder made and the door has.
    func dinner() async throws -> String {
        let id = try founder.node.makeMoment(.about("Dinner"), event: nil).id
        try await eventually("the moment comes", at: node) {
            try visited().moments().moments.count == 1 && node.people(event: nil).people.contains { $0.door == true }
        }
        return id
    }

    /// The event as somebody sees it who only looks.
    func visited() throws -> EventService { try door.reader(MinglePeering.Browser(.system)).service }

    /// What is kept of guests.
    fileprivate var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: node.guestsFolder) }
    }
}

extension Phone {
    /// What the browser keeps, as the door knows it.
    var browser: MinglePeering.Browser {
        get throws {
            let secret = cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != "." }
            guard let browser = MinglePeering.Browser(secret) else { throw TooLate(what: "a cookie") }
            return browser
        }
    }
}

extension ListQuery {
    /// Every photo.
    fileprivate static let all = ListQuery(.photo, [:])
}

extension Node {
    /// The comments on a record.
    fileprivate func texts(on id: String) throws -> [String] {
        try comments(on: id, before: nil, event: nil).comments.compactMap(\.text)
    }
}
