// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What is to be done about an audience's keys by somebody who can.
///
/// `cause` is the same on all devices that know the same.
package enum KeyNeed: Hashable, Sendable {
    /// Somebody who is out, or may hold the link of a closed invitation, has every key that this device holds.
    case renewal(of: Audience, cause: UInt64)
    /// Somebody belongs to the audience, or may come, to whom a key at hand is not sealed.
    case handing(of: Audience, cause: UInt64)

    /// Whose keys.
    package var audience: Audience {
        switch self {
        case .renewal(let audience, _), .handing(let audience, _): audience
        }
    }
}

extension Replica {
    /// What this device could do first about the keys; nil if nothing is to be done, or this person may not.
    package func keyNeed(at now: Timestamp) throws -> KeyNeed? {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            let level = memory.personIDs[own.person].flatMap { memory.persons[$0]?.level }
            guard let level, level >= .attendee, !memory.epochKeys.isEmpty, try transaction.isOwnDeviceInUse() else {
                return nil
            }
            for (row, audience) in transaction.ownAudiences() {
                if try transaction.cleanEpoch(of: row) == nil {
                    // A new key carries the earlier ones, so there has to be one that counts.
                    guard try !transaction.countingEpochs(of: row).isEmpty else { continue }
                    return .renewal(of: audience, cause: transaction.concerns(of: row).reduce(0, ^))
                }
                let lacking = try transaction.labelsLackingKeys(of: row, at: now)
                if !lacking.isEmpty { return .handing(of: audience, cause: lacking.reduce(0, ^)) }
            }
            return nil
        }
    }

    /// Whether somebody who is out has every key that this device could seal something under, so that it has to wait.
    ///
    /// - Parameter target: what that is to hang on; nil: everybody in the event is to read it.
    package func isKeyOutdated(toWriteOn target: Reference? = nil) throws -> Bool {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            // For who was removed no key will come, and nobody else waits for one by that.
            let own = memory.personIDs[own.person].flatMap { memory.persons[$0]?.standing }
            if own?.isRemoved ?? false { return false }
            let record = try target.flatMap { try transaction.resolve($0) }
            let row = record.flatMap { try? transaction.audienceShown($0) } ?? 0
            guard row == 0 || transaction.waits(for: row) else { return false }
            // Nobody renews a private key of which none counts.
            return try transaction.cleanEpoch(of: row) == nil
                && (row == 0 || !transaction.countingEpochs(of: row).isEmpty)
        }
    }
}

extension Transaction {
    /// The audiences that this person belongs to and of which a key is at hand, the event first.
    fileprivate func ownAudiences() -> [(row: Int64, audience: Audience)] {
        let held = Set(memory.epochAudiences.values)
        return memory.audiences.filter { row, _ in
            held.contains(row) && (row == 0 || members(of: row).contains(replica.own.person))
        }
        .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether this person belongs to a private audience and does not make its keys at once.
    fileprivate func waits(for audience: Int64) -> Bool {
        members(of: audience).contains(replica.own.person)
            && memory.audiences[audience]?.founders.contains(replica.own.person) == false
    }

    /// Whether this device may still write: it is known, and nobody else uses its key.
    fileprivate func isOwnDeviceInUse() throws -> Bool {
        guard let device = memory.devices[replica.own.name] else { return false }
        return !memory.copiedDevices.contains(device.id)
    }
}
