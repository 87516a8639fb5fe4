// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore

/// Registers the calls of the local API, each with what the API's description says of it.
///
/// Of every request it refuses query parameters and members of the body that the call does not have: they are mistakes
/// that would else be dropped silently.
final class CallRouter {
    /// Answers a request.
    typealias Handler<Answer> = @Sendable (Request, WebContext) async throws -> Answer
    /// Answers a request with a body.
    typealias BodyHandler<Body, Answer> = @Sendable (Body, Request, WebContext) async throws -> Answer

    private let group: RouterGroup<WebContext>
    /// The calls that there may be, as `GET photos/:id`; nil: all.
    private let allowed: Set<String>?
    /// The calls so far.
    private(set) var calls: [API.Call] = []

    /// Registers calls in a group.
    ///
    /// - Parameter allowed: The calls that there may be, as `GET photos/:id`; others are left out. Nil: all.
    init(_ group: RouterGroup<WebContext>, allowing allowed: Set<String>? = nil) {
        (self.group, self.allowed) = (group, allowed)
    }

    /// Whether there is such a call already.
    func has(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        calls.contains { $0.method == method.rawValue && $0.path == path }
    }

    /// Registers a call that is answered in a way of its own.
    func on(_ call: API.Call, _ handler: @escaping Handler<Response>) {
        guard allowed?.contains("\(call.method) \(call.path)") ?? true else { return }
        calls.append(call)
        guard let method = HTTPRequest.Method(rawValue: call.method) else { return }
        let known = Set(call.query.map(\.name))
        group.on(RouterPath(call.path), method: method) { request, context in
            try request.requireParameters(known)
            return try await handler(request, context)
        }
    }

    /// Registers a call without a body.
    func on<Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        _ parameters: API.Parameter...,
        status: HTTPResponse.Status = .ok,
        answering handler: @escaping Handler<Answer>
    ) {
        let call = API.Call(
            method.rawValue,
            path,
            summary,
            parameters: parameters,
            status: status.code,
            answer: .json(API.Schema(of: Answer.self))
        )
        on(call) { request, context in try Response.json(await handler(request, context), status: status) }
    }

    /// Registers a call with a body.
    func on<Body: Codable & Sendable, Answer: Codable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        _ parameters: API.Parameter...,
        details: String? = nil,
        status: HTTPResponse.Status = .ok,
        answering handler: @escaping BodyHandler<Body, Answer>
    ) {
        let schema = API.Schema(of: Body.self)
        let call = API.Call(
            method.rawValue,
            path,
            summary,
            details: details,
            parameters: parameters,
            body: .json(schema),
            status: status.code,
            answer: .json(API.Schema(of: Answer.self))
        )
        on(call) { request, context in
            let body = try await request.value(Body.self, as: schema)
            return try Response.json(await handler(body, request, context), status: status)
        }
    }

    /// Registers a call that has nothing to answer.
    func done(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        _ parameters: API.Parameter...,
        answering handler: @escaping Handler<Void>
    ) {
        let call = API.Call(method.rawValue, path, summary, parameters: parameters, status: 204, answer: .nothing)
        on(call) { request, context in
            try await handler(request, context)
            return .done
        }
    }

    /// Registers a call with a body that has nothing to answer.
    func done<Body: Codable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        answering handler: @escaping BodyHandler<Body, Void>
    ) {
        let schema = API.Schema(of: Body.self)
        let call = API.Call(method.rawValue, path, summary, body: .json(schema), status: 204, answer: .nothing)
        on(call) { request, context in
            try await handler(request.value(Body.self, as: schema), request, context)
            return .done
        }
    }
}

extension Request {
    /// Refuses a query parameter that the call does not have.
    fileprivate func requireParameters(_ known: Set<String>) throws {
        guard let unknown = parameters.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = known.sorted().joined(separator: ", ")
        throw API.Problem(.badRequest, "There is no parameter `\(unknown.prefix(60))` here. There are: \(names).")
    }
}
