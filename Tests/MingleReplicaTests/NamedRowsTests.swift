// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

@testable import MingleReplica

struct NamedRowsTests {
    private struct Item: NamedRow, Equatable {
        let name: DeviceName
        var count = 0
    }

    /// A name that begins with one byte eight times and goes on with another.
    private static func name(_ first: UInt8, _ rest: UInt8) throws -> DeviceName {
        let bytes = [UInt8](repeating: first, count: 8) + [UInt8](repeating: rest, count: 24)
        return DeviceName(try #require(Bytes32(bytes)))
    }

    @Test func `rows whose names begin alike are told apart`() throws {
        var rows = NamedRows<Item>()
        let names = [try Self.name(1, 1), try Self.name(1, 2), try Self.name(2, 2)]
        for (place, name) in names.enumerated() { rows.add(Item(name: name), at: Int64(place) + 1) }
        #expect(names.map { rows.id(of: $0) } == [1, 2, 3])
        #expect(rows.id(of: try Self.name(1, 3)) == nil)
        #expect(rows.beginning(with: names[0].raw.prefix).map(\.name) == [names[0], names[1]])
        #expect(rows.count(beginningWith: names[2].raw.prefix) == 1)
    }

    @Test func `rows are found by their ids, whatever gaps there are between these`() throws {
        var rows = NamedRows<Item>()
        let ids: [Int64] = [1, 2, 5, 3, 900, -1]
        for id in ids { rows.add(Item(name: try Self.name(UInt8(truncatingIfNeeded: id), 0)), at: id) }
        for id in ids {
            rows.change(id) { $0.count += Int(id) }
            #expect(rows[id]?.count == Int(id))
            #expect(rows[try Self.name(UInt8(truncatingIfNeeded: id), 0)]?.count == Int(id))
        }
        rows.change(4) { $0.count = 1 }
        #expect(rows[4] == nil && rows[0] == nil)
        #expect(rows.ids.sorted() == ids.sorted())
    }

    @Test func `who keeps the rows of a moment keeps them while others come and change`() throws {
        var rows = Rows<Int>()
        for id in 1...100 { rows.put(id, at: Int64(id)) }
        let kept = rows
        for id in 101...200 { rows.put(id, at: Int64(id)) }
        for id in 1...200 { rows.change(Int64(id)) { $0 = -$0 } }
        #expect(kept.all == Array(1...100) && kept.ids == Array(1...100))
        #expect((1...100).allSatisfy { kept[Int64($0)] == $0 } && kept[101] == nil)
        #expect(rows.all == (1...200).map { -$0 } && rows[201] == nil)
    }
}
