// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// A photo or a moment that this person wants to find again.
package struct ShownBookmark: Hashable, Sendable {
    /// What somebody marks.
    package enum Record: Hashable, Sendable {
        case photo(ShownPhoto)
        case moment(ShownMoment)
    }

    /// What it is.
    package let record: Record
    /// When it was marked, in milliseconds since 1970.
    package let at: Int64
}

extension Replica {
    /// What this person marked and can see, marked last first.
    ///
    /// - Parameters:
    ///   - before: the cursor of the page before.
    ///   - limit: how many at most, up to 200.
    /// - Returns: one page.
    package func bookmarks(before: Cursor? = nil, limit: Int) throws -> Page<ShownBookmark> {
        let limit = min(max(limit, 1), 200)
        let start = before ?? .end
        return try view { viewer in
            let rows = try viewer.rows(
                """
                SELECT id, target, target_kind, made, shown_at, tie FROM visible_bookmark
                WHERE author = ?1 AND (shown_at, tie) < (?2, ?3) ORDER BY shown_at DESC, tie DESC LIMIT ?4
                """,
                [viewer.me, start.at, start.tie, limit + 1]
            )
            let shown = rows.prefix(limit)
            let next = shown.last.flatMap { rows.count > limit ? Cursor(at: $0["shown_at"], tie: $0["tie"]) : nil }
            return Page(items: try shown.compactMap { try viewer.bookmark($0) }, next: next)
        }
    }

    /// What this person marked of a photo, or of a moment and the earlier ones that it continues.
    package func bookmarked(_ target: Reference) throws -> [Reference] {
        try view { viewer in
            let sql = "SELECT target FROM bookmark WHERE \(Viewer.isBookmarked("?1"))"
            return try viewer.rows(sql, [viewer.row(of: target), viewer.me]).map {
                try viewer.names.reference($0["target"])
            }
        }
    }
}

extension Viewer {
    /// Whether a row of `bookmark` says that the viewer, `?2`, marked a record, or a moment that it continues.
    static func isBookmarked(_ record: String) -> String {
        """
        bookmark.author = ?2 AND bookmark."on" = 1
            AND (bookmark.target = \(record) OR bookmark.target IN (SELECT ancestor FROM lineage WHERE moment = \(record)))
        """
    }

    fileprivate func bookmark(_ row: Row) throws -> ShownBookmark? {
        let marked: Int64 = row["target"]
        switch Kind.numbered(row["target_kind"]) {
        case .photo?: return ShownBookmark(record: .photo(try photo(marked)), at: row["made"])
        case .moment?: break
        default: return nil
        }
        // Of an earlier moment the one is shown that continues it.
        guard let shown = try moment(under: marked) else { return nil }
        return ShownBookmark(record: .moment(try moment(self.row(of: shown))), at: row["made"])
    }
}
