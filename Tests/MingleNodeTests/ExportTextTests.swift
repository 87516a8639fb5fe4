// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import MingleMedia
import Testing

@testable import MingleEvent

/// What stands in the files of an export.
struct ExportTextTests {
    private static let time = LocalTime(milliseconds: 1_781_973_727_000, in: .gmt)
    private static let hostile = "a<b>&\"c'\u{1}\u{b}\u{ffff}]]> #Übung #dance \u{202e}x 🎂"

    /// The texts of an XML document, by the names of their elements.
    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var texts: [String: [String]] = [:]
        private var path: [String] = []
        private var text = ""

        static func read(_ xml: String) -> [String: [String]]? {
            let (parser, reader) = (XMLParser(data: Data(xml.utf8)), Reader())
            parser.delegate = reader
            return parser.parse() ? reader.texts : nil
        }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            path.append(name)
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            path.removeLast()
            let owner = name == "rdf:li" ? path.dropLast().last ?? "" : name
            if !text.allSatisfy(\.isWhitespace) { texts[owner, default: []].append(text) }
            text = ""
        }
    }

    @Test func `a sidecar says who, what, when, where and about what, whatever is in a caption`() throws {
        var sidecar = XMPSidecar(caption: Self.hostile, author: "Ana <3", type: "image/jpeg")
        sidecar.taken = "2026-06-20T16:42:07.000Z"
        sidecar.position = (404_155_000, -37_074_001)
        let texts = try #require(Reader.read(sidecar.text))
        let caption = Self.hostile.replacing("\u{1}", with: "\u{fffd}").replacing("\u{b}", with: "\u{fffd}")
            .replacing("\u{ffff}", with: "\u{fffd}")
        #expect(texts["dc:title"] == [caption] && texts["dc:description"] == [caption])
        #expect(texts["dc:creator"] == ["Ana <3"] && texts["dc:format"] == ["image/jpeg"])
        #expect(texts["dc:subject"] == ["ubung", "dance"])
        #expect(texts["xmp:CreateDate"] == ["2026-06-20T16:42:07.000Z"])
        #expect(texts["exif:GPSLatitude"] == ["40,24.930000N"] && texts["exif:GPSLongitude"] == ["3,42.444006W"])
    }

    @Test func `a sidecar of a photo of which nothing is known names its author alone`() throws {
        let texts = try #require(Reader.read(XMPSidecar(author: "Ana", type: "image/png").text))
        #expect(texts == ["dc:creator": ["Ana"], "dc:format": ["image/png"]])
    }

    @Test func `the page has every text escaped, asks for nothing elsewhere and runs nothing`() {
        let hostile = "\"><script>alert(1)</script>&<img src=http://example.org/x onerror=alert(1)>"
        let comment = AlbumPage.Comment(author: hostile, text: hostile, time: Self.time)
        let section = AlbumPage.Section(anchor: "day-1", title: hostile, lines: [hostile], comments: [comment])
        let figure = AlbumPage.Figure(
            path: "photos/2026 #1 50% \"Ana\".jpg",
            thumbnail: "thumbs/a b.jpg",
            title: hostile,
            author: hostile,
            time: Self.time,
            width: 4,
            height: 3,
            comments: [comment]
        )
        let page =
            AlbumPage.head(hostile, [section]) + AlbumPage.opening(section) + AlbumPage.figure(figure)
            + AlbumPage.closing
            + AlbumPage.foot
        #expect(!page.contains("<script") && !page.contains("<img src=h"))
        #expect(page.contains("href=\"photos/2026%20%231%2050%25%20%22Ana%22.jpg\""))
        #expect(page.components(separatedBy: "dir=\"auto\"").count == 8)
        #expect(!AlbumPage.style.contains("url("))
        // Each tag that is opened is closed: it is XML but for what has no end.
        let closed = page.replacing("<!doctype html>", with: "").replacing(/<(meta|link|img)([^>]*)>/) {
            "<\($0.1)\($0.2)/>"
        }
        #expect(Reader.read(closed) != nil)
    }
}
