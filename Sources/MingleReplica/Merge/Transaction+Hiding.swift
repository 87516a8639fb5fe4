// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What moderators say about whether records are shown (``Hiding``).
extension Transaction {
    /// Stores who hid and unhid a record, and by which delta it is hidden now.
    func foldHiding(of record: Int64, _ kind: Kind, in audience: Int64) throws {
        let said = try statements(about: record, kind, in: audience)
        if !said.isEmpty { noteHidings() }
        let shown = Hiding.shown(among: said.map(\.contribution))?.hash
        for statement in said {
            let contribution = statement.contribution
            guard let value = Hiding.reason(in: contribution.changes) else { continue }
            try run(
                "INSERT INTO hiding (delta, record, kind, maker, made, reason, hides) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    statement.row, record, Int64(kind.number), statement.maker, contribution.timestamp.milliseconds,
                    value.reason, contribution.hash == shown,
                ]
            )
        }
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

    /// Looks again at all that a person said about other people's records, or what of it is for one audience, once that counts for
    /// more or less.
    func hideAgain(by person: Int64, in audience: Int64? = nil) throws {
        let sql = """
            SELECT DISTINCT root FROM journal WHERE branch = ?1 AND root IS NOT NULL
                AND (?2 IS NULL OR epoch IN (SELECT id FROM epoch WHERE audience = ?2))
            """
        for branch in memory.contentBranches(of: person) {
            for row in try rows(sql, [branch, audience]) { refold(row["root"]) }
        }
    }

    /// Whether a person might hide what an audience sees where a delta stands.
    func mayHide(in audience: Int64, at row: Int64, by person: Int64) throws -> Bool {
        guard memory.moderators.contains(person), let level = try level(of: row, by: person), level >= Hiding.writers,
            let name = memory.persons[person]?.name
        else { return false }
        return try isIn(audience, name, at: row, level: level)
    }

    /// What those said about a record who might, each with the row of its delta and of its author.
    ///
    /// It is for the audience of the record, of whom they were; what others say is not even read, however much that is.
    func statements(
        about record: Int64,
        _ kind: Kind,
        in audience: Int64
    ) throws -> [(row: Int64, maker: Int64, contribution: Contribution)] {
        var statements: [(row: Int64, maker: Int64, contribution: Contribution)] = []
        for person in memory.moderators.sorted() {
            for branch in memory.contentBranches(of: person) {
                for row in try rows("SELECT id FROM journal WHERE root = ? AND branch = ?", [record, branch]) {
                    guard let said = try stored(row["id"]), !said.isErased,
                        self.audience(of: said.delta.header.epoch) == audience,
                        try mayHide(in: audience, at: said.row, by: person), let opened = contribution(of: said),
                        opened.payload.kind == kind.number, Hiding.isAbout(opened.payload.changes)
                    else { continue }
                    statements.append((said.row, person, opened.contribution))
                }
            }
        }
        return statements
    }
}

extension Value {
    /// The reason as a column; null: not hidden.
    fileprivate var reason: String? { if case .text(let text) = self { text } else { nil } }
}
