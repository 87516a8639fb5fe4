// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import Testing

@testable import MingleWeb

/// The web app's own files and paths, and the headers that every answer has.
@Suite(.timeLimit(.minutes(5)))
struct PageTests {
    @Test(arguments: [
        "/", "/photos/abc", "/moments", "/a/b/c/d", "/index.html", "/apis", "/?event=x", "/%2e%2e/x", "//",
    ])
    func `every path of the app itself is its first page`(path: String) async throws {
        try await withBrowser { browser in
            let page = try await browser.send(.get, path)
            #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.bytes == WebAssets.asset("index.html")?.plain.bytes)
            #expect(page.headers[.cacheControl] == "no-cache")
        }
    }

    @Test func `the venue's screen has a page of its own`() async throws {
        try await withBrowser { browser in
            let page = try await browser.send(.get, "/wall")
            #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains("/js/wall/wall.js") && !page.text.contains("app.js"))
        }
    }

    @Test(arguments: [
        ("js/app.js", "text/javascript; charset=utf-8"), ("css/base.css", "text/css; charset=utf-8"),
        ("i18n/es.json", "application/json"), ("icon.svg", "image/svg+xml"),
        ("js%2Fapp.js", "text/javascript; charset=utf-8"),
    ])
    func `a file of the app is served, and not again to who holds it`(path: String, type: String) async throws {
        try await withBrowser { browser in
            let file = try await browser.send(.get, "/assets/\(path)")
            #expect(file.status == 200 && file.headers[.contentType] == type && !file.bytes.isEmpty)
            let tag = try #require(file.headers[.eTag])
            for tags in [tag, "W/\(tag)", "\"x\", \(tag)"] {
                let again = try await browser.send(.get, "/assets/\(path)", [.ifNoneMatch: tags])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers[.eTag] == tag, "\(tags)")
            }
            #expect(try await browser.send(.get, "/assets/\(path)", [.ifNoneMatch: "\"x\""]).status == 200)
            let head = try await browser.send(.head, "/assets/\(path)")
            #expect(head.status == 200 && head.bytes.isEmpty)
            #expect(head.headers[.contentLength] == "\(file.bytes.count)" && head.headers[.eTag] == tag)
        }
    }

    @Test(arguments: ["js/app.js", "css/base.css", "i18n/en.json"])
    func `a file under a path with the version is kept for ever`(path: String) async throws {
        try await withBrowser { browser in
            let named = try await browser.send(.get, "/assets/\(WebAssets.version)/\(path)")
            #expect(named.status == 200 && named.headers[.cacheControl] == "public, max-age=31536000, immutable")
            let plain = try await browser.send(.get, "/assets/\(path)")
            #expect(plain.bytes == named.bytes && plain.headers[.cacheControl] == "no-cache")
            let other = try await browser.send(.get, "/assets/\(String(WebAssets.version.reversed()))/\(path)")
            #expect(other.isProblem(.notFound))
        }
    }

    @Test(arguments: [
        ("gzip, deflate, br", true), ("GZip;q=0.5", true), ("*", true), ("br, gzip;q=0", false), ("", false),
        ("gzip;q=0, *", false), ("*;q=0", false), ("*;q=0, gzip", true),
    ])
    func `who understands it gets the app's files compressed`(codings: String, isCompressed: Bool) async throws {
        try await withBrowser { browser in
            for path in ["/", "/assets/js/app.js", "/assets/css/base.css"] {
                let plain = try await browser.send(.get, path)
                let file = try await browser.send(.get, path, [.acceptEncoding: codings])
                #expect(file.status == 200 && file.headers[.vary] == "Accept-Encoding")
                #expect(plain.headers[.contentEncoding] == nil)
                #expect(file.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
                #expect(file.headers[.contentType] == plain.headers[.contentType])
                #expect((file.bytes == plain.bytes) == !isCompressed)
                #expect((file.headers[.eTag] == plain.headers[.eTag]) == !isCompressed)
                #expect(file.headers[.contentLength] == "\(file.bytes.count)")
                let tag = try #require(file.headers[.eTag])
                let again = try await browser.send(.get, path, [.acceptEncoding: codings, .ifNoneMatch: tag])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers[.eTag] == tag)
            }
        }
    }

    @Test func `what is compressed is a gzip member of the bytes, unless that saves nothing`() throws {
        let text = Array(String(repeating: "What everybody shared. ", count: 100).utf8)
        let packed = try #require(Gzip.compress(text))
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8] && packed.count < 100)
        // Its last four bytes are the length of what went in (RFC 1952, section 2.3.1).
        #expect(packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == text.count)
        for bytes in [[], [1], (0..<200).map { UInt8($0) }] { #expect(Gzip.compress(bytes) == nil) }
    }

    @Test(arguments: [
        "none.js", "js", "js/", "../index.html", "..%2F..%2Fnode.json", "%2Fetc%2Fpasswd", "js/app.js%00", "%FF", "%",
    ])
    func `other files are not there`(path: String) async throws {
        try await withBrowser { browser in
            let answer = try await browser.send(.get, "/assets/\(path)")
            #expect(answer.isProblem(.notFound))
        }
    }

    @Test func `every answer says what a page may load, and that nobody may frame it`() async throws {
        try await withEvent { browser in
            let calls: [(HTTPRequest.Method, String, HTTPFields, String)] = [
                (.get, "/", [:], Browser.host), (.head, "/", [:], Browser.host),
                (.get, "/api/v1/status", [:], Browser.host),
                (.get, "/api/v1/invitation.svg", [:], Browser.host), (.get, "/assets/none", [:], Browser.host),
                (.get, "/api/v1/none", [:], Browser.host), (.post, "/api/v1/status", [:], Browser.host),
                (.post, "/api/v1/events", [:], Browser.host), (.get, "/", [:], "evil.example"),
                (.put, "/api/v1/profile", [.origin: "null"], Browser.host),
                (.get, "/api/v1/media/x/original", [:], Browser.host),
            ]
            for (method, path, headers, host) in calls {
                let answer = try await browser.send(method, path, headers, host: host)
                let policy = try #require(answer.headers[.contentSecurityPolicy], "\(method) \(path) \(answer.status)")
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe") && answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(
                    answer.headers[.referrerPolicy] == "same-origin" && answer.headers[.resourcePolicy] == "same-origin"
                )
                #expect(answer.headers[.accessControlAllowOrigin] == nil)
            }
        }
    }

    @Test(arguments: [
        "status", "events", "doctor", "news", "dump", "invitation", "invitation.svg", "people", "peers", "moments",
        "photos", "stream",
    ])
    func `what can be read has a head, which is that of the whole`(path: String) async throws {
        try await withEvent { browser in
            let head = try await browser.send(.head, "/api/v1/\(path)")
            #expect(head.status == 200 && head.bytes.isEmpty)
            let whole = try await browser.open(.get, "/api/v1/\(path)")
            #expect(head.headers[.contentType] == whole.headers[.contentType])
        }
    }
}
