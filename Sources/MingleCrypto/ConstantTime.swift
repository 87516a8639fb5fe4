// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Comparing what others may be guessing at.
package enum ConstantTime {
    /// Whether two texts are the same, in a time that does not tell where they differ; of other lengths they never are.
    package static func areSame(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count == second.count else { return false }
        return unsafe sodium_memcmp(first, second, first.count) == 0
    }
}
