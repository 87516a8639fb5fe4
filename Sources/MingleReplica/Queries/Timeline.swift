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

    /// One page of the visible records of some kinds.
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

    private func past(_ kind: Kind, target: Int64?, before: Cursor?, limit: Int) throws -> [Entry] {
        let start = before ?? Cursor(at: .max, row: .max)
        let rows = try viewer.rows(
            """
            SELECT id, made FROM visible_\(kind.name)
            WHERE made <= ?1 AND (made, id) < (?2, ?3)\(target == nil ? "" : " AND target = ?5")
            ORDER BY made DESC, id DESC LIMIT ?4
            """,
            [now.milliseconds, start.at, start.row, limit] + (target.map { [$0] } ?? [])
        )
        return rows.map { Entry(kind: kind, row: $0["id"], at: $0["made"]) }
    }

    private func future(_ kind: Kind, target: Int64?) throws -> [Entry] {
        let rows = try viewer.rows(
            """
            SELECT id FROM visible_\(kind.name) WHERE made > ?1\(target == nil ? "" : " AND target = ?3")
            ORDER BY made LIMIT ?2
            """,
            [now.milliseconds, Self.futureLimit] + (target.map { [$0] } ?? [])
        )
        return try rows.map { Entry(kind: kind, row: $0["id"], at: try honestTime(before: $0["id"])) }
    }

    /// What the last delta said that comes before a post in its journal and is not from the future; 0 if there is none.
    private func honestTime(before row: Int64) throws -> Int64 {
        // A stored header holds its time in the eight bytes behind the first.
        let statement = try viewer.db.cachedStatement(
            sql: """
                SELECT substr(earlier.header, 2, 8) FROM journal AS post
                JOIN journal AS earlier ON earlier.branch = post.branch AND earlier.sequence < post.sequence
                WHERE post.id = ? AND substr(earlier.header, 2, 8) <= ?
                ORDER BY earlier.sequence DESC LIMIT 1
                """
        )
        let time = try Data.fetchOne(statement, arguments: [row, UInt64(now.milliseconds).blob])
        return time.map { Int64(bigEndianAt: 0, of: [UInt8]($0).span) } ?? 0
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
