// SPDX-License-Identifier: Apache-2.0

/// Numbers of cells of 0.01 degrees, about a kilometre, by which positions are found.
///
/// Rows run from south to north, cells of a row from west to east, so a row's cells are neighbours in number too. The
/// meridian of 180 degrees belongs to the first cell of a row on both of its sides.
package enum GridCell {
    /// Parts of a degree (see ``Position/partsPerDegree``) on a side of a cell.
    package static let side: Int64 = 100_000
    /// Cells of a row.
    package static let columns: Int64 = 36_000
    /// The ranges that a search takes at most.
    package static let rangeLimit = 64
    /// All numbers; the last row is the north pole alone.
    package static let all: ClosedRange<Int64> = 0...(row(Position.latitudes.upperBound) + 1) * columns - 1

    /// The number of a position's cell.
    package static func number(_ position: GridPosition) -> Int64 {
        row(position.latitude) * columns + column(position.longitude)
    }

    /// The same number in SQL, of two columns; NULL if one of them is.
    package static func sql(latitude: String, longitude: String) -> String {
        """
        ((\(latitude) + \(-Position.latitudes.lowerBound)) / \(side) * \(columns) \
        + (\(longitude) + \(-Position.longitudes.lowerBound)) % \(GridPosition.circle) / \(side))
        """
    }

    /// Ranges of numbers, in order and apart, that have all cells of a rectangle: one for each row, and one more across
    /// the date line.
    ///
    /// - Returns: 1 to ``rangeLimit`` ranges. A rectangle that needs more gets one range, of whole rows.
    package static func ranges(within rectangle: GridRectangle) -> [ClosedRange<Int64>] {
        let rows = row(rectangle.south)...row(rectangle.north)
        let parts = columns(of: rectangle)
        guard parts != [0...columns - 1], rows.count + parts.count - 1 <= rangeLimit else {
            return [rows.lowerBound * columns...rows.upperBound * columns + columns - 1]
        }
        var ranges: [ClosedRange<Int64>] = []
        for row in rows {
            for part in parts {
                var start = row * columns + part.lowerBound
                // Across the date line, the end of a row and the start of the next are neighbours.
                if let last = ranges.last, last.upperBound + 1 == start { start = ranges.removeLast().lowerBound }
                ranges.append(start...row * columns + part.upperBound)
            }
        }
        return ranges
    }

    /// The same for the positions within a circle.
    package static func ranges(within circle: GridCircle) -> [ClosedRange<Int64>] { ranges(within: circle.bounds) }

    /// The columns of a rectangle: one part, or two across the date line.
    private static func columns(of rectangle: GridRectangle) -> [ClosedRange<Int64>] {
        if rectangle.isAllAround { return [0...columns - 1] }
        let (west, east) = rectangle.turns
        if west <= east { return [west / side...east / side] }
        // The gap between the two may lie within one cell.
        return west / side <= east / side + 1 ? [0...columns - 1] : [0...east / side, west / side...columns - 1]
    }

    private static func row(_ latitude: Int64) -> Int64 { (latitude - Position.latitudes.lowerBound) / side }
    private static func column(_ longitude: Int64) -> Int64 { GridPosition.turn(longitude) / side }
}
