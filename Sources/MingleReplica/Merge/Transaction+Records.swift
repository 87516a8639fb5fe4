// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Lets the changes of one delta take effect.
    func apply(_ payload: RecordPayload, of delta: Delta, at row: Int64, device: DeviceRow) throws {
        guard let kind = Kind.numbered(payload.kind), mayWrite(kind, person: device.person) else { return }
        switch (kind.identity, delta.header.root) {
        case (.delta, .itself):
            guard let target = try targetColumn(payload.target, of: kind, waiter: row) else { return }
            try insert(kind, row: row, author: device.person, target: target, delta: delta, payload: payload)
        case (.delta, .reference(let reference)):
            guard let root = try resolve(reference), try isOwn(root, person: device.person) else { return }
            if try !amend(kind, record: root, with: payload, of: delta, at: row) { refold(root) }
        case (.key, .none):
            guard let target = try targetColumn(payload.target, of: kind, waiter: row),
                target != TargetColumn.waiting
            else { return }
            let held = try self.row(
                "SELECT id FROM \(kind.name) WHERE target = ? AND author = ?",
                [target, device.person]
            )
            guard let first: Int64 = held?["id"] else {
                return try insert(
                    kind,
                    row: row,
                    author: device.person,
                    target: target,
                    delta: delta,
                    payload: payload
                )
            }
            if first != row { try run("UPDATE journal SET root = ? WHERE id = ?", [first, row]) }
            if try !amend(kind, record: first, with: payload, of: delta, at: row) { refold(first) }
        default: break
        }
    }

    /// Whether a person wrote a delta; what others say about a record has no effect.
    private func isOwn(_ row: Int64, person: Int64) throws -> Bool {
        guard let branch: Int64 = try self.row("SELECT branch FROM journal WHERE id = ?", [row])?["branch"],
            let device = memory.branches[branch]?.device
        else { return false }
        return memory.devicesByID[device]?.person == person
    }

    /// Merges all that is held about a record once, when the transaction has nothing more to say.
    func refold(_ row: Int64) { staleRecords.insert(row) }

    /// Folds the records that were marked, or works everything out again where that cannot be enough.
    func settle() throws {
        if mustRecompute { return try recompute() }
        for row in staleRecords.sorted() { try fold(row) }
        staleRecords = []
    }

    /// Merges all that is held about the record that `row` made, or was the first to speak of, and stores what it shows.
    private func fold(_ row: Int64) throws {
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            let kind = Kind.numbered(opened.payload.kind), mayWrite(kind, person: root.device.person),
            root.delta.header.root == (kind.identity == .delta ? .itself : .none),
            let target = try targetColumn(opened.payload.target, of: kind, waiter: row),
            try kind.identity == .delta || isShown(row, of: kind)
        else { return }
        let contributions = try [opened.contribution] + edits(of: kind, about: row, by: root.device.person)
        let made =
            kind.identity == .delta
            ? root.delta.header.timestamp : contributions.map(\.timestamp).max() ?? root.delta.header.timestamp
        let state = RecordState(kind: kind, contributions: contributions)
        try store(
            kind.fields.map { state.values[$0.number] },
            kind: kind,
            row: row,
            author: root.device.person,
            target: target,
            made: made
        )
    }

    /// What else a person's devices said about a record; what others say about it is not looked at.
    private func edits(of kind: Kind, about row: Int64, by person: Int64) throws -> [Contribution] {
        var contributions: [Contribution] = []
        for branch in memory.contentBranches(of: person) {
            for other in try rows("SELECT id FROM journal WHERE root = ? AND branch = ?", [row, branch]) {
                guard let edit = try stored(other["id"]), !edit.isErased, let opened = contribution(of: edit),
                    opened.payload.kind == kind.number
                else { continue }
                contributions.append(opened.contribution)
            }
        }
        return contributions
    }

    /// Everything that counts in what a record shows; empty while it cannot be read.
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
        default: return nil
        }
    }

    private func mayWrite(_ kind: Kind, person: Int64) -> Bool {
        guard let level = memory.persons[person]?.level else { return false }
        return kind.writers == .author || level == Int64(Level.founder.rawValue)
    }

    private func contribution(of stored: StoredDelta) -> (contribution: Contribution, payload: RecordPayload)? {
        guard let person = memory.persons[stored.device.person],
            case .record(let payload) = opener.content(of: stored.delta, by: person.name)
        else { return nil }
        let position = memory.position(branch: stored.branch, sequence: stored.delta.header.sequence)
        return (Contribution(stored.delta, position: position, payload: payload), payload)
    }

    /// The plain case: one delta says all that there is to say.
    private func insert(
        _ kind: Kind,
        row: Int64,
        author: Int64,
        target: Int64,
        delta: Delta,
        payload: RecordPayload
    ) throws {
        try store(
            kind.values(after: payload.changes),
            kind: kind,
            row: row,
            author: author,
            target: target,
            made: delta.header.timestamp,
            listings: delta.header.blobs
        )
    }

    /// Stores what a record shows, field by field; `listings` are the blobs of the delta that says it all.
    private func store(
        _ values: [Value?],
        kind: Kind,
        row: Int64,
        author: Int64,
        target: Int64,
        made: Timestamp,
        listings: [BlobListing] = []
    ) throws {
        func bind(_ record: inout Binder) {
            record.add(row)
            record.add(author)
            record.add(target)
            record.add(made.milliseconds)
            for value in values { record.add(value) }
        }
        let isNew = try db.insert(insertions.record(of: kind, db), binding: bind) != nil
        if !isNew { try db.run("REPLACE \(kind.insertion)", binding: bind) }
        outcome.changedKinds.insert(kind.name)
        guard let owner = memory.persons[author]?.name else { return }
        for (field, value) in zip(kind.fields, values) {
            guard case .media(let media)? = value else { continue }
            let name = media.name(owner: owner, listedIn: listings)
            outcome.media.append(MediaMention(name: name, media: media, owner: owner, role: field.mediaRole))
        }
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

extension Media {
    /// The blob's name, taken from the header where only one listing fits: opening has compared them.
    fileprivate func name(owner: PersonID, listedIn listings: [BlobListing]) -> BlobName {
        let fitting = listings.filter { $0.size == size }
        return fitting.count == 1 ? fitting[0].name : name(owner: owner)
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
