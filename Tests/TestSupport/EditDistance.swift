// SPDX-License-Identifier: Apache-2.0

/// Distances between words, worked out the slow way.
package enum EditDistance {
    /// Characters too many, missing or wrong, and neighbours exchanged (Damerau and Levenshtein, optimal alignment).
    package static func between(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        var table = (0...left.count).map { row in (0...right.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        for row in left.indices {
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var best = min(table[row][column + 1] + 1, table[row + 1][column] + 1, table[row][column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, table[row - 1][column - 1] + 1)
                }
                table[row + 1][column + 1] = best
            }
        }
        return table[left.count][right.count]
    }

    /// Whether a word, or a beginning of it, is at most one error from another.
    package static func isForgiven(_ query: String, in word: String) -> Bool {
        let scalars = Array(word.unicodeScalars)
        return (0...scalars.count).contains { count in
            var beginning = String.UnicodeScalarView()
            beginning.append(contentsOf: scalars[..<count])
            return between(query, String(beginning)) <= 1
        }
    }
}

extension SplitMix {
    /// A word of a few letters, so that many words are alike.
    package mutating func word(_ lengths: ClosedRange<Int>, of letters: String = "abcé") -> String {
        let letters = Array(letters.unicodeScalars)
        var word = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: lengths, using: &self) { word.append(pick(letters)) }
        return String(word)
    }
}
