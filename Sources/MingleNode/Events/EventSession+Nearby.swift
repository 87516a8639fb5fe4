// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleReplica
import Synchronization

extension EventSession {
    /// Whether it is to be looked whether the event is open to anyone nearby: something changed, or a minute has passed.
    func isOpennessDue(at now: Duration) -> Bool {
        let isChanged = openness.exchange(false)
        return opennessLooked.withLock { looked in
            guard isChanged || now - looked >= .seconds(60) else { return false }
            looked = now
            return true
        }
    }

    /// Looks whether the event is open to those nearby; whether that has changed since the last time.
    func noteOpening() -> Bool {
        let isOpen = (try? replica.nearbyOpening(at: clock.now())) != nil
        return isOpenToNearby.exchange(isOpen) != isOpen
    }
}
