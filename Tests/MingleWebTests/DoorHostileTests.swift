// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import NIOCore
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// What guests, pages of other sites, and who is none of both try at a door.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorHostileTests {
    @Test func `a page of another site writes nothing, whatever it says of itself`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let body = #"{"target":"\#(dinner)","text":"Forged"}"#
            let phone = try await party.scan()
            let origins: [HTTPFields] = [
                [.origin: "http://evil.example"], [.origin: "null"], [.origin: "http://192.168.1.20:8081"],
                [.origin: "https://\(DoorParty.host)"], [.origin: ""], [.fetchSite: "cross-site"],
                [.fetchSite: "same-site"],
                [.fetchSite: "none"],
            ]
            for headers in origins {
                #expect(try await phone.call(.post, "comments", body, headers).isProblem(.notAllowed), "\(headers)")
            }
            #expect(party.door.count == 0)
            let own: HTTPFields = [.origin: "http://\(DoorParty.host)"]
            #expect(try await phone.call(.post, "comments", body, own).status == 201)
        }
    }

    @Test func `no guest makes anything private, moderates, or reaches another event or the node`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            let mine = try await phone.comment(on: dinner, "Mine")
            let id = try await other.comment(on: dinner, "Theirs").author.id
            var moment = API.NewMoment.about("Private")
            moment.private = true
            #expect(try await phone.call(.post, "moments", moment.json).problem != nil)
            moment.invite = [id]
            #expect(try await phone.call(.post, "moments", moment.json).problem != nil)
            let event = try #require(party.node.doorEvent)
            for path in ["news", "people", "photos", "visit", "moments/\(dinner)"] {
                let plain = try await phone.call(.get, path).text
                for event in [event, "other"] {
                    #expect(try await phone.call(.get, "\(path)?event=\(event)").text == plain, "\(path)")
                }
            }
            for (method, path) in [
                (.put, "hidden/\(mine.id)"), (.get, "hidden"), (.get, "reports"), (.put, "people/\(id)/level"),
                (.delete, "people/\(id)"), (.put, "people/\(id)/muted"), (.post, "invitations"), (.get, "invitation"),
                (.put, "events/\(event)"), (.delete, "events/\(event)"), (.get, "dump"),
                (.put, "connections/\(id)"), (.get, "connections"), (.post, "moments/\(dinner)/guests"),
                (.post, "moments/\(dinner)/visibility"), (.post, "pictures"), (.get, "metrics"), (.get, "status"),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await phone.call(method, path, method == .get ? nil : "{}")
                #expect([404, 405].contains(answer.status), "\(method) \(path): \(answer.status)")
            }
            #expect(try await phone.value(API.Envelope.Moments.self, .get, "moments").moments.count == 1)
        }
    }

    @Test func `a guest whom a host makes more than that moderates nothing here`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            let me = try await phone.comment(on: dinner, "Mine").author.id
            let theirs = try await other.comment(on: dinner, "Theirs").id
            let founder = party.founder.node
            try await eventually("the founder knows the guest", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == me }
            }
            _ = try founder.setLevel(of: me, to: "host", event: nil)
            try await eventually("it is heard", at: party.node) {
                try party.visited().people().people.first { $0.id == me }?.level == "host"
            }
            #expect(try await phone.call(.delete, "comments/\(theirs)").problem != nil)
            #expect(try await phone.call(.patch, "moments/\(dinner)", #"{"title":"Mine"}"#).problem != nil)
            #expect(try await phone.call(.put, "hidden/\(theirs)", "{}").status == 404)
            #expect(try await phone.comment(on: dinner, "Still").author.id == me)
        }
    }

    @Test func `a head is answered as what is looked at, without a body, and what nobody offers is refused`()
        async throws
    {
        try await withOpenParty { party async throws in
            _ = try await party.dinner()
            for path in ["/", "/api/v1/visit", "/api/v1/moments", "/assets/css/base.css"] {
                let answer = try await party.look(path, .head)
                #expect(answer.status == 200 && answer.bytes.isEmpty, "\(path)")
            }
            let scanned = try await party.page.send(.head, "/\(party.code.code)", host: DoorParty.host)
            #expect(scanned.status == 200 && scanned.bytes.isEmpty)
            for path in ["/api/v1/visit", "/api/v1/photos", "/"] {
                for method in [.options, .trace, .connect] as [HTTPRequest.Method] {
                    #expect([403, 404, 405].contains(try await party.look(path, method).status), "\(method) \(path)")
                }
            }
            let preflight: HTTPFields = [.origin: "http://evil.example", .accept: "*/*"]
            let answer = try await party.look("/api/v1/photos", .options, preflight)
            #expect(HTTPField.Name("Access-Control-Allow-Origin").map { answer.headers[$0] == nil } == true)
            #expect(party.door.count == 0)
        }
    }

    @Test func `so many people come from one address in an hour, and nobody else is kept out by that`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let body = #"{"target":"\#(dinner)","text":"Hi"}"#
            for _ in 0..<240 {
                _ = try party.door.writer(Browser.drawn(), from: "10.0.0.1")
            }
            let late = try await party.scan(from: "10.0.0.1")
            #expect(try await late.call(.post, "comments", body).isProblem(.tooMany, "Many people came"))
            #expect(party.door.count == 240)
            let other = try await party.scan(from: "10.0.0.2")
            #expect(try await other.call(.post, "comments", body).status == 201)
        }
    }

    @Test func `a disk that takes no more makes nobody, and the guest comes once it does`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            let body = #"{"target":"\#(dinner)","text":"Hi"}"#
            let folder = party.node.guestsFolder
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
            let answer = try await phone.call(.post, "comments", body)
            #expect(answer.status >= 500 && answer.problem?.detail.contains(folder) == false, "\(answer.text)")
            #expect(try await phone.me == nil && party.door.count == 0)
            try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
            #expect(try await phone.call(.post, "comments", body).status == 201)
        }
    }

    @Test func `a door holds no word of what is private to others, in no file and no answer`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            let guest = try await phone.comment(on: dinner, "Hi").author.id
            let founder = party.founder.node
            try await withNode(peers: ["127.0.0.1:\(founder.peerPort)"]) { bob in
                let link = try founder.invite(expires: nil, uses: nil, in: nil).link
                _ = try await bob.join(link: link)
                try await eventually("all know each other", at: founder) {
                    try founder.people(event: nil).people.contains { $0.id == guest }
                        && founder.people(event: nil).people.count == 4
                }
                let me = try #require(try bob.people(event: nil).people.first(where: \.me)?.id)
                var secrets: [String] = []
                for number in 0..<40 {
                    var moment = API.NewMoment.about("Canary title \(number)")
                    (moment.private, moment.invite) = (true, [me, guest])
                    moment.description = "Canary text \(number)"
                    moment.place?.name = "Canary place \(number)"
                    let id = try founder.makeMoment(moment, event: nil).id
                    _ = try founder.comment(on: id, text: "Canary comment \(number)", event: nil)
                    secrets.append(id)
                }
                _ = try founder.service(nil).bookmark(RequestValidation.reference(dinner), true)
                _ = try await founder.part(nil).write { try $0.connect(RequestValidation.person(me), true) }
                let rude = try await phone.comment(on: dinner, "Rude").id
                try await eventually("Bob has it", at: bob) {
                    try bob.comments(on: dinner, before: nil, event: nil).comments.contains { $0.id == rude }
                }
                try bob.report(rude, because: "rude", text: "Canary report", event: nil)
                let last = try bob.comment(on: dinner, text: "That is all", event: nil).id
                try await eventually("the door has all", at: party.node) {
                    try party.visited().records(of: .comment, ListQuery(.comment, ["target": dinner])).records.count
                        == 3
                        && party.node.status(event: nil).sync.records == founder.status(event: nil).sync.records
                }
                #expect(!last.isEmpty)
                try await expectNothing(of: secrets, dinner, by: phone, party)
            }
        }
    }

    private func expectNothing(of secrets: [String], _ dinner: String, by phone: Phone, _ party: DoorParty) async throws
    {
        let people = try await phone.value(API.Envelope.People.self, .get, "people").people
        let host = try #require(people.first { $0.level == "founder" }?.id)
        let profile = try await phone.value(API.Profile.self, .get, "people/\(host)")
        #expect(profile.counts.made == 1 && profile.own == nil && profile.lastSeen == nil)
        let paths =
            [
                "visit", "news", "people", "photos", "moments", "comments?target=\(dinner)",
                "moments/\(dinner)/participants",
                "openapi.json", "moments?q=canary", "photos?q=canary", "people?q=canary", "search?q=canary",
                "search?q=title", "search?q=place", "comments?q=canary", "notifications",
            ]
            + ["", "/pictures", "/moments?in=made", "/moments?in=common", "/moments?in=crossed"].map {
                "people/\(host)\($0)"
            }
        for path in paths {
            let text = try await phone.call(.get, path).text
            #expect(!text.contains("Canary") && !secrets.contains { text.contains($0) }, "\(path)")
        }
        for secret in secrets.prefix(3) {
            for path in [
                "moments/\(secret)", "moments/\(secret)/participants", "comments?target=\(secret)", "reports/\(secret)",
                "photos?target=\(secret)", "media/\(secret)/original",
            ] {
                #expect(try await phone.call(.get, path).isProblem(.notFound), "\(path)")
            }
            let body = #"{"target":"\#(secret)","text":"Hi"}"#
            #expect(try await phone.call(.post, "comments", body).isProblem(.notFound))
            #expect(try await phone.call(.put, "faves/\(secret)").isProblem(.notFound))
            #expect(try await phone.call(.post, "moments/\(secret)/join").isProblem(.notFound))
        }
        #expect(try await phone.value(API.Envelope.News.self, .get, "news").locked == nil)
        #expect(try !party.node.service(nil).dump().contains { $0.contains("Canary") })
        let folder = party.node.folder.path
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            #expect(data.range(of: Data("Canary".utf8)) == nil, "\(name)")
        }
    }
}

extension Browser {
    /// The secret of a browser that has just scanned the code.
    fileprivate static func drawn() -> MinglePeering.Browser { MinglePeering.Browser(.system) }
}
