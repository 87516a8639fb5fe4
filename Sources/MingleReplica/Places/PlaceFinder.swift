// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// Finds places in one view of a replica, by what narrows and ranks them.
///
/// Places are ranked whoever sees them, and then gone through from the best on: what the viewer does not see gives way.
struct PlaceFinder {
    /// Places that are looked at where nothing else narrows them: those that came last.
    private static let scanned: Int64 = 50_000
    /// From so many places on, the ratings of all are read in a row.
    private static let manyPlaces = 1000

    let viewer: Viewer
    let categories: ShownCategories
    let query: PlaceQuery
    /// From where distances count; nil: there are none.
    var origin: GridPosition?
    /// Where places are around that; nil: anywhere.
    var circle: GridCircle?
    /// The rectangles in each of which they are.
    var areas: [GridRectangle] = []
    /// The categories in one of each of which they are, encoded.
    var subtrees: [Set<[UInt8]>] = []

    /// One of the places that may be found.
    private struct Candidate {
        let row: Int64
        let tie: Int64
        let metres: Double?
        var fit: Int64 = 0
    }

    /// The best places in an order.
    ///
    /// - Parameters:
    ///   - words: The words that they have; nil: any.
    ///   - isByOwnWords: Whether only their own words count.
    func best(_ words: SearchQuery?, by order: PlaceOrder, isByOwnWords: Bool = false) throws -> [ShownRecord] {
        var fits: [Int64: Int64]?
        if let words {
            let found = try FoundWords(words, viewer.db)
            try found.addSimilar(viewer.db)
            fits = try PlaceWords(viewer: viewer, categories: isByOwnWords ? nil : categories).fits(found.words)
        }
        let candidates = try candidates(fits, words)
        let ratings = needsRatings ? try ratings(of: candidates) : [:]
        let ranked = candidates.filter { passes(ratings[$0.row]) }
            .map { (place: $0, rank: rank($0, ratings[$0.row], by: order)) }
            .sorted { $0.rank < $1.rank }
        return try seen(ranked.map(\.place))
    }

    private func rank(_ place: Candidate, _ rating: PlaceRating?, by order: PlaceOrder) -> PlaceRank {
        PlaceRank(
            fit: order == .fit ? place.fit : 0,
            metres: place.metres,
            rating: origin == nil ? rating ?? PlaceRating() : PlaceRating(),
            tie: place.tie
        )
    }

    // MARK: - Candidates

    /// The places that are where they have to be, in the right categories, and open.
    private func candidates(_ fits: [Int64: Int64]?, _ words: SearchQuery?) throws -> [Candidate] {
        let favourites = try favourites()
        var candidates: [Candidate] = []
        let sources = try sources(fits)
        for (condition, numbers, rows) in sources {
            let sql = "SELECT id, tie, latitude, longitude, categories, hours, name FROM place \(condition)"
            candidates += try viewer.db.all(sql) { binder in
                for number in numbers { binder.add(number) }
                if let rows { binder.add(rows) }
            } read: { columns in
                guard favourites?.contains(columns.integer(0)) ?? true, isInside(columns), isOpen(columns) else {
                    return nil
                }
                return candidate(columns, fits, words)
            }.compactMap(\.self)
        }
        return candidates
    }

    /// Which rows are read: those with the words, those in the cells of the grid, or all.
    private func sources(_ fits: [Int64: Int64]?) throws -> [(condition: String, numbers: [Int64], rows: String?)] {
        if let fits { return [("WHERE id IN (SELECT value FROM json_each(?))", [], RecordList.json(fits.keys))] }
        let ranges =
            circle.map { GridCell.ranges(within: $0) } ?? areas.first.map { GridCell.ranges(within: $0) }
        guard let ranges else { return [("ORDER BY id DESC LIMIT ?", [Self.scanned], nil)] }
        let condition = "WHERE latitude IS NOT NULL AND \(Schema.cell) BETWEEN ? AND ?"
        return ranges.map { (condition, [$0.lowerBound, $0.upperBound], nil) }
    }

    private func candidate(_ columns: Columns, _ fits: [Int64: Int64]?, _ words: SearchQuery?) -> Candidate {
        let row = columns.integer(0)
        let metres = origin.flatMap { origin in position(columns).map { origin.metres(to: $0) } }
        var candidate = Candidate(row: row, tie: columns.integer(1), metres: metres)
        guard let words, let fit = fits?[row] else { return candidate }
        candidate.fit = fit
        // Where a word has an error, no name begins with all of them.
        guard fit >= 2 * words.words.count else { return candidate }
        let name = FoldedWords.words(of: columns.bytes(6).map { String(decoding: $0, as: UTF8.self) } ?? "")
        candidate.fit = PlaceRank.fit(fit, name: name, query: words.words)
        return candidate
    }

    private func position(_ columns: Columns) -> GridPosition? {
        guard !columns.isNull(2), !columns.isNull(3) else { return nil }
        return GridPosition(latitude: columns.integer(2), longitude: columns.integer(3))
    }

    private func isInside(_ columns: Columns) -> Bool {
        if circle != nil || !areas.isEmpty {
            guard let position = position(columns), circle?.contains(position) ?? true,
                areas.allSatisfy({ $0.contains(position) })
            else { return false }
        }
        guard !subtrees.isEmpty else { return true }
        let named = ShownCategories.encoded(in: columns.bytes(4))
        return subtrees.allSatisfy { subtree in named.contains(where: subtree.contains) }
    }

    private func isOpen(_ columns: Columns) -> Bool {
        guard let opening = query.opening else { return true }
        let hours = columns.bytes(5).flatMap { OpeningHours(bytes: $0) }
        return hours?.isOpen(at: opening.time, in: opening.zone) ?? false
    }

    /// The rows of the viewer's favourites; nil where they need not be.
    private func favourites() throws -> Set<Int64>? {
        guard query.isFavourite else { return nil }
        let rows = try viewer.rows("SELECT target FROM \(viewer.seen(.favourite)) AS mine WHERE author = :me", [])
        return Set(rows.map { $0["target"] })
    }

    // MARK: - Ratings

    /// Whether anything follows from what people say: where distances are known, only filters ask for that.
    private var needsRatings: Bool {
        query.hasRatings && (origin == nil || query.leastRating != nil || query.highestPrice != nil)
    }

    /// What people say of places, as counts are kept of it.
    private func ratings(of candidates: [Candidate]) throws -> [Int64: PlaceRating] {
        let isNarrow = candidates.count < Self.manyPlaces
        let condition = isNarrow ? "AND target IN (SELECT value FROM json_each(?))" : ""
        let sql = "SELECT target, part, count FROM tally WHERE kind = ? AND count > 0 \(condition)"
        var ratings: [Int64: PlaceRating] = [:]
        _ = try viewer.db.all(sql) {
            $0.add(Int64(Kind.rating.number))
            if isNarrow { $0.add(RecordList.json(candidates.map(\.row))) }
        } read: { columns in
            let (overall, price) = columns.integer(1).quotientAndRemainder(dividingBy: Schema.Tallied.radix)
            ratings[columns.integer(0), default: PlaceRating()]
                .add(columns.integer(2), overall: overall, price: price > 0 ? price : nil)
        }
        return ratings
    }

    private func passes(_ rating: PlaceRating?) -> Bool {
        if let least = query.leastRating, rating?.isAtLeast(thousandths: least) != true { return false }
        guard let highest = query.highestPrice else { return true }
        return rating?.priceLevel.map { $0 <= highest } ?? false
    }

    // MARK: - What the viewer sees

    private func seen(_ ranked: [Candidate]) throws -> [ShownRecord] {
        let limit = min(max(query.limit, 1), PlaceQuery.limit)
        let list = try RecordList(kind: .place, query: RecordQuery(), viewer: viewer)
        var found: [ShownRecord] = []
        for start in stride(from: 0, to: ranked.count, by: limit) where found.count < limit {
            let part = ranked[start..<min(start + limit, ranked.count)]
            let rows = Dictionary(try list.seen(part.map(\.row)).map { ($0["id"] as Int64, $0) }) { first, _ in first }
            for place in part {
                guard let row = rows[place.row] else { continue }
                found.append(try viewer.record(row, of: .place, metres: place.metres))
            }
        }
        return Array(found.prefix(limit))
    }
}
