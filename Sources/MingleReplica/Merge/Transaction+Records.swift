// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Lets the changes of one delta take effect.
    func apply(_ record: OpenedRecord, of delta: Delta, at row: Int64, device: DeviceRow) throws {
        let payload = record.payload
        guard let kind = record.kind, let audience = audience(of: delta.header.epoch) else { return }
        if case .reference(let reference) = delta.header.root, Hiding.isAbout(payload.changes),
            try mayHide(in: audience, at: row, by: device.person), let root = try resolve(reference)
        {
            refold(root)
        }
        guard
            try counts(kind, on: delta.header.ruledTarget(payload), in: audience, at: row, by: device.person)
        else { return }
        switch (kind.identity, delta.header.root) {
        case (.delta, .itself):
            guard let target = try targetColumn(payload.target, of: kind, waiter: row) else { return }
            insert(record, of: kind, of: delta, at: row, by: device, target: target, in: audience)
        case (.delta, .reference(let reference)):
            // An edit is for those who read what it changes, no more and no fewer.
            guard let root = try resolve(reference), try isOwn(root, person: device.person),
                try self.audience(of: root) == audience
            else { return }
            if try !amend(kind, record: root, with: payload, of: delta, at: row) { refold(root) }
        case (.key, .none):
            guard let target = try targetColumn(payload.target, of: kind, waiter: row),
                target != TargetColumn.waiting
            else { return }
            try storeNewRecords()
            let held = try self.row(
                "SELECT id FROM \(kind.name) WHERE target = ? AND author = ? AND audience = ?",
                [target, device.person, audience]
            )
            guard let first: Int64 = held?["id"] else {
                return insert(record, of: kind, of: delta, at: row, by: device, target: target, in: audience)
            }
            if first != row { try run("UPDATE journal SET root = ? WHERE id = ?", [first, row]) }
            if try !amend(kind, record: first, with: payload, of: delta, at: row) { refold(first) }
        default: break
        }
    }

    /// Whether a person wrote a delta; what others say about a record has no effect.
    func isOwn(_ row: Int64, person: Int64) throws -> Bool {
        guard let branch = try branch(of: row), let device = memory.branches[branch]?.device
        else { return false }
        return memory.devicesByID[device]?.person == person
    }

    /// The branch that a delta stands on.
    func branch(of row: Int64) throws -> Int64? {
        try db.first("SELECT branch FROM journal WHERE id = ?") {
            $0.add(row)
        } read: {
            $0.integer(0)
        }
    }

    /// Merges all that is held about a record once, when the transaction has nothing more to say.
    func refold(_ row: Int64) { staleRecords.insert(row) }

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
        staleRecords = []
        settleDoubtfulBlobs()
        try settleErasedBlobs()
        try settleListings()
    }

    /// Merges all that is held about the record that `row` made, or was the first to speak of, and stores what it shows.
    private func fold(_ row: Int64) throws {
        try forgetHiding(of: row)
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            let kind = Kind.numbered(opened.payload.kind), let audience = audience(of: root.delta.header.epoch),
            try counts(kind, on: opened.payload.target, in: audience, at: row, by: root.device.person),
            root.delta.header.root == (kind.identity == .delta ? .itself : .none),
            let target = try targetColumn(opened.payload.target, of: kind, waiter: row),
            try kind.identity == .delta || isShown(row, of: kind)
        else { return }
        let contributions =
            try [opened.contribution]
            + edits(of: kind, about: row, by: root.device.person) { edit in
                try self.audience(of: edit.delta.header.epoch) == audience
                    && counts(
                        kind,
                        on: edit.delta.header.ruledTarget(opened.payload),
                        in: audience,
                        at: edit.row,
                        by: edit.device.person
                    )
            }
        let made =
            kind.identity == .delta
            ? root.delta.header.timestamp : contributions.map(\.timestamp).max() ?? root.delta.header.timestamp
        let state = RecordState(kind: kind, contributions: contributions)
        let values = kind.fields.map { state.values[$0.number] }
        let record = NewRecord(
            row: row,
            author: root.device.person,
            target: target,
            made: made,
            audience: audience,
            columns: values.map(Column.init)
        )
        try db.run("REPLACE \(kind.insertion)") { $0.add(record) }
        if kind == .moment { staleLineage.insert(row) }
        if kind.identity == .delta { try foldHiding(of: row, kind, in: audience) }
        outcome.changedKinds.insert(kind.name)
        guard let owner = memory.persons[record.author]?.name else { return }
        outcome.media += kind.mentions(in: values, by: owner)
    }

    /// What else a person's devices said about a record; what others say about it is not looked at.
    private func edits(
        of kind: Kind,
        about row: Int64,
        by person: Int64,
        where counts: (StoredDelta) throws -> Bool = { _ in true }
    ) throws -> [Contribution] {
        var contributions: [Contribution] = []
        for branch in memory.contentBranches(of: person) {
            let others = try db.all("SELECT id FROM journal WHERE root = ? AND branch = ?") { columns in
                columns.add(row)
                columns.add(branch)
            } read: { columns in
                columns.integer(0)
            }
            for other in others {
                guard let edit = try stored(other), !edit.isErased, try counts(edit),
                    let opened = contribution(of: edit), opened.payload.kind == kind.number
                else { continue }
                contributions.append(opened.contribution)
            }
        }
        return contributions
    }

    /// Everything that was said of a record, whether it counts or not; empty while it cannot be read.
    func contributions(to row: Int64, of kind: Kind) throws -> [Contribution] {
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            opened.payload.kind == kind.number
        else { return [] }
        return try [opened.contribution] + edits(of: kind, about: row, by: root.device.person)
    }

    /// Whether a keyed record stands under this row: only under the first that spoke of it.
    private func isShown(_ row: Int64, of kind: Kind) throws -> Bool {
        try self.row("SELECT 1 FROM \(kind.name) WHERE id = ?", [row]) != nil
    }

    /// The column that says what a record hangs on; nil if this kind can never hang on that.
    private func targetColumn(_ target: Target, of kind: Kind, waiter row: Int64) throws -> Int64? {
        switch (kind.target, target) {
        case (.nothing, .nothing), (.record(_, orNothing: true), .nothing): return TargetColumn.nothing
        case (.record, .record(let reference)):
            if let target = try resolve(reference) { return target }
            try wait(row, for: reference)
            return TargetColumn.waiting
        case (.person, .person(let person)): return try personRow(person)
        default: return nil
        }
    }

    func contribution(of stored: StoredDelta) -> (contribution: Contribution, payload: RecordPayload)? {
        guard let person = memory.persons[stored.device.person],
            case .record(let record) = opener.content(of: stored.delta, by: person.name)
        else { return nil }
        let position = memory.position(branch: stored.branch, sequence: stored.delta.header.sequence)
        return (Contribution(stored.delta, position: position, payload: record.payload), record.payload)
    }

    /// The plain case: one delta says all that there is to say.
    private func insert(
        _ record: OpenedRecord,
        of kind: Kind,
        of delta: Delta,
        at row: Int64,
        by device: DeviceRow,
        target: Int64,
        in audience: Int64
    ) {
        let new = NewRecord(
            row: row,
            author: device.person,
            target: target,
            made: delta.header.timestamp,
            audience: audience,
            columns: record.columns
        )
        if kind == .moment { staleLineage.insert(row) }
        insertLater(new, of: kind)
        outcome.media += record.media
    }
}

extension Contribution {
    fileprivate init(_ delta: Delta, position: BranchPosition, payload: RecordPayload) {
        self.init(
            reference: delta.reference,
            hash: delta.hash,
            timestamp: delta.header.timestamp,
            branch: position,
            changes: payload.changes
        )
    }
}

extension Header {
    /// What decides for whom a record may be sealed; nil for an edit.
    fileprivate func ruledTarget(_ payload: RecordPayload) -> Target? {
        if case .reference = root { nil } else { payload.target }
    }
}

extension Field {
    /// What a blob in this field is for; anything but the small forms counts as an original.
    var mediaRole: MediaMention.Role {
        switch name {
        case "thumbnail": .thumbnail
        case "preview": .preview
        default: .original
        }
    }
}
