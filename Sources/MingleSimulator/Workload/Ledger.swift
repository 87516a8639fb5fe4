// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Everything that people were told is shared, in the order in which it was: what all replicas must come to show.
///
/// It knows nothing of journals, branches or queries: a field is a list of the values that nobody overwrote, and who
/// writes overwrites what the writing device has read. What people share among guests is not in it; see ``Privacy``.
struct Ledger {
    /// What stands before the number of every word, and nowhere else.
    static let mark: Character = "№"

    /// The numbers of words: seven digits each, so that none stands anywhere by chance.
    static let numbers: ClosedRange<UInt64> = 1_000_000...9_999_999

    /// Words that nobody else says: their number stands between the mark and a semicolon.
    static func words(_ what: String, _ number: UInt64) -> Value { .text("\(what) \(mark)\(number);") }

    /// The number of the words in a text.
    static func number(in text: String) -> UInt64? {
        text.firstIndex(of: mark).flatMap { UInt64(text[$0...].dropFirst().prefix { $0 != ";" }) }
    }

    /// What a record hangs on, whom it is about besides, and for whom it is.
    struct Scope: Hashable {
        var target = MingleModel.Target.nothing
        var subject = MingleModel.Target.nothing
        var audience = Audience.event

        /// The record that it hangs on.
        var record: Reference? { if case .record(let record) = target { record } else { nil } }

        /// Something for everybody that hangs on a record, or on nothing but the event.
        static func on(_ record: Reference?) -> Scope {
            Scope(target: record.map { MingleModel.Target.record($0) } ?? .nothing)
        }
    }

    private struct Key: Hashable {
        let kind: Kind
        let person: PersonID
        let scope: Scope
    }

    private(set) var entries: [Entry] = []
    private var keyed: [Key: Int] = [:]
    private var made: [Reference: Int] = [:]
    private var own: [PersonID: [Int]] = [:]
    private var kinds: [Kind: [Int]] = [:]
    private var hanging: [Reference: [Int]] = [:]
    /// The moments that continue an earlier one.
    private var continuing: [Reference: [Reference]] = [:]
    /// The moments that a private one continues, so that only guests see what hangs on them.
    var withdrawn: Set<Reference> = []
    /// Records with fields that hostile persons wrote, of which the ledger cannot know what they show.
    var doubtful: Set<Reference> = []
    /// Those who take no part in the end, so that nothing of theirs is shown as an owner's.
    var outsiders: Set<PersonID> = []
    /// Writes of a field that lived beside another device's of the same person.
    private(set) var conflicts = 0

    /// The record that a delta made.
    subscript(reference: Reference) -> Entry? { made[reference].map { entries[$0] } }

    /// What stands for a record: itself, and moments that continue it.
    func parents(at target: Reference) -> [Entry] {
        ([target] + continuing[target, default: []]).compactMap { self[$0] }
    }

    /// The records that a person made, oldest first.
    func entries(of person: PersonID) -> [Entry] { own[person, default: []].map { entries[$0] } }

    /// The records of a kind, oldest first; of many only the last.
    func entries(of kind: Kind, last count: Int = .max) -> [Entry] {
        kinds[kind, default: []].suffix(count).map { entries[$0] }
    }

    /// How many records of a kind there are.
    func count(of kind: Kind) -> Int { kinds[kind]?.count ?? 0 }

    /// The records of a kind that hang on a record.
    func entries(of kind: Kind, on target: Reference) -> [Entry] {
        hanging[target, default: []].map { entries[$0] }.filter { $0.kind == kind }
    }

    /// The record of a kind that a person set on a target, or in another scope.
    func entry(_ kind: Kind, of person: PersonID, on target: Reference?) -> Entry? {
        entry(kind, of: person, in: .on(target))
    }

    func entry(_ kind: Kind, of person: PersonID, in scope: Scope) -> Entry? {
        keyed[Key(kind: kind, person: person, scope: scope)].map { entries[$0] }
    }

    // MARK: - Writing

    mutating func create(
        _ kind: Kind,
        in scope: Scope = Scope(),
        _ values: [String: Value],
        blobs: [BlobName] = [],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference
    ) {
        let entry = Entry(kind: kind, person: node.secrets.person, scope: scope, reference: reference, made: timestamp)
        let place = add(entry)
        made[reference] = place
        own[entry.person, default: []].append(place)
        entries[place].blobs = blobs
        for earlier in Entry.continues(kind, values) { continuing[earlier, default: []].append(reference) }
        write(values, to: place, by: node, at: timestamp, reference)
    }

    /// - Parameter isPinned: whether a moderator says it, of fields that others write, too.
    mutating func edit(
        _ record: Reference,
        _ values: [String: Value],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference,
        isPinned: Bool = false
    ) {
        guard let place = made[record] else { return }
        write(values, to: place, by: node, at: timestamp, reference, isPinned: isPinned)
    }

    mutating func set(
        _ kind: Kind,
        in scope: Scope = Scope(),
        _ values: [String: Value],
        by node: SimulatedNode,
        at timestamp: Timestamp,
        reference: Reference?
    ) {
        let person = node.secrets.person
        let key = Key(kind: kind, person: person, scope: scope)
        let known = keyed[key]
        let place = known ?? add(Entry(kind: kind, person: person, scope: scope, reference: nil, made: timestamp))
        keyed[key] = place
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

    private mutating func add(_ entry: Entry) -> Int {
        entries.append(entry)
        let place = entries.count - 1
        kinds[entry.kind, default: []].append(place)
        if let target = entry.target { hanging[target, default: []].append(place) }
        return place
    }

    private mutating func write(
        _ values: [String: Value],
        to place: Int,
        by node: SimulatedNode,
        at timestamp: Timestamp,
        _ reference: Reference?,
        isPinned: Bool = false
    ) {
        if let reference { entries[place].references.append(reference) }
        for (name, value) in values {
            if case .text(let text) = value, let number = Self.number(in: text) { entries[place].words.insert(number) }
            guard let field = entries[place].kind.writtenField(named: name) else { continue }
            var write = Write(timestamp: timestamp, value: value, person: node.secrets.person, reference: reference)
            write.isPinned = isPinned && field.isShared
            write.isAboutOwn = name == Hiding.field.name && entries[place].person == node.secrets.person
            write.covers = node.known(field, of: entries[place])
            if !field.isShared { write.covers += node.earlier(field, of: entries[place], than: reference) }
            let left = entries[place].add(write, of: field)
            if left > 0, !field.isShared { conflicts += 1 }
        }
    }
}

extension Kind {
    /// A field of a name, be it the one that says that a record is hidden.
    func writtenField(named name: String) -> Field? {
        field(named: name) ?? (name == Hiding.field.name ? Hiding.field : nil)
    }
}

extension SimulatedNode {
    /// Those of some deltas that the node can read, so that its person writes in their knowledge.
    ///
    /// A node without the key knows nothing of a delta. What stands behind a cut is shown to nobody.
    func read(among references: [Reference]) -> [Reference] {
        let readable = (try? replica.readable(references)) ?? []
        return references.filter(readable.contains)
    }

    /// Whether the node holds the payload of a delta, be it sealed.
    func knows(_ reference: Reference?) -> Bool {
        guard let reference, case .held(_)? = try? replica.payloads([reference]).first else { return false }
        return true
    }

    /// What was said of a field that who writes here overwrites.
    fileprivate func known(_ field: Field, of entry: Ledger.Entry) -> [Reference] {
        let history = entry.history[field.name] ?? []
        // All that the device knows, be it overwritten: what overwrote it may be lost or void some day.
        let read = read(among: history.compactMap(\.reference))
        guard field.isShared else { return read }
        let known = history.filter { write in
            guard let said = write.reference, read.contains(said), let level = level(of: write.person)
            else { return false }
            return field.writers.admit(level, isAuthor: write.person == entry.person, isMaking: said == entry.reference)
        }
        // Of what several write an edit also names what these have named, be it unread.
        return Array(Set(known.compactMap(\.reference)).union(known.flatMap(\.covers)))
    }

    /// What a device said of a field before, which it overwrites without a key, too: a door cannot read what its guests
    /// sealed for others.
    fileprivate func earlier(_ field: Field, of entry: Ledger.Entry, than reference: Reference?) -> [Reference] {
        (entry.history[field.name] ?? []).compactMap(\.reference).filter { said in
            said.device == reference?.device && knows(said)
        }
    }

    /// What a person may write who is in, or took part in the event until he or she went.
    private func level(of person: PersonID) -> Level? {
        if let level = try? replica.level(of: person) { return level }
        let isOut = (try? replica.hasLeft(person) || replica.removal(of: person) != nil) ?? false
        return isOut ? .attendee : nil
    }
}
