// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

struct GroupsTests {
    @Test func `a key has its members in the order in which they came`() {
        var groups = Groups<String, Int>()
        for number in 1...4 { groups.add(number, to: number == 2 ? "alone" : "together") }
        #expect(groups["together"] == [1, 3, 4] && groups["alone"] == [2] && groups["none"] == [])
        #expect(groups.count(of: "together") == 3 && groups.count(of: "alone") == 1 && groups.count(of: "none") == 0)
        #expect(Set(groups.keys) == ["together", "alone"])
    }

    @Test func `the first member is found of which something is so, behind others, too`() {
        var groups = Groups<String, Int>()
        for number in [5, 8, 9, 12] { groups.add(number, to: "key") }
        #expect(groups.first(of: "key") { $0 > 5 } == 8)
        #expect(groups.first(of: "key") { $0 == 5 } == 5)
        #expect(groups.first(of: "key") { $0 > 12 } == nil)
        #expect(groups.first(of: "none") { _ in true } == nil)
    }
}
