// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleReplica

struct PageGapTests {
    /// A page of 512 bytes with a number of cells that begin at a place.
    private static func page(kind: UInt8, cells: Int, at start: Int, isFirst: Bool = false) -> [UInt8] {
        var page = [UInt8](repeating: 0xee, count: 512)
        let header = isFirst ? 100 : 0
        page[header] = kind
        (page[header + 3], page[header + 4]) = (UInt8(cells >> 8), UInt8(cells & 255))
        (page[header + 5], page[header + 6]) = (UInt8(start >> 8), UInt8(start & 255))
        return page
    }

    @Test(arguments: [(2, 12), (5, 12), (10, 8), (13, 8)])
    func `the gap of a tree's page is between the pointers and the cells`(kind: UInt8, header: Int) {
        let page = Self.page(kind: kind, cells: 3, at: 400)
        #expect(PageGap.range(in: page, isFirst: false) == (header + 6)..<400)
    }

    @Test func `the first page's gap lies behind the file's header, too`() {
        let page = Self.page(kind: 13, cells: 1, at: 500, isFirst: true)
        #expect(PageGap.range(in: page, isFirst: true) == 110..<500)
    }

    @Test(arguments: [0, 1, 3, 0xee] as [UInt8])
    func `what is no page of a tree has no gap`(kind: UInt8) {
        #expect(PageGap.range(in: Self.page(kind: kind, cells: 3, at: 400), isFirst: false) == nil)
    }

    @Test(arguments: [(300, 400), (3, 513), (0, 7), (65_535, 65_535)])
    func `what contradicts itself is left as it is`(cells: Int, start: Int) {
        #expect(PageGap.range(in: Self.page(kind: 13, cells: cells, at: start), isFirst: false) == nil)
    }

    @Test func `a page that is full has an empty gap, and one of 64 KiB may end at its end`() {
        #expect(PageGap.range(in: Self.page(kind: 13, cells: 2, at: 12), isFirst: false) == 12..<12)
        var page = [UInt8](repeating: 0, count: 1 << 16)
        page[0] = 13
        #expect(PageGap.range(in: page, isFirst: false) == 8..<(1 << 16))
        #expect(PageGap.range(in: [13, 0, 0, 0, 0, 0, 0, 0], isFirst: false) == nil)
    }
}
