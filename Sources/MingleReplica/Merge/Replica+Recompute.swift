// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Replica {
    /// Drops everything that follows from the journals and the keys, and works it out again.
    ///
    /// The result equals what merging gave.
    ///
    /// - Parameter arrange: puts the deltas, named by local keys, in the order in which they take effect; every order
    ///   gives the same.
    package func recompute(arrange: (inout [Int64]) -> Void = { _ in }) throws -> MergeOutcome {
        try write(isDurable: false) { transaction in
            try transaction.recompute(arrange: arrange)
            return transaction.outcome
        }
    }

    /// Recomputes everything if other rules derived the records of this file: see ``Schema/derivation``.
    func deriveAnew() throws {
        let version = try pool.read { try Int.fetchOne($0, sql: "SELECT version FROM derivation") }
        if version != Schema.derivation { _ = try recompute() }
    }
}

extension Transaction {
    /// Works out again what follows from the journals; devices, branches, payloads and keys stay.
    func recompute(arrange: (inout [Int64]) -> Void = { _ in }) throws {
        try forget()
        try replay(arrange)
        try run("UPDATE derivation SET version = ?", [Schema.derivation])
        try settle()
    }

    private func replay(_ arrange: (inout [Int64]) -> Void) throws {
        isReplaying = true
        defer { isReplaying = false }
        var order = try Int64.fetchAll(db, sql: "SELECT id FROM journal ORDER BY id")
        arrange(&order)
        var isSettled: Set<Int64> = []
        for row in order where try replayLink(row) { isSettled.insert(row) }
        // First who may say what, then what was said.
        let fabric = Set(try Int64.fetchAll(db, sql: Self.fabricRows))
        for row in order where !isSettled.contains(row) && fabric.contains(row) { try applyAgain(row) }
        try settleLevels()
        for row in order where !isSettled.contains(row) && !fabric.contains(row) { try applyAgain(row) }
        try listAnew()
    }

    private static let fabricRows = """
        SELECT journal.id FROM branch JOIN journal ON journal.branch = branch.id
        WHERE branch.journal = \(Journal.fabric.rawValue)
        """

    private func forget() throws {
        for kind in Kind.all {
            try db.execute(sql: "DELETE FROM \(kind.name)")
            outcome.changedKinds.insert(kind.name)
        }
        outcome.changedRecords.noteAny()
        try db.execute(
            sql: """
                DELETE FROM waiting;
                DELETE FROM hiding;
                DELETE FROM invitation;
                DELETE FROM closing;
                DELETE FROM granted;
                DELETE FROM cut;
                DELETE FROM admission;
                DELETE FROM slot;
                DELETE FROM wrong_slots;
                DELETE FROM carried;
                DELETE FROM epoch_mention;
                DELETE FROM lineage;
                DELETE FROM tally;
                DELETE FROM word;
                DELETE FROM posting;
                UPDATE person SET level = NULL, base = NULL;
                UPDATE device SET came_by = NULL, retired = 0;
                UPDATE epoch SET rules = NULL, delta = NULL, maker = NULL, rank = NULL, obeys = NULL, carried = NULL;
                UPDATE journal SET root = NULL, erased = iif(erased = 2, 2, 0) WHERE root IS NOT NULL OR erased <> 0;
                """
        )
        // From here on these are all that there are.
        (outcome.media, outcome.isRecomputed) = ([], true)
        words = WordIndex(db)
        (staleRecords, newEdits, newRecords, doubtfulBlobs, staleLineage) = ([], [:], [], [], [])
        (outcome.listed, newlyListed, relisted) = ([], [], [])
        (mustRecompute, staleCuts) = (false, [])
        // Also what branches held that were dropped, and what was erased and will be again.
        try recountUsage()
        memory.forgetLevels()
        memory.waitingCount = 0
    }

    /// Links a delta to what it is about and lets deletions erase.
    ///
    /// - Returns: whether that was all; edits have no other effect but through the record that they are about.
    private func replayLink(_ row: Int64) throws -> Bool {
        guard let stored = try stored(row) else { return true }
        if memory.isAmbiguous(stored.delta.reference), try resolve(stored.delta.reference) != row {
            // Nobody can speak of a delta whose reference means another; it does not count, and needs no payload.
            try erasePayload(row)
            return true
        }
        guard stored.delta.header.journal == .content, case .reference(let root) = stored.delta.header.root else {
            return false
        }
        _ = try link(row, stored.delta, to: root, device: stored.device)
        return true
    }
}
