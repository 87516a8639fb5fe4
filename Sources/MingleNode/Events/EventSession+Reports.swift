// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleCrypto
import MinglePeering
import MingleReplica

extension EventSession {
    /// Looks within a second whether enough people reported something, and hides it unless another moderator's node does.
    func scheduleHiding() {
        guard !isRelay, moderating.exchange(true) == false else { return }
        merging.asyncAfter(deadline: .now() + 1) { [self] in
            _ = moderating.exchange(false)
            guard !isStopped.isSet else { return }
            attempt("check reports") {
                let now = clock.now()
                let look = try replica.lookAtReports(at: now)
                if look.waitsForNextHour { scheduleHiding(after: now.restOfHour) }
                guard let duty = look.due.map(replica.hidingDuty(for:)) else { return }
                merging.asyncAfter(deadline: .now() + duty.pause / .seconds(1)) { [self] in fulfil(duty) }
            }
        }
    }

    /// Looks again when the hour has passed in which this person has said too much, though nothing changes then.
    private func scheduleHiding(after rest: Duration) {
        guard moderatesLater.exchange(true) == false else { return }
        merging.asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in
            guard let self, !isStopped.isSet else { return }
            _ = moderatesLater.exchange(false)
            scheduleHiding()
        }
    }

    private func fulfil(_ duty: HidingDuty) {
        guard !isStopped.isSet else { return }
        attempt("hide a reported record") {
            guard let authored = try replica.fulfil(duty, at: clock.now(), randomness: .system) else { return }
            // What changed by this has the next one looked at.
            tell(authored.outcome, own: authored.runs)
        }
    }
}
