// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// What is to be done about an audience's keys by somebody who can.
///
/// `cause` is the same on all devices that know the same.
package enum KeyNeed: Hashable, Sendable {
    /// Somebody who is out, or may hold the link of a closed invitation, has every key that this device holds.
    case renewal(of: Audience, cause: UInt64)
    /// Somebody belongs to the audience, or may come, to whom a key at hand is not sealed.
    ///
    /// `isForOwn`: it is another device of this person's.
    case handing(of: Audience, cause: UInt64, isForOwn: Bool = false)
    /// No key of an event that this person founded is held here that is of use; where nobody holds one any more, nobody can write or invite.
    case beginning
    /// A device sealed a key of the event to this one that does not open, and others are to know.
    case reporting(DeviceName)

    /// Whose keys.
    package var audience: Audience {
        switch self {
        case .renewal(let audience, _), .handing(let audience, _, _): audience
        case .beginning, .reporting: .event
        }
    }
}

extension Replica {
    /// What this device could do first about the keys; nil if nothing is to be done, or this person may not.
    package func keyNeed(at now: Timestamp) throws -> KeyNeed? {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            let level = memory.persons[own.person]?.level
            guard let level, level.isPeople, try transaction.isOwnDeviceInUse() else { return nil }
            if let author = try transaction.authorOfWrongSlots() { return .reporting(author) }
            guard level >= .attendee else { return nil }
            // Without such a key nobody can be invited, nor be given one; and of private keys others could keep handing some on.
            if try transaction.mayBeginAnew() { return .beginning }
            // Anybody may end an invitation of theirs over and over: renewing for that keeps nobody else from getting a key.
            var later: KeyNeed?
            for (row, audience) in try transaction.ownAudiences() {
                guard let care = transaction.care(for: row) else { continue }
                let counting = try transaction.countingEpochs(of: row)
                if try !audience.hasOwnKeys && transaction.cleanEpoch(among: counting) == nil {
                    // A new key carries the earlier ones, so there has to be one that counts, and of which this device knows all.
                    guard try !transaction.keysAtHand(of: counting).isEmpty else { continue }
                    let cause = transaction.concerns(of: row).listed.reduce(0, ^)
                    let renewal = KeyNeed.renewal(of: audience, cause: cause)
                    guard row != 0, transaction.waits(for: row) else { return renewal }
                    if later == nil, try !transaction.hasRenewedLately(row, at: now) { later = renewal }
                    continue
                }
                let lacking = try transaction.labelsLackingKeys(of: counting, caringFor: care, at: now)
                if !lacking.isEmpty {
                    let isForOwn = !lacking.isDisjoint(with: transaction.labelsOfOwnDevices)
                    return .handing(of: audience, cause: lacking.reduce(0, ^), isForOwn: isForOwn)
                }
            }
            return later
        }
    }

    /// Whether somebody who is out has every key that this device could seal something under, so that it has to wait.
    ///
    /// - Parameter target: what that is to hang on; nil: everybody in the event is to read it.
    package func isKeyOutdated(toWriteOn target: Reference? = nil) throws -> Bool {
        try look { transaction in
            try transaction.settleLevels()
            let memory = transaction.memory
            // For who is out no key will come, and nobody else waits for one by that.
            let standing = memory.persons[own.person]?.standing
            if let standing, standing.level == nil || standing.isRetired(own.name) || standing.hasLostTooMany {
                return false
            }
            let record = try target.flatMap { try transaction.resolve($0) }
            let row = record.flatMap { try? transaction.audienceShown($0) } ?? 0
            guard row == 0 || transaction.waits(for: row) else { return false }
            // Nobody renews a private key of which none counts.
            let counting = try transaction.countingEpochs(of: row)
            return try transaction.cleanEpoch(among: counting) == nil && (row == 0 || !counting.made.isEmpty)
        }
    }
}

/// Somebody of whom others say that the keys that a device of theirs sealed do not open.
package struct WrongSlots: Hashable, Sendable {
    /// Who it is.
    package let author: PersonID
    /// How many people who take part say so, by devices that are in use.
    package let people: Int
}

extension Replica {
    /// Those whose slots do not open, of whom most say so first: somebody's node is broken, or means to keep people from reading.
    package func wrongSlots() throws -> [WrongSlots] {
        try read { db in
            let sql = """
                SELECT person.name, count(DISTINCT teller.person) AS count FROM wrong_slots
                    JOIN device ON device.name = wrong_slots.author JOIN person ON person.id = device.person
                    JOIN device AS teller ON teller.id = wrong_slots.device JOIN person AS other ON other.id = teller.person
                WHERE person.level IS NOT NULL AND NOT teller.retired AND other.id <> person.id
                    AND other.level < \(Level.relay.rawValue)
                GROUP BY person.id ORDER BY count DESC, person.name LIMIT 16
                """
            return try Row.fetchAll(db, sql: sql).map { row in
                WrongSlots(author: try PersonID(column: row["name"]), people: row["count"])
            }
        }
    }
}

extension Transaction {
    /// Whether this person founded the event and no key of it is held here that could be handed on: a disk lost it, or it is still on its
    /// way, or it obeys what nobody has said here, which may be true or made up.
    func mayBeginAnew() throws -> Bool {
        guard memory.persons[replica.own.person]?.standing?.base == .founder else { return false }
        return try knownEpochs(of: try countingEpochs(of: 0)).isEmpty
    }

    /// Audiences of others, in which this person wrote nothing, that are looked at.
    private static let foreignAudiences = 64

    /// The audiences that this person belongs to and of which a key is at hand, the event first.
    ///
    /// Anybody can invite anybody to any number of them; so one's own come next, then those that one writes for.
    fileprivate func ownAudiences() throws -> [(row: Int64, audience: Audience)] {
        let (held, own) = (Set(memory.epochAudiences.values), replica.own.person)
        let all = memory.audiences.map { (row: $0.key, audience: $0.value) }.sorted { $0.row < $1.row }
            .filter { held.contains($0.row) && ($0.row == 0 || members(of: $0.row).contains(own)) }
        let mine = all.filter { $0.row == 0 || $0.audience.founders.contains(own) && !isPair($0.row) }
        guard mine.count < all.count else { return mine }
        let written = try audiencesWrittenFor()
        let others = all.filter { $0.row != 0 && (!$0.audience.founders.contains(own) || isPair($0.row)) }
        // Of those for reports everybody has one, and of two people there is one with each; who makes up people gets none looked at.
        let isNear = { (row: Int64, audience: Audience) in
            written.contains(row) || audience.owner.map { audience == .reports(by: $0) } ?? self.isOfPeople(audience)
        }
        let far = others.filter { !isNear($0.row, $0.audience) && !isPair($0.row) }
        return mine + others.filter(isNear) + far.prefix(Self.foreignAudiences)
    }

    /// Whether all who found an audience take part.
    private func isOfPeople(_ audience: Audience) -> Bool {
        audience.founders.allSatisfy { memory.authority.standings[$0]?.level?.isPeople ?? false }
    }

    /// The audiences that this person wrote something for.
    private func audiencesWrittenFor() throws -> Set<Int64> {
        guard let person = memory.persons.id(of: replica.own.person) else { return [] }
        let sql = """
            SELECT DISTINCT audience FROM epoch WHERE audience IS NOT NULL
                AND EXISTS (SELECT 1 FROM epoch_writer WHERE epoch_writer.epoch = epoch.id AND branch = ?)
            """
        let audiences = try memory.contentBranches(of: person).flatMap { branch in
            try db.all(sql) {
                $0.add(branch)
            } read: {
                $0.integer(0)
            }
        }
        return Set(audiences)
    }

    /// How long somebody else's private audience has no further key made by this device: its owner makes one at once.
    private static let renewalPause: Int64 = 120_000

    /// Whether this device has made a key for a private audience just now.
    fileprivate func hasRenewedLately(_ audience: Int64, at now: Timestamp) throws -> Bool {
        guard let device = memory.devices[replica.own.name] else { return false }
        // A stored header holds its time in the eight bytes behind the first.
        let sql = """
            SELECT max(substr(header, 2, 8)) AS time FROM epoch JOIN journal ON journal.id = epoch.delta
                JOIN branch ON branch.id = journal.branch
            WHERE epoch.audience = ? AND branch.device = ?
            """
        guard let bytes: Data = try row(sql, [audience, device.id])?["time"], bytes.count == 8 else { return false }
        let time = Int64(bigEndianAt: 0, of: [UInt8](bytes).span)
        return time <= now.milliseconds && now.milliseconds - time < Self.renewalPause
    }

    /// Whether this person belongs to a private audience and does not make its keys at once.
    fileprivate func waits(for audience: Int64) -> Bool {
        members(of: audience).contains(replica.own.person)
            && memory.audiences[audience]?.founders.contains(replica.own.person) == false
    }

    /// How slots name this person's devices.
    var labelsOfOwnDevices: Set<UInt64> {
        let devices = memory.persons.id(of: replica.own.person).map { memory.devicesByPerson[$0] } ?? []
        return Set(devices.compactMap { memory.devices[$0]?.name.raw.prefix })
    }

    /// Whether this device may still write: it is known, not retired, and nobody else uses its key.
    fileprivate func isOwnDeviceInUse() throws -> Bool {
        guard let device = memory.devices[replica.own.name] else { return false }
        return !memory.copiedDevices.contains(device.id) && isPresent(device.id)
    }
}
