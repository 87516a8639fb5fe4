// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Deals, and what one device of the owner says of their uses.
struct DealTests {
    /// A place whose owner has two devices and makes a deal on the till, for three of five guests.
    private struct Shop {
        let event: TestEvent
        let till, laptop: Replica
        let guests: [Replica]
        let place, deal, ownership: Reference
        var founder: Replica { event.founder }
        var everybody: [Replica] { [founder, till, laptop] + guests }

        init(seed: UInt64) throws {
            var event = try TestEvent(seed: seed)
            (till, laptop) = try event.joinTwice()
            guests = try (0..<5).map { _ in try event.join() }
            self.event = event
            try ([event.founder, till, laptop] + guests).meet()
            let position: [String: Value] = ["latitude": .number(0), "longitude": .number(0), "radius": .number(30)]
            let named = position.merging(["name": .text("Stand")]) { $1 }
            place = try event.founder.say(.create(.place, on: .nothing, values: named), at: 4000, event.randomness)
            let owner: [String: Value] = ["person": .data(till.own.person.bytes), "on": .number(1)]
            ownership = try event.founder.say(
                .create(.ownership, on: .record(place), values: owner),
                at: 4001,
                event.randomness
            )
            try [till, event.founder].meet()
            deal = try till.say(
                .create(.deal, on: .record(place), values: Self.offer("Cake", 5000, 9000, quantity: 3)),
                at: 4500,
                event.randomness
            )
            try everybody.meet()
        }

        static func offer(_ title: String, _ start: Int64, _ end: Int64, quantity: Int64? = nil) -> [String: Value] {
            var values: [String: Value] = ["title": .text(title), "start": .number(start), "end": .number(end)]
            if let quantity { values["quantity"] = .number(quantity) }
            return values
        }

        func use(_ guest: Replica, at time: Int64 = 6000) throws {
            try guest.say(.set(.dealUse, on: .record(deal), values: ["used": .number(1)]), at: time, event.randomness)
        }

        /// Lets a device confirm what it has to; returns how many uses.
        @discardableResult
        func confirm(_ replica: Replica, at time: Int64 = 6500) throws -> Int {
            let drafts = try replica.dueConfirmations()
            _ = try replica.author(drafts, at: Timestamp(milliseconds: time), randomness: event.randomness)
            return drafts.count
        }

        func confirmed() throws -> [Int64] { try everybody.map { try $0.visibleCount(of: .dealConfirmation) } }

        func seen(by replica: Replica) throws -> ShownDeal { try replica.deal(deal) }
    }

    @Test(arguments: 4510...4513 as ClosedRange<UInt64>)
    func `of three, five use it in two parts of the network, and never more than three are confirmed`(seed: UInt64)
        throws
    {
        let shop = try Shop(seed: seed)
        let (here, there) = ([shop.till, shop.guests[0], shop.guests[1]], [shop.laptop] + shop.guests[2...])
        for guest in shop.guests { try shop.use(guest) }
        try here.meet()
        try there.meet()
        #expect(try shop.confirm(shop.till) == 2 && shop.confirm(shop.laptop) == 0)
        try here.meet()
        #expect(try shop.seen(by: shop.guests[0]).confirmed != nil && shop.seen(by: shop.guests[0]).left == 1)
        #expect(try shop.seen(by: shop.guests[2]).confirmed == nil && shop.seen(by: shop.guests[2]).left == 3)
        try shop.everybody.meet()
        #expect(try shop.confirm(shop.till) == 1 && shop.confirm(shop.laptop) == 0)
        try shop.everybody.meet()
        #expect(try shop.confirm(shop.till) == 0 && shop.confirmed().allSatisfy { $0 == 3 })
        let states = try shop.guests.map { guest in
            let deal = try shop.seen(by: guest)
            return (deal.used != nil, deal.confirmed != nil, deal.left)
        }
        #expect(states.allSatisfy { $0.0 && $0.2 == 0 } && states.filter(\.1).count == 3)
        let dumps = try shop.everybody.map { try $0.eventDump() }
        #expect(dumps.allSatisfy { $0 == dumps[0] })
    }

    @Test func `a use is said once for ever, from two devices, and after leaving and being let in again`() throws {
        let shop = try Shop(seed: 4520)
        for device in [shop.till, shop.laptop] { try shop.use(device) }
        let guest = shop.guests[0]
        try shop.use(guest)
        try shop.everybody.meet()
        #expect(try shop.confirm(shop.till) == 2)
        try shop.everybody.meet()
        let host = shop.founder
        try host.say(.remove(guest.own.person, keepsLinks: true), at: 6600, shop.event.randomness)
        try host.say(.setLevel(guest.own.person, .attendee), at: 6700, shop.event.randomness)
        try shop.everybody.meet()
        #expect(try shop.confirm(shop.till) == 0 && shop.confirmed().allSatisfy { $0 == 2 })
        #expect(try shop.seen(by: guest).used != nil && shop.seen(by: guest).confirmed == 6500)
    }

    @Test func `the device that confirms is handed on, and the one before confirms no more`() throws {
        let shop = try Shop(seed: 4530)
        try shop.use(shop.guests[0])
        try shop.everybody.meet()
        try shop.confirm(shop.till)
        let handing = Draft.edit(shop.deal, .deal, values: ["confirming": .data(shop.laptop.own.name.bytes)])
        try shop.till.say(handing, at: 6600, shop.event.randomness)
        for guest in shop.guests[1...] { try shop.use(guest) }
        // The laptop waits until it has heard so, with all that the till confirmed.
        try ([shop.till] + shop.guests).meet()
        #expect(try shop.confirm(shop.till) == 0)
        try shop.everybody.meet()
        #expect(try shop.confirm(shop.till) == 0 && shop.confirm(shop.laptop) == 2)
        try shop.everybody.meet()
        #expect(try shop.confirmed().allSatisfy { $0 == 3 })
    }

    @Test func `deals are listed while they can be used, soonest end first, and a future one is its author's alone`()
        throws
    {
        let shop = try Shop(seed: 4540)
        let offers: [(String, Int64, Int64)] = [("Soon", 5000, 7500), ("Later", 8000, 9500), ("Over", 4000, 5500)]
        for (title, start, end) in offers {
            let values = Shop.offer(title, start, end)
            try shop.till.say(.create(.deal, on: .record(shop.place), values: values), at: 4600, shop.event.randomness)
        }
        try shop.everybody.meet()
        func titles(_ replica: Replica, _ change: (inout DealQuery) -> Void = { _ in }) throws -> [String] {
            var query = DealQuery()
            change(&query)
            return try replica.deals(query, at: 7000).map { deal in
                if case .text(let title)? = deal.record.values["title"] { title } else { "" }
            }
        }
        let guest = shop.guests[0]
        #expect(try titles(guest) == ["Soon", "Cake"])
        #expect(try titles(guest) { $0.state = .future }.isEmpty)
        #expect(try titles(guest) { $0.state = .ended } == ["Over"])
        #expect(try titles(shop.laptop) { ($0.state, $0.isOwn) = (nil, true) } == ["Over", "Soon", "Cake", "Later"])
        #expect(try titles(guest) { $0.words = "cake" } == ["Cake"])
        #expect(try titles(guest) { $0.isOfFavourites = true }.isEmpty)
        let favourite = Draft.set(.favourite, on: .record(shop.place), values: ["on": .number(1)])
        try guest.say(favourite, at: 6000, shop.event.randomness)
        #expect(try titles(guest) { $0.isOfFavourites = true } == ["Soon", "Cake"])
        #expect(try guest.notices(at: 7000) { try $0.notices().count } == 3)
        #expect(try guest.notices(at: 8000) { try $0.notices().map(\.at) } == [8000, 5000, 5000, 4600])
        #expect(try titles(guest) { ($0.state, $0.isUsed) = (nil, true) }.isEmpty)
        try shop.use(guest)
        #expect(try titles(guest) { ($0.state, $0.isUsed) = (nil, true) } == ["Cake"])
        // Without an owner nothing is offered; what was used stays used.
        let end = Draft.edit(shop.ownership, .ownership, values: ["on": .number(0)])
        try shop.founder.say(end, at: 6900, shop.event.randomness)
        try shop.everybody.meet()
        #expect(try titles(guest).isEmpty)
        let again = Draft.edit(shop.ownership, .ownership, values: ["on": .number(1)])
        try shop.founder.say(again, at: 6901, shop.event.randomness)
        try shop.everybody.meet()
        #expect(try titles(guest) == ["Soon", "Cake"] && shop.seen(by: guest).used == 6000)
    }

    @Test func `a deal that has not begun is in no list of others, and nothing can hang on it`() throws {
        let shop = try Shop(seed: 4550)
        var event = shop.event
        let early = try event.join(clock: { Timestamp(milliseconds: 4900) })
        let late = try event.join(clock: { Timestamp(milliseconds: 5000) })
        try (shop.everybody + [early, late]).meet()
        for replica in [early, late] {
            let isSeen = replica === late
            #expect(try replica.records(of: .deal).items.isEmpty != isSeen)
            #expect(try replica.sees(.deal, shop.deal) == isSeen)
        }
        #expect(throws: ReplicaError.self) { try early.requireSeen(shop.deal, among: [.deal]) }
    }

    @Test func `news near a place tell of its deals once they have begun, and not of those of muted people`() throws {
        let shop = try Shop(seed: 4560)
        var event = shop.event
        let early = try event.join(clock: { Timestamp(milliseconds: 4900) })
        let late = try event.join(clock: { Timestamp(milliseconds: 5000) })
        for author in [shop.till, shop.guests[0]] {
            let words = Draft.create(.comment, on: .record(shop.deal), values: ["text": .text("Cake!")])
            try author.say(words, at: 4600, event.randomness)
        }
        try (shop.everybody + [early, late]).meet()
        let center = try #require(GridPosition(latitude: 0, longitude: 0))
        let circle = try #require(GridCircle(center: center, metres: 50))
        func told(_ replica: Replica) throws -> Int {
            try replica.news { try $0.happenings(near: circle, hasDeals: true, limit: 9).items.count }
        }
        #expect(try told(early) == 0 && told(late) == 2)
        try late.mute(shop.till.own.person)
        #expect(try told(late) == 0)
    }
}
