// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

private let hour: Int64 = 3_600_000

/// What a person may write within one hour.
struct RateRoomTests {
    private func reopen(_ replica: Replica, at path: String, _ quota: Quota) throws -> Replica {
        try replica.close()
        return try Replica(path: path, event: replica.event, own: replica.own, ownQuota: quota)
    }

    private func say(_ name: String, by replica: Replica, at time: Int64, _ world: TestEvent) throws -> Reference {
        try replica.say(.create(.place, on: .nothing, values: quayValues(name)), at: time, world.randomness)
    }

    @Test func `a person writes as much in an hour as others keep, is told how long to wait, and goes on then`() throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 970)
        let ana = try reopen(try world.join(path: path), at: path, Quota(hourly: 16))
        let places = try (0..<12).map { try say("Quay \($0)", by: ana, at: hour + $0, world) }
        let (late, half) = (2 * hour - 1, hour + hour / 2)
        #expect(throws: ReplicaError.rateReached(12, minutesLeft: 1)) { try say("Quay", by: ana, at: late, world) }
        let refusal = #expect(throws: ReplicaError.self) { try say("Quay", by: ana, at: half, world) }
        #expect(refusal?.description.contains("12 items within an hour") ?? false)
        #expect(refusal?.description.contains("Try again in 30 minutes.") ?? false)
        #expect(try ana.quays() == 12 && ana.isUsageCounted())
        // What takes something back is possible, and gives room.
        try ana.say(.delete(places[0]), at: late, world.randomness)
        #expect(throws: Never.self) { try say("Quay", by: ana, at: late, world) }
        #expect(throws: Never.self) { try say("Quay", by: ana, at: 2 * hour, world) }
        #expect(try ana.ownExcess() == nil && ana.isUsageCounted())
        try ana.close()
    }

    @Test func `a host writes more in an hour, as others keep more of a host`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 974)
        let own = try world.join(path: path)
        try world.founder.receiveAll(from: own)
        try world.founder.say(.setLevel(own.own.person, .host), at: 3000, world.randomness)
        try own.receiveAll(from: world.founder)
        let host = try reopen(own, at: path, Quota(hourly: 16))
        for number in Int64(0)..<30 { _ = try say("Quay \(number)", by: host, at: hour + number, world) }
        let late = 2 * hour - 1
        #expect(throws: ReplicaError.rateReached(30, minutesLeft: 1)) { try say("Quay", by: host, at: late, world) }
        #expect(try host.ownExcess() == nil)
        try host.close()
    }

    @Test func `who finds the next hour full, too, is told that a clock was ahead or that a device is lost`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 973)
        let ana = try reopen(try world.join(path: path), at: path, Quota(hourly: 4))
        for number in Int64(0)..<3 {
            for start in [hour, 2 * hour] { _ = try say("Quay \(number)", by: ana, at: start + number, world) }
        }
        let full = ReplicaError.rateReached(3, minutesLeft: nil)
        #expect(throws: full) { try say("Quay", by: ana, at: hour + 9, world) }
        #expect(full.description.contains("retire") && !full.description.contains("minute"))
        #expect(throws: ReplicaError.rateReached(3, minutesLeft: 60)) { try say("Quay", by: ana, at: 2 * hour, world) }
        try ana.close()
    }

    @Test func `who is beyond as much as others keep on two devices apart is told so once these meet`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 971)
        let (phone, other) = try world.joinTwice()
        try other.copy(to: path)
        for number in 0..<6 { _ = try say("Phone \(number)", by: phone, at: hour, world) }
        let laptop = try Replica(path: path, event: world.event, own: other.own, ownQuota: Quota(hourly: 8))
        for number in 0..<6 { _ = try say("Laptop \(number)", by: laptop, at: hour, world) }
        #expect(try laptop.ownExcess() == nil)
        try laptop.receiveAll(from: phone)
        #expect(try laptop.ownExcess() == .rate && laptop.beyondQuota().isEmpty && laptop.lines("Phone").count == 6)
        // What a retired device wrote is in no hour of its owner's.
        try laptop.say(.retire(phone.own.name), at: 2 * hour, world.randomness)
        #expect(try laptop.ownExcess() == nil)
        let small = try reopen(laptop, at: path, Quota(words: 10))
        #expect(try small.ownExcess() == .bytes)
        try small.close()
    }

    @Test func `who has many records reported chooses no hour in which a moderator can say nothing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 972)
        let people = try (0..<4).map { _ in try world.join() }
        let own = try world.join(path: path)
        try world.founder.receiveAll(from: own)
        try world.founder.say(.setLevel(own.own.person, .moderator), at: 3000, world.randomness)
        let moderator = try reopen(own, at: path, Quota(hourly: 16))
        try (people + [moderator, world.founder]).meet()
        let moment = try people[0].say(
            .create(.moment, on: .nothing, values: momentValues("Dinner")),
            at: 4000,
            world.randomness
        )
        let posts = try (0..<20).map { number in
            let draft = Draft.create(.comment, on: .record(moment), values: ["text": .text("Rude \(number)")])
            return try people[0].say(draft, at: hour + Int64(number), world.randomness)
        }
        try (people + [moderator]).meet()
        for person in people[1...] {
            for post in posts {
                let values: [String: Value] = ["reason": .number(ReportReason.rude.rawValue)]
                try person.say(.set(.report, on: .record(post), values: values), at: 5 * hour, world.randomness)
            }
        }
        try (people + [moderator]).meet()
        let now = Timestamp(milliseconds: 6 * hour)
        var hidden = 0
        while let duty = try moderator.hidingDuty(at: now) {
            _ = try #require(try moderator.fulfil(duty, at: now, randomness: world.randomness))
            hidden += 1
        }
        #expect(hidden == 8)
        #expect(throws: Never.self) { try say("Quay", by: moderator, at: hour, world) }
        try moderator.say(.hide(posts[19], because: "Rude"), at: hour, world.randomness)
        // Of another hour nothing is used up.
        #expect(try moderator.hidingDuty(at: Timestamp(milliseconds: hour / 2)) != nil)
        try moderator.close()
    }
}
