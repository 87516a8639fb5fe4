// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// Somebody whom a search by name found.
package struct FoundPerson: Hashable, Sendable {
    /// The person.
    package var person: ShownPerson
    /// Moments that this person and the viewer made, joined or are invited to, up to ``Replica/profileLimit``.
    package var commonMoments: Int
}

extension Replica {
    /// People who take part or have left, by words of their names: those whose name fits best, then the latest named.
    ///
    /// - Parameters:
    ///   - words: What they are called; see ``SearchQuery``.
    ///   - limit: How many at most, up to ``RecordQuery/searchLimit``.
    ///   - hasMoments: Whether common moments are counted.
    package func people(called words: String, limit: Int, hasMoments: Bool = true) throws -> [FoundPerson] {
        try view { viewer in
            let found = try FoundWords(SearchQuery(words), viewer.db)
            return try viewer.people(called: found, limit: limit, hasMoments: hasMoments)
        }
    }

    /// People by their names as ``people(called:limit:hasMoments:)``, and records of some kinds by their words, of each
    /// the best.
    ///
    /// The words are looked up once for all.
    package func search(
        _ words: String,
        for kinds: [Kind],
        limit: Int,
        hasMoments: Bool = true
    ) throws -> (people: [FoundPerson], records: [String: [ShownRecord]]) {
        try view { viewer in
            let found = try FoundWords(SearchQuery(words), viewer.db)
            var query = RecordQuery()
            query.limit = limit
            let records = try kinds.map { kind in
                (kind.name, try RecordList(kind: kind, query: query, viewer: viewer).best(found))
            }
            return (
                try viewer.people(called: found, limit: limit, hasMoments: hasMoments),
                Dictionary(records) { first, _ in first }
            )
        }
    }
}

extension Viewer {
    fileprivate func people(called words: FoundWords, limit: Int, hasMoments: Bool) throws -> [FoundPerson] {
        try people(called: words, limit: min(max(limit, 1), RecordQuery.searchLimit)).map { row in
            let person = try person(row)
            let common = hasMoments ? try count(moments(.common), arguments(.common, row, person.id)) : 0
            return FoundPerson(person: person, commonMoments: common)
        }
    }

    /// The rows of people by words of their names.
    private func people(called words: FoundWords, limit: Int) throws -> [Int64] {
        let candidates = try Search.candidates(for: words, of: [Kind.profile.number], db)
        let scores = Dictionary(candidates.map { ($0.record, $0.score) }) { first, _ in first }
        let found = try rows(
            """
            SELECT profile.id, person.id AS person, shown_at, tie FROM \(seen(.profile)) AS profile
                JOIN person ON person.id = profile.author
            WHERE profile.id IN (SELECT value FROM json_each(?)) AND profile.target = \(TargetColumn.nothing)
                AND (person.level < \(Level.relay.rawValue) OR person.level IS NULL
                    AND NOT EXISTS (\(Replica.removal)) AND EXISTS (\(Replica.leaving)))
            """,
            ["[\(candidates.map { "\($0.record)" }.joined(separator: ","))]"]
        )
        let ranked = found.map { row in
            let place = Cursor(at: row["shown_at"], tie: row["tie"])
            return (person: row["person"] as Int64, score: scores[row["id"]] ?? 0, place: place)
        }
        return ranked.sorted { ($0.score, $0.place) > ($1.score, $1.place) }.prefix(limit).map(\.person)
    }
}
