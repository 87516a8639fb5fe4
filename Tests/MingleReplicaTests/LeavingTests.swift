// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What becomes of somebody who leaves, and of a device that its person retires.
struct LeavingTests {
    private func name(_ text: String) -> Draft { .set(.profile, on: .nothing, values: ["name": .text(text)]) }

    private func say(_ draft: Draft, by replica: Replica, _ world: TestEvent, at time: Int64 = 6000) throws {
        try replica.say(draft, at: time, world.randomness)
    }

    /// Lets all hold what all wrote.
    private func level(_ replicas: [Replica]) throws {
        for _ in 0..<2 {
            for replica in replicas {
                for other in replicas where other !== replica { try replica.receiveAll(from: other) }
            }
        }
    }

    private func party(seed: UInt64) throws -> (world: TestEvent, bob: Replica, carl: Replica, all: [Replica]) {
        var world = try TestEvent(seed: seed)
        let (bob, carl) = (try world.join(), try world.join())
        try say(name("Bob"), by: bob, world, at: 3000)
        try say(name("Carl"), by: carl, world, at: 3000)
        let all = [world.founder, bob, carl]
        try level(all)
        // Else who leaves could still read by the link's key.
        try say(.close(world.invitation.id), by: world.founder, world, at: 3500)
        try say(.renewKey, by: world.founder, world, at: 3501)
        try level(all)
        return (world, bob, carl, all)
    }

    @Test func `who leaves is out everywhere, and what the person shared stays`() throws {
        let (world, bob, carl, all) = try party(seed: 91)
        try say(.leave, by: carl, world)
        #expect(throws: ReplicaError.left) { try say(name("Still here"), by: carl, world, at: 7000) }
        #expect(throws: ReplicaError.left) { try say(.leave, by: carl, world, at: 7000) }
        try level(all)
        for reader in all {
            #expect(try reader.level(of: carl.own.person) == nil && reader.hasLeft(carl.own.person))
            #expect(try reader.leftPeople().map(\.id) == [carl.own.person] && reader.removals().isEmpty)
            #expect(try reader.lines("\"Carl\"").count == 1 && reader.people().count == 2)
            #expect(try reader.admittedPerson(of: carl.own.name) == nil)
            let before = try (reader.dump(), reader.leftPeople())
            _ = try reader.recompute()
            #expect(try reader.dump() == before.0 && reader.leftPeople() == before.1)
        }
        #expect(try carl.keyNeed(at: Timestamp(milliseconds: 7000)) == nil && !carl.isKeyOutdated())
        // Others make a key that the person lacks.
        try say(name("Ana"), by: world.founder, world, at: 7000)
        for reader in [bob, carl] { try reader.receiveAll(from: world.founder) }
        #expect(try bob.lines("\"Ana\"").count == 1 && carl.lines("\"Ana\"").isEmpty)
    }

    @Test func `a host lets somebody in again who has left, and who waits or was removed may leave, too`() throws {
        var (world, bob, carl, all) = try party(seed: 92)
        try say(.leave, by: carl, world)
        try level(all)
        try say(.setLevel(carl.own.person, .attendee), by: world.founder, world, at: 7000)
        try level(all)
        try say(name("Back"), by: carl, world, at: 8000)
        try level(all)
        #expect(try bob.lines("Back").count == 1 && bob.leftPeople().isEmpty)
        // A removal stands above a leaving.
        try say(.remove(carl.own.person, keepsLinks: true), by: world.founder, world, at: 9000)
        try say(.leave, by: carl, world, at: 9001)
        try level(all)
        #expect(try bob.removals().count == 1 && bob.leftPeople().isEmpty && !bob.isAdmitted(carl.own.person))
        try say(.setLevel(carl.own.person, .guest), by: world.founder, world, at: 10_000)
        try level(all)
        #expect(try bob.level(of: carl.own.person) == .guest)
        // Who comes by a link that is closed waits, and is on no list after leaving.
        let dora = try world.join()
        try level([world.founder, dora])
        #expect(try world.founder.isWaiting(dora.own.person))
        try say(.leave, by: dora, world, at: 11_000)
        try level([world.founder, dora])
        #expect(try !world.founder.isWaiting(dora.own.person) && world.founder.waitingPeople().isEmpty)
        #expect(try world.founder.leftPeople().map(\.id) == [dora.own.person])
    }

    @Test func `another title changes nothing of when an event began`() throws {
        let (world, bob, _, all) = try party(seed: 94)
        let created = try #require(try bob.created())
        let title = Draft.set(.event, on: .nothing, values: ["title": .text("Ana and Bert")])
        try say(title, by: world.founder, world, at: 9000)
        try level(all)
        for reader in all {
            #expect(try reader.title() == "Ana and Bert" && reader.created() == created && created < 2000)
        }
    }

    @Test func `a founder who leaves has named the event, and a successor goes on`() throws {
        let (world, bob, carl, all) = try party(seed: 93)
        try say(.setLevel(bob.own.person, .successor), by: world.founder, world, at: 4000)
        try level(all)
        try say(.leave, by: world.founder, world)
        try level(all)
        try say(.setLevel(carl.own.person, .host), by: bob, world, at: 7000)
        try say(name("Robert"), by: bob, world, at: 7001)
        try level(all)
        for reader in [bob, carl] {
            #expect(try reader.title() == "Ana and Bob" && reader.level(of: carl.own.person) == .host)
            #expect(try reader.created() == 1000 && reader.people().count == 2)
            #expect(try reader.lines("Robert").count == 1)
        }
        #expect(try world.founder.lines("Robert").isEmpty)
        #expect(throws: ReplicaError.decidedAbove) {
            try say(.setLevel(world.founder.own.person, .attendee), by: bob, world, at: 8000)
        }
        let newcomer = try world.reader()
        try newcomer.receiveAll(from: bob)
        #expect(try newcomer.title() == "Ana and Bob" && newcomer.frontier().digest == bob.frontier().digest)
    }

    @Test func `nobody writes under a key that was made in advance by somebody who then leaves`() throws {
        var world = try TestEvent(seed: 94)
        let bob = try world.join()
        // Erin's phone knows by what name keys obey that she leaves, before she does; her laptop makes one that obeys it.
        let identity = SigningKey(seed: world.randomness.secret())
        let (phone, laptop) = (world.scribe(identity: identity), world.scribe(identity: identity))
        let arrival = try phone.introduction(by: world.invitation)
        let leaving = try phone.fabric(
            .cut(
                CutTerms(
                    person: phone.keys.person,
                    level: nil,
                    ends: arrival.suffix(1).map(FrontierEntry.init(endingAt:))
                )
            ),
            after: arrival.last
        )
        let certificate = try laptop.introduction(by: nil)
        let (id, made) = try laptop.epoch(
            obeying: [leaving.reference.hash],
            sealedTo: bob.own,
            after: certificate[0]
        )
        _ = try bob.merge([Run(arrival), Run(certificate + [made])])
        #expect(try bob.epochKeys().map(\.0).contains(id))
        _ = try bob.merge([Run([leaving])])
        #expect(try bob.hasLeft(phone.keys.person))
        #expect(throws: ReplicaError.keyOutdated) { try say(name("Secret"), by: bob, world, at: 7000) }
        guard case .renewal? = try bob.keyNeed(at: Timestamp(milliseconds: 7000)) else {
            return #expect(Bool(false), "no key is needed")
        }
    }

    /// Case 16.
    @Test func `a retired device is out, writes nothing that counts, and opens no key that follows`() throws {
        var world = try TestEvent(seed: 95)
        let (phone, laptop) = try world.joinTwice()
        let bob = try world.join()
        let all = [world.founder, phone, laptop, bob]
        try level(all)
        try say(name("From the phone"), by: phone, world, at: 3000)
        try level(all)
        try say(.close(world.invitation.id), by: world.founder, world, at: 3500)
        try say(.renewKey, by: world.founder, world, at: 3501)
        try level(all)
        try say(.retire(phone.own.name), by: laptop, world, at: 4000)
        // The thief writes on, and retires the laptop.
        try say(name("Stolen"), by: phone, world, at: 5000)
        for reader in [world.founder, laptop, bob] {
            for other in [laptop, phone, world.founder] { try reader.receiveAll(from: other) }
            #expect(try reader.lines("From the phone").count == 1 && reader.lines("Stolen").isEmpty)
            #expect(try reader.admittedPerson(of: phone.own.name) == nil)
            #expect(try reader.admittedPerson(of: laptop.own.name) == laptop.own.person)
            #expect(try reader.devices(of: laptop.own.person).filter(\.isRetired).map(\.name) == [phone.own.name])
            #expect(try reader.people().count == 3 && reader.removals().isEmpty && reader.leftPeople().isEmpty)
        }
        try say(name("Ana"), by: world.founder, world, at: 6000)
        try say(name("The owner"), by: laptop, world, at: 6001)
        try level(all)
        #expect(try bob.lines("The owner").count == 1 && bob.lines("\"Ana\"").count == 1)
        #expect(try phone.lines("The owner").isEmpty && phone.lines("\"Ana\"").isEmpty)
        #expect(throws: ReplicaError.deviceRetired) { try say(name("Again"), by: phone, world, at: 7000) }
        #expect(try phone.keyNeed(at: Timestamp(milliseconds: 7000)) == nil)
        for (wrong, by) in [(laptop.own.name, laptop), (phone.own.name, laptop), (bob.own.name, laptop)] {
            #expect(throws: ReplicaError.notFound(wrong.description)) { try say(.retire(wrong), by: by, world) }
        }
        let before = try (bob.dump(), bob.devices(of: laptop.own.person))
        _ = try bob.recompute()
        #expect(try bob.dump() == before.0 && bob.devices(of: laptop.own.person) == before.1)
    }

    @Test func `a retired device opens no new key of a private moment`() throws {
        var world = try TestEvent(seed: 96)
        let (phone, laptop) = try world.joinTwice()
        let bob = try world.join()
        let all = [world.founder, phone, laptop, bob]
        try level(all)
        let audience = Audience.guests(owner: bob.own.person, salt: [UInt8](repeating: 1, count: Audience.saltLength))
        let values: [String: Value] = [
            "title": .text("Private"), "start": .number(1), "end": .number(2), "place_name": .text("Quay"),
            "latitude": .number(1), "longitude": .number(1), "radius": .number(1),
        ]
        let moment = try bob.say(
            .create(.moment, on: .nothing, values: values, for: audience),
            at: 3000,
            world.randomness
        )
        try say(.invite(laptop.own.person, to: moment), by: bob, world, at: 3001)
        try level(all)
        #expect(try phone.lines("Private").count == 1 && laptop.lines("Private").count == 1)
        try say(.retire(phone.own.name), by: laptop, world, at: 4000)
        try level(all)
        let values2: [String: Value] = ["text": .text("Whispered")]
        try say(.create(.comment, on: .record(moment), values: values2), by: bob, world, at: 5000)
        try level(all)
        #expect(try laptop.lines("Whispered").count == 1 && phone.lines("Whispered").isEmpty)
    }

    @Test func `a host who retires a device closes the links that are on it, and others are told of them`() throws {
        var world = try TestEvent(seed: 97)
        let (phone, laptop) = try world.joinTwice()
        try level([world.founder, phone, laptop])
        try say(.retire(phone.own.name), by: laptop, world, at: 4000)
        #expect(try laptop.openInvitations(knownTo: laptop.own.person) == [world.invitation.id])
        let (host, other) = try world.joinTwice()
        try level([world.founder, host, other, laptop])
        try say(.setLevel(host.own.person, .host), by: world.founder, world, at: 5000)
        try level([world.founder, host, other])
        try say(.retire(other.own.name), by: host, world, at: 6000)
        #expect(try host.openInvitations(knownTo: host.own.person).isEmpty)
        try level([world.founder, host])
        #expect(
            try world.founder.people().count == 3 && world.founder.invitation(world.invitation.id)?.isClosed == true
        )
    }

    @Test func `all that somebody made is found to be deleted before leaving`() throws {
        let (world, bob, carl, all) = try party(seed: 98)
        let values: [String: Value] = [
            "name": .text("Quay"), "latitude": .number(1), "longitude": .number(2), "radius": .number(3),
        ]
        for number in 0..<5 {
            try say(.create(.place, on: .nothing, values: values), by: carl, world, at: 4000 + Int64(number))
        }
        let kept = try carl.ownRecords(limit: 2)
        #expect(kept.count == 2)
        _ = try carl.author(kept.map { .delete($0) }, at: Timestamp(milliseconds: 5000), randomness: world.randomness)
        let rest = try carl.ownRecords(limit: 256)
        #expect(rest.count == 3 && Set(rest).isDisjoint(with: kept))
        _ = try carl.author(rest.map { .delete($0) }, at: Timestamp(milliseconds: 5001), randomness: world.randomness)
        #expect(try carl.ownRecords(limit: 256).isEmpty)
        try say(.leave, by: carl, world)
        try level(all)
        #expect(try bob.lines("Quay").isEmpty)
    }
}
