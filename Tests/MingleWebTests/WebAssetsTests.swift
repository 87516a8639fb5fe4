// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MingleWeb

struct WebAssetsTests {
    /// Where the files lie that are embedded.
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/CWebAssets/web").standardizedFileURL

    private static let paths: [String] = {
        let found = FileManager.default.enumerator(atPath: source.path)?.compactMap { $0 as? String } ?? []
        return found.filter { ($0 as NSString).pathExtension != "" }.sorted()
    }()

    @Test func `every file of the web app is in the binary, as it is`() throws {
        #expect(Self.paths.contains("index.html") && Self.paths.contains("js/app.js"))
        for path in Self.paths {
            let bytes = try Data(contentsOf: Self.source.appendingPathComponent(path))
            let asset = try #require(WebAssets.asset(path), "run scripts/generate-web-assets: \(path) is missing")
            let unversioned = String(decoding: asset.plain.bytes, as: UTF8.self)
                .replacing("/assets/\(WebAssets.version)/", with: "/assets/")
            #expect(unversioned == String(decoding: bytes, as: UTF8.self), "\(path)")
        }
    }

    @Test func `a file has the type that a browser needs to use it`() {
        let types = [
            "index.html": "text/html; charset=utf-8", "css/base.css": "text/css; charset=utf-8",
            "js/app.js": "text/javascript; charset=utf-8", "i18n/en.json": "application/json",
            "icon.svg": "image/svg+xml",
        ]
        for (path, type) in types { #expect(WebAssets.asset(path)?.type == type) }
    }

    @Test func `a tag is quoted and another for another file and encoding`() {
        let assets = Self.paths.compactMap { WebAssets.asset($0) }
        let tags = assets.flatMap { [$0.plain.tag] + ($0.compressed.map { [$0.tag] } ?? []) }
        #expect(tags.count > assets.count)
        #expect(Set(tags).count == tags.count)
        for tag in tags { #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count == 18) }
    }

    @Test(arguments: [
        "", "/", "/index.html", "index", "../index.html", "js", "js/", "js/../index.html", "index.html\0",
    ])
    func `no other path leads to a file`(path: String) { #expect(WebAssets.asset(path) == nil) }

    @Test func `a page loads no file that is not there`() throws {
        for name in ["index.html", "closed.html"] {
            let page = String(decoding: try #require(WebAssets.asset(name)).plain.bytes, as: UTF8.self)
            let named = page.matches(of: #/(?:src|href)="\/assets\/([^"#:]+)"/#).map { String($0.output.1) }
            #expect(named.contains { $0.hasSuffix(".css") })
            for path in named {
                let (version, file) = try #require(
                    path.firstIndex(of: "/").map { (path[..<$0], path[$0...].dropFirst()) }
                )
                #expect(version == WebAssets.version && WebAssets.asset(String(file)) != nil, "\(path)")
            }
        }
    }

    @Test func `a file names other files relatively, so that a version has all of them`() {
        for path in Self.paths where !path.hasSuffix(".html") {
            let text = String(decoding: WebAssets.asset(path)?.plain.bytes ?? [], as: UTF8.self)
            #expect(!text.contains("/assets/"), "\(path)")
        }
    }
}
