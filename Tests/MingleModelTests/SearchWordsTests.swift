// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import MingleModel

/// Folded words of texts and of what somebody types.
struct SearchWordsTests {
    static let texts: [(text: String, words: [String])] = [
        ("The bar's OPEN, the Bar!", ["the", "bar", "open"]),
        ("Ångström Café größer Łódź Æther", ["angstrom", "cafe", "grosser", "lodz", "aether"]),
        ("İstanbul ISPARTA ısı", ["istanbul", "isparta", "isi"]),
        ("ﬁne ℌall Ⅷ Ｆｕｌｌ ½ ①②", ["fine", "hall", "viii", "full", "12"]),
        ("ΟΔΥΣΣΕΎΣ οδυσσεύς", ["οδυσσευσ"]),
        ("Ёлка й", ["елка"]),
        ("שָׁלוֹם עולם", ["שלום", "עולם"]),
        ("السَّلَامُ عَلَيْكُمْ أحمـــد ٣٤", ["السلام", "عليكم", "احمد", "34"]),
        ("किताब की", ["किताब", "की"]),
        ("한국", ["한국".decomposedStringWithCanonicalMapping]),
        ("東京タワー3階", ["東京", "京タ", "タワ", "ワー", "ー", "階"]),
        ("ภาษา", ["ภา", "าษ", "ษา", "า"]),
        ("木", ["木"]),
        ("soft\u{ad}ware zero\u{200b}width \u{202e}turned", ["software", "zerowidth", "turned"]),
        ("fun🎉🎉 👍🏽 🇩🇪🇫🇷 ❤️ 1️⃣0 👩‍👧", ["fun", "🎉", "👍", "🇩🇪", "🇫🇷", "❤", "10", "👩", "👧"]),
        ("#Dance! (#Fête2) a#b #🎉 # no", ["dance", "#dance", "fete2", "#fete2", "🎉", "no"]),
        ("#one#two ＃踊り場 #x", ["one", "#one", "two", "#two", "踊り", "り場", "場", "#踊り場", "#x"]),
        ("", []), ("a 1 é", []), (" \u{200b}\u{301}\n—", []),
    ]

    @Test(arguments: texts)
    func `a text has its folded words`(text: String, words: [String]) {
        #expect(FoldedWords.words(of: text) == words)
    }

    @Test func `a name has all of its characters, and neither marks nor capitals tell two apart`() {
        #expect(FoldedWords.name("Stall 1") != FoldedWords.name("Stall 2"))
        #expect(FoldedWords.name("Zone A") != FoldedWords.name("Zone B"))
        #expect(FoldedWords.name(" Café  Ømega! ") == FoldedWords.name("cafe ømega"))
        #expect(FoldedWords.name("Bar Bar") != FoldedWords.name("Bar"))
        #expect(FoldedWords.name("…") == "…" && FoldedWords.name("東京 2") == "東京 2")
    }

    @Test func `who looks for a tag does not look for its words`() {
        #expect(SearchQuery("#Dance floor").words == ["#dance", "floor"])
        #expect(SearchQuery("#踊り").words == ["#踊り"])
        #expect(SearchQuery("#").isEmpty && SearchQuery("# a").isEmpty && !SearchQuery("#a").isEmpty)
    }

    @Test(arguments: LawSeeds.first(50))
    func `composed or not, a text has the same words, and these are folded`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x7e, 0xa0...0x17f, 0x300...0x36f, 0x370...0x52f, 0x590...0x6ff, 0x900...0x97f, 0xe01...0xe5b,
            0x1e00...0x1fff, 0x2000...0x214f, 0x3040...0x30ff, 0x4e00...0x4fff, 0xac00...0xd7a3, 0xf900...0xfaff,
            0xfb00...0xfdff, 0xff00...0xffef, 0x1d400...0x1d7ff, 0x1f300...0x1f6ff, 0x2f800...0x2fa1f,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<60 {
            let value = UInt32.random(in: numbers.pick(blocks), using: &numbers)
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            if numbers.chance(15) { scalars.append(" ") }
        }
        let text = String(scalars)
        let words = FoldedWords.words(of: text)
        #expect(FoldedWords.words(of: text.decomposedStringWithCanonicalMapping) == words)
        #expect(FoldedWords.words(of: text.precomposedStringWithCanonicalMapping) == words)
        for word in words {
            #expect(FoldedWords.query(word.unicodeScalars) == [word])
            #expect(1...FoldedWords.lengthLimit ~= word.unicodeScalars.count)
        }
    }

    @Test func `of a long word 32 characters count, and of a text 256 words`() {
        let long = String(repeating: "é", count: 50)
        #expect(FoldedWords.words(of: long) == [String(repeating: "e", count: 32)])
        let many = (0..<1000).map { "word\($0)" }.joined(separator: " ")
        #expect(FoldedWords.words(of: many) == (0..<256).map { "word\($0)" })
        // Sorting these marks, as decomposing a whole text does, can take the square of their number.
        let marks = "x" + String(repeating: "\u{301}\u{323}", count: 20_000) + "y"
        #expect(FoldedWords.words(of: marks) == ["xy"])
    }

    static let queries: [(text: String, words: [String])] = [
        ("Müller caf", ["muller", "caf"]),
        ("a coffee b", ["coffee"]),
        ("東京タワ", ["東京", "京タ", "タワ"]),
        ("京", ["京"]), ("🎉", ["🎉"]), ("שלום", ["שלום"]),
        ("", []), ("x", []), ("\u{200b}\u{2066}", []), ("?!", []),
        ("ab cd ef gh ij kl mn op qr", ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"]),
        (String(repeating: " ", count: 198) + "coffee", ["co"]),
    ]

    @Test(arguments: queries)
    func `what somebody types is looked for by at most eight words`(text: String, words: [String]) {
        let query = SearchQuery(text)
        #expect(query.words == words)
        #expect(query.isEmpty == words.isEmpty)
    }

    @Test(arguments: LawSeeds.first(10))
    func `patterns with one error fit exactly the words within one error`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        for _ in 0..<20 {
            let query = numbers.word(4...8)
            let patterns = try #require(OneErrorPatterns(of: query))
            for _ in 0..<40 {
                let word = numbers.chance(50) ? numbers.word(2...10) : numbers.misspelt(query)
                let isFound = word.begins(query) || patterns.fit(word)
                if isFound != EditDistance.isForgiven(query, in: word) { Issue.record("\(query) \(word)") }
            }
        }
    }

    @Test(arguments: ["bar", "1204", "東京", "🎉"])
    func `no error is forgiven in short words and numbers`(word: String) {
        #expect(OneErrorPatterns(of: word) == nil)
    }
}

extension OneErrorPatterns {
    /// Whether a word begins with one of the patterns.
    fileprivate func fit(_ word: String) -> Bool {
        prefixes.contains { word.begins($0) }
            || gaps.contains { gap in
                let rest = word.unicodeScalars.dropFirst(gap.head.unicodeScalars.count)
                guard word.begins(gap.head), let character = rest.first else { return false }
                return gap.tails.contains { word.begins(gap.head + String(character) + $0) }
            }
    }
}

extension String {
    fileprivate func begins(_ start: String) -> Bool { unicodeScalars.starts(with: start.unicodeScalars) }
}

extension SplitMix {
    /// A word with zero to two errors, and perhaps more behind it.
    fileprivate mutating func misspelt(_ original: String) -> String {
        var letters = Array(original.unicodeScalars)
        for _ in 0..<Int.random(in: 0...2, using: &self) {
            let place = Int.random(in: 0..<letters.count - 1, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: letters.remove(at: place)
            case 1: letters.insert("x", at: place)
            case 2: letters[place] = "x"
            default: letters.swapAt(place, place + 1)
            }
        }
        var misspelt = String.UnicodeScalarView()
        misspelt.append(contentsOf: letters)
        return String(misspelt) + word(0...2)
    }
}
