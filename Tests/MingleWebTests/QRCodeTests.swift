// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import MingleAPI
import MingleNode
import Testing

@testable import MingleWeb

struct QRCodeTests {
    /// What a parser finds in a picture.
    private final class Picture: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }
    }

    private static let link = "mingle://join/" + String(repeating: "abcdefgh", count: 24)

    @Test(arguments: [("a", 21), (String(repeating: "a", count: 14), 21), (String(repeating: "a", count: 15), 25)])
    func `a code is as large as its text needs`(text: String, width: Int) throws {
        #expect(try QRCode(text).width == width)
    }

    @Test func `a code holds 2000 bytes and no more`() throws {
        let longest = try QRCode(String(repeating: "a", count: 2000))
        #expect(longest.width > 100 && longest.width <= 177 && (longest.width - 17) % 4 == 0)
        let problem = #expect(throws: API.Problem.self) { try QRCode(String(repeating: "é", count: 1001)) }
        #expect(problem?.name == .tooLarge)
    }

    @Test func `nothing makes no code, and is not called too long`() {
        let problem = #expect(throws: API.Problem.self) { try QRCode("") }
        #expect(problem?.name == .badRequest && problem?.detail.contains("long") == false)
    }

    @Test(arguments: ["a", link])
    func `the picture is well-formed and its modules lie within the quiet zone`(text: String) throws {
        let code = try QRCode(text)
        let (parser, picture) = (XMLParser(data: Data(code.svg.utf8)), Picture())
        parser.delegate = picture
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        let size = code.width + 8
        #expect(picture.elements.map(\.name) == ["svg", "path", "path"])
        #expect(picture.elements.first?.attributes["viewBox"] == "0 0 \(size) \(size)")
        let path = try #require(picture.elements.last?.attributes["d"])
        let modules = path.split(separator: "M").map { $0.replacing("h1v1h-1z", with: "").split(separator: " ") }
        let places = modules.map { $0.compactMap { Int($0) } }
        #expect(places.allSatisfy { $0.count == 2 && $0.allSatisfy { (4..<(4 + code.width)).contains($0) } })
        #expect(Set(places).count == places.count)
        #expect(hasFinders(Set(places), width: code.width))
    }

    /// Whether the three patterns that a camera looks for are in their corners.
    private func hasFinders(_ dark: Set<[Int]>, width: Int) -> Bool {
        [(4, 4), (4 + width - 7, 4), (4, 4 + width - 7)].allSatisfy { column, row in
            (0..<7).allSatisfy { x in
                (0..<7).allSatisfy { y in
                    let ring = max(abs(x - 3), abs(y - 3))
                    return dark.contains([column + x, row + y]) == (ring != 2)
                }
            }
        }
    }

    @Test(arguments: ["a", link])
    func `the text for a terminal shows the same modules`(text: String) throws {
        let code = try QRCode(text)
        let lines = code.terminalText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == (code.width + 5) / 2)
        #expect(lines.allSatisfy { $0.count == code.width + 4 })
        let dark = lines.joined().reduce(0) { count, character in
            switch character {
            case " ": count + 2
            case "▀", "▄": count + 1
            default: count
            }
        }
        #expect(dark == code.svg.split(separator: "M").count - 2)
    }

    @Test func `equal texts give equal codes, and others do not`() throws {
        #expect(try QRCode(Self.link).svg == QRCode(Self.link).svg)
        #expect(try QRCode(Self.link).svg != QRCode(Self.link + "a").svg)
    }
}
