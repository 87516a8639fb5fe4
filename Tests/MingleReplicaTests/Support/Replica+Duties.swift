// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

extension Replica {
    /// What is due about reports long after everything was posted.
    func hidingDuty() throws -> HidingDuty? { try hidingDuty(at: Timestamp(milliseconds: .max)) }

    /// Does all that is due about keys; false if nothing is.
    func handOnKeys(_ randomness: Randomness, at now: Timestamp = Timestamp(milliseconds: 9000)) throws -> Bool {
        var hasDone = false
        for _ in 0..<10 {
            guard let duty = try keyDuty(at: now), try fulfil(duty, at: now, randomness: randomness) != nil else {
                break
            }
            hasDone = true
        }
        return hasDone
    }
}
