// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The two documents that visitors get: the web app, which knows by a class that they are visitors, and a word to others.
enum DoorPages {
    /// What the app's document has in its place for visitors.
    private static let root = (own: #"<html lang="en">"#, visitors: #"<html lang="en" class="visitor">"#)

    private static let document = forVisitors("index.html")
    private static let wallDocument = forVisitors("wall.html")

    private static func forVisitors(_ path: String) -> WebAsset? {
        WebAssets.asset(path).map { asset in
            let text = String(decoding: asset.plain.bytes, as: UTF8.self).replacing(root.own, with: root.visitors)
            return WebAsset(Array(text.utf8), type: asset.type)
        }
    }

    /// The web app.
    ///
    /// - Parameter isFresh: Whether no browser may keep it, as its address has the code in it.
    static func app(_ request: Request, isFresh: Bool = false) -> Response {
        guard let document else { return closed(.internalServerError) }
        return isFresh ? document.respond(.ok, to: request) : document.answer(to: request)
    }

    /// The page for the venue's screen.
    static func wall(_ request: Request) -> Response {
        wallDocument?.answer(to: request) ?? closed(.internalServerError)
    }

    /// What is said to who has not scanned the code; it names no event.
    static func closed(_ status: HTTPResponse.Status) -> Response {
        WebAssets.asset("closed.html")?.respond(status) ?? Response(status: status)
    }
}
