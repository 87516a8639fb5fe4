// SPDX-License-Identifier: Apache-2.0

/// How the words begin that a query word with one error finds.
///
/// An error is one character too many, missing or wrong, or two neighbours exchanged: a distance of 1 after Damerau
/// and Levenshtein. A word is found if it, or a beginning of it, is within that distance. Such a word begins with the
/// query word, with one of ``prefixes`` or with one of ``gaps``, and no other word does. So an ordered list of words
/// answers by itself, and needs no index of parts of words.
package struct OneErrorPatterns: Sendable {
    /// One of many beginnings: `head`, any character, then one of `tails`.
    package struct Gap: Equatable, Sendable {
        /// What stands before the character; may be empty.
        package let head: String
        /// What may stand behind the character; never empty.
        package let tails: [String]
    }

    /// The shortest word in which an error is forgiven.
    package static let shortest = 4

    /// Beginnings in which a character is missing or two are exchanged; at most 63.
    package let prefixes: [String]
    /// Beginnings in which a character is wrong or too many, the last place first; at most 31.
    package let gaps: [Gap]

    /// The patterns of a folded word; nil where no error is forgiven: in short words, and in numbers.
    package init?(of word: String) {
        let characters = Array(word.unicodeScalars)
        guard characters.count >= Self.shortest, !characters.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        // An error at the last character leaves a word that begins with the others, whatever follows.
        var prefixes = characters.indices.reversed().map { Self.text(characters[..<$0], characters[($0 + 1)...]) }
        for index in characters.indices.dropLast() where characters[index] != characters[index + 1] {
            var exchanged = characters
            exchanged.swapAt(index, index + 1)
            prefixes.append(Self.text(exchanged[...]))
        }
        var seen: Set<String> = [word]
        self.prefixes = prefixes.filter { seen.insert($0).inserted }
        gaps = characters.indices.dropLast().reversed().map { index in
            let tails = [Self.text(characters[(index + 1)...]), Self.text(characters[index...])]
            return Gap(head: Self.text(characters[..<index]), tails: tails)
        }
    }

    /// Returns whether a folded word, or its beginning, is the query word with one error.
    package func find(_ word: String) -> Bool {
        let scalars = word.unicodeScalars
        if prefixes.contains(where: { scalars.starts(with: $0.unicodeScalars) }) { return true }
        return gaps.contains { gap in
            guard scalars.starts(with: gap.head.unicodeScalars) else { return false }
            let rest = scalars.dropFirst(gap.head.unicodeScalars.count + 1)
            return gap.tails.contains { rest.starts(with: $0.unicodeScalars) }
        }
    }

    private static func text(_ parts: ArraySlice<Unicode.Scalar>...) -> String {
        var text = String.UnicodeScalarView()
        for part in parts { text.append(contentsOf: part) }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// The next character that a folded word of an alphabet may begin with; nil if there is none.
    ///
    /// Words of Han, kana and emoji are too short for a query word with an error.
    package var nextOfAlphabets: Unicode.Scalar? {
        switch value + 1 {
        case 0x2e80..<0xa000: "\u{a000}"
        case 0xd800..<0xe000: "\u{e000}"
        case 0x1_f000...: nil
        case let next: Unicode.Scalar(next)
        }
    }
}
