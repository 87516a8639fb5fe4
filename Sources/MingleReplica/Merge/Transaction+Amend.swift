// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Changes a record by its latest edit alone, where that overwrites all that was said before.
    ///
    /// That is so if its author never used another branch for it and the edit is the branch's last delta, which is the
    /// plain case; without this a record with ten thousand edits would be read ten thousand times.
    ///
    /// - Returns: false if the record has to be folded.
    func amend(
        _ kind: Kind,
        record: Int64,
        with payload: RecordPayload,
        of delta: Delta,
        at row: Int64
    ) throws -> Bool {
        try storeNewRecords()
        guard !staleRecords.contains(record), try isLatest(row, about: record) else { return false }
        guard let held = try self.row("SELECT author, target, audience FROM \(kind.name) WHERE id = ?", [record]) else {
            return false
        }
        let author: Int64 = held["author"]
        guard !isCut(author, in: held["audience"]) else { return false }
        var shown: [UInt32: Value] = [:]
        for change in payload.changes {
            // Of several changes of one field in one delta, the last is meant.
            guard let field = kind.field(change.field), !field.isShared, field.admits(change.value) else { continue }
            shown[field.number] = change.value
        }
        let old = try words(of: record, kind)
        for field in kind.fields {
            guard let value = shown[field.number] else { continue }
            try set(field, of: kind, record: record, to: value, author: author)
        }
        try words.update(record, of: kind.number, from: old, to: try words(of: record, kind))
        if kind.identity == .key {
            let made = delta.header.timestamp.milliseconds
            let shown = shownAt(row, delta).milliseconds
            try run(
                "UPDATE \(kind.name) SET made = max(made, ?), shown_at = max(shown_at, ?) WHERE id = ?",
                [made, shown, record]
            )
        }
        if kind == .moment { staleLineage.insert(record) }
        outcome.changedKinds.insert(kind.name)
        outcome.changedRecords.note(record, of: kind, on: held["target"], in: held["audience"])
        memory.merges.forget(record)
        return true
    }

    private func set(_ field: Field, of kind: Kind, record: Int64, to value: Value, author: Int64) throws {
        let shown =
            switch field.merge {
            case .register: "?1"
            case .maximum: "max(ifnull(\"\(field.name)\", ?1), ifnull(?1, \"\(field.name)\"))"
            }
        try run("UPDATE \(kind.name) SET \"\(field.name)\" = \(shown) WHERE id = ?2", [value.column, record])
        guard case .media(let media) = value, let owner = memory.persons[author]?.name else { return }
        outcome.media.append(
            MediaMention(name: media.name(owner: owner), media: media, owner: owner, role: field.mediaRole)
        )
    }

    /// Whether all that was said about a record stands on one branch, of which `row` is the last delta.
    private func isLatest(_ row: Int64, about record: Int64) throws -> Bool {
        let last = try db.first("SELECT branch, sequence FROM journal WHERE id = ?") {
            $0.add(row)
        } read: { columns in
            (branch: columns.integer(0), sequence: columns.integer(1))
        }
        guard let last, try branch(of: record) == last.branch, let device = memory.branches[last.branch]?.device,
            let person = memory.devices[device]?.person
        else { return false }
        for other in memory.contentBranches(of: person) where other != last.branch {
            let said = try db.first("SELECT 1 FROM journal WHERE root = ? AND branch = ? LIMIT 1") { columns in
                columns.add(record)
                columns.add(other)
            } read: { _ in
                true
            }
            if said != nil { return false }
        }
        let later = try db.first("SELECT 1 FROM journal WHERE branch = ? AND sequence > ? LIMIT 1") { columns in
            columns.add(last.branch)
            columns.add(last.sequence)
        } read: { _ in
            true
        }
        return later == nil
    }
}
