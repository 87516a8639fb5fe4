// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What becomes of somebody who waits to be let in and is not.
struct DecliningTests {
    private var world: TestEvent
    private let link: InvitationKeys
    private let host: Replica
    private var founder: Replica { world.founder }

    /// An event with a host and an invitation that asks.
    init() throws {
        world = try TestEvent(seed: 79)
        link = InvitationKeys(seed: world.randomness.secret())
        host = try world.join()
        try founder.receiveAll(from: host)
        try founder.say(.setLevel(host.own.person, .host), at: 3000, world.randomness)
    }

    /// Somebody who came by an invitation that asks, whom founder and host know.
    private func newcomer(as level: Level = .attendee) throws -> Replica {
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, level: level, asks: true)
        try founder.say(.open(terms), at: 3500, world.randomness)
        let keys = TestKeys(world.randomness)
        let newcomer = try Replica(path: nil, event: world.event, own: keys.own(in: world.event, invitation: link))
        try newcomer.receiveAll(from: founder)
        try newcomer.enter(keys, by: link, at: 4000, world.randomness)
        for replica in [founder, host] { try replica.receiveAll(from: newcomer) }
        try host.receiveAll(from: founder)
        return newcomer
    }

    private func spread(among replicas: Replica...) throws {
        for replica in replicas { for other in replicas { try replica.receiveAll(from: other) } }
    }

    @Test func `who is declined is out for everybody, reads nothing that follows, and can still be let in`() throws {
        let bob = try newcomer()
        let person = bob.own.person
        #expect(try founder.waitingPeople().map(\.id) == [person] && founder.counts().waiting == 1)
        try host.say(.decline(person), at: 5000, world.randomness)
        try spread(among: founder, host, bob)
        for replica in [founder, host, bob] {
            #expect(try replica.level(of: person) == nil && replica.waitingPeople().isEmpty)
            let shown = try replica.person(person)
            #expect(shown.isDeclined && shown.isRemoved && !shown.isRelay)
            #expect(try replica.removal(of: person)?.maker.id == host.own.person)
        }
        #expect(try founder.counts().waiting == 0 && founder.keyNeed(at: Timestamp(milliseconds: 5500)) == nil)
        let name = Draft.set(.profile, on: .nothing, values: ["name": .text("Ana")])
        let word = try founder.say(name, at: 6000, world.randomness)
        try spread(among: founder, host, bob)
        #expect(try host.readable([word]) == [word] && bob.readable([word]).isEmpty)

        try founder.say(.setLevel(person, .attendee), at: 7000, world.randomness)
        try spread(among: founder, host, bob)
        for replica in [founder, host, bob] {
            #expect(try replica.level(of: person) == .attendee && !replica.person(person).isDeclined)
        }
    }

    @Test func `whom one lets in while another declines is out, whichever is heard first`() throws {
        let bob = try newcomer()
        let person = bob.own.person
        let readers = try (0..<2).map { _ in try world.reader() }
        for reader in readers { try reader.receiveAll(from: bob) }
        try founder.say(.setLevel(person, .attendee), at: 5000, world.randomness)
        try host.say(.decline(person), at: 5000, world.randomness)
        for (reader, first, second) in [(readers[0], founder, host), (readers[1], host, founder)] {
            try reader.receiveAll(from: first)
            try reader.receiveAll(from: second)
            #expect(try reader.level(of: person) == nil && reader.person(person).isDeclined)
        }
        #expect(try readers[0].dump() == readers[1].dump())
        // Who was let in may have the key that was in use by then; the other host has made one.
        try founder.receiveAll(from: host)
        #expect(try founder.isKeyOutdated() == false && founder.level(of: person) == nil)
    }

    @Test func `who has heard half of it lets nobody in to read`() throws {
        let bob = try newcomer()
        let person = bob.own.person
        let cut = try host.say(.decline(person), at: 5000, world.randomness)
        try founder.receiveAll(from: host) { $0 == cut }
        #expect(try founder.missingPayloads(limit: 10).map(\.reference) == [cut])
        #expect(try founder.level(of: person).map(\.isPeople) != true)
        let need = try founder.keyNeed(at: Timestamp(milliseconds: 6000))
        // It lacks the key that the decline made itself, and hands none to anybody else.
        if case .handing(_, let cause, _) = need { #expect(cause == founder.own.name.raw.prefix) }
        try founder.receiveAll(from: host)
        #expect(try founder.level(of: person) == nil && founder.person(person).isDeclined)
    }

    @Test func `who was removed before a decline is heard that was made apart was removed`() throws {
        let bob = try newcomer()
        let person = bob.own.person
        try host.say(.decline(person), at: 5000, world.randomness)
        try founder.say(.setLevel(person, .attendee), at: 5000, world.randomness)
        try founder.say(.remove(person, keepsLinks: true), at: 6000, world.randomness)
        try founder.receiveAll(from: host)
        let shown = try founder.person(person)
        #expect(shown.isRemoved && !shown.isDeclined)
    }

    @Test func `what somebody came for is known also once declined`() throws {
        let guest = try newcomer(as: .guest)
        try host.say(.decline(guest.own.person), at: 5000, world.randomness)
        #expect(try host.person(guest.own.person).invitedTo == .guest)
        try host.say(.setLevel(guest.own.person, .guest), at: 6000, world.randomness)
        let shown = try host.person(guest.own.person)
        #expect(shown.level == .guest && shown.invitedTo == nil)
    }

    @Test func `a relay that is declined is one that was declined`() throws {
        let relay = try newcomer(as: .relay)
        try founder.say(.decline(relay.own.person), at: 5000, world.randomness)
        let shown = try founder.person(relay.own.person)
        #expect(shown.isDeclined && shown.isRelay && shown.level == nil)
    }

    @Test func `nobody who takes part is declined, and nobody below declines`() throws {
        let bob = try newcomer()
        let guest = try world.reader()
        try guest.receiveAll(from: bob)
        #expect(throws: ReplicaError.decidedAbove) {
            try founder.say(.decline(host.own.person), at: 5000, world.randomness)
        }
        try founder.say(.setLevel(host.own.person, .attendee), at: 5000, world.randomness)
        try host.receiveAll(from: founder)
        #expect(throws: ReplicaError.decidedAbove) {
            try host.say(.decline(bob.own.person), at: 6000, world.randomness)
        }
        #expect(try host.waitingPeople().map(\.id) == [bob.own.person])
    }

    @Test func `who was removed after being let in was not declined`() throws {
        let bob = try newcomer()
        let person = bob.own.person
        try host.say(.decline(person), at: 5000, world.randomness)
        try founder.receiveAll(from: host)
        try founder.say(.setLevel(person, .attendee), at: 6000, world.randomness)
        try founder.say(.remove(person, keepsLinks: true), at: 7000, world.randomness)
        let shown = try founder.person(person)
        #expect(shown.isRemoved && !shown.isDeclined)
    }
}
