// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

struct InstanceNameTests {
    @Test func `a name matches the tag that made it`() {
        for random in [0, 1, UInt64.max, 0x0123_4567_89ab_cdef] {
            let name = InstanceName.make(random: random, tag: party)
            #expect(name.utf8.count == 26)
            #expect(name.utf8.allSatisfy { (97...122).contains($0) || (50...55).contains($0) })
            #expect(InstanceName.matches(name, tag: party))
        }
    }

    @Test func `the tag is computed over the eight random bytes`() {
        var seen: [[UInt8]] = []
        let name = InstanceName.make(random: 0x0102_0304_0506_0708) { random in
            seen.append(random)
            return party(random)
        }
        _ = InstanceName.matches(name) { random in
            seen.append(random)
            return party(random)
        }
        #expect(seen == [[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]])
    }

    @Test func `another event's name is not ours`() {
        let name = InstanceName.make(random: 7, tag: wedding)
        #expect(!InstanceName.matches(name, tag: party))
        #expect(InstanceName.matches(name, tag: wedding))
    }

    @Test func `a change of any character makes a name not ours`() {
        let name = Array(InstanceName.make(random: 42, tag: party).utf8)
        for index in name.indices {
            var changed = name
            changed[index] = name[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(!InstanceName.matches(String(decoding: changed, as: UTF8.self), tag: party))
        }
    }

    @Test(arguments: hostileNames)
    func `a malformed name is never ours`(name: String) {
        #expect(!InstanceName.isWellFormed(name))
        #expect(!InstanceName.matches(name) { Array($0.reversed()) })
    }

    @Test func `a tag that is too short matches nothing`() {
        let name = InstanceName.make(random: 42, tag: party)
        #expect(!InstanceName.matches(name) { _ in [] })
        #expect(!InstanceName.matches(name) { Array(party($0).prefix(7)) })
    }

    @Test func `of a longer tag the first eight bytes are used`() {
        let name = InstanceName.make(random: 42) { party($0) + [1, 2, 3] }
        #expect(InstanceName.matches(name, tag: party))
    }
}

/// Names that no node of ours makes: other lengths, alphabets, spellings and Avahi's escapes.
let hostileNames: [String] = {
    let good = InstanceName.make(random: 42, tag: party)
    return [
        "", " ", "a", "printer", String(repeating: "a", count: 25), String(repeating: "a", count: 27),
        String(repeating: "a", count: 63), String(repeating: "a", count: 100_000),
        good + " ", " " + good, good + "\0", good + " #2", good + "=", good.uppercased(),
        String(good.dropLast()), String(good.dropLast()) + "=", String(good.dropLast()) + "1",
        // The last character carries three bits; no encoder sets the other two.
        String(good.dropLast()) + "z",
        "\\032" + good.dropFirst(4), String(repeating: "é", count: 13), String(repeating: "\u{1F389}", count: 6) + "aa",
        String(repeating: "\u{0}", count: 26), "../../../../../etc/passwd/", "%s%s%s%s%s%s%s%s%s%s%s%s%s",
    ]
}()
