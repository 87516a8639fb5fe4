// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Lets a delta that was just stored take effect, and those that waited for it.
    func apply(_ row: Int64, _ delta: Delta, _ content: Content, device: DeviceRow) throws {
        let arrivals = try settleWaiting(for: delta, at: row)
        var isErased = false
        // Whatever a fabric delta may name, it is about no record and never erased with one.
        if delta.header.journal == .content, case .reference(let root) = delta.header.root {
            isErased = try !link(row, delta, to: root, device: device)
        }
        for person in arrivals.deletions where try erase(row, orderedBy: person) { isErased = true }
        if !isErased { try take(content, of: delta, at: row, device: device) }
        if arrivals.hasEdits { refold(row) }
        for waiting in arrivals.dependents { try applyAgain(waiting) }
    }

    /// Lets a delta take effect whose payload, key or author's admission came after its header.
    func applyAgain(_ row: Int64) throws {
        guard let stored = try stored(row), !stored.isErased, !stored.isEvicted,
            let person = memory.persons[stored.device.person]
        else { return }
        let content = opener.content(of: stored.delta, by: person.name)
        guard case .record(let record) = content else {
            return try take(content, of: stored.delta, at: row, device: stored.device)
        }
        try noteMadeKind(record, by: stored)
        // A record that others edited before it could be read is folded with what they said.
        if stored.delta.header.root == .itself, let kind = record.kind, kind.identity == .delta {
            return refold(row)
        }
        try take(content, of: stored.delta, at: row, device: stored.device)
    }

    private func take(_ content: Content, of delta: Delta, at row: Int64, device: DeviceRow) throws {
        switch content {
        case .record(let record): try apply(record, of: delta, at: row, device: device)
        case .fabric(let payload): try apply(payload, of: delta, at: row, device: device)
        case .key(let epoch): try apply(epoch, at: row, author: device)
        case .absent:
            outcome.missingPayloads.append(
                MissingPayload(reference: delta.reference, length: Int(delta.header.payloadLength))
            )
        case .deletion, .letGo, .locked, .void: break
        }
    }

    /// Notes what a delta is about; false if that was deleted, and the delta's payload with it.
    func link(_ row: Int64, _ delta: Delta, to root: Reference, device: DeviceRow) throws -> Bool {
        guard let rootRow = try resolve(root) else {
            try wait(row, for: root)
            return true
        }
        try db.run("UPDATE journal SET root = ? WHERE id = ?") { columns in
            columns.add(rootRow)
            columns.add(row)
        }
        if delta.header.isDeletion {
            _ = try erase(rootRow, orderedBy: device.person)
            return true
        }
        guard try isErasedRecord(rootRow) else { return true }
        try erasePayload(row)
        return false
    }

    /// Whether a record was deleted; an erased edit is none, and what names it is not erased with it.
    private func isErasedRecord(_ row: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM journal WHERE id = ? AND erased = 1 AND root IS NULL") {
            $0.add(row)
        } read: { _ in
            true
        } ?? false
    }
}

// MARK: - Waiting

extension Transaction {
    /// What the arrival of one delta sets free.
    private struct Arrivals {
        /// Persons who had deleted it.
        var deletions: [Int64] = []
        /// Whether it had been edited.
        var hasEdits = false
        /// Deltas whose record hangs on it.
        var dependents: [Int64] = []
    }

    /// Remembers that a delta needs another one, which has not come.
    func wait(_ row: Int64, for reference: Reference) throws {
        try run(
            "INSERT OR IGNORE INTO waiting (device, place, hash, delta) VALUES (?, ?, ?, ?)",
            [Int64(bitPattern: reference.device), reference.place, Int64(bitPattern: reference.hash), row]
        )
        memory.waitingCount += db.changesCount
        outcome.awaited.insert(reference.device)
    }

    private func settleWaiting(for delta: Delta, at row: Int64) throws -> Arrivals {
        var arrivals = Arrivals()
        guard memory.waitingCount > 0 else { return arrivals }
        let waiting = try db.all("SELECT delta FROM waiting WHERE device = ? AND place = ? AND hash = ?") {
            $0.addWaited(delta.reference)
        } read: {
            $0.integer(0)
        }
        guard !waiting.isEmpty else { return arrivals }
        try db.run("DELETE FROM waiting WHERE device = ? AND place = ? AND hash = ?") { $0.addWaited(delta.reference) }
        memory.waitingCount -= waiting.count
        for place in waiting {
            guard let waiter = try stored(place) else { continue }
            guard waiter.delta.header.root == .reference(delta.reference) else {
                arrivals.dependents.append(waiter.row)
                continue
            }
            try run("UPDATE journal SET root = ? WHERE id = ?", [row, waiter.row])
            if waiter.delta.header.isDeletion {
                arrivals.deletions.append(waiter.device.person)
            } else {
                arrivals.hasEdits = true
            }
        }
        return arrivals
    }
}

extension Binder {
    /// Binds what a delta that waits for another keeps of it.
    fileprivate mutating func addWaited(_ reference: Reference) {
        add(Int64(bitPattern: reference.device))
        add(reference.place)
        add(Int64(bitPattern: reference.hash))
    }
}

extension Reference {
    /// Journal and sequence in one number.
    var place: Int64 { Int64(journal.rawValue) << 32 | Int64(sequence) }
}
