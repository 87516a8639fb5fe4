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
            if try !amend(kind, record: root, with: payload, of: delta, at: row) { refold(root, with: row) }
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
            if try !amend(kind, record: first, with: payload, of: delta, at: row) { refold(first, with: row) }
        default: break
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

    /// The column that says what a record hangs on; nil if this kind can never hang on that.
    func targetColumn(_ target: Target, of kind: Kind, waiter row: Int64) throws -> Int64? {
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
