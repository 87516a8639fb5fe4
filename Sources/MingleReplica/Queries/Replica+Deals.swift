// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Which deals are listed; everything that is said holds of each.
package struct DealQuery: Sendable {
    /// Deals of a list at most: it has no further page.
    package static let limit = 500
    /// Deals that are looked at for those near something at most.
    static let candidates = 20_000

    /// Where they stand in time; nil: anywhere, of one's own and those that one used.
    package var state: DealState? = .active
    /// The place that offers them.
    package var place: Reference?
    /// Where that place is.
    package var circle: GridCircle?
    /// Words that they have.
    package var words: String?
    /// Only of places that are the viewer's favourites.
    package var isOfFavourites = false
    /// Only the viewer's own.
    package var isOwn = false
    /// Only those that the viewer used.
    package var isUsed = false
    /// How many at most.
    package var limit = 50

    /// All that can be used now.
    package init() {}
}

/// A deal with what became of it, as the viewer sees it.
package struct ShownDeal: Sendable {
    package var record: ShownRecord
    /// The place that offers it.
    package var place: ShownRecord
    /// When the viewer used it, in milliseconds since 1970; nil: not yet.
    package var used: Int64?
    /// When the venue confirmed that, in milliseconds since 1970; nil: not yet.
    package var confirmed: Int64?
    /// How many people may still use it, as far as uses are confirmed; nil: any number.
    package var left: Int64?
}

extension Replica {
    /// Deals at a time, those that end first standing first; what has not begun is shown to its author alone.
    package func deals(_ query: DealQuery, at now: Int64) throws -> [ShownDeal] {
        try view { viewer in try viewer.deals(query, at: now) }
    }

    /// One deal, with what became of it.
    ///
    /// - Throws: `ReplicaError.notFound` if there is none, or it has not begun and is somebody else's.
    package func deal(_ reference: Reference) throws -> ShownDeal {
        try view { viewer in
            let sql = "SELECT * FROM \(viewer.seen(.deal)) AS deal WHERE id = ?"
            guard let row = try viewer.rows(sql, [viewer.row(of: reference)]).first,
                let deal = try viewer.deal(row, near: nil)
            else { throw ReplicaError.notFound(reference.description) }
            return deal
        }
    }
}

extension Viewer {
    fileprivate func deals(_ query: DealQuery, at now: Int64) throws -> [ShownDeal] {
        var conditions = [Self.isHeard("author")]
        var arguments: [String: (any DatabaseValueConvertible)?] = ["now": now, "me": me]
        switch query.state {
        case .future: conditions.append("start > :now")
        case .active: conditions.append("start <= :now AND \"end\" > :now")
        case .ended: conditions.append("\"end\" <= :now")
        case nil: break
        }
        if query.isOwn { conditions.append("author = :me") }
        if query.isUsed {
            conditions.append("EXISTS (SELECT 1 FROM deal_use AS use WHERE use.target = deal.id AND use.author = :me)")
        }
        if query.isOfFavourites {
            conditions.append(
                """
                EXISTS (
                    SELECT 1 FROM favourite
                    WHERE favourite.target = deal.target AND favourite.author = :me AND favourite."on" = 1
                )
                """
            )
        }
        if let place = query.place {
            conditions.append("target = :place")
            arguments["place"] = try row(of: place)
        }
        if let words = query.words {
            let found = try Search.candidates(for: SearchQuery(words), of: [Kind.deal.number], db).map(\.record)
            conditions.append("id IN (SELECT value FROM json_each(:found))")
            arguments["found"] = "[\(found.map(String.init).joined(separator: ","))]"
        }
        let sql = """
            SELECT * FROM \(seen(.deal)) AS deal WHERE \(conditions.joined(separator: " AND "))
            ORDER BY "end", tie LIMIT \(query.circle == nil ? DealQuery.limit : DealQuery.candidates)
            """
        let rows = try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        let deals = try rows.lazy.compactMap { try deal($0, near: query.circle) }
        return Array(deals.prefix(min(max(query.limit, 1), DealQuery.limit)))
    }

    /// A deal by its row; nil where its place is out of sight or outside of a circle.
    fileprivate func deal(_ row: Row, near circle: GridCircle?) throws -> ShownDeal? {
        let (id, target): (Int64, Int64) = (row["id"], row["target"])
        let sql = "SELECT * FROM \(seen(.place)) AS place WHERE id = ?"
        guard let found = try rows(sql, [target]).first else { return nil }
        var metres: Double?
        if let circle {
            guard let position = GridPosition(latitude: found["latitude"], longitude: found["longitude"]),
                circle.contains(position)
            else { return nil }
            metres = circle.center.metres(to: position)
        }
        let uses = """
            SELECT (SELECT made FROM deal_use WHERE target = :deal AND author = :me) AS used,
                (SELECT min(made) FROM visible_deal_confirmation WHERE target = :deal AND subject = :me) AS confirmed,
                (SELECT count(*) FROM visible_deal_confirmation WHERE target = :deal) AS count
            """
        let became = try Row.fetchOne(
            try db.cachedStatement(sql: uses),
            arguments: ["deal": id, "me": me]
        )
        let count: Int64 = became?["count"] ?? 0
        return ShownDeal(
            record: try record(row, of: .deal, metres: metres),
            place: try record(found, of: .place),
            used: became?["used"],
            confirmed: became?["confirmed"],
            left: (row["quantity"] as Int64?).map { max($0 - count, 0) }
        )
    }
}
