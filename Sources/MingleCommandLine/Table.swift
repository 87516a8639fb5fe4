// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Rows of words in aligned columns, for people.
package enum Table {
    /// Characters of the widest column that is still aligned.
    private static let columnLimit = 40

    /// The rows, their columns aligned; nothing at all for no rows.
    package static func text(_ words: [[String]]) -> String {
        let rows = words.map { $0.map { $0.onTerminal() } }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            min(rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0, columnLimit)
        }
        return rows.map { row in
            row.enumerated().map { index, word in
                let padding = max(0, widths[index] - word.count)
                return index == row.count - 1 ? word : word + String(repeating: " ", count: padding)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
