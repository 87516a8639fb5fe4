// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

@testable import MingleReplica

/// Lists of the moments in which a person has a part.
struct OwnMomentsTests {
    private func titles(_ replica: Replica, _ list: OwnMoments, limit: Int = 50) throws -> [String] {
        try replica.moments(list, before: nil, limit: limit).items.map(\.title)
    }

    @Test func `invitations stand by the time at which they came, whatever was answered, and go when taken back`()
        throws
    {
        let world = try PrivateWorld(seed: 4310)
        let first = try world.makeMoment("First", inviting: [world.carl], at: 5000)
        let open = Draft.create(.moment, on: .nothing, values: momentValues("Open"))
        let second = try world.say(open, by: world.bob, at: 5200)
        let other = Draft.create(.moment, on: .nothing, values: momentValues("Later"))
        let later = try world.say(other, by: world.dora, at: 5100)
        try world.say(.invite(world.carl.own.person, to: second), by: world.bob, at: 5600)
        try world.say(.invite(world.carl.own.person, to: later), by: world.dora, at: 5500)
        try world.meet()
        #expect(try titles(world.carl, .invited) == ["Open", "Later", "First"])
        #expect(try world.carl.moments(.invited, before: nil, limit: 50).items.map(\.invited) == [5600, 5500, 5000])
        try world.say(world.joining(first), by: world.carl, at: 6000)
        try world.say(world.joining(second, 1), by: world.carl, at: 6001)
        try world.say(.invite(world.carl.own.person, to: second), by: world.bob, at: 6100)
        try world.meet()
        #expect(try titles(world.carl, .invited) == ["Open", "Later", "First"], "a second invite is no second line")
        for somebody in [world.bob, world.dora, world.event.founder] { #expect(try titles(somebody, .invited).isEmpty) }
        try world.say(.uninvite(world.carl.own.person, from: later), by: world.dora, at: 6200)
        try world.meet()
        #expect(try titles(world.carl, .invited) == ["Open", "First"])
    }

    @Test func `what one joined and where one was comes in pages, each moment once`() throws {
        let world = try PrivateWorld(seed: 4311)
        for number in 0..<7 {
            let draft = Draft.create(.moment, on: .nothing, values: momentValues("M\(number)"))
            let moment = try world.say(draft, by: world.dora, at: 5000 + Int64(number))
            try world.meet()
            try world.say(world.joining(moment), by: world.carl, at: 6000 + Int64(number))
            if number % 2 == 0 { try world.say(world.joining(moment, 3), by: world.carl, at: 7000 - Int64(number)) }
        }
        try world.meet()
        var (seen, before): ([String], Cursor?) = ([], nil)
        repeat {
            let page = try world.carl.moments(.joined, before: before, limit: 2)
            seen += page.items.map(\.title)
            before = page.next
        } while before != nil
        #expect(seen == ["M0", "M2", "M4", "M6", "M5", "M3", "M1"])
        #expect(try titles(world.carl, .checkedIn) == ["M0", "M2", "M4", "M6"])
        #expect(try titles(world.dora, .mine) == (0..<7).reversed().map { "M\($0)" })
        #expect(try titles(world.bob, .joined).isEmpty && titles(world.bob, .mine).isEmpty)
    }

    @Test func `a moment that continues another is listed once, for those who can open it`() throws {
        let world = try PrivateWorld(seed: 4312)
        let old = try world.say(.create(.moment, on: .nothing, values: momentValues("Old")), by: world.bob, at: 5000)
        try world.meet()
        for guest in [world.carl, world.dora] { try world.say(world.joining(old), by: guest, at: 5500) }
        try world.meet()
        var values = momentValues("New")
        values["continues"] = .data(old.bytes)
        _ = try world.bob.author(at: Timestamp(milliseconds: 6000), randomness: world.event.randomness) { write in
            let new = try write(.create(.moment, on: .nothing, values: values, for: world.audience))
            _ = try write(.invite(world.carl.own.person, to: new))
            _ = try write(.delete(old))
        }
        try world.meet()
        #expect(try titles(world.carl, .joined) == ["New"])
        #expect(try titles(world.dora, .joined).isEmpty)
        let new = try #require(try world.carl.moments().first?.id)
        try world.say(world.joining(new), by: world.carl, at: 6500)
        #expect(try titles(world.carl, .joined) == ["New"])
        #expect(try titles(world.carl, .invited) == ["New"])
    }

    @Test func `nothing is listed of somebody whom one muted`() throws {
        let world = try PrivateWorld(seed: 4313)
        let moment = try world.makeMoment("Quiet", inviting: [world.carl])
        try world.meet()
        try world.say(world.joining(moment, 3), by: world.carl)
        #expect(try OwnMoments.allCases.map { try titles(world.carl, $0).count } == [0, 1, 1, 1])
        try world.carl.mute(world.bob.own.person)
        #expect(try OwnMoments.allCases.allSatisfy { try titles(world.carl, $0).isEmpty })
    }
}
