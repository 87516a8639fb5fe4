// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// Photos by the time at which they were taken, of one person, faved, and counted by the hour.
struct PhotoOrderTests {
    private static let hour: Int64 = 3_600_000

    private func photo(_ title: String, taken: Int64?, by author: Replica, on target: Target = .nothing) -> Draft {
        let media = (1...3).map { (number: UInt8) in
            let bytes = [UInt8](repeating: number, count: 32)
            return Media(root: Bytes32(at: 0, of: bytes.span), size: 10, key: bytes, type: "image/jpeg")
        }
        var values: [String: Value] = [
            "title": .text(title), "width": .number(4), "height": .number(3), "original": .media(media[0]),
            "preview": .media(media[1]), "thumbnail": .media(media[2]),
        ]
        values["taken"] = taken.map(Value.number)
        let blobs = media.map { BlobListing(name: $0.name(owner: author.own.person), size: $0.size) }
        return .create(.photo, on: target, values: values, blobs: blobs)
    }

    private func titles(_ replica: Replica, _ change: (inout RecordQuery) -> Void = { _ in }) throws -> [String] {
        var query = RecordQuery()
        query.order = .highest("taken")
        change(&query)
        return try replica.photos(replica.records(of: .photo, query).items.compactMap(\.id)).map(\.title)
    }

    /// Two people and photos that were taken in another order than shared; "None" does not say when.
    private func party(seed: UInt64) throws -> PrivateWorld {
        let world = try PrivateWorld(seed: seed)
        let hour = Self.hour
        try world.say(photo("Late", taken: 9 * hour, by: world.bob), by: world.bob, at: 5 * hour)
        try world.say(photo("None", taken: nil, by: world.carl), by: world.carl, at: 6 * hour)
        try world.say(photo("Early", taken: 2 * hour, by: world.bob), by: world.bob, at: 7 * hour)
        try world.say(photo("Equal", taken: 2 * hour, by: world.carl), by: world.carl, at: 8 * hour)
        try world.meet()
        return world
    }

    @Test func `the order is that of the time taken, and of the time shared where none is known`() throws {
        let world = try party(seed: 4320)
        let all = try titles(world.dora)
        #expect(all.prefix(2) == ["Late", "None"] && Set(all.suffix(2)) == ["Early", "Equal"])
        #expect(try titles(world.bob) == all, "equal times stand alike everywhere")
        #expect(try titles(world.dora) { $0.order = .lowest("taken") } == all.reversed())
        #expect(try titles(world.dora) { $0.author = world.bob.own.person } == ["Late", "Early"])
        var (seen, query) = ([String](), RecordQuery())
        (query.order, query.limit) = (.highest("taken"), 1)
        repeat {
            let page = try world.dora.records(of: .photo, query)
            seen += try world.dora.photos(page.items.compactMap(\.id)).map(\.title)
            query.before = page.next
        } while query.before != nil
        #expect(seen == all)
    }

    @Test func `those that one faves are one's own choice, and go when the fave is taken back`() throws {
        let world = try party(seed: 4321)
        let late = try #require(try world.dora.photos(limit: 10).items.first { $0.title == "Late" }?.id)
        try world.say(.set(.fave, on: .record(late), values: ["on": .number(1)]), by: world.dora, at: 9 * Self.hour)
        try world.meet()
        #expect(try titles(world.dora) { $0.isFaved = true } == ["Late"])
        #expect(try titles(world.carl) { $0.isFaved = true }.isEmpty)
        try world.say(.set(.fave, on: .record(late), values: ["on": .number(0)]), by: world.dora, at: 10 * Self.hour)
        #expect(try titles(world.dora) { $0.isFaved = true }.isEmpty)
    }

    @Test func `times are counted in the list's order, and each cursor leads to the first photo of its time`() throws {
        let world = try party(seed: 4322)
        var query = RecordQuery()
        for (order, hours) in [
            (.highest("taken"), [9, 6, 2]), (.lowest("taken"), [2, 6, 9]), (.newest, [8, 7, 6, 5]),
        ] as [(RecordQuery.Order, [Int64])] {
            query = RecordQuery()
            query.order = order
            let counted = try world.dora.photoTimes(query, by: Self.hour, limit: 10)
            #expect(counted.map(\.start) == hours.map { $0 * Self.hour })
            #expect(counted.reduce(0) { $0 + $1.count } == 4)
            for (index, hour) in counted.enumerated() {
                query.before = hour.before
                let rest = try world.dora.records(of: .photo, query).items.count
                #expect(Int64(rest) == counted[index...].reduce(0) { $0 + $1.count })
            }
        }
        #expect(try world.dora.photoTimes(query, by: Self.hour, limit: 2).count == 2)
        query.author = world.bob.own.person
        query.before = nil
        #expect(try world.dora.photoTimes(query, by: Self.hour, limit: 10).map(\.count) == [1, 1])
    }

    @Test func `hours become days, each from its first hour in the list's order`() {
        let hours = [49, 47, 25, 1, -1].map { (hour: Int64) in
            TimeCount(start: hour * Self.hour, count: 2, before: Cursor(at: hour, tie: 0))
        }
        let days = TimeCount.gathered(hours, by: 24 * Self.hour)
        #expect(days.map { $0.start / Self.hour } == [48, 24, 0, -24])
        #expect(days.map(\.count) == [2, 4, 2, 2] && days.map(\.before.at) == [49, 47, 1, -1])
    }

    @Test func `of a private moment nobody else counts the photos`() throws {
        let world = try party(seed: 4323)
        let moment = try world.makeMoment(inviting: [world.carl], at: 9 * Self.hour)
        try world.meet()
        try world.say(world.joining(moment, 3), by: world.bob, at: 10 * Self.hour)
        let secret = photo("Secret", taken: 20 * Self.hour, by: world.bob, on: .record(moment))
        try world.say(secret, by: world.bob, at: 11 * Self.hour)
        try world.meet()
        var query = RecordQuery()
        query.order = .highest("taken")
        #expect(try world.carl.photoTimes(query, by: Self.hour, limit: 10).map(\.start).first == 20 * Self.hour)
        #expect(try world.dora.photoTimes(query, by: Self.hour, limit: 10).map(\.start).first == 9 * Self.hour)
        // The moment ended long before: the mark says so to its guests.
        let shown = try #require(try world.carl.photos(of: moment, limit: 5).items.first)
        #expect(shown.outside == [.after])
    }
}
