// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What is to be done about the event's keys by somebody who can.
package enum KeyNeed: Hashable, Sendable {
    /// Somebody who was removed, or may hold the link of a closed invitation, has every key that this device holds.
    ///
    /// `cause` is the same on all devices that know the same.
    case renewal(cause: UInt64)
    /// Somebody takes part, or may come, to whom a key at hand is not sealed.
    case handing(cause: UInt64)
}

extension Replica {
    /// What this device could do about the keys; nil if nothing is to be done, or this person may not.
    package func keyNeed(at now: Timestamp) throws -> KeyNeed? {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            let level = memory.personIDs[own.person].flatMap { memory.persons[$0]?.level }
            guard let level, level >= .attendee, !memory.epochKeys.isEmpty, try transaction.isOwnDeviceInUse() else {
                return nil
            }
            if try transaction.cleanEpoch() == nil {
                // A new key carries the earlier ones, so there has to be one that counts.
                guard try transaction.db.holdsKey() else { return nil }
                return .renewal(cause: transaction.concerns().reduce(0, ^))
            }
            let lacking = try transaction.labelsLackingKeys(at: now)
            return lacking.isEmpty ? nil : .handing(cause: lacking.reduce(0, ^))
        }
    }

    /// Whether somebody who was removed has every key that this device holds, so that it can write nothing.
    package func isKeyOutdated() throws -> Bool {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            // For who was removed no key will come, and nobody else waits for one by that.
            let own = memory.personIDs[own.person].flatMap { memory.persons[$0]?.standing }
            if own?.isRemoved ?? false { return false }
            return try transaction.cleanEpoch() == nil && !memory.epochKeys.isEmpty
        }
    }
}

extension Transaction {
    /// Whether this device may still write: it is known, and nobody else uses its key.
    fileprivate func isOwnDeviceInUse() throws -> Bool {
        guard let device = memory.devices[replica.own.name] else { return false }
        return !memory.copiedDevices.contains(device.id)
    }
}
