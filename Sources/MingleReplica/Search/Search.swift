// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// Finds records by words.
///
/// Records that have all words exactly come first, then those where words begin like that, then those with an error in
/// a word. Each time the newest come first. So a search that meets a limit leaves out what fits worst, then what is
/// oldest.
struct Search {
    /// A record that may be shown.
    struct Candidate: Equatable {
        /// The number of its kind.
        let kind: UInt32
        /// Its row.
        let record: Int64
        /// How well it fits, summed over the words: 3 for a word, 2 for its beginning, 1 with an error.
        let score: Int
    }

    /// Candidates of a query at most.
    static let limit = 2000
    /// Postings that are read at most for each way to fit: so many to begin the lists of all words, and so many for
    /// what they have in common.
    private static let reading = 30_000

    private let db: Database
    private let kinds: [UInt32]
    private var candidates: [Candidate] = []
    private var seen: Set<Candidate.Key> = []

    /// The records of some kinds that have all words of a query, whoever may read them.
    ///
    /// - Returns: at most ``limit`` candidates: the highest score first, then the newest row.
    static func candidates(for query: SearchQuery, of kinds: Set<UInt32>, _ db: Database) throws -> [Candidate] {
        try candidates(for: FoundWords(query, db), of: kinds, db)
    }

    /// The same by words that were looked up.
    static func candidates(for found: FoundWords, of kinds: Set<UInt32>, _ db: Database) throws -> [Candidate] {
        var search = Search(db: db, kinds: kinds.sorted())
        for fit in WordFit.allCases.reversed() where search.candidates.count < limit {
            if fit == .similar { try found.addSimilar(db) }
            try search.add(found.words, fitting: fit)
        }
        return search.candidates.sorted { ($0.score, $0.record, $0.kind) > ($1.score, $1.record, $1.kind) }
    }

    private init(db: Database, kinds: [UInt32]) { (self.db, self.kinds) = (db, kinds) }

    /// Adds records in which each word fits so or better.
    private mutating func add(_ words: [WordMatches], fitting fit: WordFit) throws {
        let rows = words.map { $0.rows.filter { $0.fit >= fit } }
        guard !rows.isEmpty, !rows.contains(where: \.isEmpty) else { return }
        var unions: [PostingUnion] = []
        for rows in rows {
            var beginning = ReadingAllowance(Self.reading / words.count)
            unions.append(try PostingUnion(of: rows, kinds: kinds, db, &beginning))
        }
        var allowance = ReadingAllowance(Self.reading)
        // All go on to the oldest of their newest records: the rarest word sets the pace.
        while candidates.count < Self.limit, !allowance.isUsedUp, let record = Self.meeting(of: unions) {
            for index in unions.indices { try unions[index].move(to: record, db, &allowance) }
            guard unions.allSatisfy({ $0.newest == record }) else { continue }
            note(record, unions.map { $0.matches(record) })
            for index in unions.indices { try unions[index].move(to: record - 1, db, &allowance) }
        }
    }

    /// The newest record that can be in all; nil if one of them is at its end.
    private static func meeting(of unions: [PostingUnion]) -> Int64? {
        var record = Int64.max
        for union in unions {
            guard let newest = union.newest else { return nil }
            record = min(record, newest)
        }
        return record
    }

    /// Takes a record that has all words, if it has them as one of its kinds.
    private mutating func note(_ record: Int64, _ matches: [[PostingUnion.Match]]) {
        for kind in Set(matches[0].map(\.kind)) {
            let fits = matches.compactMap { matches in matches.filter { $0.kind == kind }.map(\.fit).max() }
            guard fits.count == matches.count, seen.insert(Candidate.Key(kind: kind, record: record)).inserted
            else { continue }
            candidates.append(Candidate(kind: kind, record: record, score: fits.map(\.rawValue).reduce(0, +)))
        }
    }
}

extension Search.Candidate {
    /// Which record it is.
    fileprivate struct Key: Hashable {
        let kind: UInt32
        let record: Int64
    }
}
