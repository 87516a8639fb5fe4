// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleCrypto
import MingleReplica

extension EventSession {
    /// Writes what follows from what others said: this person's public halves of connections, and confirmations of uses
    /// of this device's deals.
    func scheduleFollowUps() {
        guard !isRelay, followingUp.exchange(true) == false else { return }
        merging.async { [weak self] in
            guard let self else { return }
            _ = followingUp.exchange(false)
            guard !isStopped.isSet, !isLeaving else { return }
            attempt("answer what others said") {
                let drafts = try replica.dueFriendships() + replica.dueConfirmations()
                guard !drafts.isEmpty else { return }
                do {
                    let authored = try replica.author(drafts, at: clock.now(), randomness: .system)
                    tell(authored.outcome, own: authored.runs)
                } catch ReplicaError.keyOutdated, ReplicaError.locked {
                    // The key that comes changes who is known, and then this is looked at again.
                }
            }
        }
    }
}
