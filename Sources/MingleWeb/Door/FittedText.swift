// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A text in lines that fit a box, in the largest size that fits.
///
/// It knows no fonts. It assumes that letters are as wide as in the widest common fonts, so what fits here fits in
/// every font that a printer has.
struct FittedText: Equatable {
    enum Face {
        case regular, bold
        /// All letters have one width, and spaces stay: for what people type.
        case fixed
    }

    /// The distance of two lines, in sizes.
    static let leading = 1.2
    private static let step = 0.25
    /// Characters beyond these are not looked at.
    private static let longest = 400

    let lines: [String]
    /// The size of the letters, in the unit of the box.
    let size: Double
    let face: Face

    /// Fits a text into a box.
    ///
    /// A word is broken only if it fits in no size. A text that fits in no size ends with "…".
    init(_ text: String, width: Double, height: Double, sizes: ClosedRange<Double>, face: Face = .regular) {
        let text = String(text.prefix(Self.longest))
        self.face = face
        for breaksWords in [false, true] {
            for size in stride(from: sizes.upperBound, through: sizes.lowerBound, by: -Self.step) {
                let lines = Self.lines(of: text, width: width / size, face, breaksWords: breaksWords)
                guard let lines, Double(lines.count) * size * Self.leading <= height else { continue }
                (self.lines, self.size) = (lines, size)
                return
            }
        }
        size = sizes.lowerBound
        let all = Self.lines(of: text, width: width / size - 1, face, breaksWords: true) ?? []
        let shown = all.prefix(max(1, Int(height / (size * Self.leading))))
        lines = shown.dropLast() + (shown.last.map { [$0 + "…"] } ?? [])
    }

    /// Breaks a text into lines of at most `width` sizes; nil if a word is wider.
    private static func lines(of text: String, width: Double, _ face: Face, breaksWords: Bool) -> [String]? {
        var lines: [String] = []
        var (line, used) = ("", 0.0)
        for word in face == .fixed ? [text[...]] : text.split(separator: " ") {
            let own = self.width(of: word, face)
            let gap = line.isEmpty ? 0 : self.width(of: " ", face)
            if used + gap + own <= width {
                line += (line.isEmpty ? "" : " ") + word
                used += gap + own
                continue
            }
            guard own <= width || breaksWords else { return nil }
            if !line.isEmpty { lines.append(line) }
            (line, used) = ("", 0)
            for letter in word {
                let own = self.width(of: letter, face)
                if used + own > width, !line.isEmpty {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(letter)
                used += own
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func width(of text: some StringProtocol, _ face: Face) -> Double {
        text.reduce(0) { $0 + width(of: $1, face) }
    }

    /// How wide a letter is at most, in sizes.
    private static func width(of letter: Character, _ face: Face) -> Double {
        guard let scalar = letter.unicodeScalars.first, scalar.value < 0x1100 else { return 1.25 }
        guard face != .fixed else { return 0.61 }
        let bold =
            switch letter {
            case "i", "j", "l", "I", "'", ".", ",", ":", ";", "|", "!", " ": 0.42
            case "f", "r", "t", "(", ")", "-", "/", "\"": 0.54
            case "m", "w", "M", "W", "@", "%", "&": 1.12
            case "a"..."z", "0"..."9": 0.73
            default: 0.88
            }
        return face == .bold ? bold : bold * 0.88
    }
}
