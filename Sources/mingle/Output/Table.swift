// SPDX-License-Identifier: Apache-2.0

/// Rows of words in aligned columns, for people.
enum Table {
    /// Characters of the widest column that is still aligned.
    private static let columnLimit = 40

    /// The rows, their columns aligned; nothing at all for no rows.
    static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            min(rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0, columnLimit)
        }
        return rows.map { row in
            row.enumerated().map { index, word in
                let clean = printable(word)
                let padding = max(0, widths[index] - clean.count)
                return index == row.count - 1 ? clean : clean + String(repeating: " ", count: padding)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// Embeddings, overrides and isolates of writing direction, which turn round what stands behind them (Unicode, UAX 9 §2).
    private static let turning: [ClosedRange<Unicode.Scalar>] = ["\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}"]

    /// Words of others without what would drive the terminal (C0 and C1 controls) or turn its lines round, on one line unless
    /// lines are kept.
    static func printable(_ text: String, keepingLines: Bool = false) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKept = keepingLines && scalar == "\n"
            let isControl = scalar.properties.generalCategory == .control && !isKept
            clean.append(isControl || turning.contains { $0.contains(scalar) } ? " " : scalar)
        }
        return String(clean)
    }
}
