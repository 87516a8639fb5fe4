// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// A replica that carries everything and reads nothing.
struct RelayTests {
    /// Seals the event's key to a device, as no honest node does to a relay.
    private func sealKey(to relay: Replica, in world: TestEvent) throws {
        let slots = try world.epoch.slots(
            event: world.event,
            author: world.founder.own.agreement,
            label: relay.own.name.raw.prefix,
            recipient: relay.own.agreement.publicKey
        )
        try world.founder.say(.fabric(slots), at: 2500, world.randomness)
    }

    @Test func `a relay is let in by a link of its own, gets no key from anybody, and shows nothing`() throws {
        var world = try TestEvent(seed: 601)
        let ana = try world.join()
        let relay = try world.joinRelay()
        try ana.say(.create(.place, on: .nothing, values: placeValues("Quay")), at: 3000, world.randomness)
        try world.meet([ana, relay])
        #expect(try world.founder.level(of: relay.own.person) == .relay)
        #expect(try world.founder.relays().map(\.id) == [relay.own.person])
        #expect(try world.founder.people().count == 2 && world.founder.counts().people == 2)
        // Everything is handed on that lacks a slot, and nothing does for the relay's sake.
        _ = try world.founder.handOnKeys(at: Timestamp(milliseconds: 4000), randomness: world.randomness)
        #expect(try world.founder.keyNeed(at: Timestamp(milliseconds: 4000)) == nil)
        try world.meet([ana, relay])
        #expect(try relay.dump().isEmpty && !relay.hasKey() && relay.epochKeys().isEmpty)
        #expect(try relay.frontier() == ana.frontier() && relay.missingPayloads(limit: 10).isEmpty)
    }

    @Test func `what somebody seals to a relay stays sealed`() throws {
        var world = try TestEvent(seed: 602)
        let relay = try world.joinRelay()
        try sealKey(to: relay, in: world)
        try relay.receiveAll(from: world.founder)
        #expect(try !relay.hasKey() && relay.dump().isEmpty)
        // The same key opens for a device that is none.
        let member = try Replica(path: nil, event: world.event, own: relay.own.asMember)
        try member.receiveAll(from: world.founder)
        #expect(try member.hasKey() && !member.dump().isEmpty)
    }

    @Test func `what a relay writes besides its fabric counts for nothing, and it governs nobody`() throws {
        var world = try TestEvent(seed: 603)
        let bob = try world.join()
        let (machine, link) = (world.scribe(), try world.makeRelayLink())
        var fabric = try machine.introduction(by: link)
        let grant = FabricPayload.grant(person: bob.own.person, level: .guest)
        fabric.append(try machine.fabric(grant, after: fabric[1]))
        let name = try world.entry(.profile, root: .none, [Change(field: 1, value: .text("Hall"))])
        let place = try world.entry(
            .place,
            placeValues("Quay").map { Change(field: Kind.place.field(named: $0)?.number ?? 0, value: $1) }
        )
        let first = machine.write(name, after: nil)
        try world.founder.receiveAll(from: bob)
        _ = try world.founder.merge([
            Run(travelling: fabric), Run(travelling: [first, machine.write(place, after: first)]),
        ])
        #expect(try world.founder.level(of: machine.own.person) == .relay)
        #expect(try world.founder.level(of: bob.own.person) == .attendee)
        #expect(try world.founder.lines("Hall").isEmpty && world.founder.lines("Quay").isEmpty)
        // It is the level that makes them void: a host's word makes a person of whoever wrote them.
        let now = Timestamp(milliseconds: 9000)
        _ = try world.founder.author([.setLevel(machine.own.person, .attendee)], at: now, randomness: world.randomness)
        #expect(try world.founder.lines("Hall").count == 1 && world.founder.lines("Quay").count == 1)
    }

    @Test func `a removed relay is refused, and may be let in again`() throws {
        var world = try TestEvent(seed: 604)
        let relay = try world.joinRelay()
        try world.meet([relay])
        let (now, person) = (Timestamp(milliseconds: 5000), relay.own.person)
        _ = try world.founder.author([.remove(person, keepsLinks: false)], at: now, randomness: world.randomness)
        #expect(try world.founder.admittedPerson(of: relay.own.name) == nil && world.founder.relays().isEmpty)
        #expect(try world.founder.removals().map(\.person.isRelay) == [true])
        _ = try world.founder.author([.setLevel(person, .relay)], at: now, randomness: world.randomness)
        #expect(try world.founder.relays().count == 1)
    }

    @Test func `a cut to the level of relays is malformed`() throws {
        let terms = CutTerms(person: PersonID(.zero), level: .relay, ends: [])
        let bytes = try FabricPayload.cut(terms).encoded()
        #expect(throws: WireError.self) { try FabricPayload(decoding: bytes) }
    }

    // MARK: - Blobs

    @Test func `a relay holds what headers list of those who take part, and lets it go with the last listing`() throws {
        var world = try TestEvent(seed: 605)
        let ana = try world.join()
        let relay = try world.joinRelay()
        let pictures = try (1...2).map { try ana.share($0, at: 3000, world) }
        let again = try ana.share(1, at: 3001, world)
        try relay.receiveAll(from: world.founder)
        let fabric = try relay.merge(ana.runs(of: ana.own.name, .fabric, after: [], byteLimit: .max))
        #expect(fabric.listed.isEmpty)
        let outcome = try relay.receiveContent(of: ana)
        #expect(outcome.listed.map(\.name) == [1, 2, 1].map { ana.picture($0) })
        #expect(outcome.listed.allSatisfy { $0.person == ana.own.person })
        #expect(try relay.lists(ana.picture(1), by: ana.own.person))
        try ana.say(.delete(pictures[0]), at: 3002, world.randomness)
        #expect(try relay.receiveContent(of: ana).unlisted.isEmpty)
        try ana.say(.delete(again), at: 3003, world.randomness)
        let gone = try relay.receiveContent(of: ana)
        #expect(gone.unlisted.map(\.name) == [ana.picture(1)] && gone.hasErased)
        #expect(try relay.listedNames() == [ana.picture(2)])
        #expect(try relay.payloads([pictures[0]]) == [.erased])
    }

    @Test func `who lists another's blob neither keeps nor loses it`() throws {
        var world = try TestEvent(seed: 606)
        let (ana, bob) = (try world.join(), world.scribe())
        let relay = try world.joinRelay()
        let picture = try ana.share(1, at: 3000, world)
        let name = ana.picture(1)
        var entry = try world.entry(.profilePicture, [])
        entry.blobs = [BlobListing(name: ana.picture(1), size: 10)]
        let pinned = bob.write(entry, after: nil)
        try relay.receiveAll(from: ana)
        _ = try relay.merge([Run(try bob.introduction(by: world.invitation)), Run([pinned])])
        // What his words hold goes beyond his quota; hers hold it nevertheless.
        let claims = try relay.holdings().filter { $0.what == .blob(name) }
        #expect(claims.count == 2)
        let his = try claims.filter { try relay.person(at: $0.person) == bob.own.person }
        let evicted = try relay.evict(his)
        #expect(
            evicted.unlisted.map(\.person) == [bob.own.person] && evicted.unlisted.map(\.isListedByOthers) == [true]
        )
        #expect(try relay.lists(name, by: ana.own.person) && !relay.lists(name, by: bob.own.person))
        #expect(try relay.givenUp(among: [name]).isEmpty && relay.listedNames().contains(name))
        #expect(try relay.evictedCounts().blobs == 0)
        var deletion = Scribe.Entry(root: .reference(pinned.reference), isDeletion: true)
        deletion.time = 3001
        let unpinned = try relay.merge([Run([pinned, bob.write(deletion, after: pinned)])])
        #expect(unpinned.unlisted.map(\.person) == [bob.own.person])
        #expect(unpinned.unlisted.map(\.isListedByOthers) == [true])
        try ana.say(.delete(picture), at: 3002, world.randomness)
        let outcome = try relay.receiveContent(of: ana)
        #expect(outcome.unlisted.map(\.person) == [ana.own.person])
    }

    @Test func `what somebody lists past a removal is not fetched, and is once that is lifted`() throws {
        var world = try TestEvent(seed: 607)
        let ana = try world.join()
        let relay = try world.joinRelay()
        try world.meet([ana, relay])
        let now = Timestamp(milliseconds: 5000)
        _ = try world.founder.author([.remove(ana.own.person, keepsLinks: true)], at: now, randomness: world.randomness)
        try relay.receiveAll(from: world.founder)
        _ = try ana.share(1, at: 6000, world)
        #expect(try relay.receiveContent(of: ana).listed.isEmpty)
        _ = try world.founder.author([.setLevel(ana.own.person, .attendee)], at: now, randomness: world.randomness)
        let runs = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
        #expect(try relay.merge(runs).listed.map(\.name) == [ana.picture(1)])
    }

    @Test func `what those list who may not share takes no room`() throws {
        let world = try TestEvent(seed: 612)
        var joined = world
        let relay = try joined.joinRelay()
        let stranger = world.scribe()
        var entry = try world.entry(.profilePicture, [])
        entry.blobs = [BlobListing(name: world.founder.picture(1), size: 1 << 32)]
        let words = stranger.write(entry, after: nil)
        _ = try relay.merge([Run(try stranger.introduction(by: nil)), Run([words])])
        #expect(try relay.holdings().allSatisfy { $0.what != .blob(world.founder.picture(1)) })
    }

    @Test func `working everything out anew gives the same listings`() throws {
        var world = try TestEvent(seed: 608)
        let ana = try world.join()
        let relay = try world.joinRelay()
        let pictures = try (1...3).map { try ana.share($0, at: 3000, world) }
        try ana.say(.delete(pictures[1]), at: 3001, world.randomness)
        try world.meet([ana, relay])
        let names = try relay.listedNames()
        #expect(names == [ana.picture(1), ana.picture(3)])
        let outcome = try relay.recompute()
        #expect(try relay.listedNames() == names && Set(outcome.listed.map(\.name)) == names)
    }

    @Test func `a relay is looked at and built anew without a key, and lists what it listed`() throws {
        let folder = try TemporaryFolder()
        var world = try TestEvent(seed: 613)
        let ana = try world.join()
        let relay = try world.joinRelay(path: folder.file("relay"))
        let pictures = try (1...2).map { try ana.share($0, at: 3000, world) }
        try world.meet([ana, relay])
        let (names, frontier) = try (relay.listedNames(), relay.frontier())
        #expect(try relay.inspect(copyingTo: folder.file("copy")).damages == [])
        _ = try relay.evict(relay.holdings().filter { $0.what == .blob(ana.picture(2)) })
        #expect(try relay.inspect(copyingTo: folder.file("copy")).damages == [])
        try relay.close()
        let new = folder.file("new")
        let rebuild = try Replica.rebuild(from: folder.file("relay"), into: new, event: world.event, own: relay.own)
        #expect(rebuild.ownIsWhole && rebuild.lost == 0)
        let rebuilt = try Replica(path: new, event: world.event, own: relay.own)
        #expect(try rebuilt.frontier() == frontier && rebuilt.missingPayloads(limit: 10).isEmpty)
        // What was let go of counts again, until the policy lets go of it once more.
        #expect(try rebuilt.listedNames() == names && names.count == pictures.count)
        #expect(try !rebuilt.hasKey() && rebuilt.dump().isEmpty)
        try rebuilt.close()
    }

    // MARK: - Letting go
}

/// What a place has to have.
private func placeValues(_ name: String) -> [String: Value] {
    ["name": .text(name), "latitude": .number(1), "longitude": .number(2), "radius": .number(3)]
}

extension OwnDevice {
    /// The same keys in the hands of a program that is no relay.
    fileprivate var asMember: OwnDevice {
        OwnDevice(person: person, name: name, signing: signing, agreement: agreement, invitation: invitation)
    }
}
