// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What becomes of somebody who is removed, and of the keys.
struct RemovalTests {
    private func name(_ text: String) -> Draft { .set(.profile, on: .nothing, values: ["name": .text(text)]) }

    private func remove(_ replica: Replica, by host: Replica, _ world: TestEvent, at time: Int64 = 6000) throws {
        let now = Timestamp(milliseconds: time)
        let removal = Draft.remove(replica.own.person, keepsLinks: true)
        _ = try host.author([removal], at: now, randomness: world.randomness)
    }

    /// Three members, of whom all hold what all wrote.
    private func three(_ world: inout TestEvent) throws -> (Replica, Replica, Replica) {
        let all = (try world.join(), try world.join(), try world.join())
        for (index, replica) in [all.0, all.1, all.2].enumerated() {
            try replica.say(name("Guest \(index)"), at: 3000, world.randomness)
        }
        for _ in 0..<2 {
            for replica in [all.0, all.1, all.2] {
                try world.founder.receiveAll(from: replica)
                try replica.receiveAll(from: world.founder)
            }
        }
        return all
    }

    @Test func `what came before a removal counts, what comes behind it does not, and all does once it is lifted`()
        throws
    {
        var world = try TestEvent(seed: 81)
        let (bob, carl, _) = try three(&world)
        let early = try carl.say(
            .create(.place, on: .nothing, values: placeValues("Early")),
            at: 3500,
            world.randomness
        )
        try world.founder.receiveAll(from: carl)
        try remove(carl, by: world.founder, world)
        let late = try carl.say(
            .create(.place, on: .nothing, values: placeValues("Late")),
            at: 7000,
            world.randomness
        )
        try carl.say(name("Changed"), at: 7001, world.randomness)
        for reader in [world.founder, bob] {
            try reader.receiveAll(from: carl)
            try reader.receiveAll(from: world.founder)
            #expect(try reader.lines("Guest 1").count == 1 && reader.lines("Late").isEmpty)
            #expect(try reader.readable([late, early]) == [early])
            #expect(try reader.level(of: carl.own.person) == nil && reader.lines("Changed").isEmpty)
            #expect(try reader.removals().map(\.person.id) == [carl.own.person])
        }
        let now = Timestamp(milliseconds: 8000)
        let lifted = try world.founder.author(
            [.setLevel(carl.own.person, .attendee)],
            at: now,
            randomness: world.randomness
        )
        #expect(!lifted.outcome.isRecomputed)
        #expect(try world.founder.lines("Late").count == 1 && world.founder.lines("Changed").count == 1)
        #expect(try world.founder.readable([late, early]) == [late, early])
        try bob.receiveAll(from: world.founder)
        #expect(try bob.dump() == world.founder.dump() && bob.removals().isEmpty)
    }

    @Test func `who was removed cannot read what is sealed afterwards, and everybody else can`() throws {
        var world = try TestEvent(seed: 82)
        let (bob, carl, dora) = try three(&world)
        try remove(carl, by: world.founder, world)
        try bob.receiveAll(from: world.founder)
        try bob.say(name("Secret"), at: 7000, world.randomness)
        for reader in [carl, dora] {
            try reader.receiveAll(from: world.founder)
            try reader.receiveAll(from: bob)
        }
        #expect(try dora.lines("Secret").count == 1 && carl.lines("Secret").isEmpty)
        #expect(throws: ReplicaError.removed) { try carl.say(name("Still here"), at: 8000, world.randomness) }
    }

    /// Case 23.
    @Test func `of two removals that do not know each other neither key is used, and the next one obeys both`() throws {
        var world = try TestEvent(seed: 83)
        let (bob, carl, dora) = try three(&world)
        let now = Timestamp(milliseconds: 5000)
        _ = try world.founder.author([.setLevel(bob.own.person, .host)], at: now, randomness: world.randomness)
        for reader in [bob, dora] { try reader.receiveAll(from: world.founder) }
        let erin = try world.join()
        for host in [world.founder, bob] { try host.receiveAll(from: erin) }
        try remove(carl, by: world.founder, world)
        try remove(erin, by: bob, world)
        for host in [world.founder, bob] { try dora.receiveAll(from: host) }
        #expect(throws: ReplicaError.keyOutdated) { try dora.say(name("Dora"), at: 7000, world.randomness) }
        guard case .renewal? = try dora.keyNeed(at: now) else { return #expect(Bool(false), "no key is needed") }
        _ = try dora.author([.renewKey], at: Timestamp(milliseconds: 7000), randomness: world.randomness)
        try dora.say(name("Secret"), at: 7001, world.randomness)
        for reader in [carl, erin, bob] {
            for host in [world.founder, bob, dora] { try reader.receiveAll(from: host) }
        }
        #expect(try [bob, carl, erin].map { try $0.lines("Secret").count } == [1, 0, 0])
        // A host makes one at once where none is clean.
        try world.founder.receiveAll(from: bob)
        try world.founder.say(name("Ana"), at: 8000, world.randomness)
        #expect(try world.founder.keyNeed(at: now) == nil)
    }

    @Test func `a newcomer who has the latest key alone reads all that was sealed before`() throws {
        var world = try TestEvent(seed: 84)
        let (bob, carl, _) = try three(&world)
        try remove(carl, by: world.founder, world)
        try world.founder.say(name("Ana"), at: 6500, world.randomness)
        let keys = InvitationKeys(seed: world.randomness.secret())
        let now = Timestamp(milliseconds: 7000)
        let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey)
        _ = try world.founder.author([.open(terms)], at: now, randomness: world.randomness)
        let reader = try Replica(
            path: nil,
            event: world.event,
            own: TestKeys(world.randomness).own(in: world.event, invitation: keys)
        )
        for member in [world.founder, bob] { try reader.receiveAll(from: member) }
        #expect(try reader.lines("Ana").count == 2 && reader.lines("Guest 0").count == 1)
        #expect(try reader.dump() == world.founder.dump())
    }

    @Test func `nobody can give another's epoch other rules, nor write under one that obeys less than is known`() throws
    {
        var world = try TestEvent(seed: 85)
        let (bob, carl, dora) = try three(&world)
        // Dora, who helps Carl, makes a key before he is removed, and says later that it obeys the removal.
        _ = try dora.author([.renewKey], at: Timestamp(milliseconds: 5000), randomness: world.randomness)
        try carl.receiveAll(from: dora)
        try remove(carl, by: world.founder, world)
        try dora.receiveAll(from: world.founder)
        let made = try dora.runs(of: dora.own.name, .fabric, after: [], byteLimit: .max).flatMap(\.deltas)
            .compactMap(\.payload).compactMap { payload -> EpochSlots? in
                if case .epoch(let epoch)? = try? FabricPayload(decoding: payload) { epoch } else { nil }
            }
        let own = try #require(made.first)
        let removal = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
            .flatMap(\.deltas).first { delta in
                if case .cut? = delta.payload.flatMap({ try? FabricPayload(decoding: $0) }) { true } else { false }
            }
        let label = try #require(removal).reference.hash
        let lie = EpochSlots(
            id: own.id,
            audience: own.audience,
            rules: own.rules,
            slots: [],
            making: EpochMaking(obeys: [label], carried: own.making?.carried ?? [])
        )
        _ = try dora.author([.fabric(.epoch(lie))], at: Timestamp(milliseconds: 6500), randomness: world.randomness)
        try bob.receiveAll(from: dora)
        try bob.receiveAll(from: world.founder)
        try bob.say(name("Secret"), at: 7000, world.randomness)
        for member in [bob, dora, world.founder] { try carl.receiveAll(from: member) }
        #expect(try carl.lines("Secret").isEmpty)
    }

    @Test func `a key for a thousand people takes 65 KB at most`() throws {
        let world = try TestEvent(seed: 86)
        let guests = try (0..<999).map { _ in Run(try world.scribe().introduction(by: world.invitation)) }
        _ = try world.founder.merge(guests)
        let now = Timestamp(milliseconds: 5000)
        let authored = try world.founder.author([.renewKey], at: now, randomness: world.randomness)
        let bytes = authored.runs.reduce(0) { $0 + $1.encoded().count }
        #expect(bytes > 1000 * EpochSlots.slotLength && bytes < 65_000, "\(bytes) bytes")
    }

    @Test func `somebody to whom no key was sealed gets it from whoever notices`() throws {
        var world = try TestEvent(seed: 87)
        let (bob, _, _) = try three(&world)
        let keys = TestKeys(world.randomness)
        // Somebody who is let in by a grant, and came by no invitation.
        let erin = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
        let now = Timestamp(milliseconds: 5000)
        let certificate = Draft.fabric(.certificate(keys.certificate(in: world.event)))
        _ = try erin.author([certificate], at: now, randomness: world.randomness)
        _ = try world.founder.author([.setLevel(keys.person, .attendee)], at: now, randomness: world.randomness)
        // The event of the tests begins with a key that the founder has by heart only.
        _ = try world.founder.handOnKeys(at: now, randomness: world.randomness)
        for member in [world.founder, erin] { try bob.receiveAll(from: member) }
        guard case .handing? = try bob.keyNeed(at: now) else { return #expect(Bool(false), "nobody lacks a key") }
        _ = try bob.handOnKeys(at: now, randomness: world.randomness)
        #expect(try bob.keyNeed(at: now) == nil)
        for member in [world.founder, bob] { try erin.receiveAll(from: member) }
        #expect(try erin.dump() == bob.dump() && erin.hasKey())
    }

    @Test func `a device to which nothing can be sealed keeps nobody from being removed`() throws {
        var world = try TestEvent(seed: 88)
        let (_, carl, _) = try three(&world)
        let scribe = world.scribe()
        let certificate = Certificate(
            person: scribe.keys.person,
            signingKey: scribe.keys.signing.publicKey,
            agreementKey: .zero,
            signature: scribe.keys.identity.sign(
                Certificate.deviceName(
                    event: world.event,
                    person: scribe.keys.person,
                    signingKey: scribe.keys.signing.publicKey,
                    agreementKey: .zero
                )
                .bytes
            )
        )
        let own = OwnDevice(
            person: scribe.keys.person,
            name: certificate.deviceName(in: world.event),
            signing: scribe.keys.signing,
            agreement: scribe.keys.agreement
        )
        let weak = try Replica(path: nil, event: world.event, own: own)
        let now = Timestamp(milliseconds: 5000)
        _ = try weak.author([.fabric(.certificate(certificate))], at: now, randomness: world.randomness)
        try world.founder.receiveAll(from: weak)
        let grant = Draft.setLevel(scribe.keys.person, .attendee)
        _ = try world.founder.author([grant], at: now, randomness: world.randomness)
        try remove(carl, by: world.founder, world)
        #expect(try world.founder.level(of: carl.own.person) == nil && world.founder.keyNeed(at: now) == nil)
    }

    @Test func `what one cut voided, another one does not bring back`() throws {
        var world = try TestEvent(seed: 89)
        let (bob, carl, _) = try three(&world)
        let now = Timestamp(milliseconds: 5000)
        func put(_ level: Level) throws {
            _ = try world.founder.author([.setLevel(bob.own.person, level)], at: now, randomness: world.randomness)
        }
        try put(.host)
        try bob.receiveAll(from: world.founder)
        try put(.guest)
        // Bob's node goes on as a host's.
        try remove(carl, by: bob, world)
        try world.founder.receiveAll(from: bob)
        #expect(try world.founder.level(of: carl.own.person) == .attendee)
        try put(.attendee)
        #expect(try world.founder.level(of: carl.own.person) == .attendee)
        try remove(bob, by: world.founder, world)
        #expect(try world.founder.level(of: carl.own.person) == .attendee)
        #expect(try world.founder.level(of: bob.own.person) == nil)
    }

    @Test func `who was let back in, or is put lower in steps, keeps what was said at each level`() throws {
        var world = try TestEvent(seed: 92)
        let (bob, carl, _) = try three(&world)
        let now = Timestamp(milliseconds: 5000)
        func put(_ person: Replica, _ level: Level) throws {
            _ = try world.founder.author([.setLevel(person.own.person, level)], at: now, randomness: world.randomness)
        }
        try carl.say(.create(.place, on: .nothing, values: placeValues("Camp")), at: 4000, world.randomness)
        try world.founder.receiveAll(from: carl)
        try remove(carl, by: world.founder, world)
        try put(carl, .attendee)
        #expect(try world.founder.lines("Camp").count == 1)
        try put(carl, .guest)
        #expect(try world.founder.lines("Camp").count == 1 && world.founder.level(of: carl.own.person) == .guest)
        try put(bob, .host)
        try put(bob, .attendee)
        try bob.receiveAll(from: world.founder)
        try bob.say(.create(.place, on: .nothing, values: placeValues("Attended")), at: 7000, world.randomness)
        try world.founder.receiveAll(from: bob)
        try put(bob, .guest)
        #expect(try world.founder.lines("Attended").count == 1 && world.founder.level(of: bob.own.person) == .guest)
    }

    @Test func `who may not remove somebody is told, and nothing is written`() throws {
        var world = try TestEvent(seed: 90)
        let (bob, carl, dora) = try three(&world)
        let now = Timestamp(milliseconds: 5000)
        for host in [bob, carl] {
            _ = try world.founder.author([.setLevel(host.own.person, .host)], at: now, randomness: world.randomness)
            for member in [bob, carl] { try member.receiveAll(from: world.founder) }
        }
        let frontier = try bob.frontier()
        #expect(throws: ReplicaError.decidedAbove) { try remove(carl, by: bob, world) }
        #expect(throws: ReplicaError.decidedAbove) { try remove(bob, by: dora, world) }
        #expect(try bob.frontier() == frontier)
    }

    @Test func `an epoch that says that it carries itself takes no key from anybody`() throws {
        var world = try TestEvent(seed: 91)
        let (bob, carl, dora) = try three(&world)
        let now = Timestamp(milliseconds: 5000)
        let key = world.randomness.secret()
        let audience = EpochSlots.eventAudience(world.event)
        // What is carried is part of the id by way of the rules, so nothing can name itself; two that name each other cannot
        // be either. What is left is a key that was there before.
        let making = EpochMaking(
            obeys: [],
            carried: EpochMaking.carry([EpochMaking.Key(world.epoch.key, rules: nil)], under: key)
        )
        let rules = making.rules(maker: dora.own.name)
        let id = EpochSlots.id(key: key, event: world.event, audience: audience, rules: rules)
        let slot = try EpochSlots.slot(
            key: key,
            epoch: id,
            label: bob.own.name.raw.prefix,
            author: dora.own.agreement,
            recipient: bob.own.agreement.publicKey
        )
        let epoch = EpochSlots(id: id, audience: audience, rules: rules, slots: [slot], making: making)
        _ = try dora.author([.fabric(.epoch(epoch))], at: now, randomness: world.randomness)
        for member in [world.founder, bob] { try member.receiveAll(from: dora) }
        // Who has no slot does not have it, and who has hands it on.
        _ = try bob.handOnKeys(at: now, randomness: world.randomness)
        try world.founder.receiveAll(from: bob)
        try remove(carl, by: world.founder, world)
        #expect(try world.founder.level(of: carl.own.person) == nil && world.founder.keyNeed(at: now) == nil)
        #expect(try Set(world.founder.epochKeys().map(\.0)).isSuperset(of: [id, world.epoch.id]))
    }

    @Test func `a picture that came with what takes it away again is not asked for`() throws {
        var world = try TestEvent(seed: 92)
        let (bob, carl, _) = try three(&world)
        try remove(carl, by: world.founder, world)
        let media = Media(root: .zero, size: 1000, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        let listing = BlobListing(name: media.name(owner: carl.own.person), size: media.size)
        let values: [String: Value] = [
            "thumbnail": .media(media), "preview": .media(media), "original": .media(media), "width": .number(640),
            "height": .number(480),
        ]
        let photo = Draft.create(.photo, on: .nothing, values: values, blobs: [listing])
        try carl.say(photo, at: 7000, world.randomness)
        // Both in one transaction: what counted at first counts no more at its end.
        let content = try carl.runs(
            of: carl.own.name,
            .content,
            after: bob.locator(of: carl.own.name, .content),
            byteLimit: .max
        )
        let founder = world.founder.own.name
        let fabric = try world.founder.runs(
            of: founder,
            .fabric,
            after: bob.locator(of: founder, .fabric),
            byteLimit: .max
        )
        let outcome = try bob.merge(content + fabric)
        #expect(outcome.newHeaders > 1 && outcome.media.isEmpty)
        #expect(try bob.level(of: carl.own.person) == nil && bob.mentions(after: 0, limit: 9).mentions.isEmpty)
    }

    private func placeValues(_ name: String) -> [String: Value] {
        ["name": .text(name), "latitude": .number(1), "longitude": .number(2), "radius": .number(3)]
    }
}
