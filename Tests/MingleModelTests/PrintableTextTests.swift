// SPDX-License-Identifier: Apache-2.0

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
