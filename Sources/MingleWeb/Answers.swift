// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleNode
import NIOCore

extension Response {
    /// A value of the API.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try API.encode(value)
        return Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// A QR code of a link.
    static func code(of link: String) throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try QRCode(link).svg))
        )
    }

    /// Nothing more to say.
    static var done: Response { Response(status: .noContent) }

    /// A problem.
    static func problem(_ problem: API.Problem) -> Response {
        let data = (try? API.encode(problem)) ?? Data()
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if problem.name == .unavailable { headers[.retryAfterSeconds] = "5" }
        return Response(
            status: HTTPResponse.Status(code: problem.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }
}

extension DecodingError {
    /// What is wrong with `data`, and with which field, by the name that it has in JSON; nil if nobody can tell.
    fileprivate func phrase(about data: Data) -> String? {
        switch self {
        case .keyNotFound(let key, let context): "`\(Self.name(context.codingPath + [key]))` is missing"
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            if !context.codingPath.isEmpty {
                "`\(Self.name(context.codingPath))` has a value of the wrong type"
            } else if (try? JSONSerialization.jsonObject(with: data)) is [String: Any] {
                // Of a number that does not fit the decoder does not say where it is.
                "a number is too large, or is not a whole number"
            } else {
                "the body is not a JSON object"
            }
        @unknown default: nil
        }
    }

    private static func name(_ path: [any CodingKey]) -> String {
        path.map { key in
            key.stringValue.reduce(into: "") { name, letter in
                name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
            }
        }.joined(separator: ".")
    }
}

extension Request {
    /// Bytes of JSON that a request may have.
    private static let jsonLimit = 64 * 1024

    /// Decodes the body, or throws a problem that names the wrong field.
    ///
    /// No body at all is an object without fields.
    func value<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: Self.jsonLimit)
        } catch is NIOTooManyBytesError {
            throw API.Problem(.tooLarge, "The request's JSON is too large. At most \(Self.jsonLimit / 1024) KiB fit.")
        } catch {
            throw API.Problem.brokenOff
        }
        let data = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer.readableBytesView)
        do {
            return try API.decode(type, from: data)
        } catch {
            let reason = (error as? DecodingError)?.phrase(about: data).map { ": \($0)" } ?? ""
            let text = "The request's body is not the JSON that this path takes (see docs/api.md)\(reason)."
            throw API.Problem(.badRequest, text)
        }
    }

    /// The event that the request names; nil for the current one.
    var event: String? { query("event") }

    /// Whether the client holds what `tag` names already (RFC 9110, section 13.1.2).
    func holds(_ tag: String) -> Bool {
        let tags = headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.map { tag in
            let tag = tag.trimmingCharacters(in: .whitespaces)
            return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        }
        return tags.contains(tag) || tags == ["*"]
    }

    /// How many entries the request asks for, at most 500; nil if it does not say.
    func limit() throws -> Int? {
        guard let text = query("limit") else { return nil }
        guard let limit = Int(text), (1...500).contains(limit) else {
            throw API.Problem(.badRequest, "`limit` must be a whole number from 1 to 500.")
        }
        return limit
    }

    /// Whether a query parameter says yes; not, if it is left out.
    ///
    /// - Throws: `API.Problem`, if it says neither, since what is irreversible may hang on it.
    func flag(_ name: String) throws -> Bool {
        switch query(name) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw API.Problem(.badRequest, "`\(name)` must be true or false.")
        }
    }

    /// A query parameter.
    func query(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }
}

extension API.Problem {
    /// A body that ended before its end, mostly because the client went away.
    static var brokenOff: Self { Self(.badRequest, "The request was interrupted. Send it again.") }
}

extension WebContext {
    /// The id in the path.
    var id: String { parameters.get("id").map { $0.removingPercentEncoding ?? $0 } ?? "" }
}

/// Turns everything that is thrown into a problem.
struct ProblemMiddleware: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as API.Problem {
            if problem.status >= 500 { context.logger.warning("problem", metadata: ["detail": "\(problem.detail)"]) }
            return .problem(problem)
        } catch let error as HTTPError where error.status == .notFound {
            return .problem(API.Problem(.notFound, "There is nothing at \(request.uri.path)."))
        } catch {
            context.logger.critical("defect", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .problem(API.Problem(.internal, "The node failed to answer. Its log says why."))
        }
    }
}
