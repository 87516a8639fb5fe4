// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What counts of somebody whose deltas were cut.
extension Transaction {
    /// The level at which a person wrote a delta, as far as that is known by now; nil: it counts for nothing.
    func level(of row: Int64, by person: Int64) throws -> Level? {
        guard let known = memory.persons[person], known.isCut else { return memory.persons[person]?.level }
        return try place(of: row).flatMap { known.standing?.level(at: $0) }
    }

    /// The same for a delta at hand.
    func level(of stored: StoredDelta) -> Level? {
        guard let known = memory.persons[stored.device.person], known.isCut else {
            return memory.persons[stored.device.person]?.level
        }
        return memory.place(branch: stored.branch, sequence: stored.delta.header.sequence)
            .flatMap { known.standing?.level(at: $0) }
    }

    /// Where a delta stands.
    func place(of row: Int64) throws -> Place? {
        try db.first("SELECT branch, sequence FROM journal WHERE id = ?") {
            $0.add(row)
        } read: { columns in
            memory.place(branch: columns.integer(0), sequence: UInt32(truncatingIfNeeded: columns.integer(1)))
        } ?? nil
    }

    /// Works out anew what all that a person wrote comes to, or what the person wrote for one audience.
    ///
    /// Nobody else's records follow from it: whether they are shown that hang on these is asked when they are read.
    func deriveRecords(of person: Int64, in audience: Int64? = nil) throws {
        try storeNewRecords()
        memory.merges.forgetAll(of: person)
        memory.statements = RecentStatements()
        var doubtful: Set<BlobName> = []
        for kind in Kind.all {
            doubtful.formUnion(try blobs(of: kind, by: person, in: audience))
            if kind == .moment {
                let continuing = "SELECT id FROM moment WHERE continues IS NOT NULL AND \(Self.isForSome)"
                staleLineage.formUnion(try rows(continuing, [person, audience]).map { $0["id"] })
            }
            try forgetWords(of: kind, where: Self.isForSome, [person, audience])
            try run("DELETE FROM \(kind.name) WHERE \(Self.isForSome)", [person, audience])
            if db.changesCount > 0 {
                outcome.changedKinds.insert(kind.name)
                outcome.changedRecords.noteAny()
            }
        }
        // What the person shared with others besides stays as it is.
        if audience != nil, !doubtful.isEmpty {
            for kind in Kind.all { doubtful.subtract(try blobs(of: kind, by: person)) }
        }
        doubtfulBlobs.formUnion(doubtful)
        // What came in this very transaction is asked for only if it is found to count again.
        outcome.media.removeAll { doubtful.contains($0.name) }
        let written = try written(.content, by: person, in: audience)
        for row in written {
            // A keyed record stands under the first delta that counts, which may be another now.
            if let stored = try stored(row), stored.delta.header.root == .none {
                try run("UPDATE journal SET root = NULL WHERE id = ?", [row])
            }
        }
        for row in written { try applyAgain(row) }
    }

    /// That a record is the first argument's, and for the second, if that is given.
    private static let isForSome = "author = ?1 AND (?2 IS NULL OR audience = ?2)"

    private func blobs(of kind: Kind, by person: Int64, in audience: Int64? = nil) throws -> [BlobName] {
        guard !kind.mediaFields.isEmpty, let owner = memory.persons[person]?.name else { return [] }
        return try rows("SELECT * FROM \(kind.name) WHERE \(Self.isForSome)", [person, audience]).flatMap { row in
            kind.mediaFields.compactMap { Media(column: row[$0.name])?.name(owner: owner) }
        }
    }

    /// Says which blobs nobody need fetch any more, once all records are worked out.
    func settleDoubtfulBlobs() {
        guard !doubtfulBlobs.isEmpty else { return }
        let unwanted = doubtfulBlobs.union(outcome.unwantedBlobs)
        outcome.unwantedBlobs = unwanted.subtracting(outcome.media.map(\.name)).sorted()
        doubtfulBlobs = []
    }

    /// Has worked out anew what follows where new headers may say which branch of a forked journal a cut means: everything
    /// for a cut by others, what that person said for a cut of one's own, and what that guest wrote for the end of an invite.
    func noteFork(_ journal: Journal, of device: DeviceRow, isNew: Bool, headers: ClosedRange<UInt32>) {
        guard memory.branches(of: device.id, journal).count > 1, let person = memory.persons[device.person]?.name
        else { return }
        if journal == .content {
            areGuestsStale = areGuestsStale || memory.guests.values.contains { $0.isCut(person) }
        }
        let ends = memory.cutEnds[person]?[Place.Journal(device.name, journal)] ?? [:]
        for (sequence, makers) in ends where isNew || headers.contains(sequence) {
            mustRecompute = mustRecompute || makers.isByOthers
            staleCuts.formUnion(makers.own)
        }
    }

    /// Sets the level at which each statement of a person was made, for those who read the tables.
    func rankStatements(of person: Int64) throws {
        guard let known = memory.persons[person] else { return }
        for table in ["invitation", "closing", "epoch"] {
            guard known.isCut else {
                try run("UPDATE \(table) SET rank = ? WHERE maker = ?", [known.level?.column, person])
                continue
            }
            for row in try rows("SELECT DISTINCT delta FROM \(table) WHERE maker = ?", [person]) {
                let delta: Int64 = row["delta"]
                let rank = try level(of: delta, by: person)
                try run("UPDATE \(table) SET rank = ? WHERE delta = ?", [rank?.column, delta])
            }
        }
    }

    /// Notes which cuts of a person count and are not replaced, and which devices are retired by that.
    ///
    /// Only what is new of it is looked at, since everybody may say such things of oneself without end.
    func noteCounting(from old: [Cut], to new: [Cut], of person: Int64) throws {
        let (cutsBefore, cutsAfter) = (Set(old.map(\.id)), Set(new.map(\.id)))
        for id in cutsBefore.symmetricDifference(cutsAfter) {
            guard let row = try resolve(id) else { continue }
            try run("UPDATE cut SET counts = ? WHERE delta = ?", [cutsAfter.contains(id), row])
        }
        let (before, after) = (Set(old.compactMap(\.device)), Set(new.compactMap(\.device)))
        for device in before.symmetricDifference(after) {
            let isRetired = after.contains(device)
            try run("UPDATE device SET retired = ? WHERE name = ? AND person = ?", [isRetired, device.column, person])
        }
        // A retired device takes none of what is kept of the others.
        if before != after { noteRoom(of: person) }
    }
}
