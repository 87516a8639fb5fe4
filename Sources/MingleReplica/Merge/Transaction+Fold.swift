// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What records show of which more than one delta speaks.
extension Transaction {
    /// Merges all that is held about a record once, when the transaction has nothing more to say.
    func refold(_ row: Int64) {
        staleRecords.insert(row)
        memory.merges.forget(row)
        memory.statements.forget(row)
    }

    /// The same where nothing has changed but that a word about a shared field counts which did not.
    func refoldShared(_ row: Int64, with word: Int64) {
        staleRecords.insert(row)
        // What is kept goes up to a delta; that one came before, and could not be read or did not count.
        if let kept = memory.statements[row], word <= kept.through { memory.statements.forget(row) }
    }

    /// The same where nothing has changed but that an edit counts which did not.
    func refold(_ row: Int64, with edit: Int64) {
        staleRecords.insert(row)
        newEdits[row, default: []].append(edit)
    }

    /// Folds the records that were marked, or works everything out again where that cannot be enough.
    func settle() throws {
        try settleLevels()
        if mustRecompute { return try recompute() }
        try foldRecords()
        try settleGuests()
        try settleLineage()
        settleDoubtfulBlobs()
        try settleErasedBlobs()
    }

    /// Folds the records that were marked.
    func foldRecords() throws {
        try storeNewRecords()
        for row in staleRecords.sorted() { try fold(row) }
        (staleRecords, newEdits) = ([], [:])
        settleDoubtfulBlobs()
        try settleErasedBlobs()
        try settleListings()
    }

    /// Merges all that is held about the record that `row` made, or was the first to speak of, and stores what it shows.
    private func fold(_ row: Int64) throws {
        try forgetHiding(of: row)
        var kept = memory.merges.take(row)
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            let kind = Kind.numbered(opened.payload.kind), let audience = audience(of: root.delta.header.epoch),
            try counts(kind, on: opened.payload.target, in: audience, at: row, by: root.device.person),
            root.delta.header.root == (kind.identity == .delta ? .itself : .none),
            let target = try target(of: opened.payload, of: kind, waiter: row),
            try kind.identity == .delta || isShown(row, of: kind)
        else { return }
        let merge = try merge(kind, opened, of: root, in: audience, beginning: &kept)
        let isKeyed = kind.identity == .key
        let statements = isKeyed ? [] : try statements(about: root, opened.contribution, kind, in: audience)
        let said = merge.state.values.merging(sharedValues(of: kind, statements)) { $1 }
        let (values, written) = (kind.fields.map { said[$0.number] }, root.delta.header.timestamp)
        let record = NewRecord(
            row: row,
            author: root.device.person,
            target: target,
            made: isKeyed ? merge.lastSaid ?? written : written,
            order: order(
                of: root.delta,
                saying: opened.payload,
                at: row,
                by: root.device.owner,
                shownAt: isKeyed ? merge.lastShown : nil
            ),
            audience: audience,
            columns: values.map(Column.init)
        )
        try replace(record, of: kind)
        try storeHidings(statements, of: row, kind)
        if kind == .moment { staleLineage.insert(row) }
        outcome.changedKinds.insert(kind.name)
        outcome.changedRecords.note(row, of: kind, on: target.row, in: audience)
        guard let owner = memory.persons[record.author]?.name else { return }
        outcome.media += kind.mentions(in: values, by: owner)
    }

    /// Merges all that counts of what a person's devices said about a record, or adds to what was merged what is new.
    private func merge(
        _ kind: Kind,
        _ opened: (contribution: Contribution, payload: RecordPayload),
        of root: StoredDelta,
        in audience: Int64,
        beginning kept: inout RecordMerge?
    ) throws -> RecordMerge {
        let edits = try kept == nil ? edits(of: root.row, by: root.device.person) : newEdits[root.row] ?? []
        // Of what was never edited there is nothing to be read again.
        let isWorthKeeping = kept != nil || !edits.isEmpty
        var merge = RecordMerge(kind: kind)
        // Moved, as each edit would copy what it is added to.
        if let known = kept.take() { merge = known }
        merge.add(opened.contribution)
        for edit in edits {
            let said = try contribution(at: edit, to: kind) { edit in
                let target = edit.delta.header.ruledTarget(opened.payload)
                return try self.audience(of: edit.delta.header.epoch) == audience
                    && counts(kind, on: target, in: audience, at: edit.row, by: edit.device.person)
            }
            if let said { merge.add(said) }
        }
        if isWorthKeeping { memory.merges.keep(merge, of: root.row, by: root.device.person) }
        return merge
    }

    /// The rows of what else a person's devices said about a record; what others say about it is not looked at.
    private func edits(of row: Int64, by person: Int64) throws -> [Int64] {
        try memory.contentBranches(of: person).flatMap { branch in
            try db.all("SELECT id FROM journal WHERE root = ? AND branch = ?") { columns in
                columns.add(row)
                columns.add(branch)
            } read: { columns in
                columns.integer(0)
            }
        }
    }

    /// What one delta says about a record of a kind, if it is there, can be read and counts.
    private func contribution(
        at row: Int64,
        to kind: Kind,
        where counts: (StoredDelta) throws -> Bool = { _ in true }
    ) throws -> Contribution? {
        guard let edit = try stored(row), !edit.isErased, try counts(edit), let opened = contribution(of: edit),
            opened.payload.kind == kind.number
        else { return nil }
        return opened.contribution
    }

    /// Everything that was said of a record, whether it counts or not; empty while it cannot be read.
    func contributions(to row: Int64, of kind: Kind) throws -> [Contribution] {
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            opened.payload.kind == kind.number
        else { return [] }
        let edits = try edits(of: row, by: root.device.person)
        return try [opened.contribution] + edits.compactMap { try contribution(at: $0, to: kind) }
    }

    /// Whether a keyed record stands under this row: only under the first that spoke of it.
    private func isShown(_ row: Int64, of kind: Kind) throws -> Bool {
        try self.row("SELECT 1 FROM \(kind.name) WHERE id = ?", [row]) != nil
    }

    func contribution(of stored: StoredDelta) -> (contribution: Contribution, payload: RecordPayload)? {
        guard let person = memory.persons[stored.device.person],
            case .record(let record) = opener.content(of: stored.delta, by: person.name)
        else { return nil }
        let position = memory.position(branch: stored.branch, sequence: stored.delta.header.sequence)
        let contribution = Contribution(
            reference: stored.delta.reference,
            hash: stored.delta.hash,
            timestamp: stored.delta.header.timestamp,
            shownAt: shownAt(stored.row, stored.delta),
            branch: position,
            changes: record.payload.changes
        )
        return (contribution, record.payload)
    }
}

extension Header {
    /// What decides for whom a record may be sealed; nil for an edit.
    func ruledTarget(_ payload: RecordPayload) -> Target? {
        if case .reference = root { nil } else { payload.target }
    }
}
