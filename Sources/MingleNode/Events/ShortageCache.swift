// SPDX-License-Identifier: Apache-2.0

import MingleSync
import Synchronization

/// What nobody who is connected holds, which takes longer to count the more is wanted: every status asks for it.
///
/// A count serves for a hundred times as long as it took, up to ten seconds. So of few it is always counted, and
/// counting much takes one hundredth of a processor at most, however often it is asked for.
final class ShortageCache: Sendable {
    private static let mostAge = Duration.seconds(10)

    private let known = Mutex<(shortage: Shortage, until: ContinuousClock.Instant)?>(nil)

    /// The last count, or what `count` says if that is too old.
    func shortage(_ count: () -> Shortage) -> Shortage {
        let start = ContinuousClock.now
        if let known = known.withLock({ $0 }), start < known.until { return known.shortage }
        let shortage = count()
        let end = ContinuousClock.now
        known.withLock { $0 = (shortage, end + min((end - start) * 100, Self.mostAge)) }
        return shortage
    }
}
