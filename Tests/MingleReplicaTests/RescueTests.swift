// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What a removed person had shared before, and nobody had brought to who removed the person.
struct RescueTests {
    /// Bob shared something before and something after his removal, of which he has not heard.
    private struct Scene {
        var world: TestEvent
        let bob, carl: Replica

        init(seed: UInt64) throws {
            world = try TestEvent(seed: seed)
            (bob, carl) = (try world.join(), try world.join())
            let everybody = [world.founder, bob, carl]
            try everybody.meet()
            try share("Known", at: 4000)
            try world.founder.receiveAll(from: bob)
            try share("Before", at: 5000)
            try world.founder.say(.remove(bob.own.person, keepsLinks: true), at: 6000, world.randomness)
            try share("After", at: 7000)
            for reader in [world.founder, carl] { try reader.receiveAll(from: bob) }
        }

        func share(_ name: String, at time: Int64) throws {
            let place = Draft.create(.place, on: .nothing, values: quayValues(name))
            try bob.say(place, at: time, world.randomness)
        }

        func rescue(until time: Int64, by host: Replica) throws {
            let draft = Draft.rescue(bob.own.person, until: Timestamp(milliseconds: time))
            try host.say(draft, at: 8000, world.randomness)
        }

        func shown(at reader: Replica) throws -> [String] {
            try ["Known", "Before", "After"].filter { try !reader.lines($0).isEmpty }
        }
    }

    @Test func `what was shared before a removal and came afterwards counts once that is said`() throws {
        let scene = try Scene(seed: 291)
        let founder = scene.world.founder
        #expect(try scene.shown(at: founder) == ["Known"])
        try scene.rescue(until: 6500, by: founder)
        for reader in [scene.carl, scene.bob] { try reader.receiveAll(from: founder) }
        for reader in [founder, scene.carl] {
            #expect(try scene.shown(at: reader) == ["Known", "Before"])
            #expect(try reader.level(of: scene.bob.own.person) == nil)
        }
        // He stays out, and all have a key that he lacks.
        #expect(throws: ReplicaError.self) { try scene.share("Again", at: 9000) }
        #expect(try !founder.isKeyOutdated())
        let before = try founder.eventDump()
        for reader in [founder, scene.carl] {
            _ = try reader.recompute()
            #expect(try reader.eventDump() == before)
        }
    }

    @Test(arguments: [0, 4500] as [Int64])
    func `nothing is lost where there is nothing to rescue`(time: Int64) throws {
        let scene = try Scene(seed: 292)
        #expect(throws: ReplicaError.self) { try scene.rescue(until: time, by: scene.world.founder) }
        #expect(try scene.shown(at: scene.world.founder) == ["Known"])
    }

    @Test func `a preview says what would be seen and changes nothing`() throws {
        let scene = try Scene(seed: 295)
        let founder = scene.world.founder
        let before = try founder.dump()
        for isPreview in [true, false] {
            let rescue = try founder.rescue(
                scene.bob.own.person,
                until: Timestamp(milliseconds: 6500),
                isPreview: isPreview,
                at: Timestamp(milliseconds: 8000),
                randomness: scene.world.randomness
            )
            #expect(rescue.records == ["place": 1])
            #expect(rescue.authored.runs.isEmpty == isPreview)
            #expect(try (founder.dump() == before) == isPreview)
        }
        try scene.carl.receiveAll(from: founder)
        #expect(try scene.shown(at: scene.carl) == ["Known", "Before"])
    }

    @Test func `later words are rescued by saying it again`() throws {
        let scene = try Scene(seed: 293)
        try scene.rescue(until: 6500, by: scene.world.founder)
        try scene.rescue(until: 7500, by: scene.world.founder)
        try scene.carl.receiveAll(from: scene.world.founder)
        #expect(try scene.shown(at: scene.carl) == ["Known", "Before", "After"])
    }

    @Test func `when somebody was removed is said as it was, also after a rescue and to who heard of it`() throws {
        let scene = try Scene(seed: 296)
        let (founder, carl, bob) = (scene.world.founder, scene.carl, scene.bob.own.person)
        for time in [6500, 7500] as [Int64] {
            #expect(try founder.removal(of: bob)?.at == 6000)
            try scene.rescue(until: time, by: founder)
        }
        try carl.receiveAll(from: founder)
        for reader in [founder, carl] { #expect(try reader.removal(of: bob)?.at == 6000) }
        try founder.say(.setLevel(bob, .attendee), at: 9000, scene.world.randomness)
        #expect(try founder.removal(of: bob) == nil)
        try founder.say(.remove(bob, keepsLinks: true), at: 9500, scene.world.randomness)
        #expect(try founder.removal(of: bob)?.at == 9500)
    }

    @Test func `nobody rescues whom somebody above removed, nor who was not removed`() throws {
        let scene = try Scene(seed: 294)
        let founder = scene.world.founder
        try founder.say(.setLevel(scene.carl.own.person, .host), at: 6100, scene.world.randomness)
        try scene.carl.receiveAll(from: founder)
        #expect(throws: ReplicaError.decidedAbove) { try scene.rescue(until: 6500, by: scene.carl) }
        #expect(try scene.shown(at: scene.carl) == ["Known"])
        let draft = Draft.rescue(scene.carl.own.person, until: Timestamp(milliseconds: 9000))
        #expect(throws: ReplicaError.self) { try founder.say(draft, at: 8000, scene.world.randomness) }
    }
}
