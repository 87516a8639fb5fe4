// SPDX-License-Identifier: Apache-2.0

/// A picture that is put together from equal tiles (ISO/IEC 23008-12, section 6.6.2.3).
struct HEIFGrid {
    private var rows: Int
    private var columns: Int
    private let width: Int
    private let height: Int
    /// The ids of the tiles, row by row.
    private(set) var tiles: [Int]

    init(_ content: [UInt8], tiles: [Int]) throws(ImportError) {
        let bytes = PictureBytes(content)
        let size = try bytes.byte(at: 1) & 1 == 1 ? 4 : 2
        rows = try bytes.number(at: 2, count: 1) + 1
        columns = try bytes.number(at: 3, count: 1) + 1
        width = try bytes.number(at: 4, count: size)
        height = try bytes.number(at: 4 + size, count: size)
        guard tiles.count == rows * columns else { throw .damaged("a part of it is missing") }
        self.tiles = tiles
    }

    /// Leaves out tiles of which nothing is shown.
    mutating func trim(toTilesOf tile: (width: Int, height: Int)) {
        guard tile.width > 0, tile.height > 0, width > 0, height > 0 else { return }
        let shownRows = min(rows, (height - 1) / tile.height + 1)
        let shownColumns = min(columns, (width - 1) / tile.width + 1)
        tiles = (0..<shownRows).flatMap { row in tiles[(row * columns)..<(row * columns + shownColumns)] }
        (rows, columns) = (shownRows, shownColumns)
    }

    /// The description in the shorter of its two forms.
    var encoded: [UInt8] {
        let size = max(width, height) > 0xFFFF ? 4 : 2
        return [0, size == 4 ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)] + PictureBytes.big(width, size)
            + PictureBytes.big(height, size)
    }
}
