// SPDX-License-Identifier: Apache-2.0

import CWebAssets
import MingleCrypto
import MingleModel

/// One file of the web app.
struct WebAsset: Sendable {
    let bytes: [UInt8]
    let type: String
    /// Changes with the contents, so that a browser can ask whether its copy is good.
    let tag: String
}

/// The web app, as it stands in the binary.
enum WebAssets {
    private static let all: [String: WebAsset] = {
        var assets: [String: WebAsset] = [:]
        for index in 0..<mingle_web_asset_count() {
            let asset = unsafe mingle_web_asset_at(index)
            let path = unsafe String(cString: asset.path)
            let bytes = unsafe [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.count))
            assets[path] = WebAsset(bytes: bytes, type: type(of: path), tag: tag(of: bytes))
        }
        return assets
    }()

    /// The file at a path under `web`.
    static func asset(_ path: String) -> WebAsset? { all[path] }

    private static func tag(of bytes: [UInt8]) -> String {
        "\"\(Base32.encode(Blake2b.hash(.chunk, bytes).bytes.prefix(10)))\""
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
