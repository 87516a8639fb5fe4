// SPDX-License-Identifier: Apache-2.0

/// What somebody looks for near something that has a name: "coffee near Lyngby".
package struct NearPhrase: Equatable, Sendable {
    /// What is looked for; may be empty.
    package let what: String
    /// What the place is called near which it is to be.
    package let place: String

    /// The folded words that mean "near" in English, German and Spanish; longer ones first.
    private static let signs = [["cerca", "del"], ["cerca", "de"], ["nahe", "bei"], ["near"], ["nahe"], ["bei"]]

    /// Splits a text at the last sign for "near" that has something behind it; nil where there is none.
    package init?(_ text: String) {
        let parts = text.prefix(SearchQuery.lengthLimit).split(whereSeparator: \.isWhitespace)
        let words = parts.map { FoldedWords.words(of: String($0)).first ?? "" }
        for start in words.indices.reversed() {
            guard let sign = Self.signs.first(where: { words[start...].starts(with: $0) }) else { continue }
            let end = start + sign.count
            // "nahe bei" is one sign.
            guard end < parts.count, start == 0 || words[start] != "bei" || words[start - 1] != "nahe" else { continue }
            what = parts[..<start].joined(separator: " ")
            place = parts[end...].joined(separator: " ")
            return
        }
        return nil
    }
}
