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
    private static func picture(_ number: UInt8, of person: PersonID, size: UInt64 = 10) -> (Media, BlobListing) {
        let root = Bytes32(at: 0, of: [UInt8](repeating: number, count: 32).span)
        let media = Media(root: root, size: size, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        return (media, BlobListing(name: media.name(owner: person), size: media.size))
    }

    private func share(_ number: UInt8, by author: Replica, at time: Int64, _ world: TestEvent) throws -> Reference {
        let (media, listing) = Self.picture(number, of: author.own.person, size: UInt64(number) * 10)
        let draft = Draft.create(
            .profilePicture,
            on: .nothing,
            values: ["thumbnail": .media(media)],
            blobs: [listing]
        )
        return try author.say(draft, at: time, world.randomness)
    }

    private func blob(_ number: UInt8, of author: Replica) -> BlobName {
        Self.picture(number, of: author.own.person, size: UInt64(number) * 10).1.name
    }

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
        #expect(try world.founder.relays().map(\.id) == [relay.own.person.description])
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
        let pictures = try (1...2).map { try share($0, by: ana, at: 3000, world) }
        let again = try share(1, by: ana, at: 3001, world)
        try relay.receiveAll(from: world.founder)
        let fabric = try relay.merge(ana.runs(of: ana.own.name, .fabric, after: [], byteLimit: .max))
        #expect(fabric.listed.isEmpty)
        let outcome = try relay.receiveContent(of: ana)
        #expect(outcome.listed.map(\.name) == [1, 2, 1].map { blob($0, of: ana) })
        #expect(outcome.listed.allSatisfy { $0.person == ana.own.person })
        #expect(try relay.lists(blob(1, of: ana), by: ana.own.person))
        try ana.say(.delete(pictures[0]), at: 3002, world.randomness)
        #expect(try relay.receiveContent(of: ana).unlisted.isEmpty)
        try ana.say(.delete(again), at: 3003, world.randomness)
        let gone = try relay.receiveContent(of: ana)
        #expect(gone.unlisted.map(\.name) == [blob(1, of: ana)] && gone.hasErased)
        #expect(try relay.listedNames() == [blob(2, of: ana)])
        #expect(try relay.payloads([pictures[0]]) == [.erased])
    }

    @Test func `who lists another's blob neither keeps nor loses it`() throws {
        var world = try TestEvent(seed: 606)
        let (ana, bob) = (try world.join(), world.scribe())
        let relay = try world.joinRelay()
        let picture = try share(1, by: ana, at: 3000, world)
        let name = blob(1, of: ana)
        var entry = try world.entry(.profilePicture, [])
        entry.blobs = [BlobListing(name: blob(1, of: ana), size: 10)]
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
        _ = try share(1, by: ana, at: 6000, world)
        #expect(try relay.receiveContent(of: ana).listed.isEmpty)
        _ = try world.founder.author([.setLevel(ana.own.person, .attendee)], at: now, randomness: world.randomness)
        let runs = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
        #expect(try relay.merge(runs).listed.map(\.name) == [blob(1, of: ana)])
    }

    @Test func `what those list who may not share takes no room`() throws {
        let world = try TestEvent(seed: 612)
        var joined = world
        let relay = try joined.joinRelay()
        let stranger = world.scribe()
        var entry = try world.entry(.profilePicture, [])
        entry.blobs = [BlobListing(name: blob(1, of: world.founder), size: 1 << 32)]
        let words = stranger.write(entry, after: nil)
        _ = try relay.merge([Run(try stranger.introduction(by: nil)), Run([words])])
        #expect(try relay.holdings().allSatisfy { $0.what != .blob(blob(1, of: world.founder)) })
    }

    @Test func `working everything out anew gives the same listings`() throws {
        var world = try TestEvent(seed: 608)
        let ana = try world.join()
        let relay = try world.joinRelay()
        let pictures = try (1...3).map { try share($0, by: ana, at: 3000, world) }
        try ana.say(.delete(pictures[1]), at: 3001, world.randomness)
        try world.meet([ana, relay])
        let names = try relay.listedNames()
        #expect(names == [blob(1, of: ana), blob(3, of: ana)])
        let outcome = try relay.recompute()
        #expect(try relay.listedNames() == names && Set(outcome.listed.map(\.name)) == names)
    }

    @Test func `a relay is looked at and built anew without a key, and lists what it listed`() throws {
        let folder = try TemporaryFolder()
        var world = try TestEvent(seed: 613)
        let ana = try world.join()
        let relay = try world.joinRelay(path: folder.file("relay"))
        let pictures = try (1...2).map { try share($0, by: ana, at: 3000, world) }
        try world.meet([ana, relay])
        let (names, frontier) = try (relay.listedNames(), relay.frontier())
        #expect(try relay.inspect(copyingTo: folder.file("copy")).damages == [])
        _ = try relay.evict(relay.holdings().filter { $0.what == .blob(blob(2, of: ana)) })
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

    @Test func `what was evicted is answered so, comes back by no run, and stays deleted once it is deleted`() throws {
        var world = try TestEvent(seed: 609)
        let ana = try world.join()
        let relay = try world.joinRelay()
        let pictures = try (1...2).map { try share($0, by: ana, at: 3000, world) }
        try world.meet([ana, relay])
        let outcome = try relay.evict(relay.holdings())
        #expect(outcome.hasErased)
        #expect(try relay.payloads(pictures) == [.evicted, .evicted])
        #expect(try relay.givenUp(among: [blob(1, of: ana)]) == [blob(1, of: ana)])
        #expect(try relay.evictedCounts().blobs >= 2)
        #expect(try relay.missingPayloads(limit: 10).isEmpty && relay.holdings().isEmpty)
        let again = try relay.merge(ana.runs(of: ana.own.name, .content, after: [], byteLimit: .max))
        #expect(again.missingPayloads.isEmpty)
        _ = try relay.recompute()
        #expect(try relay.payloads(pictures) == [.evicted, .evicted])
        #expect(try relay.frontier() == ana.frontier())
        // Headers are served as before, and without payloads nobody shows anything.
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let reader = try Replica(path: nil, event: world.event, own: own)
        try reader.receiveAll(from: relay)
        #expect(try Set(reader.missingPayloads(limit: 10).map(\.reference)).isSuperset(of: pictures))
        #expect(try reader.hasKey() && reader.dump().isEmpty)
        try ana.say(.delete(pictures[0]), at: 3001, world.randomness)
        _ = try relay.receiveContent(of: ana)
        #expect(try relay.payloads(pictures) == [.erased, .evicted])
    }

    @Test func `another policy asks again for what the one before let go of`() throws {
        var world = try TestEvent(seed: 610)
        let ana = try world.join()
        let relay = try world.joinRelay()
        try relay.begin(policy: "days 1")
        _ = try share(1, by: ana, at: 3000, world)
        try world.meet([ana, relay])
        _ = try relay.evict(relay.holdings())
        try relay.begin(policy: "days 1")
        #expect(try relay.evictedCounts().payloads == 2 && relay.missingPayloads(limit: 10).isEmpty)
        try relay.begin(policy: "")
        #expect(try relay.evictedCounts() == (0, 0) && relay.missingPayloads(limit: 10).count == 2)
        try relay.receiveAll(from: ana)
        #expect(try relay.missingPayloads(limit: 10).isEmpty)
    }

    @Test func `what a relay let go of just before a stop goes at the next start, and nothing that may be wanted does`()
        throws
    {
        var world = try TestEvent(seed: 614)
        let (ana, bob) = (try world.join(), world.scribe())
        let (relay, folder) = (try world.joinRelay(), try TemporaryFolder())
        let store = try BlobStore(path: folder.file("blobs"))
        let blobs = try (0..<5).map { try store.put([UInt8($0)], owner: ana.own.person) }
        let names = blobs.map { $0.name(owner: ana.own.person) }
        func share(_ number: Int, at time: Int64) throws -> Reference {
            let (blob, size) = (blobs[number], UInt64(blobs[number].size))
            let draft = Draft.create(
                .profilePicture,
                on: .nothing,
                values: [
                    "thumbnail": .media(Media(root: blob.root, size: size, key: blob.key, type: "image/jpeg"))
                ],
                blobs: [BlobListing(name: names[number], size: size)]
            )
            return try ana.say(draft, at: time, world.randomness)
        }
        func claim(_ number: Int, after last: Delta?) throws -> Delta {
            var entry = try world.entry(.profilePicture, [])
            entry.blobs = [BlobListing(name: names[number], size: 1)]
            return bob.write(entry, after: last)
        }
        // Of the last nobody says anything; of the second somebody does whose it is not.
        let shared = try [0, 2, 3].map { try share($0, at: 3000) }
        let claimed = try claim(1, after: nil)
        try relay.receiveAll(from: ana)
        _ = try relay.merge([Run(try bob.introduction(by: world.invitation)), Run([claimed])])
        _ = try relay.evict(relay.holdings())
        // The same person shares the fourth again once it was deleted, and the third is claimed by somebody else.
        try ana.say(.delete(shared[2]), at: 3001, world.randomness)
        _ = try relay.receiveContent(of: ana)
        _ = try share(3, at: 3002)
        _ = try relay.receiveContent(of: ana)
        _ = try relay.merge([Run([claimed, claim(2, after: claimed)])])
        let responder = Responder(replica: relay, blobs: store)
        #expect(
            try relay.givers(of: [names[0], names[1]]) == [
                names[0]: [ana.own.person], names[1]: [bob.own.person],
            ]
        )
        #expect(try responder.orphans(among: names) == [names[0]])
        // Another policy may hold it.
        try relay.begin(policy: "days 9")
        #expect(try responder.orphans(among: names).isEmpty)
    }

    @Test func `quiet time is counted in steps of at most a day, whatever the clock says`() throws {
        var world = try TestEvent(seed: 611)
        let relay = try world.joinRelay()
        let day: Int64 = 86_400_000
        func quiet(at time: Int64) throws -> Duration { try relay.quietTime(at: Timestamp(milliseconds: time)) }
        #expect(try quiet(at: day) == .zero)
        #expect(try quiet(at: day + 1000) == .seconds(1))
        // A clock that is set a thousand days ahead, and back.
        #expect(try quiet(at: day * 1001) == .seconds(86_401))
        #expect(try quiet(at: day) == .seconds(86_401))
        try relay.receiveAll(from: world.founder)
        try world.founder.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 9000, world.randomness)
        try relay.receiveAll(from: world.founder)
        #expect(try quiet(at: day + 2000) == .zero)
    }
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

extension TestEvent {
    /// A link for relays that the founder makes.
    fileprivate func makeRelayLink() throws -> InvitationKeys {
        let link = InvitationKeys(seed: randomness.secret())
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, level: .relay)
        try founder.say(.open(terms), at: 2100, randomness)
        return link
    }

    /// Adds a relay, by a link for relays that the founder makes.
    fileprivate mutating func joinRelay(path: String? = nil) throws -> Replica {
        let link = try makeRelayLink()
        let keys = TestKeys(randomness)
        let known = keys.own(in: event, invitation: link)
        let own = OwnDevice(
            person: known.person,
            name: known.name,
            signing: known.signing,
            agreement: known.agreement,
            invitation: link,
            isRelay: true
        )
        let relay = try Replica(path: path, event: event, own: own)
        try relay.enter(keys, by: link, at: 2200, randomness)
        try founder.receiveAll(from: relay)
        try relay.receiveAll(from: founder)
        return relay
    }

    /// Lets all hold what all hold.
    fileprivate func meet(_ others: [Replica]) throws {
        for _ in 0..<2 {
            for other in others {
                try founder.receiveAll(from: other)
                try other.receiveAll(from: founder)
            }
        }
    }
}

extension Replica {
    /// Pulls what somebody posted, and says what that did.
    fileprivate func receiveContent(of author: Replica) throws -> MergeOutcome {
        let held = try locator(of: author.own.name, .content)
        return try merge(author.runs(of: author.own.name, .content, after: held, byteLimit: .max))
    }
}
