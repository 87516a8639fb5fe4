// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import TestSupport
import Testing

@testable import MingleReplica

/// The tables of words, and what is found in them.
struct SearchTableTests {
    private func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: Schema.search) }
        return queue
    }

    /// Words with the kind and the row of each record that has them.
    private func postings(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: "SELECT text || ' ' || kind || ' ' || record FROM posting JOIN word ON id = word ORDER BY text, record"
        )
    }

    private func found(_ text: String, of kinds: Set<UInt32> = [1, 2], _ db: Database) throws -> [Search.Candidate] {
        try Search.candidates(for: SearchQuery(text), of: kinds, db)
    }

    @Test func `a word goes with its last record`() throws {
        try database().write { db in
            var index = WordIndex(db)
            try index.update(1, of: 1, from: [], to: ["coffee", "bar"])
            try index.update(2, of: 2, from: [], to: ["coffee"])
            try index.update(1, of: 1, from: ["coffee", "bar"], to: ["bar", "tea"])
            #expect(try postings(db) == ["bar 1 1", "coffee 2 2", "tea 1 1"])
            // Again with another index, and with words that are there.
            index = WordIndex(db)
            try index.update(2, of: 2, from: ["coffee"], to: [])
            try index.update(2, of: 2, from: [], to: ["coffee", "bar"])
            try index.update(2, of: 2, from: ["coffee", "bar"], to: [])
            try index.update(1, of: 1, from: ["bar", "tea"], to: [])
            for table in ["word", "posting"] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0)
            }
        }
    }

    @Test func `nothing of a deleted word stays in the file`() throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: Replica.settings) }
        let queue = try DatabaseQueue(path: folder.file("words"), configuration: configuration)
        let secrets = (0..<300).map { "secret\($0)word" }
        try queue.write { db in
            try db.execute(sql: Schema.search)
            var index = WordIndex(db)
            for record in Int64(1)...300 {
                try index.update(record, of: 1, from: [], to: [secrets[Int(record) - 1], "other\(record)", "kept"])
            }
        }
        try queue.write { db in
            var index = WordIndex(db)
            for record in Int64(1)...300 { try index.update(record, of: 1, from: [secrets[Int(record) - 1]], to: []) }
        }
        try queue.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("words")))
        #expect(bytes.range(of: Data("other150".utf8)) != nil)
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
    }

    @Test func `a word, its beginning and one error are found, the best first`() throws {
        try database().write { db in
            var index = WordIndex(db)
            let texts = ["Coffee bar", "Coffees", "Cofee machine", "Coffin", "東京タワー", "🎉 party", "מסיבה"]
            for (record, text) in texts.enumerated() {
                try index.update(Int64(record + 1), of: 1, from: [], to: FoldedWords.words(of: text))
            }
            try index.update(9, of: 2, from: [], to: ["coffee"])
            #expect(try found("coffee", db).map(\.record) == [9, 1, 2, 3])
            #expect(try found("coffee", db).map(\.score) == [3, 3, 2, 1])
            #expect(try found("coffee", of: [2], db) == [Search.Candidate(kind: 2, record: 9, score: 3)])
            #expect(try found("BAR cof", db).map(\.record) == [1])
            #expect(try found("タワ", db).map(\.record) == [5])
            #expect(try found("ー", db).map(\.record) == [5])
            #expect(try found("🎉", db).map(\.record) == [6])
            #expect(try found("מסי", db).map(\.record) == [7])
            for text in ["", "c", "coffee tea", "\u{200b}", "' OR 1", "%"] { #expect(try found(text, db).isEmpty) }
        }
    }

    @Test(arguments: LawSeeds.first(4))
    func `what is found is what comparing with every record finds`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        var records: [Int64: (kind: UInt32, words: [String])] = [:]
        let vocabulary = (0..<60).map { _ in numbers.word(2...7) }
        try database().write { db in
            var index = WordIndex(db)
            for _ in 0..<400 {
                let record = Int64.random(in: 1...150, using: &numbers)
                let old = records[record]
                let kind = old?.kind ?? UInt32.random(in: 1...3, using: &numbers)
                let text = (0..<Int.random(in: 0...6, using: &numbers)).map { _ in numbers.pick(vocabulary) }
                let words = FoldedWords.words(of: text.joined(separator: " "))
                try index.update(record, of: kind, from: old?.words ?? [], to: words)
                records[record] = (kind, words)
            }
            for _ in 0..<25 {
                let text = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
                    numbers.chance(50) ? numbers.pick(vocabulary) : numbers.word(2...6)
                }
                let query = SearchQuery(text.joined(separator: " "))
                let expected = records.filter { [1, 2].contains($0.value.kind) }.compactMap { record, value in
                    score(query, value.words).map { Search.Candidate(kind: value.kind, record: record, score: $0) }
                }
                let sorted = expected.sorted { ($0.score, $0.record) > ($1.score, $1.record) }
                #expect(try Search.candidates(for: query, of: [1, 2], db) == sorted, "\(query.words)")
            }
        }
    }

    /// How well a record fits, worked out the slow way; nil if a word is missing.
    private func score(_ query: SearchQuery, _ words: [String]) -> Int? {
        var score = 0
        for wanted in query.words {
            let fits = words.map { word in
                if word == wanted { return 3 }
                if word.hasPrefix(wanted) { return 2 }
                return wanted.unicodeScalars.count >= 4 && EditDistance.isForgiven(wanted, in: word) ? 1 : 0
            }
            guard let best = fits.max(), best > 0 else { return nil }
            score += best
        }
        return score
    }

    @Test func `of very many records the best and newest are found, and old ones by a rare word`() throws {
        try database().write { db in
            var index = WordIndex(db)
            for record in Int64(1)...6000 {
                let words = record <= 10 ? ["common", "rare\(record)", "art"] : ["common", "w\(record)", "artist"]
                try index.update(record, of: 1, from: [], to: words)
            }
            #expect(try found("common", db).map(\.record) == Array((4001...6000).reversed()))
            #expect(try found("common rare7", db).first?.record == 7)
            #expect(try found("comon w3000", db).first?.record == 3000)
            let best = try found("art", db)
            #expect(best.count == Search.limit)
            #expect(best.prefix(11).map(\.record) == Array((1...10).reversed()) + [6000])
            #expect(try found("w6 w5", db).isEmpty)
        }
    }

    @Test(arguments: LawSeeds.first(3))
    func `SQL gives the number of a position's cell`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        try DatabaseQueue().write { db in
            let cell = GridCell.sql(latitude: "latitude", longitude: "longitude")
            let columns = "latitude INTEGER, longitude INTEGER, cell INTEGER GENERATED ALWAYS AS \(cell) VIRTUAL"
            try db.execute(sql: "CREATE TABLE place (\(columns)) STRICT; CREATE INDEX place_cell ON place (cell)")
            let latitudes = (0..<50).map { _ in Int64.random(in: Position.latitudes, using: &numbers) }
            for latitude in latitudes + [-900_000_000, -1, 0, 899_999_999, 900_000_000] {
                let longitude = numbers.pick(
                    [-1_800_000_000, 0, 1_800_000_000, Int64.random(in: Position.longitudes, using: &numbers)]
                )
                try db.execute(sql: "INSERT INTO place VALUES (?, ?)", arguments: [latitude, longitude])
            }
            for row in try Row.fetchAll(db, sql: "SELECT * FROM place") {
                let position = try #require(GridPosition(latitude: row["latitude"], longitude: row["longitude"]))
                #expect(row["cell"] == GridCell.number(position))
            }
            try db.execute(sql: "INSERT INTO place VALUES (NULL, 1)")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM place WHERE cell IS NULL") == 1)
        }
    }
}
