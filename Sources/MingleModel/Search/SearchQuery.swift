// SPDX-License-Identifier: Apache-2.0

/// What somebody looks for: a record is found if each of the words is found in it.
///
/// Of a text of any length the first 200 characters and of these the first 8 words count. A text without words, as one
/// that is empty, invisible or has single letters only, finds nothing.
package struct SearchQuery: Equatable, Sendable {
    /// The characters of a text that count, as Unicode scalars.
    package static let lengthLimit = 200
    /// The words that count.
    package static let countLimit = 8

    /// The folded words, each of which a record has to have: as a word, as the beginning of one, or with one error.
    package let words: [String]

    /// Reads what somebody typed.
    package init(_ text: String) {
        words = Array(FoldedWords.query(text.unicodeScalars.prefix(Self.lengthLimit)).prefix(Self.countLimit))
    }

    /// Whether nothing is looked for, so that nothing is found.
    package var isEmpty: Bool { words.isEmpty }
}
