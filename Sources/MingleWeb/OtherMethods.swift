// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode

/// Answers where a path takes other methods than the one that it was asked with (RFC 9110, section 15.5.6).
enum OtherMethods {
    private static let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

    /// Has every path that `router` knows by now say which methods it takes when it is asked with another.
    static func refuse(in router: Router<WebContext>) {
        for routes in Dictionary(grouping: router.routes, by: { $0.path.description }).values {
            guard let path = routes.first?.path else { continue }
            let taken = taken(by: routes.map(\.method))
            let allowed = taken.map(\.rawValue).joined(separator: ", ")
            for method in known where !taken.contains(method) {
                router.on(path, method: method) { request, _ in
                    let detail = "\(request.uri.path) does not take \(method.rawValue). It takes \(allowed)."
                    var response = Response.problem(API.Problem(.methodNotAllowed, detail))
                    response.headers[.allow] = allowed
                    return method == .head ? response.createHeadResponse() : response
                }
            }
        }
    }

    /// The methods of the routes at a path, in order; whatever can be read has its head too.
    private static func taken(by methods: [HTTPRequest.Method]) -> [HTTPRequest.Method] {
        known.filter { methods.contains($0) || $0 == .head && methods.contains(.get) }
    }
}
