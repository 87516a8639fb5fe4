// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Rows of words in aligned columns, for people.
package enum Table {
    /// Characters of the widest column that is still aligned.
    private static let columnLimit = 40

    /// The rows, their columns aligned; nothing at all for no rows.
    package static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            min(rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0, columnLimit)
        }
        return rows.map { row in
            row.enumerated().map { index, word in
                let clean = word.printable()
                let padding = max(0, widths[index] - clean.count)
                return index == row.count - 1 ? clean : clean + String(repeating: " ", count: padding)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
