// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// How well a stored word fits a word that somebody looks for.
enum WordFit: Int, Comparable, CaseIterable {
    /// It, or its beginning, has one error.
    case similar = 1
    /// It begins like that.
    case begins = 2
    /// It is the word.
    case exact = 3

    static func < (left: WordFit, right: WordFit) -> Bool { left.rawValue < right.rawValue }
}

/// The stored words that a query word finds.
struct WordMatches {
    /// Words of one fit that are tried at most.
    ///
    /// Of more, those that were stored first are tried: common words come early.
    private static let limit = 256
    /// Words of which those are chosen at most.
    private static let choice = 4096

    /// The rows of words, and how they fit.
    private(set) var rows: [(word: Int64, fit: WordFit)] = []
    private let word: String

    /// Finds a word, and those that begin like it.
    init(_ word: String, _ db: Database) throws {
        self.word = word
        let exact = try db.number("SELECT id FROM word WHERE text = ?") { $0.add(word) }
        if let exact { rows.append((exact, .exact)) }
        for row in try Self.rows(beginning: word, db) where row != exact { rows.append((row, .begins)) }
    }

    /// Adds words with an error, those with one near the end first.
    ///
    /// - Parameter lookups: look-ups in the list of words at most.
    mutating func addSimilar(lookups: Int, _ db: Database) throws {
        // A tag with an error is another one, and without its sign it is a word.
        guard word.first != "#", let patterns = OneErrorPatterns(of: word) else { return }
        var search = SimilarWords(lookupsLeft: lookups, known: Set(rows.map(\.word)))
        for prefix in patterns.prefixes { try search.add(beginning: prefix, db) }
        for gap in patterns.gaps { try search.add(gap, db) }
        rows += search.found.sorted().prefix(Self.limit).map { ($0, .similar) }
    }

    /// What follows all words that begin so: a code point that is in no text.
    fileprivate static func end(of prefix: String) -> String { prefix + "\u{10ffff}" }

    fileprivate static func rows(beginning prefix: String, _ db: Database) throws -> [Int64] {
        let sql = """
            SELECT id FROM (SELECT id FROM word WHERE text >= ? AND text < ? ORDER BY text LIMIT \(choice))
            ORDER BY id LIMIT \(limit)
            """
        return try db.all(sql) {
            $0.add(prefix)
            $0.add(end(of: prefix))
        } read: {
            $0.integer(0)
        }
    }
}

/// The stored words that all words of a query find, looked up once for several kinds.
final class FoundWords {
    /// Look-ups of words with an error at most; one takes some microseconds, and a word of an alphabet some hundreds.
    private static let lookups = 4000

    private(set) var words: [WordMatches]
    private var hasSimilar = false

    /// Finds the words, and those that begin like them.
    init(_ query: SearchQuery, _ db: Database) throws { words = try query.words.map { try WordMatches($0, db) } }

    /// Adds words with an error, once.
    func addSimilar(_ db: Database) throws {
        guard !hasSimilar else { return }
        hasSimilar = true
        for index in words.indices { try words[index].addSimilar(lookups: Self.lookups / words.count, db) }
    }
}

/// Collects the words that fit patterns of a query word.
private struct SimilarWords {
    var lookupsLeft: Int
    /// Words that fit without an error.
    let known: Set<Int64>
    private(set) var found: Set<Int64> = []

    init(lookupsLeft: Int, known: Set<Int64>) { (self.lookupsLeft, self.known) = (lookupsLeft, known) }

    mutating func add(beginning prefix: String, _ db: Database) throws {
        lookupsLeft -= 1
        for row in try WordMatches.rows(beginning: prefix, db) where !known.contains(row) { found.insert(row) }
    }

    /// Goes from one character that follows the head to the next that does, past all words between.
    mutating func add(_ gap: OneErrorPatterns.Gap, _ db: Database) throws {
        var next: Unicode.Scalar? = "0"
        while let start = next, lookupsLeft > 0 {
            lookupsLeft -= 1
            guard let word = try firstWord(from: gap.head + String(start), before: WordMatches.end(of: gap.head), db),
                let character = word.unicodeScalars.dropFirst(gap.head.unicodeScalars.count).first
            else { return }
            for tail in gap.tails { try add(beginning: gap.head + String(character) + tail, db) }
            next = character.nextOfAlphabets
        }
    }

    private func firstWord(from start: String, before end: String, _ db: Database) throws -> String? {
        let sql = "SELECT text FROM word WHERE text >= ? AND text < ? ORDER BY text LIMIT 1"
        return try db.first(sql) {
            $0.add(start)
            $0.add(end)
        } read: {
            $0.bytes(0).map { String(decoding: $0, as: UTF8.self) }
        } ?? nil
    }
}
