// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// A photo within a circle, and what ranks it.
package struct NearbyPhoto: Hashable, Sendable {
    /// The photo, as a row of this replica.
    package let row: Int64
    /// When it is shown, in milliseconds since 1970.
    package let at: Int64
    /// The first 8 bytes of its hash, by which ties are decided.
    package let tie: Int64
    /// Whole metres from the middle of the circle.
    package let metres: Int64
    /// How many people are for it.
    package var up: Int64
    /// How many people are against it.
    package var down: Int64

    /// Describes a photo.
    package init(row: Int64, at: Int64, tie: Int64, metres: Int64, up: Int64 = 0, down: Int64 = 0) {
        (self.row, self.at, self.tie, self.metres, self.up, self.down) = (row, at, tie, metres, up, down)
    }
}

/// Reads the photos around a position, all of them in one view of the replica.
///
/// A photo is where its author says that it was taken, and else where the place or the moment is that it hangs on.
package struct NearbyPhotoReader {
    /// Photos of the cells around a position that are looked at: those that came last.
    private static let scanned = 20_000

    let viewer: Viewer

    /// The photos within a circle, whoever sees them, in no order.
    package func photos(within circle: GridCircle) throws -> [NearbyPhoto] {
        var nearest: [Int64: NearbyPhoto] = [:]
        for photo in try located(circle) where photo.metres < nearest[photo.row]?.metres ?? .max {
            nearest[photo.row] = photo
        }
        let votes = try votes(of: nearest.keys)
        return nearest.values.map { photo in
            var photo = photo
            (photo.up, photo.down) = votes[photo.row] ?? (0, 0)
            return photo
        }
    }

    /// Those of some photos that nobody hid and that the viewer sees, in their order.
    ///
    /// - Parameter limit: how many at most.
    package func shown(_ ranked: [NearbyPhoto], limit: Int) throws -> [(photo: ShownPhoto, metres: Int64)] {
        var query = RecordQuery()
        query.isShown = true
        let list = try RecordList(kind: .photo, query: query, viewer: viewer)
        var found: [(photo: ShownPhoto, metres: Int64)] = []
        for start in stride(from: 0, to: ranked.count, by: limit) where found.count < limit {
            let part = ranked[start..<min(start + limit, ranked.count)]
            let seen = Set(try list.seen(part.map(\.row)).map { $0["id"] as Int64 })
            for photo in part where found.count < limit && seen.contains(photo.row) {
                found.append((try viewer.photo(photo.row), photo.metres))
            }
        }
        return found
    }

    private func located(_ circle: GridCircle) throws -> [NearbyPhoto] {
        try GridCell.ranges(within: circle).flatMap { range in
            try [Self.ofThemselves, Self.ofWhatTheyHangOn].flatMap { sql in
                try viewer.db.all(sql) {
                    $0.add(range.lowerBound)
                    $0.add(range.upperBound)
                } read: { columns -> NearbyPhoto? in
                    guard
                        let position = GridPosition(latitude: columns.integer(3), longitude: columns.integer(4)),
                        case let metres = circle.center.metres(to: position), metres <= circle.metres
                    else { return nil }
                    return NearbyPhoto(
                        row: columns.integer(0),
                        at: columns.integer(1),
                        tie: columns.integer(2),
                        metres: Int64(metres.rounded())
                    )
                }.compactMap(\.self)
            }
        }
    }

    // The sign keeps SQLite from reading all photos in the order of time.
    private static let newest = "ORDER BY +photo.shown_at DESC, +photo.tie DESC LIMIT \(scanned)"

    private static func inCells(_ kind: Kind) -> String {
        """
        SELECT id, latitude, longitude FROM \(kind.name)
            WHERE latitude IS NOT NULL AND longitude IS NOT NULL AND \(Schema.cell) BETWEEN ?1 AND ?2
        """
    }

    private static let ofThemselves = """
        SELECT photo.id, photo.shown_at, photo.tie, spot.latitude, spot.longitude
        FROM (\(inCells(.photo))) AS spot JOIN photo ON photo.id = spot.id \(newest)
        """

    /// A moment that continues another shows what hangs on that.
    private static let ofWhatTheyHangOn = """
        WITH spot AS (
            \(inCells(.place))
            UNION ALL \(inCells(.moment))
            UNION ALL SELECT ancestor, latitude, longitude FROM (\(inCells(.moment))) AS moment
                JOIN lineage ON lineage.moment = moment.id AND ancestor <> moment.id
        )
        SELECT photo.id, photo.shown_at, photo.tie, spot.latitude, spot.longitude
        FROM spot CROSS JOIN photo ON photo.target = spot.id
        WHERE photo.latitude IS NULL OR photo.longitude IS NULL \(newest)
        """

    /// How many people are for photos and against them, as counts are kept of it.
    private func votes(of photos: some Sequence<Int64>) throws -> [Int64: (up: Int64, down: Int64)] {
        let sql = """
            SELECT tally.target, tally.part, tally.count FROM tally JOIN photo ON photo.id = tally.target
            WHERE tally.kind = ? AND tally.count > 0 AND \(Schema.within("tally", "photo"))
                AND tally.target IN (SELECT value FROM json_each(?))
            """
        var votes: [Int64: (up: Int64, down: Int64)] = [:]
        _ = try viewer.db.all(sql) {
            $0.add(Int64(Kind.vote.number))
            $0.add(RecordList.json(photos))
        } read: { columns in
            let isFor = columns.integer(1) == 1
            votes[columns.integer(0), default: (0, 0)].up += isFor ? columns.integer(2) : 0
            votes[columns.integer(0), default: (0, 0)].down += isFor ? 0 : columns.integer(2)
        }
        return votes
    }
}

extension Replica {
    /// Runs `body` with the photos around a position, in one view of the replica.
    package func nearbyPhotos<Result>(_ body: (NearbyPhotoReader) throws -> Result) throws -> Result {
        try view { viewer in try body(NearbyPhotoReader(viewer: viewer)) }
    }
}
