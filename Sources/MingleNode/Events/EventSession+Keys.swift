// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import Synchronization

extension EventSession {
    /// Looks within a second whether a new key is needed, or somebody lacks one, and sees to it unless another does.
    func scheduleKeys() {
        guard keeping.exchange(true) == false else { return }
        merging.asyncAfter(deadline: .now() + 1) { [self] in
            _ = keeping.exchange(false)
            guard !isStopped.isSet else { return }
            attempt("check whether a new key is needed") {
                guard let duty = try replica.keyDuty(at: clock.now()),
                    dueKeys.withLock({ $0.insert(duty.need).inserted })
                else { return }
                merging.asyncAfter(deadline: .now() + duty.pause / .seconds(1)) { [weak self] in self?.fulfil(duty) }
            }
        }
    }

    private func fulfil(_ duty: KeyDuty) {
        _ = dueKeys.withLock { $0.remove(duty.need) }
        guard !isStopped.isSet else { return }
        attempt("make or pass on a key") {
            if let authored = try replica.fulfil(duty, at: clock.now(), randomness: .system) {
                tell(authored.outcome, own: authored.runs)
            }
            // What was done may be the first of several things, and what another did another audience's.
            scheduleKeys()
        }
    }
}
