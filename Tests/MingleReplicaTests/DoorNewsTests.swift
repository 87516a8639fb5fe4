// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// For whom a write may open doors, or close them.
struct DoorNewsTests {
    private func say(_ draft: Draft, by replica: Replica, _ world: TestEvent) throws -> DoorNews? {
        let now = Timestamp(milliseconds: 5000)
        return DoorNews(of: try replica.author([draft], at: now, randomness: world.randomness).outcome, at: replica.own)
    }

    private func hear(_ other: Replica, by replica: Replica) throws -> DoorNews? {
        let held = try replica.locator(of: other.own.name, .fabric)
        let runs = try other.runs(of: other.own.name, .fabric, after: held, byteLimit: .max)
        return DoorNews(of: try replica.merge(runs), at: replica.own)
    }

    @Test func `who comes, is put elsewhere, removed or leaves concerns that person's doors, and at home all`() throws {
        var world = try TestEvent(seed: 141)
        let (bob, carl) = (try world.join(), try world.join())
        #expect(try hear(carl, by: bob) == .some([carl.own.person]))
        for guest in [bob, carl] { #expect(try hear(guest, by: world.founder) == .some([guest.own.person])) }
        let drafts = [Draft.setLevel(carl.own.person, .host), .remove(carl.own.person, keepsLinks: true)]
        for draft in drafts {
            #expect(try say(draft, by: world.founder, world) == .some([carl.own.person]))
            #expect(try hear(world.founder, by: bob) == .some([carl.own.person]))
            #expect(try hear(world.founder, by: carl) == .anybody)
        }
        let leaving = try bob.leave(at: Timestamp(milliseconds: 6000), randomness: world.randomness)
        #expect(DoorNews(of: leaving.outcome, at: bob.own) == .anybody)
        #expect(try hear(bob, by: world.founder) == .some([bob.own.person]))
    }

    @Test func `who waits to be let in, and who leaves while waiting, concerns that person's doors`() throws {
        let world = try TestEvent(seed: 144)
        let link = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, asks: true)
        _ = try say(.open(terms), by: world.founder, world)
        let keys = TestKeys(world.randomness)
        let eve = try Replica(path: nil, event: world.event, own: keys.own(in: world.event, invitation: link))
        try eve.receiveAll(from: world.founder)
        try eve.enter(keys, by: link, at: 5000, world.randomness)
        #expect(try hear(eve, by: world.founder) == .some([eve.own.person]))
        _ = try eve.leave(at: Timestamp(milliseconds: 6000), randomness: world.randomness)
        #expect(try hear(eve, by: world.founder) == .some([eve.own.person]))
    }

    @Test func `a further device and a retired one concern their person's doors, and at home all`() throws {
        var world = try TestEvent(seed: 142)
        let identity = SigningKey(seed: world.randomness.secret())
        let phone = try world.join(identity: identity)
        try world.founder.receiveAll(from: phone)
        let laptop = try world.join(identity: identity)
        #expect(try hear(laptop, by: world.founder) == .some([phone.own.person]))
        #expect(try hear(laptop, by: phone) == .anybody)
        for device in [phone, laptop] { try world.founder.receiveAll(from: device) }
        _ = try phone.retire(laptop.own.name, at: Timestamp(milliseconds: 6000), randomness: world.randomness)
        #expect(try hear(phone, by: world.founder) == .some([phone.own.person]))
    }

    @Test func `an invitation concerns all, and neither a key nor words concern anybody`() throws {
        var world = try TestEvent(seed: 143)
        let bob = try world.join()
        try bob.receiveAll(from: world.founder)
        _ = try hear(bob, by: world.founder)
        #expect(try say(.renewKey, by: world.founder, world) == nil && hear(world.founder, by: bob) == nil)
        let name = Draft.set(.profile, on: .nothing, values: ["name": .text("Bob")])
        #expect(try say(name, by: bob, world) == nil)
        let keys = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey)
        #expect(try say(.open(terms), by: world.founder, world) == .anybody)
        #expect(try hear(world.founder, by: bob) == .anybody)
    }
}
