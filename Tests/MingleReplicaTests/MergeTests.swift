// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

struct MergeTests {
    static let party: [String: Value] = [
        "title": .text("Dinner"), "start": .number(1000), "end": .number(2000), "place_name": .text("Hall"),
        "latitude": .number(0), "longitude": .number(0), "radius": .number(100),
    ]

    @Test func `a moment, its comments and faves reach another member`() throws {
        var world = try TestEvent(seed: 1)
        let ana = world.founder
        let bob = try world.join()
        let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: 3000, world.randomness)
        try bob.receiveAll(from: ana)
        try bob.say(.create(.comment, on: .record(moment), values: ["text": .text("Yes!")]), at: 3001, world.randomness)
        try bob.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]), at: 3002, world.randomness)
        try ana.receiveAll(from: bob)
        #expect(try ana.dump() == bob.dump())
        #expect(try ana.dump().count == 4)
        #expect(try ana.frontier().digest == bob.frontier().digest)
    }

    @Test func `a comment waits for its moment`() throws {
        var world = try TestEvent(seed: 2)
        let ana = world.founder
        let bob = try world.join()
        let carl = try world.join()
        try bob.receiveAll(from: ana)
        let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: 3000, world.randomness)
        try bob.receiveAll(from: ana)
        let comment = Draft.create(.comment, on: .record(moment), values: ["text": .text("Yes!")])
        try bob.say(comment, at: 3001, world.randomness)
        // Carl gets Bob's journals before Ana's.
        for journal in Journal.allCases {
            let outcome = try carl.merge(bob.runs(of: bob.own.name, journal, after: [], byteLimit: .max))
            #expect(outcome.awaited == (journal == .content ? [ana.own.name.raw.prefix] : []))
        }
        #expect(try !carl.dump().contains { $0.hasPrefix("comment") })
        try carl.receiveAll(from: ana)
        #expect(try carl.dump().contains { $0.hasPrefix("comment") })
        try bob.receiveAll(from: carl)
        #expect(try carl.dump() == bob.dump())
    }

    @Test func `it is known when each journal was last written in`() throws {
        var world = try TestEvent(seed: 2)
        let ana = world.founder
        let bob = try world.join()
        for time in [3000, 4000] {
            try bob.say(.create(.moment, on: .nothing, values: Self.party), at: Int64(time), world.randomness)
        }
        _ = try ana.merge(bob.runs(of: bob.own.name, .fabric, after: [], byteLimit: .max))
        let outcome = try ana.merge(bob.runs(of: bob.own.name, .content, after: [], byteLimit: .max))
        let place = Place.Journal(bob.own.name, .content)
        #expect(outcome.lastWrites == [place: Timestamp(milliseconds: 4000)])
        #expect(try bob.lastWrites()[place] == Timestamp(milliseconds: 4000))
    }

    @Test func `an edit by its author shows, one by somebody else does not`() throws {
        var world = try TestEvent(seed: 3)
        let ana = world.founder
        let bob = try world.join()
        let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: 3000, world.randomness)
        try bob.receiveAll(from: ana)
        try ana.say(.edit(moment, .moment, values: ["title": .text("Lunch")]), at: 10, world.randomness)
        try bob.receiveAll(from: ana)
        #expect(try bob.dump().contains { $0.contains("title=\"Lunch\"") })
        #expect(throws: ReplicaError.self) {
            try bob.say(.edit(moment, .moment, values: ["title": .text("Mine")]), at: 5000, world.randomness)
        }
    }

    @Test func `delete means delete, also for those who get the deletion first`() throws {
        var world = try TestEvent(seed: 4)
        let ana = world.founder
        let bob = try world.join()
        let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: 3000, world.randomness)
        try bob.receiveAll(from: ana)
        try ana.say(.delete(moment), at: 3001, world.randomness)
        try bob.receiveAll(from: ana)
        #expect(try !bob.dump().contains { $0.hasPrefix("moment") })
        #expect(try bob.payloads([moment]) == [.erased])
        #expect(try ana.payloads([moment]) == [.erased])
        let carl = try world.join()
        try carl.receiveAll(from: bob)
        #expect(try carl.dump() == ana.dump())
        #expect(try carl.frontier() == ana.frontier() || bob.frontier().entries.count > 0)
    }
}
