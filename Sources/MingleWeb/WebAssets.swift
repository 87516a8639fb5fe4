// SPDX-License-Identifier: Apache-2.0

import CWebAssets
import HTTPTypes
import Hummingbird
import MingleCrypto
import MingleModel
import NIOCore

/// One file of the web app.
struct WebAsset: Sendable {
    /// The file as it travels.
    struct Encoded: Sendable {
        let bytes: [UInt8]
        /// By what it was compressed; nil if it was not.
        let encoding: String?
        /// Changes with the contents, so that a browser can ask whether its copy is good; another one for each encoding.
        let tag: String

        fileprivate init(_ bytes: [UInt8], encoding: String? = nil) {
            (self.bytes, self.encoding) = (bytes, encoding)
            tag = "\"\(Base32.encode(Blake2b.hash(.chunk, bytes).bytes.prefix(10)))\""
        }
    }

    let type: String
    let plain: Encoded
    /// Nil if that would save nothing.
    let compressed: Encoded?

    init(_ bytes: [UInt8], type: String) {
        self.type = type
        plain = Encoded(bytes)
        compressed = Gzip.compress(bytes).map { Encoded($0, encoding: "gzip") }
    }

    /// Answers with the file, or that the browser's copy is good.
    func answer(to request: Request) -> Response {
        let file = encoded(for: request)
        let headers: HTTPFields = [.cacheControl: "no-cache", .eTag: file.tag, .vary: Self.varies]
        return request.holds(file.tag) ? Response(status: .notModified, headers: headers) : respond(file, .ok, headers)
    }

    /// Answers with the file, which no browser is to keep.
    ///
    /// - Parameter request: Says what the browser understands; it is not compressed without.
    func respond(_ status: HTTPResponse.Status, to request: Request? = nil) -> Response {
        respond(encoded(for: request), status, [.cacheControl: "no-store", .vary: Self.varies])
    }

    private static let varies = "Accept-Encoding"

    private func encoded(for request: Request?) -> Encoded { request?.takesGzip == true ? compressed ?? plain : plain }

    private func respond(_ file: Encoded, _ status: HTTPResponse.Status, _ more: HTTPFields) -> Response {
        var headers = more
        (headers[.contentType], headers[.contentEncoding]) = (type, file.encoding)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}

/// The web app, as it stands in the binary; compressed once, when it is first asked for.
enum WebAssets {
    private static let all: [String: WebAsset] = {
        var assets: [String: WebAsset] = [:]
        for index in 0..<mingle_web_asset_count() {
            let asset = unsafe mingle_web_asset_at(index)
            let path = unsafe String(cString: asset.path)
            let bytes = unsafe [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.count))
            assets[path] = WebAsset(bytes, type: type(of: path))
        }
        return assets
    }()

    /// The file at a path under `web`.
    static func asset(_ path: String) -> WebAsset? { all[path] }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
