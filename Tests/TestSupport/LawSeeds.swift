// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which seeds the laws are tried with: a few, more with `MINGLE_LAW_SEEDS=500`, or the one of `MINGLE_LAW_SEED=17`.
package enum LawSeeds {
    private static let environment = ProcessInfo.processInfo.environment

    /// So many seeds, unless the environment says otherwise.
    package static func first(_ count: UInt64) -> [UInt64] {
        if let only = environment["MINGLE_LAW_SEED"].flatMap(UInt64.init) { return [only] }
        let count = environment["MINGLE_LAW_SEEDS"].flatMap(UInt64.init) ?? count
        return Array(0..<count)
    }

    /// The line that runs one seed of one test again.
    package static func again(_ seed: UInt64, test: String) -> String {
        "MINGLE_LAW_SEED=\(seed) swift test --disable-xctest --filter '\(test)'"
    }
}
