// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Pages of other sites, and names that other sites gave this machine (DNS rebinding).
@Suite(.timeLimit(.minutes(5)))
struct OriginGuardTests {
    private static let name = #"{"name":"Ana"}"#
    private static let writes: [(HTTPRequest.Method, String)] = [
        (.put, "/api/v1/profile"), (.post, "/api/v1/events"), (.delete, "/api/v1/events/x"),
        (.patch, "/api/v1/moments/x"),
        (.put, "/api/v1/photos?name=a"), (.post, "/api/v1/nothing"), (.options, "/api/v1/profile"), (.post, "/"),
    ]

    private func rename(_ browser: Browser, _ headers: HTTPFields, host: String = Browser.host) async throws -> Answer {
        let body = RequestBody.parts([Array(Self.name.utf8)])
        return try await browser.send(.put, "/api/v1/profile", headers, host: host, body: body)
    }

    @Test(arguments: [
        "127.0.0.1:4780", "127.0.0.1", "localhost:4780", "localhost", "LOCALHOST:4780", "LocalHost", "[::1]:4780",
        "[::1]", "localhost:1", "localhost:65535", "localhost:",
    ])
    func `the node answers to the names of this machine, on any port`(host: String) async throws {
        try await withBrowser { browser async throws in
            #expect(try await browser.send(.get, "/api/v1/status", host: host).status == 200)
            #expect(try await browser.send(.get, "/", host: host).status == 200)
            #expect(try await rename(browser, [.origin: "http://\(host)"], host: host).status == 200)
        }
    }

    @Test(arguments: [
        nil, "", ":4780", "evil.example", "evil.example:4780", "localhost.evil.example:4780", "127.0.0.1.evil.example",
        "evil.example:127.0.0.1", "127.0.0.1@evil.example", "localhost:80@evil.example", "localhost.",
        "localhost:80:80",
        "localhost:x", "localhost:+80", "local host", "192.168.1.5:4780", "0.0.0.0:4780", "127.0.0.2", "127.1",
        "2130706433", "[::1", "::1", "[::1]evil.example", "[::1].evil.example:4780", "[::1]:x", "[::ffff:127.0.0.1]",
        "[::]:4780", "[]", "lоcalhost", "mingle.local:4780",
    ])
    func `the node answers to no other name, whatever is asked for`(host: String?) async throws {
        try await withBrowser { browser in
            for (method, path) in Self.writes + [
                (.get, "/"), (.get, "/api/v1/status"), (.head, "/"), (.get, "/assets/x"),
            ] {
                let answer = try await browser.send(method, path, host: host)
                #expect(answer.status == 421, "\(method) \(path)")
                if method != .head { #expect(answer.isProblem(.insecureHost, "http://127.0.0.1")) }
            }
            let own = try await browser.send(.get, "/", [.origin: "http://\(host ?? "")"], host: host)
            #expect(own.isProblem(.insecureHost))
        }
    }

    @Test(arguments: [
        "http://evil.example", "https://127.0.0.1:4780", "http://127.0.0.1", "http://127.0.0.1:4781",
        "http://localhost:4780", "http://127.0.0.1:4780/", "http://127.0.0.1:4780.evil.example", "null", "",
        "127.0.0.1:4780",
        "http://[::1]:4780", "file://", "chrome-extension://abc", "http://127.0.0.1:4780, http://evil.example",
    ])
    func `a page of another origin changes nothing, and reads nothing by that`(origin: String) async throws {
        try await withBrowser { browser in
            for (method, path) in Self.writes {
                let answer = try await browser.send(method, path, [.origin: origin])
                #expect(answer.isProblem(.notAllowed, "another site"), "\(method) \(path)")
            }
            #expect(try await rename(browser, [.origin: origin]).status == 403)
            let both: HTTPFields = [.origin: origin, .fetchSite: "same-origin"]
            #expect(try await rename(browser, both).status == 403)
            #expect(try browser.node.status(event: nil).name == nil)
            // Reading does no harm, and without CORS the page does not see what comes.
            let read = try await browser.send(.get, "/api/v1/status", [.origin: origin])
            #expect(read.status == 200 && read.headers[.accessControlAllowOrigin] == nil)
            #expect(read.headers[.resourcePolicy] == "same-origin")
        }
    }

    @Test(arguments: ["cross-site", "same-site", "none", ""])
    func `without an origin, only the same site or a program may write`(site: String) async throws {
        try await withBrowser { browser async throws in
            #expect(try await rename(browser, [.fetchSite: site]).status == 403)
            #expect(try browser.node.status(event: nil).name == nil)
            #expect(try await browser.send(.get, "/api/v1/status", [.fetchSite: site]).status == 200)
            #expect(try await browser.send(.head, "/api/v1/status", [.fetchSite: site]).status == 200)
            #expect(try await rename(browser, [.fetchSite: "same-origin"]).status == 200)
            #expect(try await rename(browser, [:]).status == 200)
        }
    }

    @Test func `an origin in capitals is the same origin`() async throws {
        try await withBrowser { browser in
            let answer = try await rename(browser, [.origin: "HTTP://LocalHost:4780"], host: "LOCALHOST:4780")
            #expect(answer.status == 200)
        }
    }

    @Test func `the command line is asked for neither name nor origin`() async throws {
        try await withNode { node in
            let program = Browser(node, WebServer.commandLineRouter(node))
            for host in [nil, "", "evil.example"] {
                #expect(try await program.send(.get, "/api/v1/status", host: host).status == 200)
                let body = RequestBody.parts([Array(Self.name.utf8)])
                let headers: HTTPFields = [.origin: "http://evil.example"]
                let answer = try await program.send(.put, "/api/v1/profile", headers, host: host, body: body)
                #expect(answer.status == 200)
            }
        }
    }
}
