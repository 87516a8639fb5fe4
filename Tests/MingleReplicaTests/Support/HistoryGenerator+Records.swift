// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport

extension HistoryGenerator {
    /// Makes a record of any kind, on something or nothing.
    mutating func create() throws {
        let device = random.pick(persons.indices)
        let kinds: [Kind] =
            made.count < 4
            ? [.moment] : [.moment, .photo, .photo, .comment, .comment, .checkIn, .place, .profilePicture]
        let kind = random.pick(kinds)
        var entry = Scribe.Entry(root: random.chance(2) ? .none : .itself)
        entry.plain = try payload(of: kind, device: device, isComplete: !random.chance(7), into: &entry)
        let reference = write(entry, by: device)
        remember(Made(kind: kind, reference: reference, device: device, mentions: [reference]))
    }

    /// Changes a record, mostly one of the same person.
    mutating func edit() throws {
        let unkeyed = made.indices.filter { made[$0].kind.identity == .delta }
        guard !unkeyed.isEmpty else { return try create() }
        let index = random.pick(random.chance(6) ? Array(made.indices) : unkeyed)
        let record = made[index]
        let device = random.chance(88) ? colleague(of: record.device) : random.pick(persons.indices)
        // Sometimes the reference is of an edit, which is no record.
        let root = random.chance(90) ? record.reference : random.pick(record.mentions)
        var entry = Scribe.Entry(root: .reference(root))
        let kind = record.kind.identity == .delta && random.chance(97) ? record.kind : .place
        let isComplete = root != record.reference || kind != record.kind
        entry.plain = try payload(of: kind, device: device, isComplete: isComplete, about: record, into: &entry)
        mention(write(entry, by: device), of: index)
    }

    /// Sets a keyed record: faves, participation, profiles, the event's title.
    mutating func toggle() throws {
        let device = random.pick(persons.indices)
        let kind: Kind = random.pick([.fave, .fave, .participation, .participation, .participation, .profile, .event])
        var entry = Scribe.Entry(root: random.chance(2) ? .itself : .none)
        let earlier = made.filter { $0.kind == kind && persons[$0.device] == persons[device] }
        let record = earlier.isEmpty ? nil : random.pick(earlier)
        entry.plain = try payload(of: kind, device: device, isComplete: true, about: record, into: &entry)
        let reference = write(entry, by: device)
        remember(Made(kind: kind, reference: reference, device: device, mentions: [reference]))
    }

    /// Deletes a record, mostly one of the same person.
    mutating func delete() throws {
        guard !made.isEmpty else { return try create() }
        let record = random.pick(made)
        let device = random.chance(80) ? colleague(of: record.device) : random.pick(persons.indices)
        let root = random.chance(95) ? record.reference : random.pick(record.mentions)
        write(Scribe.Entry(root: .reference(root), isDeletion: true), by: device)
    }

    /// Writes what no version understands.
    mutating func babble() throws {
        let root: Root = random.pick([.itself, .none, made.first.map { .reference($0.reference) } ?? .none])
        var entry = Scribe.Entry(root: root)
        entry.plain = random.bytes(Int.random(in: 0..<40, using: &random))
        if random.chance(50) {
            entry.plain = try RecordPayload(kind: 4711, target: .nothing, changes: [change(of: 1)]).encoded()
        }
        write(entry, by: random.pick(persons.indices))
    }

    /// A device of the same person.
    private mutating func colleague(of device: Int) -> Int {
        random.pick(persons.indices.filter { persons[$0] == persons[device] })
    }

    private mutating func payload(
        of kind: Kind,
        device: Int,
        isComplete: Bool,
        about record: Made? = nil,
        into entry: inout Scribe.Entry
    ) throws -> [UInt8] {
        var changes: [Change] = []
        for field in kind.fields where isComplete && field.isRequired || random.chance(35) {
            let overwrites = (record?.mentions ?? []).filter { _ in random.chance(40) }
            let isGood = isComplete && field.isRequired ? !random.chance(2) : !random.chance(15)
            let value = isGood ? good(field, device: device, into: &entry) : odd(field, device: device)
            changes.append(Change(field: field.number, value: value, overwrites: overwrites))
        }
        if random.chance(4) { changes.append(change(of: 200)) }
        // One field twice, and one that overwrites what is of another field.
        if random.chance(4), let again = changes.randomElement(using: &random) { changes.append(again) }
        let target = target(of: kind)
        return try RecordPayload(kind: kind.number, target: target, changes: changes.shuffled(using: &random)).encoded()
    }

    private mutating func change(of field: UInt32) -> Change {
        let reference = Reference(device: random.next(), journal: .content, sequence: 1, hash: random.next())
        return Change(field: field, value: .text("later"), overwrites: [reference])
    }

    private mutating func target(of kind: Kind) -> Target {
        guard case .record(let kinds, let orNothing) = kind.target, !random.chance(3) else {
            return random.chance(3) ? .person(person(of: 0)) : .nothing
        }
        if orNothing, random.chance(25) { return .nothing }
        // Few of each, so that much hangs on the same.
        let fitting = made.filter { kinds.contains($0.kind.number) }.prefix(4)
        let choices = fitting.isEmpty || random.chance(6) ? made[...] : fitting
        guard !choices.isEmpty else { return .nothing }
        return .record(random.pick(Array(choices)).reference)
    }
}

// MARK: - Values

extension HistoryGenerator {
    private mutating func good(_ field: Field, device: Int, into entry: inout Scribe.Entry) -> Value {
        switch field.type {
        case .text(let limit):
            let isLong = limit > 2000 && random.chance(12)
            return .text(
                random.pick(["Ana", "Böb", "c\u{1}\"\\", ""]) + String(repeating: "x", count: isLong ? 1500 : 0)
            )
        case .number(let range):
            return .number(
                Int64.random(in: range.lowerBound...min(range.upperBound, range.lowerBound + 3), using: &random)
            )
        case .reference: return .data((made.last?.reference).map(\.bytes) ?? [])
        case .media:
            let media = media()
            let name = media.name(owner: person(of: device))
            if !random.chance(3), entry.blobs.count < Limits.blobsPerHeader {
                entry.blobs.append(BlobListing(name: name, size: media.size))
            }
            return .media(media)
        }
    }

    /// Values that the field does not admit, or that clear it, or blobs that no header lists.
    private mutating func odd(_ field: Field, device: Int) -> Value {
        switch random.next() % 6 {
        case 0: .text(String(repeating: "y", count: 4001))
        case 1: .number(Int64.min)
        case 2: .data(random.bytes(7))
        case 3 where field.type == .media: .media(media())
        case 4: .text("a\u{0}b")
        default: .cleared
        }
    }

    private mutating func media() -> Media {
        let size = UInt64.random(in: 1...3, using: &random)
        return Media(
            root: Bytes32(at: 0, of: random.bytes(32).span),
            size: size,
            key: random.bytes(32),
            type: "image/x"
        )
    }
}
