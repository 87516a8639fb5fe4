// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MingleReplica
import Synchronization

extension EventSession {
    /// Removes what was erased from the database's files as well, within a minute; not at once, so that people who delete
    /// much do not keep everybody's words waiting.
    func scheduleScrub(in pause: Duration? = nil) {
        guard scrubbing.exchange(true) == false else { return }
        let pause = pause ?? scrubPause.withLock { $0 }
        merging.asyncAfter(deadline: .now() + pause / .seconds(1)) { [self] in
            _ = scrubbing.exchange(false)
            guard !isStopped.isSet, let pause = scrub() else { return }
            scheduleScrub(in: pause)
        }
    }

    /// Scrubs, and returns when to go on with it unless it is done.
    private func scrub() -> Duration? {
        do {
            let begin = clock.uptime()
            guard try replica.scrub() else { return .seconds(2) }
            let length = clock.uptime() - begin
            tally.note { $0.scrubs.add(length) }
            scrubPause.withLock { $0 = min(max(.seconds(20), length * 30), .seconds(40)) }
            return nil
        } catch {
            guard !isStopped.isSet else { return nil }
            // What people share finds room all the same, or says itself that it does not.
            logger.warning(
                "deleted data is still in the database's files; trying again in a minute",
                metadata: ["event": "\(event)", "error": "\(error)"]
            )
            return .seconds(60)
        }
    }
}
