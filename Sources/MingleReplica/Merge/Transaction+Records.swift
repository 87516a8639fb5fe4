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
            if let root = try resolve(reference) { try refold(root) }
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
            try refold(first)
        default: break
        }
    }

    /// Merges all that is held about the record that `row` made, or was the first to speak of, and stores what it shows.
    func refold(_ row: Int64) throws {
        guard let root = try stored(row), !root.isErased, let opened = contribution(of: root),
            let kind = Kind.numbered(opened.payload.kind), mayWrite(kind, person: root.device.person),
            let target = try targetColumn(opened.payload.target, of: kind, waiter: row),
            kind.identity == .delta || target != TargetColumn.waiting
        else { return }
        var contributions = [opened.contribution]
        for other in try rows("SELECT id FROM journal WHERE root = ?", [row]) {
            guard let edit = try stored(other["id"]), !edit.isErased, edit.device.person == root.device.person,
                let opened = contribution(of: edit), opened.payload.kind == kind.number
            else { continue }
            contributions.append(opened.contribution)
        }
        let made =
            kind.identity == .delta
            ? root.delta.header.timestamp : contributions.map(\.timestamp).max() ?? root.delta.header.timestamp
        try store(
            RecordState(kind: kind, contributions: contributions),
            kind: kind,
            row: row,
            author: root.device.person,
            target: target,
            made: made
        )
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
        let position = BranchPosition(branch: 0, sequence: delta.header.sequence)
        let contribution = Contribution(delta, position: position, payload: payload)
        try store(
            RecordState(kind: kind, contributions: [contribution]),
            kind: kind,
            row: row,
            author: author,
            target: target,
            made: delta.header.timestamp
        )
    }

    private func store(
        _ state: RecordState,
        kind: Kind,
        row: Int64,
        author: Int64,
        target: Int64,
        made: Timestamp
    ) throws {
        var arguments: [(any DatabaseValueConvertible)?] = [row, author, target, made.milliseconds]
        for field in kind.fields { arguments.append(state.values[field.number]?.column) }
        try run(kind.insertion, arguments)
        outcome.changedKinds.insert(kind.name)
        guard let owner = memory.persons[author]?.name else { return }
        for field in kind.fields {
            guard case .media(let media)? = state.values[field.number] else { continue }
            outcome.media.append(
                MediaMention(name: media.name(owner: owner), media: media, owner: owner, role: field.mediaRole)
            )
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

extension Kind {
    private static let insertions = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0.makeInsertion()) })

    /// Stores a record, in place of what it showed before.
    fileprivate var insertion: String { Self.insertions[number] ?? makeInsertion() }

    private func makeInsertion() -> String {
        let names = ["id", "author", "target", "made"] + fields.map { "\"\($0.name)\"" }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return "INSERT OR REPLACE INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
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
