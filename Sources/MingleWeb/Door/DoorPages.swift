// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The two documents that guests get: the web app, which knows by a class that they are guests, and a word to others.
enum DoorPages {
    /// What the app's document has in its place for guests.
    private static let root = (own: #"<html lang="en">"#, guests: #"<html lang="en" class="visitor">"#)

    private static let document = forGuests("index.html")
    private static let wallDocument = forGuests("wall.html")

    private static func forGuests(_ path: String) -> WebAsset? {
        WebAssets.asset(path).map { asset in
            let text = String(decoding: asset.plain.bytes, as: UTF8.self).replacing(root.own, with: root.guests)
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

    /// What a person is told who has not scanned the code; it names no event.
    static func closed(_ status: HTTPResponse.Status) -> Response {
        WebAssets.asset("closed.html")?.respond(status) ?? Response(status: status)
    }
}
