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
        if case .reference(let reference) = delta.header.root, let root = try resolve(reference),
            try saysShared(payload, of: kind, in: audience, at: row, by: device.person, about: root)
        {
            refoldShared(root, with: row)
        }
        guard
            try counts(kind, on: delta.header.ruledTarget(payload), in: audience, at: row, by: device.person)
        else { return }
        switch (kind.identity, delta.header.root) {
        case (.delta, .itself):
            guard let target = try target(of: payload, of: kind, waiter: row) else { return }
            try insert(record, of: kind, of: delta, at: row, by: device, target: target, in: audience)
        case (.delta, .reference(let reference)):
            // An edit is for those who read what it changes, no more and no fewer.
            guard let root = try resolve(reference), try isOwn(root, person: device.person),
                try self.audience(of: root) == audience
            else { return }
            if try !amend(kind, record: root, with: payload, of: delta, at: row) { refold(root, with: row) }
        case (.key, .none):
            guard let target = try target(of: payload, of: kind, waiter: row), target.row != TargetColumn.waiting
            else { return }
            try storeNewRecords()
            guard let first = try keyed(kind, target, by: device.person, in: audience) else {
                return try insert(record, of: kind, of: delta, at: row, by: device, target: target, in: audience)
            }
            if first != row { try run("UPDATE journal SET root = ? WHERE id = ?", [first, row]) }
            if try !amend(kind, record: first, with: payload, of: delta, at: row) { refold(first, with: row) }
        default: break
        }
    }

    /// The row of the keyed record that a person has of a target, subject and audience; nil if nothing was said of it
    /// yet.
    func keyed(_ kind: Kind, _ target: RecordTarget, by person: Int64, in audience: Int64) throws -> Int64? {
        let subject = target.subject == nil ? "" : " AND subject = ?"
        return try db.number(
            "SELECT id FROM \(kind.name) WHERE target = ? AND author = ? AND audience = ?\(subject)"
        ) {
            $0.add(target.row)
            $0.add(person)
            $0.add(audience)
            if let subject = target.subject { $0.add(subject) }
        }
    }

    /// Whether a person wrote a delta; what others say about a record has no effect.
    func isOwn(_ row: Int64, person: Int64) throws -> Bool {
        guard let branch = try branch(of: row), let device = memory.branches[branch]?.device
        else { return false }
        return memory.devices[device]?.person == person
    }

    /// The branch that a delta stands on.
    func branch(of row: Int64) throws -> Int64? {
        try db.first("SELECT branch FROM journal WHERE id = ?") {
            $0.add(row)
        } read: {
            $0.integer(0)
        }
    }

    /// What a record hangs on and whom it is about, as columns; nil if this kind can never hang on that.
    func target(of payload: RecordPayload, of kind: Kind, waiter row: Int64) throws -> RecordTarget? {
        var target = RecordTarget()
        switch (kind.target, payload.target) {
        case (.nothing, .nothing): break
        case (.havingOrNothing, .nothing): target.kind = TargetColumn.noKind
        case (.having, .record(let reference)), (.havingOrNothing, .record(let reference)):
            if let found = try resolve(reference) {
                (target.row, target.kind) = (found, try madeKind(of: found))
            } else {
                try wait(row, for: reference)
                (target.row, target.kind) = (TargetColumn.waiting, TargetColumn.noKind)
            }
        case (.person, .person(let person)): target.row = try personRow(person)
        default: return nil
        }
        if case .person(let person) = payload.subject { target.subject = try personRow(person) }
        return target
    }

    /// The plain case: one delta says all that there is to say.
    private func insert(
        _ record: OpenedRecord,
        of kind: Kind,
        of delta: Delta,
        at row: Int64,
        by device: DeviceRow,
        target: RecordTarget,
        in audience: Int64
    ) throws {
        let new = NewRecord(
            row: row,
            author: device.person,
            target: target,
            made: delta.header.timestamp,
            order: order(of: delta, saying: record.payload, at: row, by: device.owner),
            audience: audience,
            columns: try columns(of: record, of: kind, at: row, by: device.person)
        )
        if kind == .moment { staleLineage.insert(row) }
        insertLater(new, of: kind)
        outcome.media += record.media
    }

    /// The columns of a record without what its maker may not say.
    private func columns(of record: OpenedRecord, of kind: Kind, at row: Int64, by person: Int64) throws -> [Column] {
        guard kind.hasSharedFields, let level = try level(of: row, by: person) else { return record.columns }
        return zip(kind.fields, record.columns).map { field, column in
            field.writers.admit(level, isAuthor: true, isMaking: true) ? column : .nothing
        }
    }
}

// MARK: - Kinds of targets

extension Transaction {
    /// The kind of the record that a delta makes, as a column; ``TargetColumn/noKind`` while it cannot be read.
    func madeKind(of row: Int64) throws -> Int64 {
        if let kind = memory.madeKinds[row] { return kind }
        let kind = try db.number("SELECT kind FROM journal WHERE id = ?") { $0.add(row) } ?? TargetColumn.noKind
        if kind != TargetColumn.noKind { memory.noteMade(kind, by: row) }
        return kind
    }

    /// Notes of which kind the record is that a delta makes, once that can be read, also for those that hang on it.
    func noteMadeKind(_ record: OpenedRecord, by stored: StoredDelta) throws {
        guard record.isMaking, stored.kind == nil else { return }
        let number = Int64(record.payload.kind)
        try run("UPDATE journal SET kind = ? WHERE id = ?", [number, stored.row])
        try storeNewRecords()
        for child in record.kind?.children ?? [] {
            try run("UPDATE \(child.name) SET target_kind = ? WHERE target = ?", [number, stored.row])
        }
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
