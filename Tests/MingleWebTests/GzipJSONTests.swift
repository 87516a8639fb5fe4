// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Which answers of the API are compressed.
@Suite(.timeLimit(.minutes(2)))
struct GzipJSONTests {
    private static let text = String(repeating: "What everybody shared. ", count: 100)
    private static let gzip: HTTPFields = [.acceptEncoding: "gzip, deflate, br"]

    /// Lends a browser of a path with this answer.
    private func withAnswer(
        at path: RouterPath = "api/v1/value",
        _ type: String = "application/json",
        _ text: String = Self.text,
        tag: String? = nil,
        _ body: (Browser) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
            router.add(middleware: GzipJSON())
            router.get(path) { request, _ in
                var headers: HTTPFields = [.contentType: type]
                headers[.eTag] = tag
                if let tag, request.holds(tag) { return Response(status: .notModified, headers: headers) }
                return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            }
            try await body(Browser(openNode(folder), router))
        }
    }

    @Test func `JSON of the API is compressed for a client that accepts it`() async throws {
        try await withAnswer { browser in
            let answer = try await browser.send(.get, "/api/v1/value", Self.gzip)
            #expect(answer.status == 200 && answer.headers[.contentEncoding] == "gzip")
            #expect(answer.headers[.vary] == "Accept-Encoding" && answer.bytes.prefix(2) == [0x1F, 0x8B])
            // The last four bytes are the length of what went in (RFC 1952, section 2.3.1).
            #expect(answer.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == Self.text.utf8.count)
        }
    }

    @Test(arguments: ["", "br", "gzip;q=0"])
    func `a client that does not accept it gets JSON as it is, and caches learn why`(codings: String) async throws {
        try await withAnswer { browser in
            let answer = try await browser.send(.get, "/api/v1/value", [.acceptEncoding: codings])
            #expect(answer.text == Self.text && answer.headers[.contentEncoding] == nil)
            #expect(answer.headers[.vary] == "Accept-Encoding")
        }
    }

    @Test func `a head says what the whole has, but is not compressed`() async throws {
        try await withAnswer { browser in
            let answer = try await browser.send(.head, "/api/v1/value", Self.gzip)
            #expect(answer.headers[.contentLength] == "\(Self.text.utf8.count)")
            #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == "Accept-Encoding")
        }
    }

    @Test(arguments: [
        ("application/json", "{}"), ("text/event-stream", text), ("image/jpeg", text), ("image/svg+xml", text),
    ])
    func `little JSON, streams and media are not compressed`(type: String, text: String) async throws {
        try await withAnswer(type, text) { browser in
            let answer = try await browser.send(.get, "/api/v1/value", Self.gzip)
            #expect(answer.text == text && answer.headers[.contentEncoding] == nil)
        }
    }

    @Test func `what is not below the API is not compressed`() async throws {
        try await withAnswer(at: "value") { browser in
            let answer = try await browser.send(.get, "/value", Self.gzip)
            #expect(answer.text == Self.text && answer.headers[.vary] == nil)
        }
    }

    @Test func `a tag of a compressed answer is weak, and the client need not load the answer again`() async throws {
        try await withAnswer(tag: "\"a\"") { browser in
            let plain = try await browser.send(.get, "/api/v1/value")
            #expect(plain.headers[.eTag] == "\"a\"")
            let compressed = try await browser.send(.get, "/api/v1/value", Self.gzip)
            let tag = try #require(compressed.headers[.eTag])
            #expect(tag == "W/\"a\"")
            var headers = Self.gzip
            headers[.ifNoneMatch] = tag
            let again = try await browser.send(.get, "/api/v1/value", headers)
            #expect(again.status == 304 && again.bytes.isEmpty && again.headers[.vary] == "Accept-Encoding")
        }
    }

    @Test func `lists of the page and of a door are compressed`() async throws {
        try await withEvent { browser in
            for _ in 0..<12 { _ = try await browser.call(.post, "moments", API.NewMoment.about("Dance").json) }
            let answer = try await browser.send(.get, "/api/v1/moments", Self.gzip)
            #expect(answer.status == 200 && answer.headers[.contentEncoding] == "gzip")
        }
        try await withParty { party async throws in
            #expect(try await party.look("/api/v1/visit", .get, Self.gzip).headers[.vary] == "Accept-Encoding")
        }
    }
}
