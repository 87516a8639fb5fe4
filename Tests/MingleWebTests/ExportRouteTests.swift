// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// An event to take home.
@Suite(.timeLimit(.minutes(5)))
struct ExportRouteTests {
    /// What the export has of an event: texts by path, and the paths of photos.
    private struct Exported {
        var texts: [String: String] = [:]
        var photos: [API.ExportedFile] = []
        /// The records, by kind.
        var records: [String: [API.JSON]] = [:]
    }

    private func export(_ browser: Browser, _ query: String = "") async throws -> Exported {
        let answer = try await browser.call(.get, "export\(query)")
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/jsonl")
        var exported = Exported()
        for line in answer.bytes.split(separator: UInt8(ascii: "\n")) {
            let file = try API.decode(API.ExportedFile.self, from: Data(line))
            if let text = file.text {
                exported.texts[file.path, default: ""] += text
            } else {
                exported.photos.append(file)
            }
        }
        for line in (exported.texts["records.jsonl"] ?? "").split(separator: "\n") {
            let record = try API.decode(API.JSON.self, from: Data(line.utf8))
            exported.records[record["kind"]?.text ?? "", default: []].append(record)
        }
        return exported
    }

    private func comment(_ text: String, on id: String, _ browser: Browser) async throws {
        let answer = try await browser.call(.post, "comments", #"{"target":"\#(id)","text":"\#(text)"}"#)
        #expect(answer.status == 201, "\(answer.text)")
    }

    @Test func `an event has its photos with sidecars, a page by moments and days, and every record`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Dinner & dance"), event: nil).id
            let place = #"{"latitude":40.4155,"longitude":-3.7074}"#
            #expect(try await browser.call(.post, "moments/\(moment)/check-in", place).status == 200)
            let eaten = try await browser.share(Picture.small, "name=a.jpg&target=\(moment)&title=Soup%20%23food")
            let other = try await browser.share(Picture.avif, "name=b.avif")
            try await comment("Tasty <b>", on: eaten.id, browser)
            #expect(try await browser.call(.put, "faves/\(eaten.id)").status == 200)
            let exported = try await export(browser)
            let photos = exported.photos.filter { $0.path.hasPrefix("photos/") }
            #expect(Set(photos.map(\.call)) == Set([eaten, other].map { "media/\($0.id)/original" }))
            #expect(photos.allSatisfy { exported.texts["\($0.path).xmp"]?.contains("dc:creator") == true })
            #expect(exported.photos.filter { $0.path.hasPrefix("thumbs/") }.count == 2)
            let page = try #require(exported.texts["index.html"])
            #expect(
                page.contains("Dinner &amp; dance</h2>") && page.contains("Tasty &lt;b&gt;")
                    && page.hasSuffix("</html>\n")
            )
            #expect(page.components(separatedBy: "<section").count == 3 && exported.texts["album.css"] != nil)
            #expect(exported.records["comment"]?.count == 1 && exported.records["fave"]?.count == 1)
            #expect(exported.records["moment"]?.first?["title"] == "Dinner & dance")
            let files = exported.records["photo"]?.compactMap { $0["file"]?.text } ?? []
            #expect(Set(files) == Set(photos.map(\.path)))
            let archive = try await browser.send(.get, "/api/v1/export.zip")
            #expect(archive.headers[.contentType] == "application/zip" && archive.bytes.starts(with: Array("PK".utf8)))
        }
    }

    @Test func `what is hidden is never exported, and what is private only where it is asked for`() async throws {
        try await withEvent { browser in
            var new = API.NewMoment.about("Secret")
            new.private = true
            let moment = try browser.node.makeMoment(new, event: nil).id
            let place = #"{"latitude":40.4155,"longitude":-3.7074}"#
            #expect(try await browser.call(.post, "moments/\(moment)/check-in", place).status == 200)
            let secret = try await browser.share(Picture.small, "name=a.jpg&target=\(moment)&title=whisper")
            let hidden = try await browser.share(Picture.png, "name=b.png&title=hidden")
            let shown = try await browser.share(Picture.avif, "name=c.avif&title=shown")
            for photo in [secret, hidden, shown] { try await comment("about \(photo.title)", on: photo.id, browser) }
            #expect(try await browser.call(.put, "bookmarks/\(shown.id)").status == 200)
            #expect(try await browser.call(.put, "hidden/\(hidden.id)", #"{"reason":"rude"}"#).status == 204)
            let everybodys = try await export(browser)
            #expect(everybodys.photos.count == 2 && everybodys.records["photo"]?.count == 1)
            #expect(everybodys.records["comment"]?.count == 1 && everybodys.records["bookmark"] == nil)
            for text in everybodys.texts.values {
                for word in ["whisper", "Secret", "hidden\"", "about hidden", secret.id, hidden.id, moment] {
                    #expect(!text.contains(word), "\(word)")
                }
            }
            let archive = String(decoding: try await browser.send(.get, "/api/v1/export.zip").bytes, as: UTF8.self)
            #expect(archive.contains(shown.id) && !archive.contains(secret.id) && !archive.contains(moment))
            let own = try await export(browser, "?private=true")
            #expect(own.records["photo"]?.count == 2 && own.records["comment"]?.count == 2)
            #expect(own.records["moment"]?.count == 1 && own.records["bookmark"]?.count == 1)
            let all = own.texts.values.joined()
            #expect(all.contains("about whisper") && !all.contains("about hidden") && !all.contains(hidden.id))
        }
    }

    @Test func `an event without photos has a page and records all the same`() async throws {
        try await withEvent { browser in
            let exported = try await export(browser)
            #expect(exported.photos.isEmpty && exported.texts["records.jsonl"] == "")
            #expect(exported.texts["index.html"]?.contains("Party") == true)
        }
    }
}
