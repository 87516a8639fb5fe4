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
            attempt("look what people reported") {
                guard let duty = try replica.hidingDuty(at: clock.now()) else { return }
                merging.asyncAfter(deadline: .now() + duty.pause / .seconds(1)) { [self] in fulfil(duty) }
            }
        }
    }

    private func fulfil(_ duty: HidingDuty) {
        guard !isStopped.isSet else { return }
        attempt("hide what people reported") {
            guard let authored = try replica.fulfil(duty, at: clock.now(), randomness: .system) else { return }
            // What changed by this has the next one looked at.
            tell(authored.outcome, own: authored.runs)
        }
    }
}
