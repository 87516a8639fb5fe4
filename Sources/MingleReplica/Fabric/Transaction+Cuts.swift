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

    /// Works out anew what all that a person wrote comes to.
    ///
    /// Nobody else's records follow from it: whether they are shown that hang on these is asked when they are read.
    func deriveRecords(of person: Int64) throws {
        try storeNewRecords()
        for kind in Kind.all {
            doubtfulBlobs.formUnion(try blobs(of: kind, by: person))
            try run("DELETE FROM \(kind.name) WHERE author = ?", [person])
            if db.changesCount > 0 { outcome.changedKinds.insert(kind.name) }
        }
        for row in try written(.content, by: person) {
            // A keyed record stands under the first delta that counts, which may be another now.
            if let stored = try stored(row), stored.delta.header.root == .none {
                try run("UPDATE journal SET root = NULL WHERE id = ?", [row])
            }
        }
        try applyAgain(.content, by: person)
    }

    private func blobs(of kind: Kind, by person: Int64) throws -> [BlobName] {
        guard !kind.mediaFields.isEmpty, let owner = memory.persons[person]?.name else { return [] }
        return try rows("SELECT * FROM \(kind.name) WHERE author = ?", [person]).flatMap { row in
            kind.mediaFields.compactMap { Media(column: row[$0.name])?.name(owner: owner) }
        }
    }

    /// Says which blobs nobody need fetch any more, once all records are worked out.
    func settleDoubtfulBlobs() {
        guard !doubtfulBlobs.isEmpty else { return }
        outcome.unwantedBlobs = doubtfulBlobs.subtracting(outcome.media.map(\.name)).sorted()
        doubtfulBlobs = []
    }

    /// Has everything worked out anew where new headers may say which branch of a forked journal a cut means.
    func noteFork(_ journal: Journal, of device: DeviceRow, isNew: Bool, headers: ClosedRange<UInt32>) {
        guard let ends = memory.cutEnds[Place.Journal(device.name, journal)],
            memory.branches(of: device.id, journal).count > 1
        else { return }
        if isNew || ends.contains(where: headers.contains) { mustRecompute = true }
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

    /// Notes which cuts of a person count and are not replaced.
    func noteCounting(cuts: [Cut], of person: Int64) throws {
        try run("UPDATE cut SET counts = 0 WHERE person = ?", [person])
        for cut in cuts {
            if let row = try resolve(cut.id) { try run("UPDATE cut SET counts = 1 WHERE delta = ?", [row]) }
        }
    }
}
