// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// The places that everybody sees and that are those of some marks.
    package func knownPlaces(_ marks: [PlaceMark]) throws -> [Reference?] {
        try view { viewer in
            let rows = try viewer.placeRows(from: Set(marks.compactMap(\.source)))
            return try marks.map { mark in
                let row = try mark.source.flatMap { rows[$0] } ?? viewer.placeRow(like: mark)
                return try row.map { try viewer.names.reference($0) }
            }
        }
    }
}

extension Viewer {
    /// The rows of hosts' places by their sources; of several from one source the first.
    ///
    /// Whoever else says a source would take a host's import, and could delete it.
    fileprivate func placeRows(from sources: Set<String>) throws -> [String: Int64] {
        guard !sources.isEmpty else { return [:] }
        let found = try rows(
            """
            SELECT place.id, source FROM visible_place AS place JOIN person ON person.id = place.author
            WHERE source IS NOT NULL AND source IN (SELECT value FROM json_each(?))
                AND person.level <= \(Level.host.rawValue)
            """,
            [String(decoding: JSONEncoder().encode(sources), as: UTF8.self)]
        )
        return Dictionary(found.map { ($0["source"] as String, $0["id"] as Int64) }) { min($0, $1) }
    }

    /// The row of the nearest place that is taken for the one of a mark.
    fileprivate func placeRow(like mark: PlaceMark) throws -> Int64? {
        guard let circle = GridCircle(center: mark.position, metres: PlaceMark.reach) else { return nil }
        var near: [(row: Int64, metres: Double)] = []
        for cells in GridCell.ranges(within: circle) {
            near += try db.all(
                """
                SELECT id, latitude, longitude, name, source FROM place
                WHERE latitude IS NOT NULL AND name IS NOT NULL AND \(Schema.cell) BETWEEN ? AND ?
                """
            ) {
                $0.add(cells.lowerBound)
                $0.add(cells.upperBound)
            } read: { columns -> (row: Int64, metres: Double)? in
                guard !columns.isNull(2),
                    let position = GridPosition(latitude: columns.integer(1), longitude: columns.integer(2)),
                    circle.contains(position)
                else { return nil }
                let source = columns.bytes(4).map { String(decoding: $0, as: UTF8.self) }
                let name = String(decoding: columns.bytes(3) ?? [], as: UTF8.self)
                let other = PlaceMark(source: source, name: name, position: position)
                guard mark.isLike(other) else { return nil }
                return (columns.integer(0), position.metres(to: mark.position))
            }.compactMap(\.self)
        }
        return try near.sorted { ($0.metres, $0.row) < ($1.metres, $1.row) }.first { try isShown($0.row) }?.row
    }

    /// Whether everybody sees a place: an import does not change what a moderator hid.
    private func isShown(_ place: Int64) throws -> Bool {
        try !rows("SELECT 1 FROM visible_place WHERE id = ?", [place]).isEmpty
    }
}
