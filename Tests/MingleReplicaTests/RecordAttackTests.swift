// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Deltas that speak of records in ways that no honest node would.
struct RecordAttackTests {
    private static let place = [
        Change(field: 1, value: .text("Quay")), Change(field: 2, value: .number(1)),
        Change(field: 3, value: .number(2)),
        Change(field: 4, value: .number(3)),
    ]

    /// A world with one device whose fabric the readers hold.
    private struct Setting {
        let world: TestEvent
        let device: Scribe
        let introduction: [Delta]

        init(seed: UInt64) throws {
            world = try TestEvent(seed: seed)
            device = world.scribe()
            introduction = try device.introduction(by: world.invitation)
        }

        func reader(_ runs: [Run]) throws -> Replica {
            let reader = try world.reader()
            _ = try reader.merge([Run(introduction)] + runs)
            return reader
        }
    }

    @Test func `an edit of an edit is no record`() throws {
        let setting = try Setting(seed: 301)
        let (world, device) = (setting.world, setting.device)
        let made = device.write(try world.entry(.place, RecordAttackTests.place), after: nil)
        let edit = device.write(
            try world.entry(.place, root: .reference(made.reference), RecordAttackTests.place),
            after: made
        )
        let second = device.write(
            try world.entry(.place, root: .reference(edit.reference), [Change(field: 1, value: .text("Pier"))]),
            after: edit
        )
        let reader = try setting.reader([Run([made, edit, second])])
        #expect(try reader.lines("place").map { $0.contains("Quay") } == [true])
        // Nor is it erased with one: what names an erased edit names no record.
        let deletion = device.write(
            Scribe.Entry(root: .reference(made.reference), isDeletion: true),
            after: second
        )
        for runs in [[Run([made, edit, second, deletion])], [Run([made, edit]), Run([second]), Run([deletion])]] {
            let reader = try setting.reader(runs)
            #expect(try reader.payloads([second.reference]) == [.held(second.payload ?? [])])
            #expect(try reader.payloads([edit.reference]) == [.erased])
        }
    }

    @Test func `what nobody can see and what ends before it starts is stored and shown nowhere`() throws {
        let setting = try Setting(seed: 311)
        let (world, device) = (setting.world, setting.device)
        func moment(_ title: String, _ start: Int64, _ end: Int64) throws -> Scribe.Entry {
            let changes = [
                Change(field: 1, value: .text(title)), Change(field: 3, value: .number(start)),
                Change(field: 4, value: .number(end)),
            ]
            return try world.entry(.moment, changes)
        }
        let (day, late) = (Int64(86_400_000), Timestamp.latest.milliseconds)
        var deltas = [device.write(try moment("Dinner", day, 2 * day), after: nil)]
        let target = Target.record(deltas[0].reference)
        func write(_ entry: Scribe.Entry) { deltas.append(device.write(entry, after: deltas.last)) }
        let texts = [
            "", " \t", "\u{200b}", "\u{202e}\u{2069}", "\u{e0041}", "\u{3164}", "\u{2800}", "\u{301}", "\u{61c}",
        ]
        for text in texts {
            write(try world.entry(.profile, root: .none, [Change(field: 1, value: .text(text))]))
            write(try world.entry(.comment, on: target, [Change(field: 1, value: .text(text))]))
            write(try moment(text, day, 2 * day))
        }
        for (start, end) in [(2 * day, day), (day, day), (day, late), (-1, day), (day, late + 1)] {
            write(try moment("Odd", start, end))
        }
        let reader = try setting.reader(
            stride(from: 0, to: deltas.count, by: 16).map { start in
                Run(Array(deltas[start..<min(start + 16, deltas.count)]))
            }
        )
        #expect(try reader.dump().count { $0.hasPrefix("moment\t") } == 1)
        #expect(try reader.dump().allSatisfy { !$0.hasPrefix("comment\t") && !$0.hasPrefix("profile\t") })
        #expect(try reader.payloads(deltas.map(\.reference)) == deltas.map { .held($0.payload ?? []) })
    }

    @Test(arguments: [(8 << 20, true), ((8 << 20) + 1, false), (1 << 32, false)] as [(UInt64, Bool)])
    func `a blob that is larger than its field admits is not asked for`(size: UInt64, isWanted: Bool) throws {
        let setting = try Setting(seed: 312)
        let (world, device) = (setting.world, setting.device)
        let media = Media(root: .zero, size: size, key: Array(repeating: 1, count: 32), type: "image/jpeg")
        var entry = try world.entry(.profilePicture, [Change(field: 1, value: .media(media))])
        entry.blobs = [BlobListing(name: media.name(owner: device.own.person), size: size)]
        let reader = try setting.reader([])
        let outcome = try reader.merge([Run([device.write(entry, after: nil)])])
        #expect(outcome.media.map(\.media) == (isWanted ? [media] : []))
        #expect(try reader.lines("profile_picture").count == (isWanted ? 1 : 0))
    }

    @Test func `an edit of somebody's keyed delta does not bring back what it said`() throws {
        let setting = try Setting(seed: 302)
        let (world, device) = (setting.world, setting.device)
        let old = device.write(
            try world.entry(.profile, root: .none, [Change(field: 1, value: .text("Old"))]),
            after: nil
        )
        let new = device.write(
            try world.entry(.profile, root: .none, [Change(field: 1, value: .text("New"))]),
            after: old
        )
        for person in [device.keys.identity, nil] {
            let attacker = world.scribe(identity: person)
            let attacks = try [old, new].map {
                attacker.write(try world.entry(.place, root: .reference($0.reference), Self.place), after: nil)
            }
            let introduction = Run(try attacker.introduction(by: world.invitation))
            for runs in [
                [Run([old, new])] + attacks.map { Run([$0]) }, attacks.map { Run([$0]) } + [Run([old, new])],
            ] {
                let reader = try setting.reader([introduction] + runs)
                #expect(try reader.lines("profile").map { $0.contains("New") } == [true])
                #expect(try reader.lines("place").isEmpty)
            }
        }
    }

    @Test func `a fabric delta that names a record is not erased with it`() throws {
        let setting = try Setting(seed: 303)
        let world = setting.world
        let other = world.scribe()
        let first = try other.introduction(by: nil)
        let made = other.write(try world.entry(.place, RecordAttackTests.place), after: nil)
        var entry = Scribe.Entry(journal: .fabric, root: .reference(made.reference))
        entry.plain = try other.admission(by: world.invitation).encoded()
        let admission = other.write(entry, after: first[0])
        let post = other.write(
            try world.entry(.profile, root: .none, [Change(field: 1, value: .text("Eve"))]),
            after: made
        )
        let deletion = other.write(Scribe.Entry(root: .reference(made.reference), isDeletion: true), after: post)
        for runs in [
            [Run([admission]), Run([made, post, deletion])], [Run([made, post, deletion]), Run([admission])],
        ] {
            let reader = try setting.reader([Run(first)] + runs)
            #expect(try reader.lines("profile").count == 1)
            #expect(try reader.payloads([admission.reference]) == [.held(admission.payload ?? [])])
        }
    }

    @Test func `a thousand edits of one record, one at a time, give what the last of them says`() throws {
        let setting = try Setting(seed: 304)
        let (world, device) = (setting.world, setting.device)
        var deltas = [device.write(try world.entry(.place, RecordAttackTests.place), after: nil)]
        let root = Root.reference(deltas[0].reference)
        for index in 1..<1000 {
            let edit = try world.entry(.place, root: root, [Change(field: 1, value: .text("\(index)"))], time: 1)
            deltas.append(device.write(edit, after: deltas.last))
        }
        // One at a time, as they would be pushed.
        let reader = try setting.reader([])
        for delta in deltas { _ = try reader.merge([Run([delta])]) }
        #expect(try reader.lines("place").map { $0.contains("\"999\"") } == [true])
        let before = try reader.dump()
        _ = try reader.recompute()
        #expect(try reader.dump() == before)
    }

    @Test func `of headers whose references are equal the lowest hash counts, in every order`() throws {
        let setting = try Setting(seed: 305)
        let (world, device) = (setting.world, setting.device)
        // The two parts of a fork are signed under names that begin alike, which takes 2³² attempts to find.
        let twins = try ["low", "high"].enumerated().map { index, name in
            let entry = try world.entry(.place, Self.place.dropFirst() + [Change(field: 1, value: .text(name))])
            let delta = device.write(entry, after: nil)
            var hash = [UInt8](repeating: 7, count: 32)
            hash[31] = UInt8(index)
            return device.sign(delta.header, payload: delta.payload, hash: HeaderHash(Bytes32(at: 0, of: hash.span)))
        }
        #expect(twins[0].reference == twins[1].reference)
        let other = world.scribe()
        let text = [Change(field: 1, value: .text("hello"))]
        let comment = other.write(
            try world.entry(.comment, on: .record(twins[0].reference), text),
            after: nil
        )
        let edit = device.write(
            try world.entry(.place, root: .reference(twins[0].reference), [Change(field: 2, value: .number(9))]),
            after: twins[1]
        )
        let runs = [Run([twins[0]]), Run([twins[1]]), Run([edit]), Run([comment])]
        for order in [[0, 1, 2, 3], [1, 2, 0, 3], [1, 2, 3, 0], [3, 1, 0, 2]] {
            let reader = try setting.reader(
                [Run(try other.introduction(by: world.invitation))] + order.map { runs[$0] }
            )
            let places = try reader.lines("place")
            #expect(places.count == 1)
            #expect(places.allSatisfy { $0.contains("\"low\"") && $0.contains("latitude=9") })
            #expect(try reader.missingPayloads(limit: 10).isEmpty)
            let before = try reader.dump()
            _ = try reader.recompute()
            #expect(try reader.dump() == before)
        }
    }
}
