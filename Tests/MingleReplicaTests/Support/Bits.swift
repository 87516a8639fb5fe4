// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Alters files as a failing disk does.
enum Bits {
    /// Flips one bit in each of `count` places of a file, drawn by a seed; `range` limits where.
    static func flip(_ count: Int, in path: String, seed: UInt64, range: Range<Int>? = nil) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var dice = SplitMix(seed: seed)
        let range = range ?? 0..<bytes.count
        for _ in 0..<count {
            bytes[range.lowerBound + Int(dice.next() % UInt64(range.count))] ^= 1 << UInt8(dice.next() % 8)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
