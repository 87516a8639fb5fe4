// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// Keeps the words of records as their tables are.
extension Transaction {
    /// Notes the words of records that are new.
    func indexWords(of records: some Sequence<NewRecord>, _ kind: Kind) throws {
        guard !kind.searchedFields.isEmpty else { return }
        for record in records {
            try words.update(record.row, of: kind.number, from: [], to: kind.words(of: record.columns))
        }
    }

    /// Notes the words of a record that takes the place of another one.
    ///
    /// - Parameter old: the words that the other one had: see ``words(of:_:)``.
    func indexWords(of record: NewRecord, _ kind: Kind, after old: [String]) throws {
        guard !kind.searchedFields.isEmpty else { return }
        let new = kind.words(of: record.columns)
        try words.update(record.row, of: kind.number, from: old.filter { !new.contains($0) }, to: [])
        try words.update(record.row, of: kind.number, from: [], to: new)
    }

    /// Forgets the words of records of a kind that are about to go; the condition is one on their rows.
    func forgetWords(of kind: Kind, where condition: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        guard !kind.searchedFields.isEmpty else { return }
        let sql = "SELECT id, \(kind.searchedColumns) FROM \(kind.name) WHERE \(condition)"
        for row in try rows(sql, arguments) {
            try words.update(row["id"], of: kind.number, from: kind.words(of: row), to: [])
        }
    }

    /// The words of the record that is stored in a row; none where there is none.
    func words(of row: Int64, _ kind: Kind) throws -> [String] {
        guard !kind.searchedFields.isEmpty else { return [] }
        return try self.row("SELECT \(kind.searchedColumns) FROM \(kind.name) WHERE id = ?", [row]).map(kind.words)
            ?? []
    }
}

extension Kind {
    /// The columns of the searched fields, as a query has them.
    var searchedColumns: String { searchedFields.map { "\"\(fields[$0].name)\"" }.joined(separator: ", ") }

    /// The words of a record by its columns, one for each field.
    fileprivate func words(of columns: [Column]) -> [String] {
        words(ofTexts: searchedFields.map { if case .text(let text) = columns[$0] { text } else { nil } })
    }

    /// The words of a record by a row that has ``searchedColumns``.
    fileprivate func words(of row: Row) -> [String] { words(ofTexts: searchedFields.map { row[fields[$0].name] }) }

    private func words(ofTexts texts: [String?]) -> [String] {
        FoldedWords.words(of: texts.compactMap(\.self).joined(separator: "\n"))
    }
}
