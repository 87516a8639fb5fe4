// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode

/// The web app: its files, the page for the venue's screen, and its first page for every path that the app understands.
struct AppRoutes {
    func add(to router: Router<WebContext>) {
        router.get("assets/**") { request, _ in
            try Self.serve(String(request.uri.path.dropFirst("/assets/".count)), request)
        }
        for path: RouterPath in ["api", "api/**"] {
            for method: HTTPRequest.Method in [.get, .post, .put, .patch, .delete] {
                router.on(path, method: method) { request, _ -> Response in
                    throw API.Problem(
                        .notFound,
                        "There is nothing at \(request.uri.path). The calls are described at /api/v1/openapi.json."
                    )
                }
            }
        }
        router.get("/") { request, _ in try Self.serve("index.html", request) }
        router.get("wall") { request, _ in try Self.serve("wall.html", request) }
        router.get("**") { request, _ in try Self.serve("index.html", request) }
    }

    /// Answers with a file of the web app.
    static func serve(_ path: String, _ request: Request) throws -> Response {
        guard let answer = WebAssets.answer(path.removingPercentEncoding ?? path, to: request) else {
            throw API.Problem(.notFound, "The web app has no file \(path).")
        }
        return answer
    }
}
