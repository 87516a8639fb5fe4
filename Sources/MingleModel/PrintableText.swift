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

    /// What people see of it on one line, for comparing it with what somebody types: two texts that look the same may differ in
    /// characters that show nothing.
    package var visible: String {
        var seen = String.UnicodeScalarView()
        for scalar in printable().unicodeScalars where scalar.properties.generalCategory != .format {
            seen.append(scalar)
        }
        return String(seen).split(separator: " ").joined(separator: " ")
    }
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
