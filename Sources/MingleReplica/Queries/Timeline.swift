// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// Pages of records in the order in which this node shows them, newest first: see ``ShownAt``.
struct Timeline {
    struct Entry {
        let kind: Kind
        let row: Int64
        let author: Int64
        let target: Int64
        let place: Cursor
    }

    let viewer: Viewer
    /// The rows on which records hang that are listed; nil: on whatever.
    var targets: [Int64]?

    /// One page of the records of some kinds that the viewer sees.
    func page(of kinds: [Kind], target: Int64?, before: Cursor?, limit: Int) throws -> Page<Entry> {
        var entries: [Entry] = []
        for kind in kinds { entries += try newest(kind, target: target, before: before ?? .end, limit: limit + 1) }
        entries.sort { $0.place > $1.place }
        guard entries.count > limit else { return Page(items: entries) }
        return Page(items: Array(entries.prefix(limit)), next: entries[limit - 1].place)
    }

    /// That a record hangs on a target, or on an earlier moment that this one continues.
    private func condition(_ target: Int64?) throws -> String {
        guard let target else { return "" }
        let ancestors = "SELECT ancestor FROM lineage WHERE moment = :target"
        // Few moments continue another, and the plain look-up finds records in the order of time.
        let isContinuing = try !viewer.rows("SELECT 1 FROM lineage WHERE moment = ?", [target]).isEmpty
        return " AND target \(isContinuing ? "IN (\(ancestors))" : "= :target")"
    }

    /// That a post is by nobody whom the viewer muted, nor, in the news, said of what such a person shared.
    ///
    /// A photo is its author's own work, on whose moment it may hang.
    private func heard(_ kind: Kind, _ target: Int64?) -> String {
        var post = " AND \(Viewer.isHeard("post.author"))"
        if targets != nil { return "\(post) AND target IN (SELECT value FROM json_each(:targets))" }
        // Of what is rated the news tell of places only.
        if target == nil, kind == .rating {
            let above = "(\(Viewer.mutesNobody) OR \(Viewer.isHeard("post.target", of: .place)))"
            return "\(post) AND target_kind = \(Kind.place.number) AND \(above)"
        }
        // The news tell of photos and moments only; of what was deleted nobody may know what it was.
        if target == nil, kind == .comment {
            post += " AND target_kind IN (\(TargetColumn.noKind), \(Kind.photo.number), \(Kind.moment.number))"
        }
        guard target == nil, [.comment, .checkIn].contains(kind) else { return post }
        let onMoment = Viewer.isHeard(underMoment: "post.target")
        let above = kind == .comment ? "\(Viewer.isHeard("post.target", of: .photo)) AND \(onMoment)" : onMoment
        return "\(post) AND (\(Viewer.mutesNobody) OR \(above))"
    }

    /// The newest records of a kind that the viewer sees.
    func newest(_ kind: Kind, target: Int64?, before start: Cursor, limit: Int) throws -> [Entry] {
        let targets = (targets ?? []).map(String.init).joined(separator: ",")
        let rows = try viewer.rows(
            """
            SELECT id, author, target, shown_at, tie FROM \(viewer.seen(kind)) AS post
            WHERE (shown_at, tie) < (:at, :tie)\(try condition(target))\(heard(kind, target))
            ORDER BY shown_at DESC, tie DESC LIMIT :limit
            """,
            ["at": start.at, "tie": start.tie, "limit": limit, "target": target, "targets": "[\(targets)]"]
        )
        return rows.map { row in
            Entry(
                kind: kind,
                row: row["id"],
                author: row["author"],
                target: row["target"],
                place: Cursor(at: row["shown_at"], tie: row["tie"])
            )
        }
    }
}

extension Page {
    init(items: [Item]) { self.init(items: items, next: nil) }

    /// The page of rows of which one more than `limit` was asked for.
    ///
    /// - Parameter time: The column that is the cursor's first part; its second one is `tie`.
    init(of rows: [Row], limit: Int, by time: String, _ item: (Row) throws -> Item?) rethrows {
        let items = try rows.prefix(limit).compactMap(item)
        let last = rows.count > limit ? rows[limit - 1] : nil
        self.init(items: items, next: last.map { Cursor(at: $0[time], tie: $0["tie"]) })
    }

    /// The page with every item replaced.
    func map<Other>(_ body: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(body), next: next)
    }
}
