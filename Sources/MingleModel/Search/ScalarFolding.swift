// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What one character becomes in a folded word.
struct FoldedScalar: Equatable {
    enum Role: UInt32 {
        /// It ends a word.
        case separator
        /// It is dropped: a diacritic, or a character that shows nothing.
        case ignored
        /// A letter or a digit.
        case letter
        /// A letter of a script without spaces between words.
        case unspaced
        /// A word of its own.
        case emoji
        /// It becomes several characters, or takes a look-up: see ``ScalarFolding/expand(_:of:)``.
        case several
    }

    /// The role above 21 bits of the character's code point, or of the place of an expansion.
    private let bits: UInt32

    init(_ role: Role, _ value: UInt32 = 0) { bits = role.rawValue << 21 | value }

    var role: Role { Role(rawValue: bits >> 21) ?? .separator }

    /// The code point, or the place of an expansion.
    var value: UInt32 { bits & 0x1f_ffff }

    var scalar: Unicode.Scalar { Unicode.Scalar(value) ?? "\u{fffd}" }
}

/// Folds one character: lower case, NFKD, without diacritics.
///
/// Folding a text character by character equals folding it whole: decomposition only reorders marks, and those are
/// dropped. So a table made once serves all alphabets, and no text costs more than its length.
struct ScalarFolding: Sendable {
    static let shared = ScalarFolding()

    /// Above are Han, Hangul, compatibility forms, rare alphabets and emoji.
    private static let tableEnd: UInt32 = 0x3100

    private let table: [FoldedScalar]
    private let expansions: [[FoldedScalar]]

    private init() {
        var expansions: [[FoldedScalar]] = []
        table = Self.decompositions().map { parts in
            guard parts.count != 1 else { return parts[0] }
            expansions.append(parts)
            return FoldedScalar(.several, UInt32(expansions.count - 1))
        }
        self.expansions = expansions
    }

    /// What a character becomes; `several` means that ``expand(_:of:)`` says it.
    func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
        if scalar.value < Self.tableEnd { return table[Int(scalar.value)] }
        return Self.isUnifiedHan(scalar) ? FoldedScalar(.unspaced, scalar.value) : FoldedScalar(.several)
    }

    /// What a character becomes that is folded to `several`.
    func expand(_ folded: FoldedScalar, of scalar: Unicode.Scalar) -> [FoldedScalar] {
        if scalar.value < Self.tableEnd { return expansions[Int(folded.value)] }
        if let jamo = Self.jamo(of: scalar) { return jamo }
        if Self.isEmoji(scalar) { return [FoldedScalar(.emoji, scalar.value)] }
        return Self.parts(of: Self.lowercased(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
    }

    /// What the table's characters become, by one call of Foundation for all of them.
    private static func decompositions() -> [[FoldedScalar]] {
        let scalars = (0..<tableEnd).compactMap(Unicode.Scalar.init)
        // A control character ends each, as none of the others contains it.
        let text = scalars.map { $0.value == 0 ? "\u{0}" : lowercased($0) + "\u{0}" }.joined()
        let parts = text.decomposedStringWithCompatibilityMapping.unicodeScalars
            .split(separator: "\u{0}", omittingEmptySubsequences: false)
        return zip(scalars, parts).map { scalar, decomposition in
            isEmoji(scalar) ? [FoldedScalar(.emoji, scalar.value)] : Self.parts(of: decomposition)
        }
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> String { scalar.properties.lowercaseMapping }

    /// The parts of a decomposition that count; one at least.
    private static func parts(of decomposition: some Sequence<Unicode.Scalar>) -> [FoldedScalar] {
        let parts = decomposition.flatMap { part in
            // A compatibility form may stand for a capital letter.
            lowercased(part).unicodeScalars.flatMap { letter in
                replacements[letter]?.unicodeScalars.map { FoldedScalar(.letter, $0.value) } ?? [classify(letter)]
            }
        }
        let counting = parts.filter { $0.role != .ignored }
        return counting.isEmpty ? [FoldedScalar(parts.isEmpty ? .separator : .ignored)] : counting
    }

    /// Letters that Unicode does not decompose, and letters of which people use one for the other.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t",
        "ı": "i", "ς": "σ", "ک": "ك", "ی": "ي", "ى": "ي",
    ]

    private static func classify(_ scalar: Unicode.Scalar) -> FoldedScalar {
        let properties = scalar.properties
        // The tatweel only makes Arabic words longer.
        if properties.isDefaultIgnorableCodePoint || scalar == "\u{640}" { return FoldedScalar(.ignored) }
        switch properties.generalCategory {
        case .decimalNumber:
            return FoldedScalar(.letter, UInt32(properties.numericValue ?? 0) + 0x30)
        case .nonspacingMark, .spacingMark:
            // Marks of a combining class are diacritics; vowel signs have none.
            return properties.canonicalCombiningClass == .notReordered ? letter(scalar) : FoldedScalar(.ignored)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .otherNumber:
            return letter(scalar)
        case .enclosingMark, .format: return FoldedScalar(.ignored)
        default: return FoldedScalar(properties.isEmojiModifier ? .ignored : .separator)
        }
    }

    private static func letter(_ scalar: Unicode.Scalar) -> FoldedScalar {
        FoldedScalar(isUnspaced(scalar) ? .unspaced : .letter, scalar.value)
    }
}

/// Kinds of characters.
extension ScalarFolding {
    /// Whether it is a letter of a script without spaces: Thai, Lao, Myanmar, Khmer, kana or Han.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xe00..<0xf00, 0x1000..<0x10a0, 0x1780..<0x1800, 0x3005...0x3007, 0x3040..<0x3100, 0x31f0..<0x3200: true
        default: isUnifiedHan(scalar)
        }
    }

    private static func isUnifiedHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3400..<0x4dc0, 0x4e00..<0xa000, 0x2_0000..<0x2_f800, 0x3_0000..<0x4_0000: true
        default: false
        }
    }

    /// Whether it is one of the halves of flags.
    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { 0x1_f1e6...0x1_f1ff ~= scalar.value }

    /// Whether it is shown as a picture, if a selector asks for that.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard properties.isEmoji, !properties.isEmojiModifier else { return false }
        return properties.isEmojiPresentation || scalar.value >= 0x2190 && properties.generalCategory == .otherSymbol
    }

    /// The letters of a Hangul syllable (The Unicode Standard, section 3.12).
    private static func jamo(of scalar: Unicode.Scalar) -> [FoldedScalar]? {
        guard 0xac00..<0xd7a4 ~= scalar.value else { return nil }
        let index = scalar.value - 0xac00
        let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11a7 + index % 28]
        return letters.prefix(index % 28 == 0 ? 2 : 3).map { FoldedScalar(.letter, $0) }
    }
}
