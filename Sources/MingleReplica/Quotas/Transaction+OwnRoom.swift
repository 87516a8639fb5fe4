// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

// What this node's person may write: what others keep of it, with room left for what matters more.
extension Transaction {
    private var ownUsage: Usage { memory.devices[replica.own.name].map { sharedUsage(of: $0) } ?? Usage() }

    /// What others keep of this person.
    private var ownQuota: Quota {
        let own = memory.persons.id(of: replica.own.person)
        return replica.ownQuota.raised(for: own.flatMap { memory.persons[$0]?.standing?.base })
    }

    /// Counts what this device is about to write.
    func takeInOwn(_ header: Header, of device: DeviceRow) throws {
        guard header.journal == .content else { return }
        let weight = Weight(header)
        var usage = usage(of: device.id)
        usage.count(weight.length, isKey: weight.isKey)
        set(usage, of: device.id)
        if weight.isTimed { try count(1, in: weight.hour, of: device) }
    }

    /// Whether there are few enough bytes for words to be begun for a purpose.
    func hasRoomForWords(for purpose: Purpose) -> Bool {
        ownUsage.words < ownQuota.share(for: purpose).words
    }

    /// Whether words of an hour may be begun for a purpose.
    func hasRoom(inHour hour: Int64, for purpose: Purpose) throws -> Bool {
        guard let device = memory.devices[replica.own.name] else { return true }
        return try words(in: hour, sharedBy: device) < ownQuota.share(for: purpose).hourly
    }

    /// Whether keys of an audience may be begun for a purpose; those of the event are fabric.
    func hasRoomForKeys(of audience: Int64, for purpose: Purpose) -> Bool {
        audience == 0 || ownUsage.keys < ownQuota.share(for: purpose).keys
    }

    /// - Throws: `ReplicaError.quotaReached` if this person has written too much to go on for a purpose, and `.rateReached` if it is too
    ///   much for this hour.
    func requireRoomForWords(for purpose: Purpose, at time: Timestamp) throws {
        guard purpose != .takingBack else { return }
        let share = ownQuota.share(for: purpose)
        guard hasRoomForWords(for: purpose) else { throw ReplicaError.quotaReached(share.words) }
        guard try !hasRoom(inHour: time.hour, for: purpose) else { return }
        let isNextFree = try hasRoom(inHour: time.hour + 1, for: purpose)
        throw ReplicaError.rateReached(share.hourly, minutesLeft: isNextFree ? time.minutesLeft : nil)
    }

    /// - Throws: `ReplicaError.keyQuotaReached` if this person has made too many keys to go on for a purpose.
    func requireRoomForKeys(of audience: Int64, for purpose: Purpose) throws {
        guard hasRoomForKeys(of: audience, for: purpose) else {
            throw ReplicaError.keyQuotaReached(ownQuota.share(for: purpose).keys)
        }
    }

    /// What this device makes keys of an audience for, or hands them on, by itself.
    func duty(to audience: Int64) -> Purpose {
        switch memory.audiences[audience] {
        // Nobody else hands these on, and nobody else can make them many.
        case .own: .dutyToOwnDevices
        case .guests(replica.own.person, _), .moderators(replica.own.person, _): .duty
        // Anybody may begin one of two people, and have as many devices as they like in it.
        default: .dutyToOthers
        }
    }

    /// For whom this device sees to an audience's keys by itself; nil if there is no room for that.
    func care(for audience: Int64) -> KeyCare? {
        if hasRoomForKeys(of: audience, for: duty(to: audience)) { return .everybody }
        // Of two people there may be nobody else who does it.
        return isPair(audience) && hasRoomForKeys(of: audience, for: .duty) ? .ownDevices : nil
    }
}

/// For whom a device sees to an audience's keys by itself.
enum KeyCare {
    case everybody
    /// This person's devices, of keys that one of them made: these are few.
    case ownDevices
}
