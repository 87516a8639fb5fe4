// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite
import MingleCrypto
import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

/// A replica in which several people write: that of a door, and its guests.
struct FacesTests {
    @Test func `each guest writes as a device of their own, and is shown as somebody who came by the door`() throws {
        let world = try DoorWorld(seed: 501)
        let (bob, carl) = (try world.makeGuest(), try world.makeGuest())
        let words = try [bob, carl].map { try world.comment("Hi", by: $0.face) }
        try world.meet()
        #expect(Set(words.map(\.device)) == [bob.face.own.name.raw.prefix, carl.face.own.name.raw.prefix])
        for reader in [world.founder, world.door] {
            for guest in [bob, carl] {
                let person = try reader.person(guest.face.own.person)
                #expect(person.level == .attendee && person.byDoor == "Main door" && !person.isDoor && !person.hasName)
            }
            let door = try reader.person(world.door.own.person)
            #expect(door.isDoor && door.byDoor == nil)
            #expect(try reader.person(world.founder.own.person).byDoor == nil)
        }
        #expect(try world.door.person(bob.face.own.person).me == false)
        #expect(try bob.face.person(bob.face.own.person).me)
    }

    @Test func `who only reads writes nothing, be it as a guest or as nobody`() throws {
        let world = try DoorWorld(seed: 502)
        let bob = try world.makeGuest()
        for reader in [world.door.seen(by: nil), world.door.seen(by: bob.face.own.person)] {
            #expect(try reader.moments().map(\.id) == [world.moment])
            #expect(throws: ReplicaError.self) { try world.comment("Hi", by: reader) }
        }
        #expect(try world.door.seen(by: bob.face.own.person).person(bob.face.own.person).me)
        #expect(try world.door.people().allSatisfy { $0.id != PersonID(.zero) })
    }

    @Test func `what connections keep for their queries does not grow with the people who look`() throws {
        let world = try DoorWorld(seed: 510)
        let guests = try (0..<8).map { _ in try world.makeGuest().face }
        let look = { (reader: Replica) in
            _ = try (reader.moments(), reader.records(of: .comment), reader.reported(), reader.hiddenRecords())
            _ = try (reader.sees(.moment, world.moment), reader.comments(on: world.moment, before: nil, limit: 10))
        }
        try look(guests[0])
        let before = try world.door.statementBytes
        try guests.forEach(look)
        #expect(try world.door.statementBytes < before * 2)
    }

    @Test func `a header of a guest's device that was not made here stops this device, and nobody else's`() throws {
        let folder = try TemporaryFolder()
        let world = try DoorWorld(seed: 503, path: folder.file("door"))
        let (bob, carl) = (try world.makeGuest(), try world.makeGuest())
        world.door.note(devicesHere: [bob.face.own.name, carl.face.own.name])
        #expect(try world.door.scrub())
        try folder.copyDatabase("door", to: "copy")
        let elsewhere = try Replica(path: folder.file("copy"), event: world.door.event, own: bob.face.own)
        try world.comment("Not here", by: elsewhere)
        let runs = try elsewhere.runs(of: bob.face.own.name, .content, after: [], byteLimit: .max)
        #expect(try world.door.merge(runs).ownKeyUsedElsewhere == false)
        #expect(try bob.face.isOwnKeyUsedElsewhere())
        #expect(throws: ReplicaError.keyUsedElsewhere) { try world.comment("Hi", by: bob.face) }
        #expect(try !carl.face.isOwnKeyUsedElsewhere() && !world.door.isOwnKeyUsedElsewhere())
        try world.comment("Hi", by: carl.face)
        // The person goes on with another device.
        let anew = try world.makeGuest(identity: bob.keys.identity)
        try world.comment("Here again", by: anew.face)
        try world.meet()
        #expect(anew.face.own.person == bob.face.own.person)
        #expect(try world.founder.lines("Not here").count == 1 && world.founder.lines("Here again").count == 1)
    }

    @Test func `of a report a door keeps no word, and who moderates reads it`() throws {
        let folder = try TemporaryFolder()
        let world = try DoorWorld(seed: 504, path: folder.file("replica.sqlite"))
        let bob = try world.makeGuest()
        let carl = try world.makeGuest()
        let (rude, other) = (try world.comment("Rude", by: carl.face), try world.comment("Rude too", by: carl.face))
        try world.meet()
        for _ in 0..<2 { try world.report(other, "Canary words", by: bob.face) }
        try world.report(rude, "Canary again", by: bob.face)
        try world.meet()
        for reader in [world.door, bob.face] {
            #expect(try reader.reported().isEmpty && reader.lines("Canary").isEmpty)
        }
        let reported = try world.founder.reported()
        #expect(Set(reported.map(\.record)) == [other, rude])
        #expect(Set(reported.flatMap { $0.reports.map(\.text) }) == ["Canary words", "Canary again"])
        #expect(reported.allSatisfy { $0.reports.map(\.author.id) == [bob.face.own.person] })
        #expect(try world.door.scrub())
        try world.door.close()
        #expect(try folder.contents().allSatisfy { $0.range(of: Data("Canary".utf8)) == nil })
        #expect(try folder.contents().contains { $0.range(of: Data("Rude".utf8)) != nil }, "it looks where words are")
    }

    @Test(arguments: [0, 1, 2])
    func `a report is refused where no device of a moderator is known that is not on the door itself`(
        others: Int
    ) throws {
        let world = try DoorWorld(seed: 505)
        let (bob, carl) = (try world.makeGuest(), try world.makeGuest())
        // Another device of the guest who reports, and another guest who moderates.
        if others > 0 { _ = try world.makeGuest(identity: bob.keys.identity) }
        world.door.note(devicesHere: [bob.face.own.name, carl.face.own.name])
        try world.meet()
        if others > 1 { try world.founder.say(.setLevel(carl.face.own.person, .moderator), at: 4400, world.randomness) }
        let rude = try world.comment("Rude", by: try world.makeGuest().face)
        try world.founder.say(.leave, at: 4500, world.randomness)
        try world.meet()
        let error = #expect(throws: ReplicaError.self) { try world.report(rude, "Words", by: bob.face) }
        #expect(error.map { "\($0)" }?.contains("Nobody is known here yet who could read this") == true)
    }

    @Test func `removing a guest leaves the link open, and removing the door closes it, and no other door's`() throws {
        let world = try DoorWorld(seed: 506)
        let second = try world.makeDoor("Back door")
        let bob = try world.makeGuest()
        try world.comment("Hi", by: bob.face)
        try world.meet([second.replica])
        let open = { try world.founder.invitations().filter { !$0.isClosed && $0.terms.isForDoor }.map(\.terms.id) }
        #expect(try Set(open()) == [world.link.id, second.link.id])
        try world.remove(bob.face.own.person, at: 7000)
        #expect(try Set(open()) == [world.link.id, second.link.id])
        try world.meet([second.replica])
        #expect(throws: ReplicaError.removed) { try world.comment("Still here", by: bob.face, at: 7100) }
        let carl = try world.makeGuest(at: 7200)
        try world.comment("I came", by: carl.face, at: 7300)
        try world.meet([second.replica])
        try world.remove(world.door.own.person, at: 8000)
        let left = try open()
        #expect(left == [second.link.id], "of \(world.link.id) and \(second.link.id)")
        #expect(try world.founder.lines("I came").count == 1)
    }

    @Test func `a guest of a drop-only door sees their own alone, also with the device that writes`() throws {
        let world = try DoorWorld(seed: 508)
        let now = Timestamp(milliseconds: 3000)
        for isDropOnly in [true, false] {
            let access = world.access(DoorTerms(isDropOnly: isDropOnly))
            let browser = Browser(world.randomness)
            let keys = try access.open(nil, by: browser, at: now, randomness: world.randomness).keys
            _ = try access.enter(keys, at: now, randomness: world.randomness)
            let own = try world.comment("Mine", by: access.writer(keys))
            for reader in [try access.reader(keys.person), access.writer(keys)] {
                #expect(try reader.sees(.comment, own))
                #expect(try reader.sees(.moment, world.moment) == !isDropOnly)
            }
            #expect(try access.reader(nil).sees(.comment, own) == !isDropOnly)
        }
    }

    @Test func `closing a door ends it and its guests, keeps what they shared, and shuts all out at once`() throws {
        let world = try DoorWorld(seed: 509)
        let bob = try world.makeGuest()
        try world.comment("Hi", by: bob.face)
        let member = try world.makeMember(at: .attendee)
        try world.founder.say(.closeDoor(world.link.id), at: 7000, world.randomness)
        try world.meet([member])
        for reader in [world.founder, member] {
            for person in [world.door.own.person, bob.face.own.person] { #expect(try reader.level(of: person) == nil) }
            #expect(try reader.lines("Hi").count == 1)
        }
        // The key is new already, so nobody has to wait for one that those who are out lack.
        try world.comment("Among us", by: member, at: 7100)
        try world.meet([member])
        #expect(try world.founder.lines("Among us").count == 1 && world.door.lines("Among us").isEmpty)
        #expect(throws: ReplicaError.removed) { try world.comment("Still here", by: bob.face, at: 7200) }
    }

    @Test func `removing who made the link of a door closes it, as its maker could come back by it`() throws {
        let world = try DoorWorld(seed: 507)
        let host = try world.makeMember(at: .host)
        let link = InvitationKeys(seed: world.randomness.secret())
        _ = try host.invite(
            link,
            as: .attendee,
            expires: nil,
            uses: nil,
            isForDoor: true,
            at: Timestamp(milliseconds: 4200),
            randomness: world.randomness
        )
        try world.meet([host])
        try world.remove(host.own.person, at: 7000)
        let open = try world.founder.invitations().filter { !$0.isClosed && $0.terms.isForDoor }.map(\.terms.id)
        #expect(open == [world.link.id])
    }
}

/// A founder, and a door by which people come who have no replica of their own.
private struct DoorWorld {
    struct Guest {
        let keys: TestKeys
        let face: Replica
    }

    let event: TestEvent
    let seed: Secret
    let door: Replica
    let moment: Reference

    var link: InvitationKeys { InvitationKeys(seed: seed) }
    var founder: Replica { event.founder }
    var randomness: Randomness { event.randomness }

    init(seed: UInt64, path: String? = nil) throws {
        event = try TestEvent(seed: seed)
        moment = try event.founder.say(
            .create(.moment, on: .nothing, values: momentValues("Dinner")),
            at: 1500,
            event.randomness
        )
        self.seed = event.randomness.secret()
        door = try Self.makeDoor("Main door", self.seed, path: path, of: event)
        try meet()
    }

    /// Another door of the event.
    func makeDoor(_ name: String) throws -> (replica: Replica, link: InvitationKeys) {
        let seed = randomness.secret()
        return (try Self.makeDoor(name, seed, path: nil, of: event), InvitationKeys(seed: seed))
    }

    private static func makeDoor(
        _ name: String,
        _ seed: Secret,
        path: String?,
        of world: TestEvent
    ) throws -> Replica {
        let link = InvitationKeys(seed: seed)
        let now = Timestamp(milliseconds: 1600)
        _ = try world.founder.invite(
            link,
            as: .attendee,
            expires: nil,
            uses: nil,
            isForDoor: true,
            at: now,
            randomness: world.randomness
        )
        let keys = TestKeys(world.randomness)
        let own = keys.own(in: world.event, invitation: link).asDoor
        let door = try Replica(path: path, event: world.event, own: own)
        try door.receiveAll(from: world.founder)
        try door.enter(keys, by: link, at: 2000, world.randomness)
        let profile: [String: Value] = ["name": .text(name), "door": .number(1)]
        try door.say(.set(.profile, on: .nothing, values: profile), at: 2100, world.randomness)
        return door
    }

    /// Somebody who comes by the door, or another device of somebody.
    func makeGuest(identity: SigningKey? = nil, at time: Int64 = 3000) throws -> Guest {
        let keys = TestKeys(randomness, identity: identity)
        let face = door.faced(by: keys.own(in: event.event, invitation: link).asDoor)
        try face.enter(keys, by: link, at: time, randomness)
        return Guest(keys: keys, face: face)
    }

    /// What the door decides about its guests.
    func access(_ terms: DoorTerms) -> GuestAccess {
        let secrets = Secrets(
            psk: randomness.secret(),
            cameBy: seed,
            foundingSalt: nil,
            hints: [],
            isDoor: true,
            randomness: randomness
        )
        return GuestAccess(door, secrets, terms)
    }

    /// Somebody with a replica of their own.
    func makeMember(at level: Level) throws -> Replica {
        var event = event
        let member = try event.join()
        try meet([member])
        try founder.say(.setLevel(member.own.person, level), at: 4000, randomness)
        try meet([member])
        return member
    }

    func meet(_ others: [Replica] = []) throws { try ([founder, door] + others).meet() }

    @discardableResult
    func comment(_ text: String, by author: Replica, at time: Int64 = 4000) throws -> Reference {
        try author.say(.create(.comment, on: .record(moment), values: ["text": .text(text)]), at: time, randomness)
    }

    func report(_ record: Reference, _ text: String, by person: Replica) throws {
        let values: [String: Value] = ["reason": .number(ReportReason.rude.rawValue), "text": .text(text)]
        try person.say(.set(.report, on: .record(record), values: values), at: 6000, randomness)
    }

    func remove(_ person: PersonID, at time: Int64) throws {
        try founder.say(.remove(person, keepsLinks: false), at: time, randomness)
    }
}

extension Replica {
    /// What the statements take that the connection keeps.
    fileprivate var statementBytes: Int {
        get throws {
            try pool.read { db in
                var (now, most): (Int32, Int32) = (0, 0)
                unsafe sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_STMT_USED, &now, &most, 0)
                return Int(now)
            }
        }
    }
}
