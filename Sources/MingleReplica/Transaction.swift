// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
package import MingleWire

/// One write: the database, what the writer remembers, and what the write has found so far.
///
/// Extensions by topic hold the work: appending to journals, the fabric, records, erasing.
final class Transaction {
    let db: Database
    let replica: Replica
    let memory: Memory
    /// What the merge tells its caller.
    var outcome = MergeOutcome()
    /// Records about which something was said that they do not show yet.
    var staleRecords: Set<Int64> = []
    /// What was said about them, as long as that is all that is new.
    var newEdits: [Int64: [Int64]] = [:]
    /// Whether what follows from the journals has to be worked out anew: a branch went, or a reference changed meaning.
    var mustRecompute = false
    /// Whether everything is being worked out anew just now.
    var isReplaying = false
    /// The statements that every delta needs.
    var insertions = Insertions()
    /// Which records have which words.
    lazy var words = WordIndex(db)
    /// Records that are not stored yet, by kind.
    var newRecords: [NewRecords] = []
    /// When headers of this transaction were stored that are dated later, by row: see ``ShownAt``.
    var lateRows: [Int64: Int64] = [:]
    /// Moments that may continue others than is noted.
    var staleLineage: Set<Int64> = []
    /// Cuts that people made of themselves, of which new headers may say what they mean.
    var staleCuts: Set<Int64> = []
    /// Persons of whom nothing was held before.
    var newcomers: Set<Int64> = []
    /// Persons who said something in their fabric that would count from a higher level.
    var unheard: Set<Int64> = []
    /// Whether new headers may say where the part of some guest ended.
    var areGuestsStale = false
    /// Blobs of records that were worked out anew; not all of them may be spoken of any more.
    var doubtfulBlobs: Set<BlobName> = []
    /// Deltas that came and list blobs, with their authors: see ``settleListings()``.
    var newlyListed: [(row: Int64, person: Int64)] = []
    /// Persons of whose listings others may count now.
    var relisted: Set<Int64> = []
    /// Blobs that deltas listed which were erased, by those who wrote them.
    var unlisted: [Int64: Set<BlobName>] = [:]
    /// Devices of which more or less is held than the table says.
    var staleUsage: Set<Int64> = []
    /// Blobs of records that were erased, by the records' author; others may still speak of them.
    var unlistedBlobs: [Int64: [MediaMention]] = [:]

    init(db: Database, replica: Replica, memory: Memory) {
        (self.db, self.replica, self.memory) = (db, replica, memory)
    }

    /// Runs a statement that returns nothing, prepared once and kept.
    func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        try db.run(sql) { row in
            for argument in arguments { row.add(argument?.databaseValue ?? .null) }
        }
    }

    /// The first row that a query gives.
    func row(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws -> Row? {
        let statement = try db.cachedStatement(sql: sql)
        return try Row.fetchOne(statement, arguments: StatementArguments(arguments))
    }

    /// All rows that a query gives.
    func rows(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws -> [Row] {
        let statement = try db.cachedStatement(sql: sql)
        return try Row.fetchAll(statement, arguments: StatementArguments(arguments))
    }
}

/// What a merge did.
package struct MergeOutcome: Sendable {
    /// Branches that grew, with their new tips.
    package internal(set) var advanced: [FrontierEntry] = []
    /// When those who wrote in journals that grew say they did so last.
    package internal(set) var lastWrites: [Place.Journal: Timestamp] = [:]
    /// The first eight bytes of the names of devices of which deltas are needed that have not come.
    package internal(set) var awaited: Set<UInt64> = []
    /// Deltas whose payload is yet to be fetched.
    package internal(set) var missingPayloads: [MissingPayload] = []
    /// Blobs that records now shown speak of.
    package internal(set) var media: [MediaMention] = []
    /// Blobs that new deltas list; on a relay, which cannot read records.
    package internal(set) var listed: [ListedBlob] = []
    /// Blobs that somebody lists no more; on a relay.
    package internal(set) var unlisted: [UnlistedBlob] = []
    /// Whether these are all that any record speaks of, as everything was worked out again.
    package internal(set) var isRecomputed = false
    /// Owners of blobs, and the blobs, that no record speaks of any more.
    package internal(set) var erasedBlobs: [BlobName] = []
    /// Blobs that no record shown speaks of any more, and that are kept for the case that one does again.
    package internal(set) var unwantedBlobs: [BlobName] = []
    /// Deltas that were erased before their payload came, so that nobody need fetch it any more.
    package internal(set) var settledPayloads: [Reference] = []
    /// Whether payloads were erased, so that the database's files want scrubbing.
    package internal(set) var hasErased = false
    /// Deltas whose payloads were not kept, as their authors are beyond the quota.
    package internal(set) var letGo: Set<Reference> = []
    /// Whether there may be room for what was let go of somebody.
    package internal(set) var hasRoom = false
    /// People whose level or devices, or what is cut of their words, may have changed, or who came by an invitation.
    package internal(set) var changedStandings: Set<PersonID> = []
    /// Whether an invitation came by which somebody may come in.
    package internal(set) var hasNewInvitation = false
    /// Kinds of which records changed.
    package internal(set) var changedKinds: Set<String> = []
    /// Which records these are.
    package internal(set) var changedRecords = ChangedRecords()
    /// Runs that were refused, by their place in what was merged, and why.
    package internal(set) var refused: [(index: Int, reason: MergeRefusal)] = []
    /// Payloads that do not fit their headers, or belong to none that is held.
    package internal(set) var refusedPayloads: [Reference] = []
    /// Whether a header with this device's own signature came that it never made.
    package internal(set) var ownKeyUsedElsewhere = false
    /// How many headers were new.
    package internal(set) var newHeaders = 0
}

/// A delta whose payload has not come, with the bytes that it will have.
package struct MissingPayload: Hashable, Sendable {
    /// The delta.
    package let reference: Reference
    /// Bytes of its payload.
    package let length: Int

    /// Names a missing payload.
    package init(reference: Reference, length: Int) { (self.reference, self.length) = (reference, length) }
}

/// What of a run was new.
package enum RunNews: Sendable {
    /// Nothing: all was held, and what it was signed with was not looked at.
    case nothing
    /// Some headers, or payloads of headers that were held.
    case some
    /// All its headers, which were proved.
    case all
}

/// Why a run was not merged.
package enum MergeRefusal: Error, Equatable, Sendable {
    /// The signature is not the device's.
    case forged
    /// The device's certificate is not held.
    case unknownDevice
    /// The header before the first is not held.
    case gap
    /// The journal has as many branches as count already.
    case tooManyBranches
}

/// A blob that a shown record speaks of.
package struct MediaMention: Hashable, Sendable {
    /// What the blob is to its record.
    package enum Role: Int, Sendable, Comparable {
        /// Small enough for a grid.
        case thumbnail = 0
        /// Large enough for a screen.
        case preview = 1
        /// What the author shared.
        case original = 2

        package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }
    }

    /// The blob's name.
    package let name: BlobName
    /// How to verify and decrypt it.
    package let media: Media
    /// Whose it is.
    package let owner: PersonID
    /// What it is for.
    package let role: Role
}
