// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleDiscovery

/// What strangers say of events that are open to anyone nearby.
struct OpenTextTests {
    /// A link without addresses has this length.
    private let link = "mingle://join/" + String(repeating: "a", count: 164)

    @Test func `what is said is read again, the longest as well`() throws {
        for title in ["Party", "Fête 🎉", String(repeating: "é", count: 100), String(repeating: "x", count: 200)] {
            let said = try #require(OpenText(title: title, link: link))
            let strings = TextRecord.write(said.text)
            #expect(strings.count == 3 && strings.allSatisfy { $0.count <= 255 })
            #expect(OpenText(TextRecord.read(strings)) == said && said.title == title && said.link == link)
        }
    }

    @Test(
        arguments: [
            ("  Ana's \n\t party\r\n ", "Ana's party"),
            ("a\u{7}\u{1B}[31mred\u{9B}2J", "a[31mred2J"),
            ("pay\u{202E}txt.exe\u{2066}x\u{200F}\u{061C}", "paytxt.exex"),
            ("one\u{2028}two\u{2029}three\u{85}four\u{A0}five", "one two three four five"),
            ("zero\u{FEFF}\u{200B}\u{2060}width\u{E000}", "zerowidth"),
            ("👩‍👩‍👧 می‌خواهم", "👩‍👩‍👧 می‌خواهم"), ("a\u{0}b", "ab"),
        ]
    )
    func `a title is on one line and holds nothing that drives what shows it`(said: String, shown: String) {
        #expect(OpenText(title: said, link: link)?.title == shown)
    }

    @Test(arguments: [
        "", "  \n", "\u{202E}\u{200B}", "\u{200D}\u{200C} \u{FEFF}", "\u{3164}", "\u{1}", "\u{2800}\u{2800}",
    ])
    func `a title of which nothing can be seen is none`(title: String) {
        #expect(OpenText(title: title, link: link) == nil)
    }

    @Test func `a title that is too long is cut at a character`() throws {
        let long = try #require(OpenText(title: "x" + String(repeating: "🎉", count: 60), link: link))
        #expect(long.title == "x" + String(repeating: "🎉", count: 49))
        let words = String(repeating: "é", count: 99)
        #expect(OpenText(title: words + " é", link: link)?.title == words, "no space is left at the end")
        // One character of hundreds of marks has no place to be cut at.
        let marks = "e" + String(repeating: "\u{301}", count: 240)
        #expect(OpenText(title: marks, link: link) == nil)
        #expect(OpenText(title: "ab" + marks, link: link)?.title == "ab")
    }

    @Test func `what is of another version, or lacks something, says nothing`() {
        let whole = ["v": "1", "title": "Party", "link": link]
        #expect(OpenText(whole) != nil)
        for key in whole.keys { #expect(OpenText(whole.filter { $0.key != key }) == nil) }
        #expect(OpenText(whole.merging(["v": "2"]) { $1 }) == nil)
        #expect(OpenText(whole.merging(["link": ""]) { $1 }) == nil)
        #expect(OpenText(whole.merging(["more": "x"]) { $1 }) != nil, "a later version may add to it")
    }

    @Test func `no bytes trap`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let strings = (0..<Int.random(in: 0...6)).map { _ -> [UInt8] in
                let key = Array((["v=1", "title=", "link=", "TITLE=", "", "="].randomElement() ?? "").utf8)
                return key + (0..<Int.random(in: 0...300)).map { _ in .random(in: .min ... .max, using: &generator) }
            }
            if let said = OpenText(TextRecord.read(strings)) {
                #expect(said.title.utf8.count <= OpenText.titleLimit)
            }
        }
    }
}
