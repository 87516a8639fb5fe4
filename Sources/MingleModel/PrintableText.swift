// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Words of others without what would drive a terminal (C0 and C1 controls), turn its lines round, or break the line, unless lines
    /// are kept.
    package func printable(keepingLines: Bool = false) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isKept = keepingLines && scalar == "\n"
            clean.append(scalar.drivesTerminal && !isKept ? " " : scalar)
        }
        return String(clean)
    }

    /// The text for a terminal: what ``printable(keepingLines:)`` replaces is a space, and what shows nothing by itself
    /// is left out.
    package func onTerminal(keepingLines: Bool = false) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in printable(keepingLines: keepingLines).unicodeScalars where !scalar.showsNothing {
            shown.append(scalar)
        }
        return String(shown)
    }

    /// The text for a terminal where it is JSON, or consists of lines whose texts are JSON strings.
    ///
    /// What ``onTerminal(keepingLines:)`` takes out is written as `\uXXXX` (RFC 8259 §7). Line ends and tabs, which
    /// stand between the texts, are kept.
    package var escapedForTerminal: String {
        var escaped = ""
        for scalar in unicodeScalars {
            guard scalar != "\n", scalar != "\t", scalar.drivesTerminal || scalar.showsNothing else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                escaped += "\\u" + String(0x10000 + Int(unit), radix: 16).dropFirst()
            }
        }
        return escaped
    }

    /// What people see of it on one line, for comparing it with what somebody types.
    ///
    /// Two texts that look the same may differ in characters that show nothing.
    package var visible: String { onTerminal().split(separator: " ").joined(separator: " ") }
}

extension Unicode.Scalar {
    /// Whether it controls a terminal, separates lines, or embeds, overrides or isolates a direction of writing (UAX 9 §2).
    fileprivate var drivesTerminal: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: ("\u{202a}"..."\u{202e}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
        }
    }
}

extension Unicode.Scalar {
    /// Whether it shows nothing by itself: zero width, a mark of direction, a tag, a filler, a selector of a variant.
    fileprivate var showsNothing: Bool {
        guard value > 0x7e else { return false }
        return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
    }
}

extension String {
    /// Whether people see anything of it: a letter, digit, sign or symbol.
    ///
    /// What this version of Unicode does not know counts as visible, so that a later version says the same of it.
    package var hasVisibleCharacter: Bool {
        // Nearly every text has one of these.
        if utf8.contains(where: { (0x21...0x7e).contains($0) }) { return true }
        return unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .spaceSeparator, .lineSeparator,
                .paragraphSeparator, .nonspacingMark, .enclosingMark:
                false
            default: !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
            }
        }
    }
}
