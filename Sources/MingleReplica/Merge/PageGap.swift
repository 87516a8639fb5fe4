// SPDX-License-Identifier: Apache-2.0

/// Where a page of SQLite's file (https://www.sqlite.org/fileformat2.html#b_tree_pages) has nothing that counts, but maybe
/// what stood there once.
enum PageGap {
    /// The file's own header, in front of the first page's.
    private static let fileHeader = 100

    /// The bytes between the pointers to a page's cells and the cells.
    ///
    /// Nil for pages that are no part of a tree: SQLite writes them as a whole, and clears what it frees. They begin with
    /// the number of another page, which takes 2²⁵ pages to look like the kind of a tree's page. (The maps of `auto_vacuum`
    /// would look like that; a replica's file has none.)
    static func range(in page: [UInt8], isFirst: Bool) -> Range<Int>? {
        let header = isFirst ? fileHeader : 0
        guard page.count >= header + 12 else { return nil }
        let headerLength: Int
        switch page[header] {
        case 2, 5: headerLength = 12
        case 10, 13: headerLength = 8
        default: return nil
        }
        let start = header + headerLength + 2 * number(at: header + 3, of: page)
        let cells = number(at: header + 5, of: page)
        // A page of 64 KiB writes its end as 0.
        let end = cells == 0 ? 1 << 16 : cells
        guard start <= end, end <= page.count else { return nil }
        return start..<end
    }

    private static func number(at place: Int, of page: [UInt8]) -> Int { Int(page[place]) << 8 | Int(page[place + 1]) }
}
