// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MinglePeering
import MingleReplica

extension EventSession {
    /// Looks in some seconds whether what was let go of fits again, and asks for it; not at once, as more room may be about to come.
    func scheduleQuotaReview() {
        guard !isRelay, reviewing.exchange(true) == false else { return }
        merging.asyncAfter(deadline: .now() + 2) { [self] in
            _ = reviewing.exchange(false)
            guard !isStopped.isSet else { return }
            attempt("fetch records that fit the quota again") {
                let review = try replica.reviewQuota()
                if !review.missing.isEmpty { feed(.payloadsWanted(of: review.missing)) }
                if !review.isDone { scheduleQuotaReview() }
            }
        }
    }
}
