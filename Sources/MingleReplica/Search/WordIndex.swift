// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Writes which records have which words.
///
/// It remembers the words of its transaction, so it must go with it: after a rollback their rows mean nothing.
struct WordIndex {
    private let db: Database
    private var cache = WordCache()

    /// An index of a database with the tables of ``Schema/search``.
    init(_ db: Database) { self.db = db }

    /// Notes that the words of a record have changed.
    ///
    /// - Parameters:
    ///   - record: the record's row.
    ///   - kind: the number of the record's kind.
    ///   - old: the words before (see ``FoldedWords``); none for a new record.
    ///   - new: the words now; none for a record that is gone. Words that go from their last record are erased.
    mutating func update(_ record: Int64, of kind: UInt32, from old: [String], to new: [String]) throws {
        guard !old.isEmpty else { return try add(new, to: record, of: kind) }
        let (before, after) = (Set(old), Set(new))
        for word in before.subtracting(after) { try remove(word, from: record, of: kind) }
        try add(new.filter { !before.contains($0) }, to: record, of: kind)
    }

    private mutating func add(_ words: [String], to record: Int64, of kind: UInt32) throws {
        var rows: [Int64] = []
        rows.reserveCapacity(words.count)
        for word in words { rows.append(try row(of: word)) }
        var start = 0
        while start < rows.count {
            let end = min(start + Self.batchLength, rows.count)
            try db.run(Self.insertions[end - start]) { binder in
                for row in rows[start..<end] {
                    binder.add(row)
                    binder.add(Int64(kind))
                    binder.add(record)
                }
            }
            start = end
        }
    }

    private mutating func remove(_ word: String, from record: Int64, of kind: UInt32) throws {
        guard let row = try cache[word] ?? storedRow(of: word) else { return }
        cache[word] = nil
        try db.run("DELETE FROM posting WHERE word = ? AND kind = ? AND record = ?") { binder in
            binder.add(row)
            binder.add(Int64(kind))
            binder.add(record)
        }
        try db.run("DELETE FROM word WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM posting WHERE word = ?1)") {
            $0.add(row)
        }
    }

    /// The row of a word, which is made if there is none.
    private mutating func row(of word: String) throws -> Int64 {
        if let row = cache[word] { return row }
        let row = try storedRow(of: word) ?? insert(word)
        cache[word] = row
        return row
    }

    private func storedRow(of word: String) throws -> Int64? {
        try db.number("SELECT id FROM word WHERE text = ?") { $0.add(word) }
    }

    private func insert(_ word: String) throws -> Int64 {
        try db.run("INSERT OR FAIL INTO word (text) VALUES (?)") { $0.add(word) }
        return db.lastInsertedRowID
    }

    private static let batchLength = 16

    /// Statements for so many postings; those that are there stay.
    private static let insertions = (0...batchLength).map { count in
        "INSERT OR IGNORE INTO posting (word, kind, record) VALUES \(Insertions.marks(columns: 3, rows: count))"
    }
}

/// The rows of words that a transaction met, so that a common word is looked up once.
private struct WordCache {
    private static let limit = 4096

    private var rows: [String: Int64] = [:]

    subscript(word: String) -> Int64? {
        get { rows[word] }
        set {
            if newValue != nil, rows.count >= Self.limit { rows.removeAll(keepingCapacity: true) }
            rows[word] = newValue
        }
    }
}
