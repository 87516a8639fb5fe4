// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleNode

/// Holds what people write until there is a key to seal it under that nobody has who is out.
///
/// That takes less than half a minute after a removal, and mostly no time at all.
struct FreshKey: RouterMiddleware {
    let node: Node

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        if Self.isSealed(request) {
            await node.awaitKey(toWriteOn: Self.target(of: request), event: Self.event(of: request))
        }
        return try await next(request, context)
    }

    /// The event that the request writes to; nil for the current one.
    static func event(of request: Request) -> String? { changedEvent(request) ?? request.event }

    /// The event whose title or rules the request changes, as its path names it.
    private static func changedEvent(_ request: Request) -> String? {
        let parts = request.uri.path.split(separator: "/").dropFirst(2)
        guard request.method == .put, parts.first == "events", parts.count == 2, parts.last != "current" else {
            return nil
        }
        return parts.last.map(String.init)
    }

    /// What the request writes on: a key that others wait for, who are among themselves, holds nobody up.
    private static func target(of request: Request) -> String? {
        request.query("moment") ?? request.uri.path.split(separator: "/").dropFirst(3).first.map(String.init)
    }

    /// Whether a request writes something that is sealed: what people share and say, what moderators hide and show again, and
    /// how an event is called; but not that people delete something.
    static func isSealed(_ request: Request) -> Bool {
        let topic = request.uri.path.split(separator: "/").dropFirst(2).first ?? ""
        switch request.method {
        case .get, .head: return false
        case .delete: return ["faves", "hidden"].contains(topic)
        default:
            return ["moments", "photos", "faves", "profile", "hidden"].contains(topic) || changedEvent(request) != nil
        }
    }
}
