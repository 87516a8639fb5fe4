// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MingleNode
import NIOCore
import NIOEmbedded
import Testing

@testable import MingleWeb

/// Asks the real routes, with no socket in between.
struct Browser: Sendable {
    /// How the node is called unless a test says otherwise.
    static let host = "127.0.0.1:4780"

    let node: Node
    private let responder: RouterResponder<WebContext>

    /// Asks as a browser does.
    init(_ node: Node) { self.init(node, WebServer.browserRouter(node)) }

    /// Asks these routes.
    init(_ node: Node, _ router: Router<WebContext>) { (self.node, responder) = (node, router.buildResponder()) }

    /// Sends a request; the answer's body is not read yet.
    func open(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        host: String? = Self.host,
        from address: String? = nil,
        body: RequestBody = .nothing
    ) async throws -> Response {
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers)
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try address.map { try SocketAddress(ipAddress: $0, port: 50_000) }
        let source = ApplicationRequestContextSource(
            channel: channel,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await responder.respond(to: Request(head: head, body: body), context: WebContext(source: source))
    }

    /// Sends a request and reads the answer to its end.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        host: String? = Self.host,
        from address: String? = nil,
        body: RequestBody = .nothing
    ) async throws -> Answer {
        let response = try await open(method, path, headers, host: host, from: address, body: body)
        let page = Page()
        try await response.body.write(PageWriter(page: page))
        let answer = Answer(status: response.status.code, headers: response.headers, bytes: page.bytes)
        #expect(page.isFinished, "\(method) \(path)")
        if method != .head, let length = response.headers[.contentLength] {
            #expect(length == "\(answer.bytes.count)", "\(method) \(path)")
        }
        return answer
    }

    /// Calls the API.
    func call(_ method: HTTPRequest.Method, _ path: String, _ json: String? = nil) async throws -> Answer {
        let body = json.map { RequestBody(buffer: ByteBuffer(string: $0)) } ?? .nothing
        return try await send(
            method,
            "/api/v1/\(path)",
            json == nil ? [:] : [.contentType: "application/json"],
            body: body
        )
    }

    /// Calls the API and takes the value that it answers with.
    func value<Value: Decodable>(
        _ type: Value.Type,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: String? = nil,
        status: Int = 200
    ) async throws -> Value {
        let answer = try await call(method, path, json)
        #expect(answer.status == status, "\(method) \(path): \(answer.text)")
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-store")
        return try API.decode(type, from: Data(answer.bytes))
    }

    /// Shares a picture.
    func share(_ picture: [UInt8], _ query: String = "name=a.jpg") async throws -> API.Photo {
        let body = RequestBody(buffer: ByteBuffer(bytes: picture))
        let answer = try await send(.put, "/api/v1/photos?\(query)", [.contentLength: "\(picture.count)"], body: body)
        #expect(answer.status == 201, "\(answer.text)")
        return try API.decode(API.Photo.self, from: Data(answer.bytes))
    }
}

extension RequestBody {
    /// No bytes at all.
    static var nothing: RequestBody { RequestBody(buffer: ByteBuffer()) }

    /// These bytes, in parts.
    static func parts(_ parts: [[UInt8]]) -> RequestBody {
        RequestBody(
            asyncSequence: AsyncStream { continuation in
                for part in parts { continuation.yield(ByteBuffer(bytes: part)) }
                continuation.finish()
            }
        )
    }

    /// The same megabyte so many times.
    static func megabytes(_ count: Int) -> RequestBody {
        let part = ByteBuffer(repeating: 1, count: 1 << 20)
        let left = CountDown(count)
        return RequestBody(asyncSequence: AsyncStream { left.next() ? part : nil })
    }

    /// What a test expects nobody to read.
    static var unread: RequestBody {
        RequestBody(
            asyncSequence: AsyncStream<ByteBuffer> {
                Issue.record("the body was read")
                return nil
            }
        )
    }

    /// These bytes, and then the connection is gone.
    static func broken(after bytes: [UInt8]) -> RequestBody {
        RequestBody(
            asyncSequence: AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                continuation.yield(ByteBuffer(bytes: bytes))
                continuation.finish(throwing: ChannelError.inputClosed)
            }
        )
    }
}
