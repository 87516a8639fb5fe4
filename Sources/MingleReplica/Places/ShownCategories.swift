// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// The categories of an event as its viewer finds places by them.
struct ShownCategories {
    /// Categories that count: the latest shown.
    static let limit = 1000

    /// One of them.
    struct Category {
        let row: Int64
        let id: Reference
        let tie: Int64
        /// The words of name, singular and short form, and each synonym by itself, the weightiest first.
        let called: [String]
    }

    let all: [Category]
    private(set) var tree = CategoryTree([:], among: []) { $0[0] }
    private let parents: [Reference: Reference]
    private let places: [Reference: Int]
    private let placesByRow: [Int64: Int]

    /// Reads what a viewer sees, without the tree: what is hidden counts for nobody.
    fileprivate init(_ viewer: Viewer) throws {
        let rows = try viewer.rows(
            """
            SELECT id, name, singular, short, synonyms, parent, tie FROM visible_category AS record
            WHERE \(Viewer.isHeard("record.author")) ORDER BY shown_at DESC, tie DESC LIMIT \(Self.limit)
            """,
            []
        )
        var parents: [Reference: Reference] = [:]
        let all = try rows.map { row in
            let id = try viewer.names.reference(row["id"])
            parents[id] = (row["parent"] as Data?).flatMap { Reference(bytes: [UInt8]($0)) }
            let names = ["name", "singular", "short"].map { FoldedWords.name(row[$0] ?? "") }
            let synonyms = FoldedWords.words(of: row["synonyms"] ?? "")
            return Category(row: row["id"], id: id, tie: row["tie"], called: names + synonyms)
        }
        places = Dictionary(all.indices.map { (all[$0].id, $0) }) { first, _ in first }
        placesByRow = Dictionary(all.indices.map { (all[$0].row, $0) }) { first, _ in first }
        (self.all, self.parents) = (all, parents)
    }

    fileprivate mutating func makeTree(last: (_ loop: [Reference]) throws -> Reference) rethrows {
        tree = try CategoryTree(parents, among: Set(places.keys), last: last)
    }

    /// The category of an id; nil where it is not shown.
    subscript(id: Reference) -> Category? { places[id].map { all[$0] } }

    /// The category in a row; nil where it is not shown.
    subscript(row row: Int64) -> Category? { placesByRow[row].map { all[$0] } }

    /// The category that is called just so: by its name rather than another word, then the one with the higher tie.
    func called(_ text: String) -> Category? {
        let name = FoldedWords.name(text)
        guard !name.isEmpty else { return nil }
        let found = all.compactMap { category in
            category.called.firstIndex(of: name).map { (category: category, rank: $0) }
        }
        return found.min { ($0.rank, $1.category.tie) < ($1.rank, $0.category.tie) }?.category
    }

    /// A category and all below it, encoded; nothing where it is not shown.
    func subtree(of category: Reference) -> Set<[UInt8]> {
        self[category] == nil ? [] : Set(tree.subtree(of: category).map(\.bytes))
    }

    /// The categories in a column of a place, encoded: to read those of thousands of places takes too long.
    static func encoded(in column: [UInt8]?) -> [[UInt8]] {
        guard let column, column.count > Reference.encodedLength else { return column.map { [$0] } ?? [] }
        return stride(from: 0, to: column.count, by: Reference.encodedLength).map { start in
            Array(column[start..<min(start + Reference.encodedLength, column.count)])
        }
    }
}

extension Replica {
    /// The categories that the viewer sees, with their tree.
    func shownCategories() throws -> ShownCategories {
        var categories = try view { try ShownCategories($0) }
        // Not within the view: what was said is read where writing is.
        try categories.makeTree(last: lastToNameParent)
        return categories
    }

    /// The category of a loop that named its parent last: by its author's clock, then by the delta's hash.
    private func lastToNameParent(_ loop: [Reference]) throws -> Reference {
        let said = try look { transaction in
            try loop.map { id in
                let row = try Names(transaction.db).row(of: id)
                return (id: id, said: try row.flatMap(transaction.parentSaid))
            }
        }
        let last = said.max { left, right in
            guard let left = left.said, let right = right.said else { return left.said == nil && right.said != nil }
            return left < right
        }
        // A loop has one category at least.
        return last?.id ?? loop[0]
    }
}

extension Transaction {
    /// When a category was last given the parent that it has.
    fileprivate func parentSaid(_ row: Int64) throws -> (Timestamp, HeaderHash)? {
        guard let field = Kind.category.field(named: "parent"),
            let shown = try self.row("SELECT parent FROM category WHERE id = ?", [row])?["parent"] as Data?
        else { return nil }
        let value = Value.data([UInt8](shown))
        return try contributions(to: row, of: .category)
            .filter { field.value(in: $0.changes) == value }
            .map { ($0.timestamp, $0.hash) }
            .max { $0 < $1 }
    }
}
