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
            tag = "\"\(WebAsset.name(of: bytes))\""
        }
    }

    /// A name of bytes, which other bytes do not have.
    fileprivate static func name(of bytes: [UInt8]) -> String {
        Base32.encode(Blake2b.hash(.chunk, bytes).bytes.prefix(10))
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
    ///
    /// - Parameter isVersioned: Whether the path names the version, so that the browser need never ask again.
    func answer(to request: Request, isVersioned: Bool = false) -> Response {
        let file = encoded(for: request)
        let caching = isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        let headers: HTTPFields = [.cacheControl: caching, .eTag: file.tag, .vary: Self.varies]
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

/// The web app, as it is in the binary; compressed once, when it is first asked for.
///
/// Its pages load the other files below a path that names the version. The other files name each other relatively.
enum WebAssets {
    private static let root = "/assets/"

    private static let contents: [String: [UInt8]] = {
        var contents: [String: [UInt8]] = [:]
        for index in 0..<mingle_web_asset_count() {
            let asset = unsafe mingle_web_asset_at(index)
            let path = unsafe String(cString: asset.path)
            contents[path] = unsafe [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.count))
        }
        return contents
    }()

    /// Changes with the contents of any file.
    static let version = WebAsset.name(
        of: contents.sorted { $0.key < $1.key }.flatMap {
            Array(WebAsset.name(of: Array($0.key.utf8) + [0] + $0.value).utf8)
        }
    )

    private static let all: [String: WebAsset] = Dictionary(
        uniqueKeysWithValues: contents.map { path, bytes in
            let bytes = path.hasSuffix(".html") ? versioned(bytes) : bytes
            return (path, WebAsset(bytes, type: type(of: path)))
        }
    )

    private static func versioned(_ page: [UInt8]) -> [UInt8] {
        Array(String(decoding: page, as: UTF8.self).replacing("\"\(root)", with: "\"\(root)\(version)/").utf8)
    }

    /// The file at a path under `web`.
    static func asset(_ path: String) -> WebAsset? { all[path] }

    /// The answer to a request for a path below `/assets`, with the version or without; nil if there is no such file.
    static func answer(_ path: String, to request: Request) -> Response? {
        let prefix = "\(version)/"
        let isVersioned = path.hasPrefix(prefix)
        return asset(isVersioned ? String(path.dropFirst(prefix.count)) : path)?
            .answer(to: request, isVersioned: isVersioned)
    }

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
