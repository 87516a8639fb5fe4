// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses the JSON of the API for clients that accept gzip.
///
/// Streams, media and other types stay as they are: they are compressed already, or must leave at once.
struct GzipJSON: RouterMiddleware {
    /// Bytes of JSON below which compression saves nothing that anybody notices.
    private static let least = 1024
    /// Bytes of JSON above which an answer is sent as it is, since it is compressed as a whole.
    private static let most = 16 << 20
    private static let path = "/api/"

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.uri.path.hasPrefix(Self.path), Self.isJSON(response) else { return response }
        // Also an answer that is not compressed would be another one for another client.
        response.headers[.vary] = "Accept-Encoding"
        guard request.method != .head, request.takesGzip, response.headers[.contentEncoding] == nil,
            let length = response.body.contentLength, (Self.least...Self.most).contains(length)
        else { return response }
        let bytes = Collected()
        try await response.body.write(bytes)
        return Self.compressed(response, bytes.all)
    }

    private static func compressed(_ response: Response, _ bytes: [UInt8]) -> Response {
        var response = response
        guard let compressed = Gzip.compress(bytes, level: .fast) else {
            response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            return response
        }
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: compressed))
        response.headers[.contentEncoding] = "gzip"
        // The tag names the value, and not these bytes (RFC 9110, section 8.8.1).
        if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/\(tag)" }
        return response
    }

    /// Whether it is JSON, or says that the client's JSON is good.
    private static func isJSON(_ response: Response) -> Bool {
        guard let type = response.headers[.contentType] else { return response.status == .notModified }
        return ["application/json", "application/problem+json"].contains(type.prefix { $0 != ";" })
    }
}

/// Takes what a body writes.
private final class Collected: ResponseBodyWriter {
    private(set) var all: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { all += buffer.readableBytesView }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
