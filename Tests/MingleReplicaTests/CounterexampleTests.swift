// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Cases that two reviews of the design found before there was code; the numbers are those of their list.
struct CounterexampleTests {
    static let place: [String: Value] = [
        "name": .text("Quay"), "latitude": .number(1), "longitude": .number(2), "radius": .number(3),
    ]

    // Case 2.
    @Test func `an edit made while another device deletes is erased too, whenever it comes`() throws {
        var world = try TestEvent(seed: 102)
        let (phone, laptop) = try world.joinTwice()
        let place = try phone.say(.create(.place, on: .nothing, values: Self.place), at: 3000, world.randomness)
        try laptop.receiveAll(from: phone)
        try laptop.say(.delete(place), at: 10, world.randomness)
        let edit = try phone.say(.edit(place, .place, values: ["name": .text("Pier")]), at: 20, world.randomness)
        let (early, late) = (try world.reader(), try world.reader())
        for (reader, sources) in [(early, [laptop, phone]), (late, [phone, laptop])] {
            for source in sources { try reader.receiveAll(from: source) }
        }
        try phone.receiveAll(from: laptop)
        for replica in [early, late, phone] {
            #expect(try replica.payloads([place, edit]) == [.erased, .erased])
            #expect(try replica.lines("place").isEmpty)
        }
    }

    // Case 3.
    @Test func `a device deletes what it never received the payload of`() throws {
        var world = try TestEvent(seed: 103)
        let (phone, laptop) = try world.joinTwice()
        var values = MergeTests.party
        values["description"] = .text(String(repeating: "long ", count: 400))
        let moment = try phone.say(.create(.moment, on: .nothing, values: values), at: 3000, world.randomness)
        let runs = try phone.runs(of: phone.own.name, .content, after: [], byteLimit: .max)
        #expect(try laptop.merge(runs).missingPayloads.map(\.reference) == [moment])
        try laptop.say(.delete(moment), at: 3001, world.randomness)
        #expect(try laptop.missingPayloads(limit: 10).isEmpty)
        guard case .held(let bytes) = try phone.payloads([moment])[0] else {
            Issue.record("the author has no payload")
            return
        }
        _ = try laptop.merge(payloads: [(moment, bytes)])
        try phone.receiveAll(from: laptop)
        for replica in [phone, laptop] { #expect(try replica.payloads([moment]) == [.erased]) }
        // Who learns of the deletion first does not even ask.
        let reader = try world.reader()
        try reader.receiveAll(from: laptop)
        let again = try reader.merge(runs)
        #expect(again.missingPayloads.isEmpty)
        #expect(try reader.payloads([moment]) == [.erased])
    }

    // Case 4.
    @Test func `a moment and a check-in outlive the place that they copied`() throws {
        var world = try TestEvent(seed: 104)
        let (ana, bob, carl) = (world.founder, try world.join(), try world.join())
        let place = try ana.say(.create(.place, on: .nothing, values: Self.place), at: 3000, world.randomness)
        try bob.receiveAll(from: ana)
        var values = MergeTests.party
        values["place"] = .data(place.bytes)
        let moment = try bob.say(.create(.moment, on: .nothing, values: values), at: 3001, world.randomness)
        try carl.receiveAll(from: bob)
        let joined = Draft.set(.participation, on: .record(moment), values: ["state": .number(2)])
        try carl.say(joined, at: 3002, world.randomness)
        let here: [String: Value] = ["latitude": .number(5), "longitude": .number(6)]
        try carl.say(.create(.checkIn, on: .record(moment), values: here), at: 3003, world.randomness)
        var copied = here.merging(["place": .data(place.bytes)]) { old, _ in old }
        copied["place_name"] = .text("The ford")
        try carl.say(.create(.checkIn, on: .nothing, values: copied), at: 3004, world.randomness)
        let before = try carl.lines("moment") + carl.lines("check_in")
        #expect(before.count == 3)
        try carl.receiveAll(from: ana)
        try ana.say(.delete(place), at: 3005, world.randomness)
        try ana.receiveAll(from: carl)
        let newcomer = try world.join()
        try newcomer.receiveAll(from: ana)
        for replica in [ana, newcomer] {
            #expect(try replica.lines("moment") + replica.lines("check_in") == before)
            #expect(try replica.lines("Quay").isEmpty)
        }
    }

    // Case 5.
    @Test(arguments: [false, true])
    func `what a void change names or is named by comes back nowhere or everywhere`(isVoid: Bool) throws {
        let world = try TestEvent(seed: 105)
        let identity = SigningKey(seed: world.randomness.secret())
        let devices = (0..<3).map { _ in world.scribe(identity: identity) }
        let introductions = try devices.map { try $0.introduction(by: world.invitation) }
        let name = { (text: String, overwrites: [Reference]) in
            [Change(field: 1, value: .text(text), overwrites: overwrites)]
        }
        let root = devices[0].write(try world.entry(.profile, root: .none, name("root", [])), after: nil)
        let b = devices[1].write(
            try world.entry(.profile, root: .none, name("b", [root.reference]), time: 9000),
            after: nil
        )
        var entry = try world.entry(.profile, root: .none, name("a", [b.reference]), time: 10)
        if isVoid { entry.plain = [0xff] }
        let a = devices[2].write(entry, after: nil)
        let c = devices[0].write(
            try world.entry(.profile, root: .none, name("c", [a.reference]), time: 20),
            after: root
        )
        for order in [[root, b, a, c], [root, c, a, b], [a, b, root, c], [b, root, c, a], [a, root, c, b]] {
            let reader = try world.reader()
            _ = try reader.merge(introductions.map { Run($0) } + order.map { Run([$0]) })
            #expect(try reader.lines("profile").map { $0.contains(isVoid ? "\"b\"" : "\"c\"") } == [true])
        }
    }

    // Case 6.
    @Test func `a fave that two devices toggle apart is one answer everywhere and never stuck`() throws {
        var world = try TestEvent(seed: 106)
        let (phone, laptop) = try world.joinTwice()
        let moment = try world.founder.say(
            .create(.moment, on: .nothing, values: MergeTests.party),
            at: 3000,
            world.randomness
        )
        for device in [phone, laptop] { try device.receiveAll(from: world.founder) }
        let fave = { (isOn: Int64) in Draft.set(.fave, on: .record(moment), values: ["on": .number(isOn)]) }
        try phone.say(fave(1), at: 9_000_000, world.randomness)
        try laptop.say(fave(0), at: 4000, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try phone.lines("fave").count == 1)
        // The laptop has seen the fave; that its clock is far behind the phone's does not matter.
        try laptop.say(fave(0), at: 4001, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try phone.lines("fave").isEmpty)
        try phone.say(fave(1), at: 5, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try phone.lines("fave").count == 1)
        try laptop.say(fave(0), at: 4, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try phone.lines("fave").isEmpty)
    }

    // Case 7.
    @Test func `fifty records of one millisecond and a copied folder's have names of their own`() throws {
        let world = try TestEvent(seed: 107)
        let ana = world.founder
        let drafts = (0..<50).map { _ in Draft.create(.place, on: .nothing, values: Self.place) }
        let written = try ana.author(drafts, at: Timestamp(milliseconds: 7), randomness: world.randomness)
        #expect(Set(written.references).count == 50)
        #expect(try ana.lines("place").count == 50)
        let device = world.scribe()
        let introduction = try device.introduction(by: world.invitation)
        let name = [Change(field: 1, value: .text("same"))]
        let twins = try (0..<2).map { _ in device.write(try world.entry(.profile, root: .none, name), after: nil) }
        #expect(twins[0].reference != twins[1].reference)
        _ = try ana.merge([Run(introduction), Run([twins[0]]), Run([twins[1]])])
        #expect(try ana.lines("same").count == 1)
    }

    static func exchange(_ one: Replica, _ other: Replica) throws {
        try one.receiveAll(from: other)
        try other.receiveAll(from: one)
        #expect(try one.dump() == other.dump())
        #expect(try one.frontier() == other.frontier())
    }
}
