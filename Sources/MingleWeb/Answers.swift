// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MingleEvent
import MingleModel
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
    /// Bytes of JSON that a request may have unless its call says otherwise.
    private static let jsonLimit = 64 * 1024

    /// Decodes the body, or throws a problem that names the wrong member, or one that the schema does not have.
    ///
    /// No body at all is an object without members.
    ///
    /// - Parameter limit: Bytes that the body may have; nil: 64 KiB.
    func value<Value: Decodable>(
        _ type: Value.Type,
        as schema: API.Schema,
        limit: Int? = nil
    ) async throws -> Value {
        let data = try await bytes(upTo: limit ?? Self.jsonLimit)
        if let json = try? API.decode(API.JSON.self, from: data), let unknown = schema.unknownMember(in: json) {
            let known = unknown.known.isEmpty ? "There are none" : "There are: \(unknown.known.joined(separator: ", "))"
            throw API.Problem(.badRequest, "There is no member `\(unknown.name.prefix(60))` here. \(known).")
        }
        do {
            return try API.decode(type, from: data)
        } catch {
            let reason = (error as? DecodingError)?.phrase(about: data).map { ": \($0)" } ?? ""
            throw API.Problem(
                .badRequest,
                "The request's body is not the JSON that this call takes (see /api/v1/openapi.json)\(reason)."
            )
        }
    }

    /// The body; an empty object where there is none.
    func bytes(upTo limit: Int) async throws -> Data {
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw API.Problem(.tooLarge, "The request's JSON is too large. At most \(limit / 1024) KiB fit.")
        } catch {
            throw API.Problem.brokenOff
        }
        return buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer.readableBytesView)
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

    /// A whole number in the query.
    ///
    /// - Throws: `API.Problem` for any other text, or a number out of range.
    func number(_ name: String, in range: ClosedRange<Int>, otherwise usual: Int) throws -> Int {
        guard let text = query(name) else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw API.Problem(
                .badRequest,
                "`\(name)` must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// A query parameter.
    func query(_ name: String) -> String? { parameters[name] }

    /// The query's parameters by name; of several of one name the last.
    var parameters: [String: String] { Self.fields(of: uri.query ?? "") }

    /// The fields of a form or a query by name; of several of one name the last.
    ///
    /// A plus is a space, as forms write it (WHATWG URL, application/x-www-form-urlencoded).
    static func fields(of text: String) -> [String: String] {
        text.split(separator: "&").reduce(into: [:]) { fields, part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { side in
                String(decoding: decoded(side.utf8), as: UTF8.self)
            }
            fields[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
    }
}

extension Request {
    /// The bytes of a percent-encoded text in which a plus is a space; what is not encoded as it should be stays.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), text[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return bytes
    }
}

extension API.Problem {
    /// A body that ended before its end, mostly because the client went away.
    static var brokenOff: Self { Self(.badRequest, "The request was interrupted. Send it again.") }

    /// The same without the paths of files that a failure of the machine may name.
    fileprivate var forGuests: Self {
        switch name {
        case .noSpace:
            Self(.noSpace, "The disk of the machine behind this page is full. Tell the person who set the page up.")
        case .internal, .damaged:
            Self(.internal, "The machine behind this page could not do that. Tell the person who set the page up.")
        default: self
        }
    }
}

extension WebContext {
    /// The id in the path.
    var id: String { parameter("id") }

    /// The record in the path.
    ///
    /// - Throws: `API.Problem` named `notFound` for anything else.
    var record: Reference { get throws { try RequestValidation.reference(id) } }

    /// The person in the path.
    ///
    /// - Throws: `API.Problem` named `notFound` for anything else.
    var person: PersonID { get throws { try RequestValidation.person(id) } }

    /// A parameter of the path; empty where the path has none.
    func parameter(_ name: String) -> String { parameters.get(name).map { $0.removingPercentEncoding ?? $0 } ?? "" }
}

/// Turns everything that is thrown into a problem.
struct ProblemMiddleware: RouterMiddleware {
    /// Whether who asks is a guest, who learns nothing of files of the machine behind the page.
    var isForGuests = false

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return .problem(API.Problem(.notFound, "There is nothing at \(request.uri.path)."))
        } catch {
            let problem = Self.problem(error, at: request.uri.path, context.logger)
            return .problem(isForGuests && !(error is API.Problem) ? problem.forGuests : problem)
        }
    }

    /// What a failure means to the client; the log has what only the operator can mend.
    private static func problem(_ error: any Error, at path: String, _ logger: Logger) -> API.Problem {
        let problem = API.Problem(error)
        if !API.Problem.foresees(error) {
            logger.critical("defect", metadata: ["path": "\(path)", "error": "\(error)"])
            return API.Problem(.internal, "The node failed to answer. Its log says why.")
        }
        if problem.status >= 500 { logger.warning("problem", metadata: ["detail": "\(problem.detail)"]) }
        return problem
    }
}
