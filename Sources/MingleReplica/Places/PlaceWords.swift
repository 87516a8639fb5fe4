// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// Finds the places that have all words of a query: in what they say, in their owners' pages, and in their categories.
struct PlaceWords {
    /// Postings that are read for a word at most.
    private static let reading = 100_000

    let viewer: Viewer
    /// The categories by which places are found; nil: places are found by their own words alone.
    let categories: ShownCategories?

    /// How well places fit some words, summed over them, by row; whoever sees them.
    func fits(_ words: [WordMatches]) throws -> [Int64: Int64] {
        guard let first = words.first else { return [:] }
        return try words.dropFirst().reduce(into: try fits(first)) { sums, word in
            guard !sums.isEmpty else { return }
            let fits = try fits(word)
            sums = sums.reduce(into: [:]) { both, sum in both[sum.key] = fits[sum.key].map { $0 + sum.value } }
        }
    }

    private func fits(_ word: WordMatches) throws -> [Int64: Int64] {
        var fits: [Int64: Int64] = [:]
        try note(try records(with: word, of: .place), in: &fits)
        guard let categories else { return fits }
        try note(pages(try records(with: word, of: .placePage)), in: &fits)
        try note(try places(in: try records(with: word, of: .category), categories), in: &fits)
        return fits
    }

    /// Keeps the best fit of each.
    private func note(_ found: [(row: Int64, fit: Int64)], in fits: inout [Int64: Int64]) throws {
        for (row, fit) in found { fits[row] = max(fit, fits[row] ?? 0) }
    }

    /// The records of a kind that have a word, the newest first of each way to write it.
    private func records(with word: WordMatches, of kind: Kind) throws -> [(row: Int64, fit: Int64)] {
        var found: [(row: Int64, fit: Int64)] = []
        for (row, fit) in word.rows.sorted(by: { $0.fit > $1.fit }) where found.count < Self.reading {
            let sql = "SELECT record FROM posting WHERE word = ? AND kind = ? ORDER BY record DESC LIMIT ?"
            found += try viewer.db.all(sql) {
                $0.add(row)
                $0.add(Int64(kind.number))
                $0.add(Int64(Self.reading - found.count))
            } read: {
                (row: $0.integer(0), fit: Int64(fit.rawValue))
            }
        }
        return found
    }

    /// The places of pages that the viewer sees.
    private func pages(_ found: [(row: Int64, fit: Int64)]) throws -> [(row: Int64, fit: Int64)] {
        guard !found.isEmpty else { return [] }
        let fits = Dictionary(found, uniquingKeysWith: max)
        let sql = """
            SELECT id, target FROM \(viewer.seen(.placePage)) AS record
            WHERE id IN (SELECT value FROM json_each(?)) AND \(Viewer.isHeard("record.author"))
            """
        return try viewer.rows(sql, [RecordList.json(fits.keys)]).map { ($0["target"], fits[$0["id"]] ?? 0) }
    }

    /// The places in categories, and in those below them.
    private func places(
        in found: [(row: Int64, fit: Int64)],
        _ categories: ShownCategories
    ) throws -> [(row: Int64, fit: Int64)] {
        var fits: [[UInt8]: Int64] = [:]
        for (row, fit) in found {
            guard let category = categories[row: row] else { continue }
            for below in categories.subtree(of: category.id) { fits[below] = max(fit, fits[below] ?? 0) }
        }
        guard !fits.isEmpty else { return [] }
        return try viewer.db.all("SELECT id, categories FROM place WHERE categories IS NOT NULL") { _ in
        } read: { columns in
            let best = ShownCategories.encoded(in: columns.bytes(1)).compactMap { fits[$0] }.max()
            return best.map { (row: columns.integer(0), fit: $0) }
        }.compactMap(\.self)
    }
}
