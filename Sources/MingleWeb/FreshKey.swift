// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleNode

/// Holds what people write until there is a key to seal it under that nobody has who was removed.
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
        if Self.isSealed(request) { await node.awaitKey(event: request.event) }
        return try await next(request, context)
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
