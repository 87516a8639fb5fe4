// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Everything that people were told is shared, in the order in which it was: what all replicas must come to show.
///
/// It knows nothing of journals, branches or queries: a field is a list of the values that nobody overwrote, and who
/// writes overwrites what the writing device has read.
struct Ledger {
    /// What stands before the number of every word, and nowhere else.
    static let mark: Character = "№"

    /// Words that nobody else says: their number stands between the mark and a semicolon.
    static func words(_ what: String, _ number: UInt64) -> Value { .text("\(what) \(mark)\(number);") }

    /// The number of the words in a text.
    static func number(in text: String) -> UInt64? {
        text.firstIndex(of: mark).flatMap { UInt64(text[$0...].dropFirst().prefix { $0 != ";" }) }
    }

    /// One value of a field, as one device wrote it.
    struct Write {
        let timestamp: Timestamp
        let value: Value
        let person: PersonID
        /// The delta that said it; nil for the event's first title.
        let reference: Reference?
        /// The writes that it overwrote.
        var covers: [Reference?] = []

        /// Whether it is shown rather than another that lives too.
        func outranks(_ other: Write) -> Bool {
            (timestamp, reference?.hash ?? 0) > (other.timestamp, other.reference?.hash ?? 0)
        }
    }

    /// One record.
    struct Entry {
        let kind: Kind
        let person: PersonID
        let target: Reference?
        /// The delta that made it; nil for a keyed record.
        let reference: Reference?
        /// What its time is: of a keyed record the highest of all its deltas.
        var made: Timestamp
        var fields: [String: [Write]] = [:]
        /// Every write of every field, overwritten or not.
        var history: [String: [Write]] = [:]
        var blobs: [BlobName] = []
        /// The numbers of all words that ever stood in it.
        var words: Set<UInt64> = []
        /// Every delta about it.
        var references: [Reference] = []
        /// The deltas that deleted it.
        var deletions: [Reference] = []
        /// Whether nobody has what made it any more.
        var isLost = false
        var isDeleted: Bool { !deletions.isEmpty }
        /// The deltas about it, each with who wrote it: its own person, or others who hide it and show it again.
        var authored: [(delta: Reference, person: PersonID)] {
            let hidings = (history[Hiding.field.name] ?? []).filter { $0.person != person }
            return references.map { delta in (delta, hidings.first { $0.reference == delta }?.person ?? person) }
        }

        /// The earlier moments that it continues.
        var continues: [Reference] { continues(fields.mapValues { $0.first?.value ?? .cleared }) }

        fileprivate func continues(_ values: [String: Value]) -> [Reference] {
            guard kind == .moment, case .data(let bytes)? = values["continues"] else { return [] }
            return Reference.list(bytes) ?? []
        }

        /// What a field shows.
        func value(_ field: String) -> Value? { shown(field)?.value }

        /// The words by which a moderator hid it; nil if it is not hidden.
        var hiding: Write? { shown(Hiding.field.name).flatMap { $0.value == .cleared ? nil : $0 } }

        private func shown(_ field: String) -> Write? {
            let living = fields[field] ?? []
            guard var best = living.first else { return nil }
            for write in living where write.outranks(best) { best = write }
            return best
        }
    }

    private struct Key: Hashable {
        let kind: UInt32
        let person: PersonID
        let target: Reference?
    }

    private(set) var entries: [Entry] = []
    private var keyed: [Key: Int] = [:]
    private var made: [Reference: Int] = [:]
    private var own: [PersonID: [Int]] = [:]
    /// The moments that continue an earlier one.
    private var continuing: [Reference: [Reference]] = [:]
    /// Writes of a field that lived beside another device's.
    private(set) var conflicts = 0

    /// The record that a delta made.
    subscript(reference: Reference) -> Entry? { made[reference].map { entries[$0] } }

    /// What stands for a record: itself, and moments that continue it.
    func parents(at target: Reference) -> [Entry] {
        ([target] + continuing[target, default: []]).compactMap { self[$0] }
    }

    /// The records that a person made, oldest first.
    func entries(of person: PersonID) -> [Entry] { own[person, default: []].map { entries[$0] } }

    /// The record of a kind that a person set on a target.
    func entry(_ kind: Kind, of person: PersonID, on target: Reference?) -> Entry? {
        keyed[Key(kind: kind.number, person: person, target: target)].map { entries[$0] }
    }

    mutating func create(
        _ kind: Kind,
        on target: Reference?,
        _ values: [String: Value],
        blobs: [BlobName] = [],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference
    ) {
        let person = node.secrets.person
        entries.append(Entry(kind: kind, person: person, target: target, reference: reference, made: timestamp))
        let place = entries.count - 1
        made[reference] = place
        own[person, default: []].append(place)
        entries[place].blobs = blobs
        for earlier in entries[place].continues(values) { continuing[earlier, default: []].append(reference) }
        write(values, to: place, by: node, at: timestamp, reference)
    }

    mutating func edit(
        _ record: Reference,
        _ values: [String: Value],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference
    ) {
        guard let place = made[record] else { return }
        write(values, to: place, by: node, at: timestamp, reference)
    }

    mutating func set(
        _ kind: Kind,
        on target: Reference?,
        _ values: [String: Value],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference?
    ) {
        let person = node.secrets.person
        let key = Key(kind: kind.number, person: person, target: target)
        let place = keyed[key] ?? entries.count
        if keyed[key] == nil {
            keyed[key] = place
            entries.append(Entry(kind: kind, person: person, target: target, reference: nil, made: timestamp))
        }
        // What was lost altogether begins anew.
        entries[place].made = entries[place].isLost ? timestamp : max(entries[place].made, timestamp)
        entries[place].isLost = false
        write(values, to: place, by: node, at: timestamp, reference)
    }

    mutating func delete(_ record: Reference, by reference: Reference) {
        if let place = made[record] { entries[place].deletions.append(reference) }
    }

    /// Changes every entry.
    mutating func update(_ body: (inout Entry) -> Void) {
        for place in entries.indices { body(&entries[place]) }
    }

    private mutating func write(
        _ values: [String: Value],
        to place: Int,
        by node: SimulatedNode,
        at timestamp: Timestamp,
        _ reference: Reference?
    ) {
        if let reference { entries[place].references.append(reference) }
        for (name, value) in values {
            if case .text(let text) = value, let number = Self.number(in: text) { entries[place].words.insert(number) }
            let person = node.secrets.person
            var write = Write(timestamp: timestamp, value: value, person: person, reference: reference)
            guard entries[place].kind.field(named: name)?.merge != .maximum else {
                entries[place].history[name, default: []].append(write)
                entries[place].fields[name] = [maximum(write, entries[place].fields[name]?.first)]
                continue
            }
            // All that the device knows, be it overwritten: what overwrote it may be lost or void some day.
            write.covers = node.read(among: (entries[place].history[name] ?? []).compactMap(\.reference))
            let left = (entries[place].fields[name] ?? []).filter { !write.covers.contains($0.reference) }
            entries[place].history[name, default: []].append(write)
            if !left.isEmpty { conflicts += 1 }
            entries[place].fields[name] = left + [write]
        }
    }

    func maximum(_ write: Write, _ other: Write?) -> Write {
        guard let other, case .number(let mine) = write.value, case .number(let theirs) = other.value else {
            return write
        }
        return mine > theirs ? write : other
    }
}

extension SimulatedNode {
    /// The deltas of some that the node can read, so that its person writes in their knowledge: who lacks the key knows nothing of it, and
    /// what is known to stand behind a cut is shown to nobody.
    func read(among references: [Reference]) -> [Reference] {
        let readable = (try? replica.readable(references)) ?? []
        return references.filter(readable.contains)
    }

    /// Whether the node holds the payload of a delta, be it sealed.
    func knows(_ reference: Reference?) -> Bool {
        guard let reference, case .held(_)? = try? replica.payloads([reference]).first else { return false }
        return true
    }
}
