// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleCrypto
import MingleReplica

extension EventSession {
    /// Writes this person's public halves of connections, as the private halves of both people ask for.
    func scheduleFriendships() {
        guard !isRelay, befriending.exchange(true) == false else { return }
        merging.async { [weak self] in
            guard let self else { return }
            _ = befriending.exchange(false)
            guard !isStopped.isSet, !isLeaving else { return }
            attempt("tell who is connected") {
                let drafts = try replica.dueFriendships()
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
