// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import Testing

@testable import MingleWeb

/// What clients see of a server on a socket.
@Suite(.timeLimit(.minutes(2)))
struct ServerTests {
    private static let whole = "GET /word HTTP/1.1\r\nHost: x\r\n\r\n"
    /// Limits that a test can wait for.
    private static let short = ServerLimits(
        head: .milliseconds(40),
        idle: .milliseconds(40),
        body: .milliseconds(40),
        closing: .milliseconds(40)
    )

    private func addRoutes(_ router: Router<WebContext>) {
        router.get("word") { _, _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "word"))) }
        router.get("parts") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for part in ["one ", "two"] { try await writer.write(ByteBuffer(string: part)) }
                    try await writer.finish(nil)
                }
            )
        }
        router.put("count") { request, _ in
            var count = 0
            for try await part in request.body { count += part.readableBytes }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(count) bytes")))
        }
        router.put("refused") { _, _ -> Response in throw API.Problem(.tooLarge, "Too large.") }
    }

    /// Lends a connection to a server of a few paths.
    private func withConnection(
        _ limits: ServerLimits = .browsers,
        _ body: (RawClient) async throws -> Void
    ) async throws {
        try await withServer(limits, addRoutes) { port in try await RawClient.with(port, body) }
    }

    // MARK: HTTP/1.0

    @Test(arguments: ["/word", "/none"])
    func `a client of HTTP/1.0 gets its answer, and then the end of the connection`(path: String) async throws {
        try await withConnection { client in
            await client.send("GET \(path) HTTP/1.0\r\nHost: x\r\n\r\n")
            let answer = try await client.readToEnd().lowercased()
            #expect(answer.hasPrefix("http/1.0 ") && answer.contains("\r\nconnection: close\r\n"))
        }
    }

    @Test func `a client of HTTP/1.0 gets an answer of unknown length without chunks`() async throws {
        try await withConnection { client in
            await client.send("GET /parts HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try await client.readToEnd()
            #expect(answer.hasSuffix("\r\n\r\none two") && answer.lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    @Test func `a client of HTTP/1.0 that asks for it keeps its connection`() async throws {
        try await withConnection { client in
            for number in 1...3 {
                await client.send("GET /word HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                try await client.read { $0.components(separatedBy: "\r\n\r\nword").count == number + 1 }
            }
            let answer = client.text.lowercased()
            #expect(answer.contains("\r\nconnection: keep-alive\r\n") && answer.contains("\r\ncontent-length: 4\r\n"))
            #expect(!client.isEnded)
        }
    }

    @Test func `a client of HTTP/1.1 keeps its connection until it says close`() async throws {
        try await withConnection { client in
            await client.send(Self.whole + Self.whole)
            try await client.read { $0.components(separatedBy: "\r\n\r\nword").count == 3 }
            #expect(!client.text.lowercased().contains("connection:"))
            await client.send("GET /word HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(try await client.readToEnd().lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    // MARK: Expect: 100-continue

    @Test func `a client that waits to be asked for its body is asked when somebody reads it`() async throws {
        try await withConnection { client in
            await client.send("PUT /count HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            await client.send("word")
            #expect(try await client.read(until: "4 bytes").contains("\r\n\r\nHTTP/1.1 200 OK\r\n"))
            await client.send(Self.whole)
            _ = try await client.read(until: "\r\n\r\nword")
        }
    }

    @Test func `a client that waits is refused without its body, and the connection ends`() async throws {
        try await withConnection { client in
            await client.send("PUT /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\nExpect: 100-continue\r\n\r\n")
            let answer = try await client.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(answer.hasSuffix("}"))
        }
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
    func `a client that sends its body at once is not asked for it`(version: String) async throws {
        try await withConnection { client in
            await client.send(
                "PUT /count \(version)\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nword"
            )
            let answer = try await client.read(until: "4 bytes")
            #expect(answer.hasPrefix("\(version) 200 OK"))
        }
    }

    @Test func `a client that sends on after a refusal sees the refusal`() async throws {
        try await withConnection { client in
            await client.send("PUT /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\nword")
            _ = try await client.read(until: "Too large.")
            for _ in 0..<8 { await client.send(String(repeating: "x", count: 100_000)) }
            #expect(try await client.readToEnd().hasSuffix("}"))
        }
    }

    // MARK: Requests that cannot be parsed

    @Test(arguments: [
        ("NONSENSE\r\n\r\n", 400), ("GET / HTTP/9.9\r\n\r\n", 400), ("GET / HTTP/1.1\r\nBad Header: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nLong: \(String(repeating: "x", count: 17_000))\r\n\r\n", 431),
        ("GET /\(String(repeating: "x", count: 17_000)) HTTP/1.1\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 101))\r\n", 431),
        ("PUT /count HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ])
    func `what cannot be parsed is answered with a problem, and the connection ends`(
        text: String,
        status: Int
    ) async throws {
        try await withConnection { client in
            await client.send(Self.whole + text)
            let answers = try await client.readToEnd().components(separatedBy: "\r\n\r\nword")
            let parts = try #require(answers.last).components(separatedBy: "\r\n\r\n")
            #expect(answers.count == 2 && parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 \(status) "), "\(answers)")
            let head = parts[0].lowercased()
            for field in ["content-type: application/problem+json", "cache-control: no-store", "connection: close"] {
                #expect(head.contains("\r\n\(field)"))
            }
            let problem = try API.decode(API.Problem.self, from: Data(parts[1].utf8))
            #expect(problem.status == status && !problem.detail.isEmpty && problem.type.hasPrefix("/problems/"))
        }
    }

    // MARK: Limits

    @Test(arguments: [
        "", "GET", "GET /word HTTP/1.1\r\nHost: x\r\n", whole, whole + "GET",
        "PUT /count HTTP/1.1\r\nContent-Length: 9\r\n\r\nword",
    ])
    func `a connection on which nothing comes any more is closed`(text: String) async throws {
        try await withConnection(Self.short) { client in
            await client.send(text)
            _ = try await client.readToEnd()
            #expect(client.isEnded)
        }
    }

    @Test func `a refused client that sends for longer than the limit is cut off`() async throws {
        try await withConnection(ServerLimits(closing: .milliseconds(40))) { client in
            await client.send("PUT /refused HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n")
            let answer = try await client.readToEnd()
            #expect(answer.contains(" 413 "))
            await client.sendUntilClosed()
            #expect(client.isEnded)
        }
    }

    @Test func `a connection beyond the limit waits until another ends`() async throws {
        try await withServer(ServerLimits(connections: 4), addRoutes) { port in
            try await RawClient.with(port) { first in
                await first.send(Self.whole)
                _ = try await first.read(until: "word")
                try await withOthers(9, port) { others in
                    for other in others { await other.send(Self.whole) }
                    // Whoever is served ends, and makes room for one that waits.
                    for other in others {
                        let answer = try await other.read(until: "word")
                        #expect(answer.hasSuffix("word"))
                        await other.end()
                    }
                }
            }
        }
    }

    private func withOthers(_ count: Int, _ port: Int, _ body: ([RawClient]) async throws -> Void) async throws {
        func add(_ others: [RawClient]) async throws {
            guard others.count < count else { return try await body(others) }
            try await RawClient.with(port) { other in try await add(others + [other]) }
        }
        try await add([])
    }
}
