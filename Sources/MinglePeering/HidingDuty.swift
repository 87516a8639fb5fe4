// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica

/// That a moderator's device hides what enough people reported, unless another does it first.
package struct HidingDuty: Sendable {
    /// What is to be hidden.
    package let due: DueHiding
    /// How long this device waits whether another one does it: at most 3.5 s.
    package let pause: Duration
}

extension Replica {
    /// What this device does next about what people reported; nil if nothing is to be done, or this person does not moderate.
    package func hidingDuty(at now: Timestamp) throws -> HidingDuty? { try lookAtReports(at: now).due.map(hidingDuty) }

    /// The same for a record that was found.
    package func hidingDuty(for due: DueHiding) -> HidingDuty {
        HidingDuty(due: due, pause: .milliseconds(500) * own.name.draw(due.record.hash, below: 8))
    }

    /// What to say for that, and at what time, if it is still to be said; nil if another did.
    ///
    /// It is dated back to when the record was posted: so every moderator's word about it stands, though this device has not heard it
    /// yet; and nobody can tell by the time who reported it last.
    package func hiding(for duty: HidingDuty, at now: Timestamp) throws -> (draft: Draft, time: Timestamp)? {
        guard let due = try lookAtReports(at: now).due, due.record == duty.due.record else { return nil }
        return (.hide(due.record, because: ReportRule.hidingReason), min(now, due.posted))
    }

    /// Does it, if it is still to be done; nil if another did, or the key to say it under has not come.
    package func fulfil(_ duty: HidingDuty, at now: Timestamp, randomness: Randomness) throws -> Authored? {
        guard let (draft, time) = try hiding(for: duty, at: now) else { return nil }
        do {
            return try author([draft], at: time, randomness: randomness)
        } catch ReplicaError.keyOutdated {
            return nil
        }
    }
}
