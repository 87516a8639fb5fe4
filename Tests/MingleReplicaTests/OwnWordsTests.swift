// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What people may say of themselves, also those who mean harm, and what it makes others do.
struct OwnWordsTests {
    private func runs(of device: Replica, _ journal: Journal) throws -> [Run] {
        try device.runs(of: device.own.name, journal, after: [], byteLimit: .max)
    }

    private func place(_ name: String, _ world: TestEvent, by scribe: Scribe, after parent: Delta?) throws -> Delta {
        let position = (2...4 as ClosedRange<UInt32>).map { Change(field: $0, value: .number(1)) }
        return scribe.write(
            try world.entry(.place, [Change(field: 1, value: .text(name))] + position),
            after: parent
        )
    }

    @Test func `a device is let in nowhere that was retired before its certificate came`() throws {
        var world = try TestEvent(seed: 111)
        let (phone, laptop) = try world.joinTwice()
        try laptop.say(.retire(phone.own.name), at: 4000, world.randomness)
        let late = try world.reader()
        _ = try late.merge(runs(of: laptop, .fabric))
        #expect(try late.isAdmitted(laptop.own.person) && late.devices(of: laptop.own.person).count == 1)
        // The door asks before anything that it brings is taken in.
        #expect(try late.isRetired(phone.own.name, of: laptop.own.person))
        #expect(try !late.isRetired(phone.own.name, of: world.founder.own.person))
        _ = try late.merge(runs(of: phone, .fabric))
        #expect(try late.isRetired(phone.own.name) && late.admittedPerson(of: phone.own.name) == nil)
        let devices = try late.devices(of: laptop.own.person)
        #expect(Set(devices.filter(\.isRetired).map(\.name)) == [phone.own.name] && devices.count == 2)
        _ = try late.recompute()
        #expect(try late.devices(of: laptop.own.person) == devices)
    }

    @Test func `a device that its person retires again and again makes one key necessary`() throws {
        var world = try TestEvent(seed: 112)
        _ = try world.join()
        let founder = world.founder
        let identity = SigningKey(seed: world.randomness.secret())
        let (phone, laptop) = (world.scribe(identity: identity), world.scribe(identity: identity))
        _ = try founder.merge([Run(phone.introduction(by: world.invitation))])
        var words = try laptop.introduction(by: nil)
        let now = Timestamp(milliseconds: 5000)
        for round in 0..<4 {
            let terms = CutTerms(person: phone.keys.person, device: phone.own.name, level: nil, ends: [])
            words.append(try laptop.fabric(.cut(terms), after: words.last, time: Int64(4000 + round)))
            _ = try founder.merge([Run(travelling: words)])
            #expect(try founder.isRetired(phone.own.name) && founder.isKeyOutdated() == (round == 0))
            if round == 0 { try founder.say(.renewKey, at: now.milliseconds, world.randomness) }
        }
        let leaving = CutTerms(person: phone.keys.person, level: nil, ends: [])
        words.append(try laptop.fabric(.cut(leaving), after: words.last, time: 4100))
        _ = try founder.merge([Run(travelling: words)])
        #expect(try founder.hasLeft(phone.keys.person) && founder.isKeyOutdated())
    }

    @Test func `who retires many devices to hide the stolen one among them gets no key for that one either`() throws {
        var world = try TestEvent(seed: 115)
        let identity = SigningKey(seed: world.randomness.secret())
        let (founder, phone) = (world.founder, try world.join(identity: identity))
        let laptop = try world.join(identity: identity)
        for device in [phone, laptop] { try founder.receiveAll(from: device) }
        try founder.say(.close(world.invitation.id), at: 3000, world.randomness)
        for round in 0..<20 {
            let another = world.scribe(identity: identity)
            _ = try founder.merge([Run(another.introduction(by: nil))])
            let terms = CutTerms(person: phone.own.person, device: another.own.name, level: nil, ends: [])
            try phone.say(.fabric(.cut(terms)), at: 3001 + Int64(round), world.randomness)
        }
        try founder.receiveAll(from: phone)
        #expect(try founder.isKeyOutdated())
        try founder.say(.renewKey, at: 4000, world.randomness)
        #expect(try !founder.isKeyOutdated())
        try laptop.receiveAll(from: founder)
        try laptop.say(.retire(phone.own.name), at: 5000, world.randomness)
        try founder.receiveAll(from: laptop)
        #expect(try founder.isRetired(phone.own.name) && !founder.isKeyOutdated())
        try founder.say(.set(.profile, on: .nothing, values: ["name": .text("Secret")]), at: 6000, world.randomness)
        try phone.receiveAll(from: founder)
        #expect(try phone.lines("Secret").isEmpty && founder.lines("Secret").count == 1)
    }

    @Test func `own words that name places of forked journals have nothing of others' worked out anew`() throws {
        let world = try TestEvent(seed: 113)
        let (eve, mallory) = (world.scribe(), world.scribe())
        let arrival = try eve.introduction(by: world.invitation)
        let first = try place("First", world, by: eve, after: nil)
        let second = try place("Second", world, by: eve, after: first)
        let third = try place("Third", world, by: eve, after: second)
        let other = try place("Other", world, by: eve, after: first)
        let after = try place("After", world, by: eve, after: other)
        // Both leave, and say that what counts of Eve ends where nobody has read yet.
        let end = FrontierEntry(endingAt: third)
        let ends = [FrontierEntry(endingAt: arrival[1]), end]
        let leaving = try eve.fabric(
            .cut(CutTerms(person: eve.keys.person, level: nil, ends: ends)),
            after: arrival[1],
            time: 5000
        )
        let foreign = try mallory.introduction(by: world.invitation)
        let theirs = try mallory.fabric(
            .cut(CutTerms(person: mallory.keys.person, level: nil, ends: [end])),
            after: foreign[1],
            time: 5000
        )
        let reader = try world.reader()
        let steps = [
            Run(travelling: arrival + [leaving]), Run(travelling: foreign + [theirs]), Run([first, second]),
            Run([other]), Run([after]), Run([third]),
        ]
        for step in steps {
            let answer = try reader.merge([step])
            #expect(!answer.isRecomputed)
        }
        // The branch that is meant counts as soon as it is known.
        #expect(try reader.lines("First").count == 1 && reader.lines("Third").count == 1)
        #expect(try reader.lines("Other").isEmpty && reader.lines("After").isEmpty)
        let dump = try reader.dump()
        _ = try reader.recompute()
        #expect(try reader.dump() == dump && reader.leftPeople().count == 2)
    }

    @Test func `who retires devices that nobody knows has nothing worked out anew for that`() throws {
        let world = try TestEvent(seed: 116)
        let (eve, laptop) = (world.scribe(), world.scribe())
        let arrival = try eve.introduction(by: world.invitation)
        let reader = try world.reader()
        let shared = try place("Eve's", world, by: eve, after: nil)
        _ = try reader.merge([Run(travelling: arrival), Run([shared])])
        var (last, time) = (arrival[1], 4000 as Int64)
        let retire = { (device: DeviceName) in
            let terms = CutTerms(person: eve.keys.person, device: device, level: nil, ends: [])
            time += 1
            last = try eve.fabric(.cut(terms), after: last, time: time)
            return try reader.merge([Run([last])])
        }
        for _ in 0..<3 { #expect(try retire(laptop.own.name).changedKinds == ["people"]) }
        // What counts of a device that is there follows from it, once.
        #expect(try retire(eve.own.name).changedKinds.contains("place") && reader.lines("Eve's").isEmpty)
        let dump = try reader.dump()
        _ = try reader.recompute()
        #expect(try reader.dump() == dump && reader.isRetired(eve.own.name))
    }

    @Test func `who lowers oneself to a level has said nothing`() throws {
        let world = try TestEvent(seed: 114)
        let eve = world.scribe()
        let arrival = try eve.introduction(by: world.invitation)
        let word = try eve.fabric(
            .cut(CutTerms(person: eve.keys.person, level: .guest, ends: [])),
            after: arrival[1],
            time: 5000
        )
        let reader = try world.reader()
        let outcome = try reader.merge([Run(travelling: arrival + [word])])
        #expect(try !outcome.isRecomputed && reader.level(of: eve.keys.person) == .attendee)
    }
}
