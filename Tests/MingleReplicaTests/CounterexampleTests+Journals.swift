// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

extension CounterexampleTests {
    // Case 17.
    @Test func `a copied device posts on both sides, nothing is lost, and both sides notice`() throws {
        let world = try TestEvent(seed: 117)
        let folder = try TemporaryFolder()
        let keys = TestKeys(world.randomness)
        let one = try world.join(keys: keys, path: folder.file("one"))
        try one.say(.create(.place, on: .nothing, values: Self.place), at: 3000, world.randomness)
        try one.close()
        try folder.copyDatabase("one", to: "two")
        let sides = try ["one", "two"].map {
            try Replica(path: folder.file($0), event: world.event, own: keys.own(in: world.event))
        }
        for (side, name) in zip(sides, ["left", "right"]) {
            var values = Self.place
            values["name"] = .text(name)
            try side.say(.create(.place, on: .nothing, values: values), at: 3001, world.randomness)
        }
        // And a thief, who begins the journal anew.
        let thief = Scribe(keys, event: world.event, randomness: world.randomness)
        let name = [Change(field: 1, value: .text("thief"))]
        let forged = thief.write(try world.entry(.profile, root: .none, name), after: nil)
        let orders = [[sides[0], sides[1]], [sides[1], sides[0]]]
        let readers = try orders.map { order in
            let reader = try world.reader()
            for side in order { try reader.receiveAll(from: side) }
            _ = try reader.merge([Run([forged])])
            return reader
        }
        #expect(try readers[0].dump() == readers[1].dump())
        #expect(try readers[0].frontier() == readers[1].frontier())
        #expect(try readers[0].lines("place").count == 3)
        for side in sides {
            let runs = try readers[0].runs(of: side.own.name, .content, after: [], byteLimit: .max)
            #expect(try side.merge(runs).ownKeyUsedElsewhere)
            #expect(try side.dump() == readers[0].dump())
            #expect(throws: ReplicaError.keyUsedElsewhere) {
                try side.say(.create(.place, on: .nothing, values: Self.place), at: 3002, world.randomness)
            }
        }
    }

    // Case 21.
    @Test(arguments: [false, true])
    func `a restored backup stops writing as soon as it sees what it does not remember`(wroteFirst: Bool) throws {
        let world = try TestEvent(seed: 121)
        let folder = try TemporaryFolder()
        let keys = TestKeys(world.randomness)
        let today = try world.join(keys: keys, path: folder.file("today"))
        try today.say(.create(.place, on: .nothing, values: Self.place), at: 3000, world.randomness)
        #expect(try today.scrub())
        try folder.copyDatabase("today", to: "yesterday")
        try today.say(.create(.place, on: .nothing, values: Self.place), at: 4000, world.randomness)
        let other = try world.reader()
        try other.receiveAll(from: today)
        let path = folder.file("yesterday")
        var restored = try Replica(path: path, event: world.event, own: keys.own(in: world.event))
        let post = Draft.create(.place, on: .nothing, values: Self.place)
        if wroteFirst { try restored.say(post, at: 5000, world.randomness) }
        try restored.receiveAll(from: other)
        // Also after a start, which forgets what the process knew.
        try restored.close()
        restored = try Replica(path: path, event: world.event, own: keys.own(in: world.event))
        #expect(throws: ReplicaError.keyUsedElsewhere) { try restored.say(post, at: 5001, world.randomness) }
        #expect(try restored.isOwnKeyUsedElsewhere())
        try other.receiveAll(from: restored)
        #expect(try other.lines("place").count == (wroteFirst ? 3 : 2))
        #expect(try other.dump() == restored.dump())
    }

    // Case 29.
    @Test func `runs are served with the signatures that every node keeps and no others`() throws {
        var world = try TestEvent(seed: 129)
        let phone = try world.join()
        for batch in [30, 60, 10] {
            let drafts = (0..<batch).map { _ in Draft.create(.place, on: .nothing, values: Self.place) }
            _ = try phone.author(drafts, at: Timestamp(milliseconds: 3000), randomness: world.randomness)
        }
        let readers = try (0..<2).map { _ in try world.reader() }
        // A server whose credit ends at 80 sends 64: the next run is whole or not at all.
        let first = try phone.runs(of: phone.own.name, .content, after: [], byteLimit: 1)
        #expect(first.map(\.deltas.count) == [64])
        try readers[0].receiveAll(from: phone)
        let all = try readers[0].runs(of: phone.own.name, .content, after: [], byteLimit: .max)
        #expect(all.map(\.deltas.count) == [64, 36])
        #expect(all.allSatisfy { run in run.deltas.filter { $0.signature != nil }.count == 1 })
        try readers[1].receiveAll(from: readers[0])
        #expect(try readers[1].dump() == phone.dump())
        // Who brings a run across such a place without the signature there leaves nobody able to serve it.
        let unsigned = all[0].deltas.map {
            Delta(header: $0.header, hash: $0.hash, payload: $0.payload, signature: nil)
        }
        let refusing = try world.reader()
        _ = try refusing.merge([try phone.runs(of: phone.own.name, .fabric, after: [], byteLimit: .max)[0]])
        let crossing = Run(Array(unsigned.suffix(14)) + all[1].deltas)
        _ = try refusing.merge([Run(Array(all[0].deltas.prefix(64)))])
        #expect(try refusing.merge([crossing]).refused.map(\.reason) == [.forged])
    }

    // Case 30.
    @Test func `sixty-four payloads of 64 KiB travel behind their headers`() throws {
        let world = try TestEvent(seed: 130)
        let device = world.scribe()
        let large = Change(field: 99, value: .data([UInt8](repeating: 7, count: 65_000)))
        let name = Change(field: 1, value: .text("Ana"))
        var deltas: [Delta] = []
        for _ in 0..<64 {
            deltas.append(device.write(try world.entry(.profile, root: .none, [name, large]), after: deltas.last))
        }
        let server = try world.reader()
        _ = try server.merge([Run(try device.introduction(by: world.invitation)), Run(travelling: deltas)])
        let runs = try server.runs(of: device.own.name, .content, after: [], byteLimit: 1 << 20)
        #expect(runs.map(\.deltas.count) == [64])
        #expect(runs[0].encoded().count < 16 << 10)
        let reader = try world.reader()
        _ = try reader.merge(try server.runs(of: device.own.name, .fabric, after: [], byteLimit: .max))
        let missing = try reader.merge([try Run(decoding: runs[0].encoded()[...], event: world.event)]).missingPayloads
        #expect(missing.count == 64)
        #expect(missing.allSatisfy { (65_000...Limits.payloadLength).contains($0.length) })
        // The link dies at the fiftieth; what came before stays.
        let answers = try server.payloads(missing.map(\.reference))
        let payloads = zip(missing, answers).compactMap { missing, answer in
            if case .held(let bytes) = answer { (reference: missing.reference, bytes: bytes) } else { nil }
        }
        for batch in 0..<5 { _ = try reader.merge(payloads: Array(payloads[(batch * 10)..<(batch * 10 + 10)])) }
        #expect(try reader.missingPayloads(limit: 100).count == 14)
        _ = try reader.merge(payloads: Array(payloads[50...]))
        #expect(try reader.dump() == server.dump())
        #expect(try reader.lines("profile").count == 1)
    }
}

extension TestEvent {
    /// Adds a person's device of which a test has the keys.
    func join(keys: TestKeys, path: String) throws -> Replica {
        let replica = try Replica(path: path, event: event, own: keys.own(in: event, invitation: invitation))
        try replica.receiveAll(from: founder)
        let device = Scribe(keys, event: event, randomness: randomness)
        let drafts: [Draft] = [
            .fabric(.certificate(keys.certificate(in: event))), .fabric(device.admission(by: invitation)),
        ]
        _ = try replica.author(drafts, at: Timestamp(milliseconds: 2000), randomness: randomness)
        return replica
    }
}
