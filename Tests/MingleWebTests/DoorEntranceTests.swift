// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Who gets in at a door: by the code, by the cookie, and by which name they may call it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorEntranceTests {
    private static let paths = [
        "/", "/news", "/photos/x", "/api/v1/visit", "/api/v1/news", "/api/v1/photos", "/api/v1/people",
        "/api/v1/moments", "/api/v1/stream", "/api/v1/media/x/thumbnail", "/api/v1/nothing", "/nothing",
    ]

    @Test func `who has not scanned the code sees nothing of the event`() async throws {
        try await withParty { party async throws in
            for path in Self.paths {
                for cookie in [
                    nil, "", party.cookie.replacing(party.code.id, with: "x"), party.cookie + "x",
                    String(party.cookie.dropLast()),
                ] {
                    let answer = try await party.knock(path, cookie.map { [.cookie: $0] } ?? [:])
                    #expect(answer.status == 403, "\(path) \(cookie ?? "")")
                    #expect(!answer.text.contains("Party") && !answer.text.contains(party.code.code))
                    #expect(answer.headers[.setCookie] == nil && answer.headers[.contentSecurityPolicy] != nil)
                    if path.hasPrefix("/api/") { #expect(answer.isProblem(.notAllowed, "Scan the code")) }
                }
            }
            let page = try await party.knock("/")
            #expect(page.text.contains("Scan the code") && page.text.contains("Escanea el código"))
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(try await party.knock("/assets/css/base.css").status == 200)
        }
    }

    @Test func `the code in the address lets a browser in, which then keeps a cookie of its own that no script reads`()
        async throws
    {
        try await withParty { party async throws in
            let code = party.code.code
            let escaped = code.utf8.map { "%\(String($0, radix: 16))" }.joined()
            var cookies: Set<String> = []
            for code in [code, code.uppercased(), "\(code)/", escaped] {
                let answer = try await party.knock("/\(code)")
                #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
                #expect(answer.text.contains(#"<html lang="en" class="visitor">"#) && answer.text.contains("app.js"))
                let cookie = try #require(answer.headers[.setCookie])
                #expect(cookie.hasPrefix("mingle-\(party.code.id)="))
                #expect(
                    cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && !cookie.contains("Secure")
                )
                #expect(answer.headers[.referrerPolicy] == "same-origin")
                cookies.insert(try answer.cookie)
            }
            #expect(cookies.count == 4)
            let page = try await party.look("/")
            #expect(page.status == 200 && page.text.contains(#"class="visitor""#))
            let tag = try #require(page.headers[.eTag])
            #expect(try await party.look("/", .get, [.ifNoneMatch: tag]).status == 304)
            #expect(try await party.look("/api/v1/visit").status == 200)
        }
    }

    @Test func `who scans the code again keeps the cookie, so that an upload that goes on meanwhile has its person`()
        async throws
    {
        try await withParty { party async throws in
            #expect(try await party.scan(party.cookie).cookie == party.cookie)
            #expect(try await party.scan(party.cookie + "x").cookie != party.cookie)
        }
    }

    @Test func `a wrong code is refused, and after some nobody at that address may try for a while`() async throws {
        try await withParty { party async throws in
            let wrong = String(repeating: "a", count: party.code.code.count)
            for _ in 0..<Tries.most { #expect(try await party.knock("/\(wrong)", from: "10.0.0.9").status == 403) }
            let refused = try await party.knock("/\(party.code.code)", from: "10.0.0.9")
            #expect(refused.status == 429 && refused.headers[.setCookie] == nil)
            #expect(refused.headers[.retryAfterSeconds].flatMap { Int($0) }.map { (1...31).contains($0) } == true)
            // Others come in, and who was let in stays in.
            #expect(try await party.knock("/\(party.code.code)", from: "10.0.0.10").status == 200)
            #expect(try await party.knock("/", [.cookie: party.cookie], from: "10.0.0.9").status == 200)
            party.time.pass(.seconds(31))
            #expect(try await party.knock("/\(party.code.code)", from: "10.0.0.9").status == 200)
        }
    }

    @Test func `what other pages load is not looked at, be it right or wrong, and costs no try`() async throws {
        let loads: [HTTPFields] = [
            [.fetchDestination: "image", .fetchSite: "cross-site"], [.fetchDestination: "iframe"],
            [.fetchDestination: "empty"], [.accept: "image/avif,image/webp,*/*;q=0.8"],
            [.accept: "text/css,*/*;q=0.1"], [.accept: "*/*", .origin: "http://evil.example"],
        ]
        let opens: [HTTPFields] = [
            [:], [.accept: "*/*"], [.accept: "text/html,application/xhtml+xml,image/webp,*/*;q=0.8"],
            [.fetchDestination: "document", .fetchSite: "cross-site"],
        ]
        try await withParty { party async throws in
            for _ in 0..<3 {
                for headers in loads {
                    for code in [party.code.code, String(party.code.code.reversed())] {
                        let answer = try await party.knock("/\(code)", headers, from: "10.0.0.9")
                        #expect(answer.status == 403 && answer.headers[.setCookie] == nil, "\(headers)")
                    }
                }
            }
            for headers in opens {
                #expect(try await party.knock("/\(party.code.code)", headers, from: "10.0.0.9").status == 200)
            }
        }
    }

    @Test func `doors of one machine take no cookie from each other, nor does a wrong one keep anybody out`()
        async throws
    {
        try await withParty { party async throws in
            let other = try await withOtherDoor { $0 }
            #expect(other.name != party.name)
            let (name, value) = (party.name, String(party.cookie.dropFirst(party.name.count + 1)))
            let many = (0..<80).map { "other\($0)=x" }.joined(separator: "; ")
            let both = [
                "\(name)=wrong; \(party.cookie)", "\(party.cookie); \(name)=wrong", "a=b;\(party.cookie)",
                "\(other.cookie); \(party.cookie)", "\(many); \(party.cookie)",
            ]
            for cookie in both {
                #expect(try await party.knock("/api/v1/visit", [.cookie: cookie]).status == 200, "\(cookie)")
            }
            let secret = value.prefix { $0 != "." }
            let theirs = String(other.cookie.dropFirst(other.name.count + 1))
            let wrong = [
                "\(name)=wrong", name, "\(name)=", "=\(value)", "\(name)x=\(value)", "\(name)=\(secret)",
                "\(name)=\(secret).", "\(name)=\(value.dropFirst())", "\(name)=\(theirs)",
                "\(name)=\(value.uppercased())x",
            ]
            for cookie in wrong {
                #expect(try await party.knock("/api/v1/visit", [.cookie: cookie]).status == 403, "\(cookie)")
            }
        }
    }

    /// What a browser keeps of a door of another event.
    private func withOtherDoor<Result>(
        _ body: ((name: String, cookie: String)) async throws -> Result
    ) async throws -> Result {
        let code = DoorCode(for: "other")
        let entrance = DoorEntrance(code, now: { .zero }, state: { _ in .looking })
        let head = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
        guard case .welcome(let cookie) = entrance.show(code.code, by: Request(head: head, body: .nothing), from: "a")
        else { throw TestFailure() }
        return try await body(("mingle-\(code.id)", String(cookie.prefix { $0 != ";" })))
    }

    @Test func `a code is used up by no one, and the last one is good no more once there is another`() async throws {
        try await withParty { party async throws in
            let new = try party.node.doorCode(isNew: true)
            let entrance = DoorEntrance(new, now: { .zero }, state: { party.door.state(of: $0) })
            let head = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "x",
                path: "/",
                headerFields: [.cookie: party.cookie]
            )
            let request = Request(head: head, body: .nothing)
            #expect(entrance.show(party.code.code, by: request, from: "a") == .wrong)
            #expect(entrance.browser(of: request) == nil)
            guard case .welcome(let cookie) = entrance.show(new.code, by: request, from: "a") else {
                throw TestFailure()
            }
            // Who only looked on is nobody whom the door would know again.
            #expect(!cookie.hasPrefix(party.cookie.prefix { $0 != "." }))
        }
    }

    @Test func `a door answers to addresses, and to names that it was told, and to no other, be the cookie right`()
        async throws
    {
        let known = [
            "192.168.1.20:8080", "192.168.1.20", "10.0.0.1:80", "[fe80::1]:8080", "[::1]", "127.0.0.1:8080",
            "party.local:8080", "PARTY.LOCAL", "localhost:8080",
        ]
        let others = [
            nil, "", "evil.example", "evil.example:8080", "party.local.evil.example", "party.local.",
            "192.168.1.20.evil.example", "192.168.1.20@evil.example", "192.168.1", "2130706433", "fe80::1",
            "[192.168.1.20]", "[fe80::1", "party.local:x", "other.local:8080",
        ]
        try await withParty { party async throws in
            for host in known { #expect(try await party.look("/api/v1/visit", host: host).status == 200, "\(host)") }
            for host in others {
                for path in ["/", "/api/v1/visit", "/assets/css/base.css", "/\(party.code.code)"] {
                    let answer = try await party.look(path, host: host)
                    #expect(answer.isProblem(.insecureHost, "the address of the printed code"), "\(host ?? "no host")")
                    #expect(answer.headers[.setCookie] == nil)
                }
            }
        }
    }

    private struct TestFailure: Error {}
}

extension DoorParty {
    /// What the door's cookie is called.
    fileprivate var name: String { "mingle-\(code.id)" }
}

/// How often somebody may be wrong, and how many may be there at once.
struct DoorLimitTests {
    @Test func `an address has some tries, and gets another one after a while`() {
        var tries = Tries()
        for _ in 0..<Tries.most {
            #expect(tries.isOpen(to: "a", at: .zero))
            tries.noteWrong("a", at: .zero)
        }
        #expect(!tries.isOpen(to: "a", at: .zero) && tries.isOpen(to: "b", at: .zero))
        #expect(tries.wait(of: "a", at: .zero) == Tries.pause)
        #expect(!tries.isOpen(to: "a", at: Tries.pause - .seconds(1)))
        #expect(tries.isOpen(to: "a", at: Tries.pause))
        tries.noteWrong("a", at: Tries.pause)
        #expect(!tries.isOpen(to: "a", at: Tries.pause))
        #expect(tries.isOpen(to: "a", at: Tries.pause * 100) && tries.wait(of: "a", at: Tries.pause * 100) == .zero)
    }

    @Test func `of a crowd that guesses no more is remembered than the limit, and who guessed most is not forgotten`() {
        var tries = Tries()
        for _ in 0..<Tries.most { tries.noteWrong("worst", at: .zero) }
        for number in 0..<(3 * Tries.addresses) { tries.noteWrong("\(number)", at: .zero) }
        #expect(!tries.isOpen(to: "worst", at: .zero))
        #expect(
            Mirror(reflecting: tries).children.contains { ($0.value as? [String: Duration])?.count == Tries.addresses }
        )
    }

    @Test func `so many have a place, and of one address fewer`() {
        var places = PlaceCount(limit: 3, perAddress: 2)
        #expect(places.take(for: "a") && places.take(for: "a") && !places.take(for: "a"))
        #expect(places.take(for: "b") && !places.take(for: "c") && places.count == 3)
        places.leave("a")
        places.leave("nobody")
        #expect(places.count == 2 && places.take(for: "c") && !places.take(for: "a"))
    }

    @Test func `a place is given back by who lets go of it`() {
        let places = Places(limit: 1, perAddress: 1)
        var place = places.take(for: "a")
        #expect(place != nil && places.take(for: "a") == nil)
        place = nil
        #expect(places.take(for: "a") != nil)
    }

    @Test(arguments: [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8:1:2::9", "2001:db8:1:2"),
        ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"),
        ("fe80::2", "fe80:0:0:0:0:0:0:2"), ("febf:1::2", "febf:1:0:0:0:0:0:2"), ("fec0::2", "fec0:0:0:0"),
        ("::1", "0:0:0:0"), ("2001:db8::", "2001:db8:0:0"), ("::ffff:10.0.0.1", "10.0.0.1"),
    ])
    func `one machine has one address, also where it has many`(text: String, network: String) {
        #expect(Visitor.network(of: text) == network)
    }
}
