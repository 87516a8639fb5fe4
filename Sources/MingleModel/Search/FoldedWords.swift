// SPDX-License-Identifier: Apache-2.0

/// The words by which people find a text.
///
/// Words are folded: NFKD, lower case, no diacritics, decimal digits of any script as ASCII. A word ends at everything
/// that is not a letter or a digit. The result does not depend on a locale. See ``ScalarFolding`` for the characters.
///
/// - A run of Han, kana, Thai or another script without spaces becomes overlapping pairs and its last character, so a
///   search by prefix finds every part of the run.
/// - An emoji is a word of its own; skin tones are dropped, two regional indicators are one flag.
/// - Any other word has 2 to 32 characters: shorter ones find nothing, longer ones are cut.
/// - A tag is `#` at the beginning of a word, and all letters and digits behind it, of whatever script. It is a word
///   besides those of its text; who looks for `#dance` finds the tag alone.
package enum FoldedWords {
    /// The characters of a word that count.
    package static let lengthLimit = 32
    /// The words of a text that count.
    package static let countLimit = 256

    /// The distinct words of a text to be found, in the order in which they first occur; at most ``countLimit``.
    package static func words(of text: String) -> [String] { split(text.unicodeScalars, endsRuns: true) }

    /// A name for comparing it with others: equal where people take two names for the same.
    ///
    /// Unlike the words to be found it has all characters: "Stall 1" is not "Stall 2".
    package static func name(_ text: String) -> String {
        let folding = ScalarFolding.shared
        var name = String.UnicodeScalarView()
        var isApart = false
        func add(_ folded: FoldedScalar) {
            switch folded.role {
            case .ignored, .several: return
            case .separator: isApart = !name.isEmpty
            case .letter, .unspaced, .emoji:
                if isApart { name.append(" ") }
                isApart = false
                name.append(folded.scalar)
            }
        }
        for scalar in text.unicodeScalars {
            let folded = folding.fold(scalar)
            if folded.role == .several {
                for part in folding.expand(folded, of: scalar) { add(part) }
            } else {
                add(folded)
            }
        }
        return name.isEmpty ? text.visible.lowercased() : String(name)
    }

    /// The distinct words to look for.
    ///
    /// The last character of a run stands in its last pair already.
    static func query(_ scalars: some Sequence<Unicode.Scalar>) -> [String] { split(scalars, endsRuns: false) }

    /// What a tag begins with: the number sign, and the wide one of East Asian keyboards.
    private static let tagSigns: Set<Unicode.Scalar> = ["#", "\u{ff03}"]

    private static func split(_ scalars: some Sequence<Unicode.Scalar>, endsRuns: Bool) -> [String] {
        var splitter = WordSplitter(endsRuns: endsRuns)
        let folding = ScalarFolding.shared
        for scalar in scalars where !splitter.isFull {
            if Self.tagSigns.contains(scalar), splitter.beginTag() { continue }
            let folded = folding.fold(scalar)
            if folded.role == .several {
                for part in folding.expand(folded, of: scalar) { splitter.add(part) }
            } else {
                splitter.add(folded)
            }
        }
        return splitter.finish()
    }
}

/// Collects folded characters to distinct words.
private struct WordSplitter {
    /// Whether the last character of a run of pairs is a word too.
    let endsRuns: Bool
    private var words: [String] = []
    private var seen: Set<String> = []
    private var word = String.UnicodeScalarView()
    private var length = 0
    /// The role of what `word` holds.
    private var role = FoldedScalar.Role.separator
    /// The tag that goes on, without its sign; nil: none does.
    private var tag: String.UnicodeScalarView?

    init(endsRuns: Bool) { self.endsRuns = endsRuns }

    var isFull: Bool { words.count >= FoldedWords.countLimit }

    /// Begins a tag, unless the sign stands within a word.
    mutating func beginTag() -> Bool {
        guard tag != nil || role != .letter && role != .unspaced else { return false }
        end()
        endTag()
        tag = String.UnicodeScalarView()
        return true
    }

    mutating func add(_ folded: FoldedScalar) {
        switch folded.role {
        case .ignored, .several: return
        case .letter, .unspaced:
            if let tag, tag.count < FoldedWords.lengthLimit { self.tag?.append(folded.scalar) }
        case .separator, .emoji:
            // Two halves of a flag are one word, which ends only with a tag.
            if tag != nil {
                end()
                endTag()
            }
        }
        addToWord(folded)
    }

    private mutating func addToWord(_ folded: FoldedScalar) {
        switch folded.role {
        case .ignored, .several: return
        case .separator: end()
        case .letter: addLetter(folded.scalar)
        case .unspaced: addToRun(folded.scalar)
        case .emoji: addEmoji(folded.scalar)
        }
    }

    mutating func finish() -> [String] {
        end()
        endTag()
        return words
    }

    private mutating func endTag() {
        guard let text = tag else { return }
        tag = nil
        let word = "#" + String(text)
        guard !text.isEmpty, !isFull, seen.insert(word).inserted else { return }
        words.append(word)
    }

    private mutating func addLetter(_ scalar: Unicode.Scalar) {
        if role != .letter { end() }
        role = .letter
        length += 1
        if length <= FoldedWords.lengthLimit { word.append(scalar) }
    }

    private mutating func addToRun(_ scalar: Unicode.Scalar) {
        if role != .unspaced { end() }
        role = .unspaced
        length += 1
        word.append(scalar)
        guard length > 1 else { return }
        keep()
        word = String.UnicodeScalarView([scalar])
    }

    private mutating func addEmoji(_ scalar: Unicode.Scalar) {
        // A flag is two regional indicators; everything else is one character.
        let isHalf = ScalarFolding.isRegionalIndicator(scalar)
        let isSecondHalf = isHalf && role == .emoji
        if !isSecondHalf { end() }
        word.append(scalar)
        role = .emoji
        if !isHalf || isSecondHalf { end() }
    }

    private mutating func end() {
        switch role {
        case .letter where length > 1, .emoji: keep()
        case .unspaced where endsRuns || length == 1: keep()
        default: break
        }
        (role, length) = (.separator, 0)
        if !word.isEmpty { word = String.UnicodeScalarView() }
    }

    private mutating func keep() {
        // Who looks for a tag does not look for its words.
        if tag?.isEmpty == false, !endsRuns { return }
        let word = String(word)
        guard !word.isEmpty, !isFull, seen.insert(word).inserted else { return }
        words.append(word)
    }
}
