// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import MingleAPI
import Testing

@testable import MingleWeb

struct PosterSheetTests {
    /// What a parser finds on a page.
    private final class Page: NSObject, XMLParserDelegate {
        private(set) var root: [String: String] = [:]
        /// The path and the transformation of each code.
        private(set) var codes: [(path: String, transform: String)] = []
        /// Each line with its size.
        private(set) var texts: [(line: String, size: Double)] = []

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
        }

        var lines: [String] { texts.map(\.line) }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            if name == "svg" { root = attributes }
            if name == "text" { texts.append(("", Double(attributes["font-size"] ?? "") ?? 0)) }
            if let path = attributes["d"], let transform = attributes["transform"] { codes.append((path, transform)) }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if !texts.isEmpty { texts[texts.count - 1].line += text }
        }
    }

    private static let address = "http://192.168.178.20:8080/ABCD2345"

    @Test(arguments: PosterSheet.Size.allCases)
    func `a page has the size of its paper, three steps, and the address in words`(size: PosterSheet.Size) throws {
        let page = try Page(PosterSheet(title: "Ana & Bob", address: Self.address).svg(size))
        let (width, height) = size.millimetres
        #expect(page.root["width"] == "\(width)mm" && page.root["height"] == "\(height)mm")
        #expect(page.lines.contains("Ana & Bob") && page.lines.contains(Self.address))
        #expect(page.lines.filter { ["1", "2", "3"].contains($0) } == ["1", "2", "3"])
        #expect(page.codes.map(\.path) == [try QRCode(Self.address.uppercased()).path])
    }

    @Test func `the network has a code of its own, before the code of the address`() throws {
        let wifi = API.Wifi(ssid: "Party", password: "let us dance")
        let page = try Page(PosterSheet(title: "Party", address: Self.address, wifi: wifi).svg(.a4))
        let paths = try ["WIFI:T:WPA;S:Party;P:let us dance;;", Self.address.uppercased()].map { try QRCode($0).path }
        #expect(page.codes.map(\.path) == paths)
        #expect(page.lines.contains("let us dance"))
    }

    @Test func `the code of an address has at most 29 modules a side, with 4 around it`() throws {
        let code = try QRCode(Self.address.uppercased())
        #expect(code.width <= 29 && code.size == code.width + 8)
    }

    @Test(arguments: [
        (String(repeating: "Wedding of Ana and Bob, ", count: 5), true), (String(repeating: "W", count: 100), false),
        (String(repeating: "結婚", count: 50), false),
    ])
    func `a title of a hundred characters is there in full`(title: String, hasWords: Bool) throws {
        let title = String(title.prefix(100))
        let fitted = FittedText(title, width: 89, height: 26, sizes: 3.5...11, face: .bold)
        #expect(fitted.lines.joined(separator: hasWords ? " " : "") == title.trimmingCharacters(in: .whitespaces))
        #expect(Double(fitted.lines.count) * fitted.size * FittedText.leading <= 26)
        let page = try Page(PosterSheet(title: title, address: Self.address).svg(.a6))
        #expect(page.lines.starts(with: fitted.lines))
    }

    @Test func `a text that fits in no size ends with a sign`() {
        let fitted = FittedText(String(repeating: "word ", count: 80), width: 20, height: 10, sizes: 3...5)
        #expect(fitted.size == 3 && fitted.lines.count == 2 && fitted.lines.last?.hasSuffix("…") == true)
    }

    @Test func `words of others are text on the page, on one line and in one direction`() throws {
        let title = "<b>&\"'\u{202e}\n\u{0}\u{ffff}x"
        let page = try Page(PosterSheet(title: title, address: Self.address).svg(.a4))
        #expect(page.lines.first == "<b>&\"' x")
    }

    @Test(arguments: [
        ("Party", nil, "WIFI:T:nopass;S:Party;;"), ("Party", "12345678", "WIFI:T:WPA;S:Party;P:12345678;;"),
        (#"a;b,c:d"e\f"#, #"\;,:"12345"#, #"WIFI:T:WPA;S:a\;b\,c\:d\"e\\f;P:\\\;\,\:\"12345;;"#),
    ])
    func `signs of the code's own grammar are escaped in names and passwords`(
        name: String,
        password: String?,
        text: String
    ) throws {
        #expect(API.Wifi(ssid: name, password: password).codeText == text)
    }

    @Test(arguments: [
        ("", "12345678"), (String(repeating: "é", count: 17), nil), ("Party", "1234567"), ("Party", "contraseña"),
    ])
    func `what no network has is refused`(name: String, password: String?) {
        #expect(throws: API.Problem.self) { try API.Wifi(ssid: name, password: password).requireValid() }
    }

    @Test func `the longest name and password are on the page in full`() throws {
        let (name, password) = (String(repeating: "W", count: 32), String(repeating: "m", count: 63))
        let wifi = API.Wifi(ssid: name, password: password)
        try wifi.requireValid()
        let page = try Page(PosterSheet(title: "Party", address: Self.address, wifi: wifi).svg(.a6))
        #expect(page.lines.joined().contains(name) && page.lines.joined().contains(password))
    }

    @Test func `a language of which there are no words has the English ones`() {
        #expect(PosterSheet.Words.of(language: "es-MX") == .spanish && PosterSheet.Words.of(language: "de") == .english)
    }
}
