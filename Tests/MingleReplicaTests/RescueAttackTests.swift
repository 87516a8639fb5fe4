// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What a rescue must not do, whoever brings what and in which order.
struct RescueAttackTests {
    private func place(_ name: String) -> Draft { .create(.place, on: .nothing, values: quayValues(name)) }

    private func changes(_ name: String) -> [Change] {
        let values = quayValues(name)
        return Kind.place.fields.compactMap { field in
            values[field.name].map { Change(field: field.number, value: $0, overwrites: []) }
        }
    }

    private func shown(_ names: [String], at reader: Replica) throws -> [String] {
        try names.filter { try !reader.lines($0).isEmpty }
    }

    private func receiveFabric(_ reader: Replica, from other: Replica) throws {
        for entry in try other.frontier().entries where entry.journal == .fabric {
            let held = try reader.locator(of: entry.device, entry.journal)
            _ = try reader.merge(try other.runs(of: entry.device, entry.journal, after: held, byteLimit: .max))
        }
    }

    private func rescue(_ person: Replica, until time: Int64, by host: Replica, _ world: TestEvent) throws {
        let draft = Draft.rescue(person.own.person, until: Timestamp(milliseconds: time))
        try host.say(draft, at: 8000, world.randomness)
    }

    /// The rescuer holds less than the remover did.
    @Test func `a rescue by who is behind takes nothing away`() throws {
        var world = try TestEvent(seed: 401)
        let (phone, tablet) = try world.joinTwice()
        let carl = try world.join()
        let founder = world.founder
        try [founder, phone, tablet, carl].meet()
        try founder.say(.setLevel(carl.own.person, .host), at: 2500, world.randomness)
        try [founder, phone, tablet, carl].meet()
        try phone.say(place("Early"), at: 4000, world.randomness)
        try founder.receiveAll(from: phone)
        try phone.say(place("Known"), at: 4500, world.randomness)
        try carl.receiveAll(from: phone)
        try tablet.say(place("Late"), at: 5000, world.randomness)
        try carl.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        try receiveFabric(founder, from: carl)
        try founder.receiveAll(from: tablet)
        let names = ["Early", "Known", "Late"]
        #expect(try shown(names, at: carl) == ["Early", "Known"])
        try rescue(phone, until: 6500, by: founder, world)
        try founder.receiveAll(from: carl)
        try carl.receiveAll(from: founder)
        #expect(try shown(names, at: carl) == names)
        #expect(try shown(names, at: founder) == names)
    }

    /// What a moderator hid is "said about others".
    @Test func `what a removed moderator hid is not rescued`() throws {
        var world = try TestEvent(seed: 402)
        let (bob, carl) = (try world.join(), try world.join())
        let founder = world.founder
        try [founder, bob, carl].meet()
        try founder.say(.setLevel(bob.own.person, .moderator), at: 2500, world.randomness)
        let carls = try carl.say(place("Carls"), at: 3000, world.randomness)
        try [founder, bob, carl].meet()
        let before = try founder.lines("Carls")
        #expect(before.count == 1)
        try founder.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        try bob.say(place("Before"), at: 5000, world.randomness)
        try bob.say(.hide(carls, because: "spite"), at: 5500, world.randomness)
        try founder.receiveAll(from: bob)
        #expect(try founder.lines("Carls") == before)
        try rescue(bob, until: 6500, by: founder, world)
        #expect(try shown(["Before"], at: founder) == ["Before"])
        #expect(try founder.lines("Carls") == before)
        #expect(try founder.lines("spite") == [])
        // Nor once he is let in again, to do less.
        try founder.say(.setLevel(bob.own.person, .attendee), at: 9000, world.randomness)
        #expect(try founder.level(of: bob.own.person) == .attendee)
        #expect(try shown(["Before"], at: founder) == ["Before"])
        #expect(try founder.lines("Carls") == before)
    }

    /// A device that nobody knew at the removal, which backdates.
    @Test func `a device certified after the removal is not rescued`() throws {
        var world = try TestEvent(seed: 403)
        let identity = SigningKey(seed: world.randomness.secret())
        let bob = try world.join(identity: identity)
        let founder = world.founder
        try [founder, bob].meet()
        try founder.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        try bob.say(place("Honest"), at: 7000, world.randomness)
        try founder.receiveAll(from: bob)
        let scribe = world.scribe(identity: identity)
        _ = try founder.merge([Run(travelling: try scribe.introduction(by: nil))])
        let changes = changes("Forged")
        let forged = scribe.write(try world.entry(.place, changes, time: 4100), after: nil)
        _ = try founder.merge([Run(travelling: [forged])])
        #expect(try shown(["Honest", "Forged"], at: founder) == [])
        #expect(throws: ReplicaError.self) { try rescue(bob, until: 5000, by: founder, world) }
        #expect(try shown(["Honest", "Forged"], at: founder) == [])
    }

    /// Two devices that retired each other.
    @Test func `a rescue lifts no retirement`() throws {
        var world = try TestEvent(seed: 404)
        let (phone, stolen) = try world.joinTwice()
        let founder = world.founder
        try [founder, phone, stolen].meet()
        try phone.say(.retire(stolen.own.name), at: 4000, world.randomness)
        try stolen.say(place("Stolen"), at: 4100, world.randomness)
        try stolen.say(.retire(phone.own.name), at: 4200, world.randomness)
        for device in [phone, stolen] { try founder.receiveAll(from: device) }
        #expect(try shown(["Stolen"], at: founder) == [])
        try founder.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        #expect(try shown(["Stolen"], at: founder) == [])
        try? rescue(phone, until: 6500, by: founder, world)
        #expect(try shown(["Stolen"], at: founder) == [])
    }

    /// One who left, and was removed then.
    @Test func `a rescue lifts no leaving`() throws {
        var world = try TestEvent(seed: 405)
        let (phone, tablet) = try world.joinTwice()
        let founder = world.founder
        try [founder, phone, tablet].meet()
        try phone.say(.leave, at: 4000, world.randomness)
        try tablet.say(place("Gone"), at: 4100, world.randomness)
        for device in [phone, tablet] { try founder.receiveAll(from: device) }
        #expect(try shown(["Gone"], at: founder) == [])
        try founder.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        #expect(try shown(["Gone"], at: founder) == [])
        #expect(try founder.person(phone.own.person).hasLeft)
        try? rescue(phone, until: 6500, by: founder, world)
        #expect(try shown(["Gone"], at: founder) == [])
        #expect(try founder.person(phone.own.person).hasLeft)
    }

    /// A retired device's words beyond its retirement: nothing to rescue, said to be rescued again and again.
    @Test func `there is nothing to rescue of a retired device`() throws {
        var world = try TestEvent(seed: 406)
        let (phone, stolen) = try world.joinTwice()
        let founder = world.founder
        try [founder, phone, stolen].meet()
        try phone.say(.retire(stolen.own.name), at: 4000, world.randomness)
        try stolen.say(place("Stolen"), at: 4100, world.randomness)
        for device in [phone, stolen] { try founder.receiveAll(from: device) }
        try founder.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        for _ in 0..<3 {
            #expect(throws: ReplicaError.self) { try rescue(phone, until: 6500, by: founder, world) }
        }
        #expect(try shown(["Stolen"], at: founder) == [])
    }

    /// More devices than a cut has ends.
    @Test func `a rescue loses nothing by a flood of devices`() throws {
        var world = try TestEvent(seed: 407)
        let identity = SigningKey(seed: world.randomness.secret())
        let bob = try world.join(identity: identity)
        let founder = world.founder
        try [founder, bob].meet()
        try bob.say(place("Mine"), at: 4000, world.randomness)
        try founder.receiveAll(from: bob)
        try founder.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        #expect(try shown(["Mine"], at: founder) == ["Mine"])
        let changes = changes("Junk")
        var count = 0
        while count < 256 {
            let scribe = world.scribe(identity: identity)
            guard scribe.own.name < bob.own.name else { continue }
            count += 1
            _ = try founder.merge([Run(travelling: try scribe.introduction(by: nil))])
            let junk = scribe.write(try world.entry(.place, changes, time: 4100), after: nil)
            _ = try founder.merge([Run(travelling: [junk])])
        }
        #expect(try shown(["Mine"], at: founder) == ["Mine"])
        try? rescue(bob, until: 5000, by: founder, world)
        #expect(try shown(["Mine"], at: founder) == ["Mine"])
    }

    /// A branch made after the removal that passes by what is dated honestly.
    @Test func `a branch that passes by later words is not rescued`() throws {
        let world = try TestEvent(seed: 408)
        let founder = world.founder
        let scribe = world.scribe()
        _ = try founder.merge([Run(travelling: try scribe.introduction(by: world.invitation))])
        func write(_ name: String, _ time: Int64, after parent: Delta?) throws -> Delta {
            scribe.write(try world.entry(.place, changes(name), time: time), after: parent)
        }
        let known = try write("Known", 4000, after: nil)
        _ = try founder.merge([Run(travelling: [known])])
        try founder.say(.remove(scribe.own.person, keepsLinks: true), at: 6000, world.randomness)
        let later = try write("Later", 7000, after: known)
        let forged = try write("Forged", 4200, after: known)
        _ = try founder.merge([Run(travelling: [later])])
        _ = try founder.merge([Run(travelling: [forged])])
        #expect(try shown(["Known", "Later", "Forged"], at: founder) == ["Known"])
        let draft = Draft.rescue(scribe.own.person, until: Timestamp(milliseconds: 5000))
        _ = try? founder.say(draft, at: 8000, world.randomness)
        #expect(try shown(["Known", "Later", "Forged"], at: founder) == ["Known"])
    }

    /// The same for what a removed host said about others, which no further rescue brings back.
    @Test func `a rescue by who is behind takes no grant away`() throws {
        var world = try TestEvent(seed: 409)
        let (phone, tablet) = try world.joinTwice()
        let (carl, dora) = (try world.join(), try world.join())
        let founder = world.founder
        let all = [founder, phone, tablet, carl, dora]
        try all.meet()
        try founder.say(.setLevel(carl.own.person, .successor), at: 2500, world.randomness)
        try founder.say(.setLevel(phone.own.person, .host), at: 2501, world.randomness)
        try all.meet()
        try phone.say(.setLevel(dora.own.person, .moderator), at: 4000, world.randomness)
        try carl.receiveAll(from: phone)
        #expect(try carl.level(of: dora.own.person) == .moderator)
        try tablet.say(place("Late"), at: 5000, world.randomness)
        try carl.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        #expect(try carl.level(of: dora.own.person) == .moderator)
        // Carl's fabric alone, not the phone's.
        for entry in try carl.frontier().entries where entry.journal == .fabric && entry.device == carl.own.name {
            let held = try founder.locator(of: entry.device, entry.journal)
            _ = try founder.merge(try carl.runs(of: entry.device, entry.journal, after: held, byteLimit: .max))
        }
        try founder.receiveAll(from: tablet)
        try rescue(phone, until: 6500, by: founder, world)
        try founder.receiveAll(from: carl)
        try carl.receiveAll(from: founder)
        #expect(try carl.level(of: dora.own.person) == .moderator)
        _ = try? rescue(phone, until: 100_000, by: founder, world)
        #expect(try founder.level(of: dora.own.person) == .moderator)
    }

    /// Two rescues apart, in several orders.
    @Test func `two rescues apart come to the same in any order`() throws {
        var world = try TestEvent(seed: 410)
        let (phone, tablet) = try world.joinTwice()
        let carl = try world.join()
        let founder = world.founder
        let all = [founder, phone, tablet, carl]
        try all.meet()
        try founder.say(.setLevel(carl.own.person, .host), at: 2500, world.randomness)
        try all.meet()
        try phone.say(place("One"), at: 4000, world.randomness)
        try tablet.say(place("Two"), at: 4500, world.randomness)
        try carl.say(.remove(phone.own.person, keepsLinks: true), at: 6000, world.randomness)
        try phone.say(place("Three"), at: 6100, world.randomness)
        for device in [phone, tablet] {
            try carl.receiveAll(from: device)
            try founder.receiveAll(from: device)
        }
        try founder.receiveAll(from: carl)
        try rescue(phone, until: 4200, by: carl, world)
        try rescue(phone, until: 5000, by: founder, world)
        let sources = [founder, carl, phone, tablet]
        var dumps: Set<[String]> = []
        for order in 0..<4 {
            let reader = try world.join()
            let turned = Array(sources[order...] + sources[..<order])
            if order % 2 == 1 { for source in turned { try receiveFabric(reader, from: source) } }
            for source in turned { try reader.receiveAll(from: source) }
            for source in turned { try reader.receiveAll(from: source) }
            let dump = try reader.eventDump()
            dumps.insert(dump.filter { $0.contains("One") || $0.contains("Two") || $0.contains("Three") })
            _ = try reader.recompute()
            #expect(try reader.eventDump() == dump)
            #expect(try reader.level(of: phone.own.person) == nil)
        }
        #expect(dumps.count == 1)
    }

    /// Carl and Dora, two hosts, removed Bob apart, holding different parts of what he wrote.
    @Test func `of several removals the ends count that all leave`() throws {
        var world = try TestEvent(seed: 411)
        let (bob, carl, dora) = (try world.join(), try world.join(), try world.join())
        let founder = world.founder
        let all = [founder, bob, carl, dora]
        try all.meet()
        for host in [carl, dora] { try founder.say(.setLevel(host.own.person, .host), at: 2500, world.randomness) }
        try all.meet()
        try bob.say(place("One"), at: 4000, world.randomness)
        try carl.receiveAll(from: bob)
        try bob.say(place("Two"), at: 4500, world.randomness)
        try dora.receiveAll(from: bob)
        try carl.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        try dora.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        try bob.say(place("Three"), at: 5000, world.randomness)
        for host in [carl, dora] { try receiveFabric(founder, from: host) }
        // What the two name has not come.
        #expect(throws: ReplicaError.self) { try rescue(bob, until: 7000, by: founder, world) }
        try founder.receiveAll(from: bob)
        #expect(try shown(["One", "Two", "Three"], at: founder) == ["One"])
        try rescue(bob, until: 4700, by: founder, world)
        #expect(try shown(["One", "Two", "Three"], at: founder) == ["One", "Two"])
    }

    @Test func `what a removed person says is not rescued ahead of time`() throws {
        var world = try TestEvent(seed: 412)
        let bob = try world.join()
        let founder = world.founder
        try [founder, bob].meet()
        try founder.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
        try bob.say(place("Later"), at: 9000, world.randomness)
        try founder.receiveAll(from: bob)
        #expect(throws: ReplicaError.self) { try rescue(bob, until: 9500, by: founder, world) }
        #expect(try shown(["Later"], at: founder) == [])
    }
}
