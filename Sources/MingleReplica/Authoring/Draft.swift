// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleCrypto
package import MingleModel
package import MingleWire

/// Something that this node's person is about to say.
package enum Draft: Sendable {
    /// A new record.
    ///
    /// It is for those who read what it hangs on, unless the kind is for others or `audience` says so.
    case create(Kind, on: Target, values: [String: Value], blobs: [BlobListing] = [], for: Audience? = nil)
    /// New values for fields of a record of one's own, or for fields of another's that this person writes, too.
    case edit(Reference, Kind, values: [String: Value], blobs: [BlobListing] = [])
    /// The values of the record that kind, author, target and subject name, and for whom, as with `create`.
    case set(
        Kind,
        on: Target,
        about: Target = .nothing,
        values: [String: Value],
        blobs: [BlobListing] = [],
        for: Audience? = nil
    )
    /// The end of a record of one's own; `.notFound` if a kind is named and it is of another one.
    case delete(Reference, Kind? = nil)
    /// That a record of anybody's is hidden, and why; without a reason that it is shown again.
    case hide(Reference, because: String?)
    /// Something for everybody to read.
    case fabric(FabricPayload)
    /// An invitation, and unless it asks the keys for whoever comes by it.
    case open(InvitationTerms)
    /// The end of an invitation, but for those who came by it and were let in by then.
    case close(InvitationID)
    /// The end of a door: of its link, of its person and of all who came by it; what they shared goes on to count.
    case closeDoor(InvitationID)
    /// A person's level from now on, higher or lower.
    case setLevel(PersonID, Level)
    /// The end of a person's part in the event, of the links that the person may come back by, and of all keys at hand.
    case remove(PersonID, keepsLinks: Bool)
    /// The end of somebody's waiting to be let in, as if the person had been removed at once.
    case decline(PersonID)
    /// More of what a removed person wrote counts: all that is dated up to a time.
    case rescue(PersonID, until: Timestamp)
    /// The end of one's own part in the event; what one shared so far goes on to count.
    case leave
    /// The end of another device of one's own, with what it wrote that has not come yet, and of all keys at hand.
    case retire(DeviceName)
    /// A new key for everybody who takes part, under which nobody reads who was removed.
    case renewKey
    /// The same for those who belong to an audience.
    case renew(Audience)
    /// That a person is invited to a moment of one's own, with the keys if it is private.
    case invite(PersonID, to: Reference)
    /// The end of a person's part in a moment of one's own; what the person wrote there so far goes on to count.
    case uninvite(PersonID, from: Reference)
}

extension Draft {
    /// The kind of record that it makes or changes; nil for what everybody may say, or is no record.
    package var kind: Kind? {
        switch self {
        case .create(let kind, _, _, _, _), .edit(_, let kind, _, _), .set(let kind, _, _, _, _, _): kind
        case .invite, .uninvite: .invite
        case .delete, .hide, .fabric, .open, .close, .closeDoor, .setLevel, .remove, .decline, .rescue, .leave, .retire,
            .renewKey,
            .renew:
            nil
        }
    }
}

extension Draft {
    /// Whether it takes something back or helps against others, and so is possible whatever its person wrote before.
    var takesBack: Bool {
        switch self {
        case .set(let kind, _, _, let values, _, _) where kind.onOff.map { values[$0] == .number(0) } ?? false: true
        // What was left open to anybody is closed in the event's settings.
        case .create(let kind, _, _, _, _), .set(let kind, _, _, _, _, _): kind == .report || kind == .event
        case .uninvite, .hide, .delete: true
        default: false
        }
    }
}

/// What writing did.
package struct Authored: Sendable {
    /// The deltas, in the order of their drafts.
    package internal(set) var references: [Reference] = []
    /// The same deltas as they travel; they are durable.
    package internal(set) var runs: [Run] = []
    /// What changed here.
    package internal(set) var outcome = MergeOutcome()
}

extension Replica {
    /// Writes deltas of this device; when this returns they are on the disk, and only then may they leave.
    ///
    /// - Throws: `ReplicaError.locked` while no epoch's key is held, `.keyOutdated` while no key is that somebody lacks
    ///   who was removed, `.removed`, `.left` and `.deviceRetired` for who was or has, `.keyUsedElsewhere` if the folder was copied, `.notFound` and `.notYours` for edits and deletions, `.invalid` for values that the kind does not allow, `.quotaReached`, `.rateReached` and `.keyQuotaReached` for what others would not keep.
    package func author(_ drafts: [Draft], at timestamp: Timestamp, randomness: Randomness) throws -> Authored {
        try author(at: timestamp, randomness: randomness) { write in for draft in drafts { _ = try write(draft) } }
    }

    /// Seals keys to those who take part and lack them, if there are such; see ``keyNeed(at:)``.
    package func handOnKeys(of audience: Audience = .event, at timestamp: Timestamp, randomness: Randomness) throws
        -> Authored
    {
        try author(at: timestamp, randomness: randomness) { (pen: inout Pen) in
            let row = try pen.transaction.audienceRow(audience)
            pen.purpose = pen.transaction.duty(to: row)
            try pen.handOnKeys(of: row)
        }
    }

    /// Writes the deltas that `body` hands over, so that a later one can name an earlier; all of them, or none.
    package func author(
        at timestamp: Timestamp,
        randomness: Randomness,
        _ body: (_ write: (Draft) throws -> Reference) throws -> Void
    ) throws -> Authored {
        var references: [Reference] = []
        var authored = try author(at: timestamp, randomness: randomness) { (pen: inout Pen) in
            try body { draft in
                references.append(try pen.write(draft))
                return references[references.count - 1]
            }
        }
        authored.references = references
        return authored
    }

    private func author(
        at timestamp: Timestamp,
        randomness: Randomness,
        with body: (inout Pen) throws -> Void
    ) throws -> Authored {
        try write(isDurable: true) { transaction in
            var authored = Authored()
            var pen = Pen(transaction: transaction, timestamp: timestamp, randomness: randomness)
            try body(&pen)
            authored.runs = try pen.finish()
            try transaction.settle()
            authored.outcome = transaction.outcome
            return authored
        }
    }

    /// Whether a header with this device's own signature came that it never made, so that it may not write any more.
    package func isOwnKeyUsedElsewhere() throws -> Bool {
        try read { db in
            try db.holds("SELECT copied FROM device WHERE name = ?") { $0.add(own.name.raw) }
        }
    }

    /// Holds an epoch's key that this node drew itself.
    package func hold(_ key: Secret, of epoch: EpochID, for audience: Audience = .event) throws -> MergeOutcome {
        try write(isDurable: true) { transaction in
            try transaction.hold(key, of: epoch, in: try transaction.audienceRow(audience))
            try transaction.settle()
            return transaction.outcome
        }
    }
}
