// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What several people say about fields of a record (``SharedField``), such as whether it is hidden (``Hiding``).
extension Transaction {
    /// One delta about a record whose author may write some of its shared fields.
    struct SharedStatement {
        let row: Int64
        let branch: Int64
        let maker: Int64
        /// The maker's level where the delta stands.
        let level: Level
        let isAuthor: Bool
        let isMaking: Bool
        let contribution: Contribution

        /// What it says about a field; nil if nothing, or if its maker does not write that field.
        func assertion(about field: Field) -> SharedAssertion? {
            guard field.writers.admit(level, isAuthor: isAuthor, isMaking: isMaking),
                // Nobody makes a record that is hidden.
                !isMaking || field != Hiding.field
            else { return nil }
            let isOwnHiding = isAuthor && field == Hiding.field
            let most: SharedAssertion.Weight = isOwnHiding ? .own : level >= Hiding.writers ? .pinned : .usual
            return SharedAssertion(contribution, about: field, worth: most)
        }
    }

    /// Returns whether a delta says something about shared fields of a record that counts.
    func saysShared(
        _ payload: RecordPayload,
        of kind: Kind,
        in audience: Int64,
        at row: Int64,
        by person: Int64,
        about record: Int64
    ) throws -> Bool {
        let said = kind.sharedFields.filter { $0.value(in: payload.changes) != nil }
        guard !said.isEmpty, let level = try writerLevel(in: audience, at: row, by: person),
            // What names another kind is about nothing.
            [Int64(kind.number), TargetColumn.noKind].contains(try madeKind(of: record))
        else { return false }
        let isAuthor = try level >= kind.writers && isOwn(record, person: person)
        return said.contains { $0.writers.admit(level, isAuthor: isAuthor, isMaking: false) }
    }

    /// What the shared fields of a record show by what was said about them.
    func sharedValues(of kind: Kind, _ statements: [SharedStatement]) -> [UInt32: Value] {
        kind.fields.filter(\.isShared).reduce(into: [:]) { values, field in
            let shown = SharedField.shown(statements.compactMap { $0.assertion(about: field) })
            if let value = shown?.value, value != .cleared { values[field.number] = value }
        }
    }

    /// Stores who hid and unhid a record, and by which delta it is hidden now; the record is stored before.
    func storeHidings(_ statements: [SharedStatement], of record: Int64, _ kind: Kind) throws {
        let shown = SharedField.shown(statements.compactMap { $0.assertion(about: Hiding.field) })
        var isNew = false
        for statement in statements {
            guard let said = statement.assertion(about: Hiding.field) else { continue }
            let hides = said.reference == shown?.reference && said.value != .cleared
            try run(
                "INSERT INTO hiding (delta, record, kind, maker, made, reason, hides) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    statement.row, record, Int64(kind.number), statement.maker, said.timestamp.milliseconds,
                    said.value.reason, hides,
                ]
            )
            isNew = true
        }
        if isNew { noteHidings() }
    }

    /// Forgets what was said about whether a record is shown, before that is worked out anew or the record is gone.
    func forgetHiding(of record: Int64) throws {
        try run("DELETE FROM hiding WHERE record = ?", [record])
        if db.changesCount > 0 { noteHidings() }
    }

    /// What hangs on a record is hidden with it, so lists of any kind may change.
    private func noteHidings() {
        outcome.changedKinds.formUnion(["hidden"] + Kind.all.filter { $0.identity == .delta }.map(\.name))
        outcome.changedRecords.noteAny()
    }

    /// Looks again at all that a person said about other people's records, or what of it is for one audience, once that
    /// counts for more or less.
    ///
    /// - Parameter isModerator: Whether the person moderates or did: else only kinds are looked at that others write,
    /// too.
    func foldAgain(whatIsSaidBy person: Int64, isModerator: Bool, in audience: Int64? = nil) throws {
        let shared = Kind.all.filter(\.hasSharedFields).map { "\($0.number)" }.joined(separator: ", ")
        let sql = """
            SELECT DISTINCT edit.root FROM journal AS edit JOIN journal AS record ON record.id = edit.root
            WHERE edit.branch = ?1 AND edit.root IS NOT NULL AND (?3 OR record.kind IN (\(shared)))
                AND (?2 IS NULL OR edit.epoch IN (SELECT id FROM epoch WHERE audience = ?2))
            """
        for branch in memory.contentBranches(of: person) {
            for row in try rows(sql, [branch, audience, isModerator]) { refold(row["root"]) }
        }
        guard isModerator else { return }
        // What a person says of an own record may be a moderator's word, too.
        try storeNewRecords()
        for kind in Kind.all where kind.hasSharedFields {
            for row in try rows("SELECT id FROM \(kind.name) WHERE author = ?", [person]) { refold(row["id"]) }
        }
    }

    /// The level at which a person says something for an audience; nil where the person is not of it, or takes no part.
    private func writerLevel(in audience: Int64, at row: Int64, by person: Int64) throws -> Level? {
        guard let level = try level(of: row, by: person), let name = memory.persons[person]?.name else { return nil }
        return try isIn(audience, name, at: row, level: level) ? level : nil
    }

    /// What those said about a record who may write shared fields, the delta that made it included.
    ///
    /// It is for the audience of the record, of whom they were. Where only moderators write, what others say is not
    /// even read, however much that is.
    func statements(
        about root: StoredDelta,
        _ making: Contribution,
        _ kind: Kind,
        in audience: Int64
    ) throws -> [SharedStatement] {
        var statements: [SharedStatement] = []
        let kept = memory.statements[root.row]
        if kept == nil, let level = try writerLevel(in: audience, at: root.row, by: root.device.person) {
            statements.append(SharedStatement(root, level, making, isAuthor: true, isMaking: true))
        }
        guard !kind.isSharedByModerators else {
            let edits = try editsByModerators(of: root.row)
            return try statements + edits.compactMap { try statement(at: $0, about: root, of: kind, in: audience) }
        }
        statements += kept?.statements ?? []
        let edits = try edits(of: root.row, after: kept?.through ?? 0)
        statements += try edits.compactMap { try statement(at: $0, about: root, of: kind, in: audience) }
        statements = SharedStatement.last(statements, of: kind.sharedFields)
        memory.statements.keep(statements, through: edits.last ?? kept?.through ?? root.row, of: root.row)
        return statements
    }

    /// What one delta says about a record, if it is there, can be read and is by somebody of its audience.
    private func statement(
        at row: Int64,
        about root: StoredDelta,
        of kind: Kind,
        in audience: Int64
    ) throws -> SharedStatement? {
        guard let edit = try stored(row), !edit.isErased, self.audience(of: edit.delta.header.epoch) == audience,
            let level = try writerLevel(in: audience, at: row, by: edit.device.person),
            let opened = contribution(of: edit), opened.payload.kind == kind.number
        else { return nil }
        // Who was put below those that write the kind says no more of an own record than others do.
        let isAuthor = edit.device.person == root.device.person && level >= kind.writers
        return SharedStatement(edit, level, opened.contribution, isAuthor: isAuthor, isMaking: false)
    }

    private func edits(of record: Int64, after row: Int64) throws -> [Int64] {
        try db.all("SELECT id FROM journal WHERE root = ? AND id > ? ORDER BY id") {
            $0.add(record)
            $0.add(row)
        } read: {
            $0.integer(0)
        }
    }

    private func editsByModerators(of record: Int64) throws -> [Int64] {
        try memory.moderators.sorted().flatMap(memory.contentBranches).flatMap { branch in
            try db.all("SELECT id FROM journal WHERE root = ? AND branch = ?") {
                $0.add(record)
                $0.add(branch)
            } read: {
                $0.integer(0)
            }
        }
    }
}

extension Transaction.SharedStatement {
    init(_ delta: StoredDelta, _ level: Level, _ contribution: Contribution, isAuthor: Bool, isMaking: Bool) {
        (row, branch, maker) = (delta.row, delta.branch, delta.device.person)
        (self.level, self.contribution) = (level, contribution)
        (self.isAuthor, self.isMaking) = (isAuthor, isMaking)
    }

    /// Those of some statements that are the last of their branch and weight about a field; all that hide.
    fileprivate static func last(_ statements: [Self], of fields: [Field]) -> [Self] {
        struct Place: Hashable {
            let branch: Int64
            let field: UInt32
            let weight: SharedAssertion.Weight
        }
        var last: [Place: Int] = [:]
        var kept: Set<Int> = []
        for (index, statement) in statements.enumerated() {
            for field in fields {
                guard let said = statement.assertion(about: field) else { continue }
                // Moderators see who hid and unhid a record.
                if field == Hiding.field { kept.insert(index) }
                let place = Place(branch: statement.branch, field: field.number, weight: said.weight)
                let isLater = last[place].map { statements[$0].contribution.branch.precedes(said.branch) } ?? true
                if isLater { last[place] = index }
            }
        }
        kept.formUnion(last.values)
        return kept.sorted().map { statements[$0] }
    }
}

extension Value {
    /// The reason as a column; null: not hidden.
    fileprivate var reason: String? { if case .text(let text) = self { text } else { nil } }
}
