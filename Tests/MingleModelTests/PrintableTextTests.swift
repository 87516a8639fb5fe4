// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import Testing

struct PrintableTextTests {
    @Test(
        arguments: [
            ("Ana", "Ana"), ("a\tb\r\nc", "a b  c"), ("\u{1b}[2J\u{9b}1m\u{7f}", " [2J 1m "),
            ("a\u{202e}b\u{2066}c\u{2028}d", "a b c d"), ("👨\u{200d}👩\u{200d}👧 ü", "👨\u{200d}👩\u{200d}👧 ü"),
        ]
    )
    func `what drives a terminal, turns lines round or breaks them is a space`(text: String, expected: String) {
        #expect(text.printable() == expected)
    }

    @Test(
        arguments: [
            ("a\u{202e}b\u{2028}c", "a b c"), ("\u{61c}A\u{200b}n\u{feff}a\u{200f}", "Ana"),
            ("A\u{e0041}\u{e007f}na\u{3164}\u{ad}", "Ana"), ("\u{9b}31mred\u{7f}", " 31mred "), ("Zoë 🎂", "Zoë 🎂"),
        ]
    )
    func `what shows nothing by itself is left out on a terminal`(text: String, expected: String) {
        #expect(text.onTerminal() == expected)
    }

    @Test func `JSON for a terminal has such characters escaped, and is the same JSON`() throws {
        let text = "\u{9b}\u{202e}\u{61c}\u{e0041}\u{2028}\u{7f}é🎂\t"
        let json = try JSONEncoder().encode([text])
        let escaped = String(decoding: json, as: UTF8.self).escapedForTerminal
        #expect(escaped == #"["\u009b\u202e\u061c\udb40\udc41\u2028\u007fé🎂\t"]"#)
        #expect(try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == [text])
        #expect("a\tb\nc".escapedForTerminal == "a\tb\nc")
    }

    @Test func `lines are kept where that is wanted, and nothing else`() {
        #expect("a\nb\tc".printable(keepingLines: true) == "a\nb c")
    }

    @Test(arguments: ["Gil", " Gil", "Gi\u{200b}l", "\u{202e}Gil", "Gil\u{feff}", "\u{2067}\u{ad}Gil\t"])
    func `names that look the same are the same to who types one`(name: String) {
        #expect(name.visible == "Gil".visible && name.visible != "Gal".visible)
    }

    @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
    func `one of something is one`(count: Int, words: String) {
        #expect(count.counted("file") == words)
        #expect(count.counted("person", "people") == (count == 1 ? "1 person" : "\(count) people"))
    }
}
