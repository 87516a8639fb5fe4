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
        if Self.isSealed(request) { await node.awaitKey(toWriteOn: Self.target(of: request), event: request.event) }
        return try await next(request, context)
    }

    /// What the request writes on: a key that others wait for, who are among themselves, holds nobody up.
    private static func target(of request: Request) -> String? {
        request.query("moment") ?? request.uri.path.split(separator: "/").dropFirst(3).first.map(String.init)
    }

    /// Whether a request writes something that is sealed: what people share and say, but not that they delete it.
    private static func isSealed(_ request: Request) -> Bool {
        let topic = request.uri.path.split(separator: "/").dropFirst(2).first ?? ""
        switch request.method {
        case .get, .head: return false
        case .delete: return topic == "faves"
        default: return ["moments", "photos", "faves", "profile"].contains(topic)
        }
    }
}
