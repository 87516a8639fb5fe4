// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleCrypto
import MingleModel
import NIOCore

/// The two documents that visitors get: the web app, which knows by a class that they are visitors, and a word to others.
enum VisitorPages {
    /// What the app's document has in its place for visitors.
    private static let root = (own: #"<html lang="en">"#, visitors: #"<html lang="en" class="visitor">"#)

    private static let document: WebAsset? = WebAssets.asset("index.html").map { asset in
        let text = String(decoding: asset.bytes, as: UTF8.self).replacing(root.own, with: root.visitors)
        let tag = "\"\(Base32.encode(Blake2b.hash(.chunk, Array(text.utf8)).bytes.prefix(10)))\""
        return WebAsset(bytes: Array(text.utf8), type: asset.type, tag: tag)
    }

    /// The web app.
    ///
    /// - Parameter isFresh: Whether no browser may keep it, as its address has the code in it.
    static func app(_ request: Request, isFresh: Bool = false) -> Response {
        guard let document else { return closed(.internalServerError) }
        guard !isFresh else { return respond(document, .ok, [.cacheControl: "no-store"]) }
        let headers: HTTPFields = [.cacheControl: "no-cache", .eTag: document.tag]
        if request.holds(document.tag) { return Response(status: .notModified, headers: headers) }
        return respond(document, .ok, headers)
    }

    /// What is said to who has not scanned the code; it names no event.
    static func closed(_ status: HTTPResponse.Status) -> Response {
        guard let asset = WebAssets.asset("closed.html") else { return Response(status: status) }
        return respond(asset, status, [.cacheControl: "no-store"])
    }

    private static func respond(_ asset: WebAsset, _ status: HTTPResponse.Status, _ more: HTTPFields) -> Response {
        var headers = more
        headers[.contentType] = asset.type
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes))
        )
    }
}
