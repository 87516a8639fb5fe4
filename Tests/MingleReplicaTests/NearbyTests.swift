// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// The invitation by which anyone nearby may come.
struct NearbyTests {
    private static let now = Timestamp(milliseconds: 9000)

    /// An event whose founder made an invitation and named its seed in the settings; what another member then sees of it.
    private func seen(
        _ terms: (InvitationKeys) -> InvitationTerms,
        says: (Secret) -> Value = { .text(Base32.encode($0.exposed())) },
        closes: Bool = false
    ) throws -> (seed: Secret?, said: Secret) {
        var world = try TestEvent(seed: 41)
        let reader = try world.join()
        let seed = world.randomness.secret()
        let keys = InvitationKeys(seed: seed)
        try world.founder.say(.fabric(.invitation(terms(keys))), at: 3000, world.randomness)
        let values: [String: Value] = ["title": .text("Party"), "nearby": says(seed)]
        try world.founder.say(.set(.event, on: .nothing, values: values), at: 4000, world.randomness)
        if closes { try world.founder.say(.close(keys.id), at: 5000, world.randomness) }
        try reader.receiveAll(from: world.founder)
        return (try reader.nearbyOpening(at: Self.now)?.seed, seed)
    }

    private func terms(
        _ keys: InvitationKeys,
        level: Level = .attendee,
        expires: Timestamp? = nil,
        uses: UInt32? = nil,
        asks: Bool = false
    ) -> InvitationTerms {
        InvitationTerms(
            id: keys.id,
            agreementKey: keys.agreement.publicKey,
            level: level,
            expires: expires,
            uses: uses,
            asks: asks
        )
    }

    @Test func `every member reads the seed that the founder names`() throws {
        let (seed, said) = try seen { terms($0) }
        #expect(seed?.exposed() == said.exposed())
        let later = try seen { terms($0, expires: Timestamp(milliseconds: 9001)) }
        #expect(later.seed != nil)
    }

    @Test func `an invitation that is closed or over, asks, or leads elsewhere opens nothing to those nearby`() throws {
        #expect(try seen({ terms($0) }, closes: true).seed == nil)
        #expect(try seen { terms($0, expires: Timestamp(milliseconds: 9000)) }.seed == nil)
        #expect(try seen { terms($0, asks: true) }.seed == nil)
        for level in [Level.host, .moderator, .guest, .relay] {
            #expect(try seen { terms($0, level: level) }.seed == nil, "\(level)")
        }
    }

    @Test(arguments: [
        "", "a", String(repeating: "a", count: 50), "no base32 at all!", String(repeating: "b", count: 52),
    ])
    func `what is no seed of an invitation opens nothing`(text: String) throws {
        #expect(try seen({ terms($0) }, says: { _ in .text(text) }).seed == nil)
    }

    @Test func `nobody but the founder opens an event to those nearby`() throws {
        var world = try TestEvent(seed: 42)
        let host = try world.join()
        try world.founder.say(.setLevel(host.own.person, .host), at: 3000, world.randomness)
        try host.receiveAll(from: world.founder)
        let seed = world.randomness.secret()
        try host.say(.fabric(.invitation(terms(InvitationKeys(seed: seed)))), at: 4000, world.randomness)
        let values: [String: Value] = ["title": .text("Mine"), "nearby": .text(Base32.encode(seed.exposed()))]
        _ = try? host.say(.set(.event, on: .nothing, values: values), at: 5000, world.randomness)
        try world.founder.receiveAll(from: host)
        #expect(try world.founder.invitation(InvitationKeys(seed: seed).id) != nil)
        for replica in [host, world.founder] { #expect(try replica.nearbyOpening(at: Self.now)?.id == nil) }
    }

    /// An event with two devices of its founder, a host and an attendee, who all know of each other.
    private func founded(seed: UInt64) throws -> (TestEvent, laptop: Replica, host: Replica, bob: Replica) {
        var world = try TestEvent(seed: seed)
        let laptop = try world.join(identity: TestKeys(.seeded(seed)).identity)
        let (host, bob) = (try world.join(), try world.join())
        try world.founder.receiveAll(from: host)
        try world.founder.say(.setLevel(host.own.person, .host), at: 3000, world.randomness)
        try world.members.meet()
        return (world, laptop, host, bob)
    }

    /// A device of the founder's opens the event.
    private func open(_ replica: Replica, in world: TestEvent, at time: Int64, until end: Int64? = nil) throws
        -> InvitationID
    {
        let seed = world.randomness.secret()
        let keys = InvitationKeys(seed: seed)
        let end = end.map { Timestamp(milliseconds: $0) }
        let drafts: [Draft] = [
            .open(terms(keys, expires: end)),
            .set(.event, on: .nothing, values: ["nearby": .text(Base32.encode(seed.exposed()))]),
        ]
        _ = try replica.author(drafts, at: Timestamp(milliseconds: time), randomness: world.randomness)
        return keys.id
    }

    @Test func `what was ever named is known, whatever has taken its place`() throws {
        let (world, laptop, _, bob) = try founded(seed: 43)
        let first = try open(world.founder, in: world, at: 4000)
        let second = try open(laptop, in: world, at: 5000)
        try world.members.meet()
        for replica in world.members {
            #expect(try replica.nearbyOpening(at: Self.now)?.id == second)
            #expect(try replica.namedOpenings() == [first, second])
        }
        try laptop.say(.set(.event, on: .nothing, values: ["nearby": .cleared]), at: 6000, world.randomness)
        try world.members.meet()
        #expect(try bob.nearbyOpening(at: Self.now)?.id == nil && bob.namedOpenings() == [first, second])
    }

    @Test(arguments: [false, true])
    func `a removal closes what is open to those nearby, as everybody has its seed, and a leaving does not`(
        leaves: Bool
    ) throws {
        let (world, _, host, bob) = try founded(seed: 44)
        let opening = try open(world.founder, in: world, at: 4000)
        try world.members.meet()
        if leaves {
            try host.say(.leave, at: 5000, world.randomness)
        } else {
            try host.say(.remove(bob.own.person, keepsLinks: true), at: 5000, world.randomness)
        }
        try world.founder.receiveAll(from: host)
        #expect(try world.founder.invitation(opening)?.isClosed == !leaves)
        #expect(try (world.founder.nearbyOpening(at: Self.now)?.id == opening) == leaves)
    }

    @Test func `a dump tells which invitation lets in those nearby, and not its seed`() throws {
        var world = try TestEvent(seed: 45)
        let reader = try world.join()
        let seed = world.randomness.secret()
        let text = Base32.encode(seed.exposed())
        let values: [String: Value] = ["title": .text("Party"), "nearby": .text(text)]
        try world.founder.say(.set(.event, on: .nothing, values: values), at: 4000, world.randomness)
        try reader.receiveAll(from: world.founder)
        let dump = try reader.dump().joined()
        #expect(try dump == world.founder.dump().joined())
        #expect(!dump.contains(text) && dump.contains("nearby=\(InvitationKeys(seed: seed).id)"))
    }
}
