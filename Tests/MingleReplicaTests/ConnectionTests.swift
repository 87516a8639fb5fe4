// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// Two people who connect: the devices of both know, and nobody else.
struct ConnectionTests {
    @Test func `one asks, the other sees that and confirms, and nobody else has a word of it`() throws {
        let world = try ConnectionWorld(seed: 721)
        #expect(try world.states() == [.unconnected, .unconnected])
        try world.connect(world.anna, with: world.bob, at: 5000)
        #expect(try world.states() == [.asked, .asks])
        try world.connect(world.bob, with: world.anna, at: 5001)
        for device in [world.anna, world.laptop] {
            #expect(try device.connection(with: world.bob.own.person) == .connected)
            let shown = try device.connections()
            #expect(shown.map(\.person.id) == [world.bob.own.person] && shown.map(\.at) == [5001])
        }
        #expect(try world.states() == [.connected, .connected])
        for other in [world.carl, world.event.founder] {
            #expect(try other.connections().isEmpty && other.lines("connection\t").isEmpty)
            #expect(try other.dump() == world.anna.eventDump())
        }
        #expect(try world.anna.lines("connection\t").count == 2 && world.anna.dump() == world.bob.dump())
    }

    @Test func `either ends it, and neither asks the other by what was said before`() throws {
        let world = try ConnectionWorld(seed: 722)
        for ending in [world.bob, world.laptop] {
            try world.connect(world.anna, with: world.bob, at: 5000)
            try world.connect(world.bob, with: world.anna, at: 5001)
            #expect(try world.states() == [.connected, .connected])
            let other = ending.own.person == world.bob.own.person ? world.anna : world.bob
            try world.connect(ending, with: other, false, at: 5002)
            #expect(try ending.connection(with: other.own.person) == .unconnected)
            #expect(try other.connection(with: ending.own.person) == .asked)
            try world.connect(other, with: ending, false, at: 5003)
            #expect(try world.states() == [.unconnected, .unconnected])
        }
    }

    @Test func `who was declined waits as for anybody, and by asking again is no request`() throws {
        let world = try ConnectionWorld(seed: 723)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.connect(world.bob, with: world.anna, false, at: 5001)
        #expect(try world.states() == [.asked, .unconnected] && world.bob.connections().isEmpty)
        #expect(try world.anna.connections().map(\.at) == [5000])
        try world.connect(world.anna, with: world.bob, false, at: 5002)
        try world.connect(world.anna, with: world.bob, at: 5003)
        #expect(try world.states() == [.asked, .unconnected])
        // Who declined may ask by oneself, and as the other asks, too, that is all that is needed.
        try world.connect(world.bob, with: world.anna, at: 5004)
        #expect(try world.states() == [.connected, .connected])
    }

    @Test func `what is taken back asks nobody, and who took it back can be asked`() throws {
        let world = try ConnectionWorld(seed: 724)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.connect(world.laptop, with: world.bob, false, at: 5001)
        #expect(try world.states() == [.unconnected, .unconnected])
        try world.connect(world.bob, with: world.anna, at: 5002)
        #expect(try world.states() == [.asks, .asked])
    }

    @Test func `asking twice writes nothing, nor does ending what there is not`() throws {
        let world = try ConnectionWorld(seed: 725)
        let (anna, bob) = (world.anna.own.person, world.bob.own.person)
        #expect(try world.anna.draft(connecting: false, with: bob) == nil)
        try world.connect(world.anna, with: world.bob, at: 5000)
        #expect(try world.anna.draft(connecting: true, with: bob) == nil)
        try world.connect(world.bob, with: world.anna, false, at: 5001)
        #expect(try world.bob.draft(connecting: false, with: anna) == nil)
    }

    @Test func `of two who ask each other apart both are connected once they met`() throws {
        let world = try ConnectionWorld(seed: 726)
        try world.write(world.anna, with: world.bob, at: 5000)
        try world.write(world.bob, with: world.anna, at: 5000)
        try world.meet()
        #expect(try world.states() == [.connected, .connected])
    }

    @Test func `no header tells who has to do with whom`() throws {
        let world = try ConnectionWorld(seed: 727)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.connect(world.bob, with: world.anna, at: 5001)
        try world.connect(world.laptop, with: world.bob, false, at: 5002)
        let tablet = try world.lateDevice()
        try world.meet(with: tablet)
        #expect(try world.tendKeys() > 0)
        try world.meet(with: tablet)
        #expect(try tablet.connection(with: world.bob.own.person) == .unconnected)
        #expect(try tablet.lines("connection\t") == world.anna.lines("connection\t"))
        let mine = Set(try [world.anna, world.laptop, tablet].flatMap { try world.privateEpochs(of: $0) })
        let theirs = try world.privateEpochs(of: world.bob)
        #expect(!mine.isEmpty && !theirs.isEmpty && mine.isDisjoint(with: theirs))
    }

    // MARK: - Devices

    @Test func `a device that comes later reads both halves, also where the other person is gone`() throws {
        let world = try ConnectionWorld(seed: 728)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.connect(world.bob, with: world.anna, at: 5001)
        let tablet = try world.lateDevice()
        // Bob's node is heard of no more.
        let left = [world.event.founder, world.carl, world.anna, world.laptop]
        try (left + [tablet]).meet()
        #expect(try tablet.connection(with: world.bob.own.person) == .unconnected)
        _ = try world.tendKeys(of: left)
        try (left + [tablet]).meet()
        #expect(try tablet.connection(with: world.bob.own.person) == .connected)
        // Once all is handed on, nothing is left to be done by anybody.
        for _ in 0..<3 {
            _ = try world.tendKeys(of: world.everybody + [tablet])
            try world.meet(with: tablet)
        }
        #expect(try world.tendKeys(of: world.everybody + [tablet]) == 0)
    }

    @Test func `a retired device reads nothing of what is said after it, and until then nobody makes a key`() throws {
        let world = try ConnectionWorld(seed: 729)
        try world.connect(world.bob, with: world.anna, at: 5000)
        try world.anna.say(.retire(world.laptop.own.name), at: 6000, world.event.randomness)
        try world.meet()
        for device in [world.anna, world.bob] {
            #expect(try device.keyNeed(at: Timestamp(milliseconds: 6500))?.audience != world.pair)
        }
        try world.connect(world.bob, with: world.anna, false, at: 7000)
        #expect(try world.anna.connection(with: world.bob.own.person) == .unconnected)
        #expect(try world.laptop.connection(with: world.bob.own.person) == .asks)
    }

    // MARK: - People

    @Test func `nobody asks who was removed, has left or is muted, and a connection outlives leaving`() throws {
        let world = try ConnectionWorld(seed: 730)
        try world.connect(world.carl, with: world.anna, at: 5000)
        #expect(try world.anna.connections().map(\.state) == [.asks])
        try world.anna.mute(world.carl.own.person)
        #expect(try world.anna.connections().isEmpty)
        try world.anna.unmute(world.carl.own.person)
        let removal = Draft.remove(world.carl.own.person, keepsLinks: true)
        try world.event.founder.say(removal, at: 6000, world.event.randomness)
        try world.meet()
        #expect(try world.anna.connections().isEmpty)
        #expect(throws: ReplicaError.notFound(world.carl.own.person.description)) {
            try world.write(world.anna, with: world.carl, at: 6001)
        }
        try world.connect(world.anna, with: world.bob, at: 7000)
        try world.connect(world.bob, with: world.anna, at: 7001)
        try world.bob.say(.leave, at: 8000, world.event.randomness)
        try world.meet()
        #expect(try world.anna.connections().map(\.state) == [.connected])
    }

    @Test func `only who could answer is asked, and only who takes part asks`() throws {
        let world = try ConnectionWorld(seed: 731)
        #expect(throws: ReplicaError.self) { try world.write(world.anna, with: world.laptop, at: 5000) }
        #expect(throws: ReplicaError.self) {
            try world.anna.say(.set(.connection, on: .nothing, values: ["on": .number(1)]), at: 5000, .system)
        }
        let stranger = TestKeys(world.event.randomness).person
        #expect(throws: ReplicaError.notFound(stranger.description)) {
            try world.anna.say(
                .set(.connection, on: .person(stranger), values: ["on": .number(1)]),
                at: 5000,
                world.event.randomness
            )
        }
        try world.connect(world.bob, with: world.anna, at: 5000)
        try world.event.founder.say(.setLevel(world.bob.own.person, .guest), at: 5001, world.event.randomness)
        try world.meet()
        #expect(throws: ReplicaError.notAtYourLevel(.guest)) { try world.write(world.bob, with: world.carl, at: 5002) }
        let refusal = #expect(throws: ReplicaError.self) { try world.write(world.carl, with: world.bob, at: 5002) }
        #expect(refusal?.description.contains("could not answer") ?? false)
        // To decline, or to end it, nobody has to be asked.
        try world.connect(world.anna, with: world.bob, false, at: 5003)
        #expect(try world.anna.connections().isEmpty)
    }

    @Test func `who has asked is confirmed, though that person only reads by now`() throws {
        let world = try ConnectionWorld(seed: 732)
        try world.connect(world.bob, with: world.anna, at: 5000)
        try world.event.founder.say(.setLevel(world.bob.own.person, .guest), at: 5001, world.event.randomness)
        try world.meet()
        #expect(try world.anna.connection(with: world.bob.own.person) == .asks)
        try world.connect(world.anna, with: world.bob, at: 5002)
        #expect(try world.states() == [.connected, .connected])
    }
}

/// Anna with a phone and a laptop, Bob, and Carl, who is not meant to know.
struct ConnectionWorld {
    var event: TestEvent
    let identity: SigningKey
    let anna: Replica
    let laptop: Replica
    let bob: Replica
    let carl: Replica

    init(seed: UInt64, annaPath: String? = nil) throws {
        var event = try TestEvent(seed: seed)
        identity = SigningKey(seed: event.randomness.secret())
        anna = try event.join(identity: identity, path: annaPath)
        laptop = try event.join(identity: identity)
        (bob, carl) = (try event.join(), try event.join())
        self.event = event
        try meet()
    }

    var everybody: [Replica] { [event.founder, carl, anna, laptop, bob] }
    var pair: Audience { .between(anna.own.person, and: bob.own.person) }

    func meet(with others: Replica...) throws { try (everybody + others).meet() }

    /// What Anna and Bob see of each other.
    func states() throws -> [ConnectionState] {
        [try anna.connection(with: bob.own.person), try bob.connection(with: anna.own.person)]
    }

    /// Somebody says what there is to say, and everybody hears it.
    func connect(_ one: Replica, with other: Replica, _ connects: Bool = true, at time: Int64) throws {
        try write(one, with: other, connects, at: time)
        try meet()
    }

    func write(_ one: Replica, with other: Replica, _ connects: Bool = true, at time: Int64) throws {
        guard let draft = try one.draft(connecting: connects, with: other.own.person) else { return }
        try one.say(draft, at: time, event.randomness)
    }

    /// A further device of Anna's.
    func lateDevice() throws -> Replica {
        var event = event
        return try event.join(identity: identity)
    }

    /// Lets all do what is due about the keys; how much was done.
    func tendKeys(of replicas: [Replica]? = nil) throws -> Int {
        let now = Timestamp(milliseconds: 9000)
        var count = 0
        for replica in replicas ?? everybody {
            for _ in 0..<8 {
                guard let duty = try replica.keyDuty(at: now) else { break }
                _ = try replica.fulfil(duty, at: now, randomness: event.randomness)
                count += 1
            }
        }
        return count
    }

    /// The epochs that a device's content names, in the open or in a header, but the event's.
    func privateEpochs(of device: Replica) throws -> Set<EpochID> { try Self.privateEpochs(of: device, in: event) }

    static func privateEpochs(of device: Replica, in event: TestEvent) throws -> Set<EpochID> {
        let deltas = try device.runs(of: device.own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas)
        let named = deltas.compactMap { delta in
            delta.header.epoch == .plaintext
                ? delta.payload.flatMap { try? PrivateEpoch(decoding: $0).id } : delta.header.epoch
        }
        return Set(named).subtracting([event.epoch.id])
    }
}
