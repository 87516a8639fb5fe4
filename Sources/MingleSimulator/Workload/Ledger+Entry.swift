// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Ledger {
    /// One value of a field, as one device wrote it.
    struct Write {
        let timestamp: Timestamp
        let value: Value
        let person: PersonID
        /// The delta that said it; nil for the event's first title.
        let reference: Reference?
        /// Whether a moderator said it of a field that several people write.
        var isPinned = false
        /// Whether a moderator hid or showed a record of the moderator's own, which overrules nobody.
        var isAboutOwn = false
        /// The writes that it overwrote.
        var covers: [Reference] = []

        /// Whether it is shown rather than another that lives too.
        func outranks(_ other: Write) -> Bool {
            (weight, timestamp, reference?.hash ?? 0) > (other.weight, other.timestamp, other.reference?.hash ?? 0)
        }

        private var weight: Int { isPinned ? 2 : isAboutOwn ? 0 : 1 }

        /// Whether it takes the place of another: nothing gives way to what weighs less.
        func overwrites(_ other: Write) -> Bool {
            guard weight >= other.weight else { return false }
            return other.reference.map(covers.contains) ?? true
        }
    }

    /// One record.
    struct Entry {
        let kind: Kind
        let person: PersonID
        let scope: Scope
        /// The delta that made it; nil for a keyed record.
        let reference: Reference?
        /// What its time is: of a keyed record the highest of all its deltas.
        var made: Timestamp
        /// What of each field nobody overwrote.
        private var living: [String: [Write]] = [:]
        /// Every write of every field, overwritten or not.
        private(set) var history: [String: [Write]] = [:]
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
        /// The record that it hangs on.
        var target: Reference? { scope.record }

        init(kind: Kind, person: PersonID, scope: Scope, reference: Reference?, made: Timestamp) {
            (self.kind, self.person, self.scope) = (kind, person, scope)
            (self.reference, self.made) = (reference, made)
        }

        /// The deltas about it, each with its writer: the record's person, or somebody who writes some of its fields.
        var authored: [(delta: Reference, person: PersonID)] {
            let others = history.values.joined().filter { $0.person != person }
            let persons = Dictionary(others.map { ($0.reference, $0.person) }) { first, _ in first }
            return references.map { ($0, persons[$0] ?? person) }
        }

        /// The earlier moments that it continues.
        var continues: [Reference] { Self.continues(kind, living.compactMapValues { $0.first?.value }) }

        static func continues(_ kind: Kind, _ values: [String: Value]) -> [Reference] {
            guard kind == .moment, case .data(let bytes)? = values["continues"] else { return [] }
            return Reference.list(bytes) ?? []
        }

        /// What a field shows; nil where it has no value.
        func value(_ field: String) -> Value? { shown(field).flatMap { $0.value == .cleared ? nil : $0.value } }

        /// The number that a field shows.
        func number(_ field: String) -> Int64? {
            guard case .number(let number)? = value(field) else { return nil }
            return number
        }

        /// The words by which a moderator hid it; nil if it is not hidden.
        var hiding: Write? { shown(Hiding.field.name).flatMap { $0.value == .cleared ? nil : $0 } }

        private func shown(_ field: String) -> Write? { living[field]?.max { $1.outranks($0) } }

        /// Adds what was said of a field; returns how many writes live besides.
        mutating func add(_ write: Write, of field: Field) -> Int {
            let others = living[field.name] ?? []
            history[field.name, default: []].append(write)
            guard field.merge != .maximum else {
                living[field.name] = Self.greatest(of: others + [write])
                return 0
            }
            let left = others.filter { !write.overwrites($0) }
            living[field.name] = left + [write]
            return left.count
        }

        /// Takes out what some deltas said, since nobody holds them any more: what they had overwritten lives again.
        mutating func lose(_ lost: Set<Reference>) {
            let isGone = { (write: Write) in write.reference.map(lost.contains) ?? false }
            references.removeAll(where: lost.contains)
            deletions.removeAll(where: lost.contains)
            if let reference, lost.contains(reference) { isLost = true }
            for name in history.keys.sorted() {
                guard var writes = history[name], writes.contains(where: isGone) else { continue }
                writes.removeAll(where: isGone)
                history[name] = writes
                let isMaximum = kind.field(named: name)?.merge == .maximum
                living[name] = isMaximum ? Self.greatest(of: writes) : Self.living(writes)
            }
            guard reference == nil else { return }
            let times = history.values.flatMap { $0.map(\.timestamp) }
            if let last = times.max() { made = last } else { isLost = true }
        }

        private static func living(_ writes: [Write]) -> [Write] {
            writes.filter { write in
                !writes.contains { $0.reference != write.reference && $0.overwrites(write) }
            }
        }

        private static func greatest(of writes: [Write]) -> [Write] {
            let number = { (write: Write) in
                if case .number(let number) = write.value { number } else { Int64.min }
            }
            return writes.max { number($0) < number($1) }.map { [$0] } ?? []
        }
    }

    /// Takes out what some deltas said, since nobody holds them any more.
    mutating func lose(_ lost: Set<Reference>) {
        guard !lost.isEmpty else { return }
        update { entry in
            if !lost.isDisjoint(with: entry.references) || !lost.isDisjoint(with: entry.deletions) { entry.lose(lost) }
        }
    }
}
