// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// Pages of records in order of time, newest first.
///
/// A post from the future stands where the last delta before it in its journal that is not from the future stands, so
/// that a wrong clock does not hold the feed hostage (design, "Merging").
struct Timeline {
    struct Entry {
        let kind: Kind
        let row: Int64
        let at: Int64
    }

    /// Posts from the future that are placed one by one; of more, the others come last.
    private static let futureLimit = 1000

    let viewer: Viewer
    let now: Timestamp

    /// One page of the records of some kinds that the viewer sees.
    func page(of kinds: [Kind], target: Int64?, before: Cursor?, limit: Int) throws -> Page<Entry> {
        var entries: [Entry] = []
        for kind in kinds {
            entries += try past(kind, target: target, before: before, limit: limit + 1)
            entries += try future(kind, target: target).filter { before?.isAfter($0) ?? true }
        }
        entries.sort { ($0.at, $0.row) > ($1.at, $1.row) }
        guard entries.count > limit, let last = entries.prefix(limit).last else { return Page(items: entries) }
        return Page(items: Array(entries.prefix(limit)), next: Cursor(at: last.at, row: last.row))
    }

    /// That a record hangs on a target, or on an earlier moment that this one continues.
    private func condition(_ target: Int64?, _ place: Int) throws -> String {
        guard let target else { return "" }
        let ancestors = "SELECT ancestor FROM lineage WHERE moment = ?\(place)"
        // Few moments continue another, and the plain look-up finds records in the order of time.
        let isContinuing = try !viewer.rows("SELECT 1 FROM lineage WHERE moment = ?", [target]).isEmpty
        return " AND target \(isContinuing ? "IN (\(ancestors))" : "= ?\(place)")"
    }

    /// That a post is by nobody whom the viewer muted, nor, in the feed, said of what such a person shared.
    ///
    /// A photo is its author's own work, on whose moment it may hang.
    private func heard(_ kind: Kind, _ target: Int64?) -> String {
        let post = " AND \(Viewer.isHeard("post.author"))"
        guard target == nil, [.comment, .checkIn].contains(kind) else { return post }
        let onMoment = Viewer.isHeard(underMoment: "post.target")
        let above = kind == .comment ? "\(Viewer.isHeard("post.target", of: .photo)) AND \(onMoment)" : onMoment
        return "\(post) AND (\(Viewer.mutesNobody) OR \(above))"
    }

    private func past(_ kind: Kind, target: Int64?, before: Cursor?, limit: Int) throws -> [Entry] {
        let start = before ?? Cursor(at: .max, row: .max)
        let rows = try viewer.rows(
            """
            SELECT id, made FROM \(viewer.seen(kind)) AS post
            WHERE made <= ?1 AND (made, id) < (?2, ?3)\(try condition(target, 5))\(heard(kind, target))
            ORDER BY made DESC, id DESC LIMIT ?4
            """,
            [now.milliseconds, start.at, start.row, limit] + (target.map { [$0] } ?? [])
        )
        return rows.map { Entry(kind: kind, row: $0["id"], at: $0["made"]) }
    }

    private func future(_ kind: Kind, target: Int64?) throws -> [Entry] {
        let rows = try viewer.rows(
            """
            SELECT post.id, branch, sequence FROM \(viewer.seen(kind)) AS post JOIN journal ON journal.id = post.id
            WHERE post.made > ?1\(try condition(target, 3))\(heard(kind, target)) ORDER BY post.made LIMIT ?2
            """,
            [now.milliseconds, Self.futureLimit] + (target.map { [$0] } ?? [])
        )
        var entries: [Entry] = []
        var last: (branch: Int64, honest: HonestDelta)?
        // Newest first in each journal: all posts back to the delta that was found stand with the first of them.
        for row in rows.sorted(by: { ($1["branch"], $1["sequence"]) < ($0["branch"] as Int64, $0["sequence"] as Int64) }
        ) {
            let (branch, sequence): (Int64, Int64) = (row["branch"], row["sequence"])
            if last?.branch != branch || last.map({ sequence <= $0.honest.sequence }) ?? true {
                last = (branch, try honestDelta(before: row["id"]))
            }
            entries.append(Entry(kind: kind, row: row["id"], at: last?.honest.at ?? 0))
        }
        return entries
    }

    private struct HonestDelta {
        var sequence: Int64 = 0
        var at: Int64 = 0
    }

    /// The last delta that comes before a post in its journal and is not from the future.
    private func honestDelta(before row: Int64) throws -> HonestDelta {
        // A stored header holds its time in the eight bytes behind the first.
        let statement = try viewer.db.cachedStatement(
            sql: """
                SELECT earlier.sequence, substr(earlier.header, 2, 8) AS time FROM journal AS post
                JOIN journal AS earlier ON earlier.branch = post.branch AND earlier.sequence < post.sequence
                WHERE post.id = ? AND substr(earlier.header, 2, 8) <= ?
                ORDER BY earlier.sequence DESC LIMIT 1
                """
        )
        guard let found = try Row.fetchOne(statement, arguments: [row, UInt64(now.milliseconds).blob]) else {
            return HonestDelta()
        }
        return HonestDelta(
            sequence: found["sequence"],
            at: Int64(bigEndianAt: 0, of: [UInt8](found["time"] as Data).span)
        )
    }
}

extension Page {
    init(items: [Item]) { self.init(items: items, next: nil) }

    /// The page with every item replaced.
    func map<Other>(_ body: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(body), next: next)
    }
}

extension Cursor {
    fileprivate func isAfter(_ entry: Timeline.Entry) -> Bool { (entry.at, entry.row) < (at, row) }
}
