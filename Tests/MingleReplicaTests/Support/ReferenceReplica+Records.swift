// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

extension ReferenceReplica {
    /// Folds what is open and not erased into records.
    mutating func fold() {
        var keyed: [Name: [Entry]] = [:]
        for entry in entries.values {
            guard let payload = entry.payload, let kind = Kind.numbered(payload.kind), fits(payload.target, kind) else {
                continue
            }
            if kind.identity == .key {
                let name = Name(
                    kind: kind.number,
                    person: entry.person,
                    target: payload.target,
                    subject: payload.subject,
                    audience: entry.audience
                )
                keyed[name, default: []].append(entry)
            } else if entry.delta.header.root == .itself {
                let said = [entry] + edits(of: entry, kind: kind)
                add(Record(kind: kind, entries: said, target: payload.target, subject: .nothing, person: entry.person))
            }
        }
        for (key, entries) in keyed {
            guard let kind = Kind.numbered(key.kind) else { continue }
            add(Record(kind: kind, entries: entries, target: key.target, subject: key.subject, person: key.person))
        }
    }

    /// What its author's devices said of a record later, for the same people.
    func edits(of entry: Entry, kind: Kind) -> [Entry] {
        entries.values.filter { edit in
            root(of: edit)?.delta.hash == entry.delta.hash && edit.person == entry.person
                && edit.payload?.kind == kind.number && edit.audience == entry.audience
        }
    }

    private func fits(_ target: Target, _ kind: Kind) -> Bool {
        switch (kind.target, target) {
        case (.nothing, .nothing), (.havingOrNothing, .nothing), (.person, .person): true
        case (.having, .record), (.havingOrNothing, .record): true
        default: false
        }
    }

    private mutating func add(_ record: Record) {
        var record = record
        for field in record.kind.fields {
            record.values[field.number] = field.isShared ? shared(field, of: record) : value(of: field, record.entries)
        }
        records.append(record)
        if record.kind.identity == .delta { made[record.entries[0].delta.reference] = record }
    }

    func value(of field: Field, _ entries: [Entry]) -> Value? {
        let said = assertions(about: field, entries)
        if field.merge == .maximum {
            let numbers = said.compactMap { if case .number(let number) = $0.change.value { number } else { nil } }
            return numbers.max().map(Value.number)
        }
        return shown(said).flatMap { $0.change.value == .cleared ? nil : $0.change.value }
    }

    private typealias Assertion = (delta: Delta, change: Change)

    private func assertions(about field: Field, _ entries: [Entry]) -> [Assertion] {
        entries.compactMap { assertion(about: field, of: $0.delta, $0.payload) }
    }

    private func assertion(about field: Field, of delta: Delta, _ payload: RecordPayload?) -> Assertion? {
        payload?.changes.last { $0.field == field.number && field.admits($0.value) }.map { (delta, $0) }
    }

    private func shown(_ said: [Assertion]) -> Assertion? {
        let living = said.filter { one in
            !said.contains { $0.change.overwrites.contains(one.delta.reference) || isBefore(one.delta, $0.delta) }
        }
        return living.max {
            ($0.delta.header.timestamp, $0.delta.hash) < ($1.delta.header.timestamp, $1.delta.hash)
        }
    }

    /// The words by which a moderator or somebody above hid a record.
    private func hiding(_ record: Record) -> Assertion? {
        guard record.kind.identity == .delta, let shown = ranked(said(about: Hiding.field, of: record)).first,
            shown.change.value != .cleared
        else { return nil }
        return (shown.delta, shown.change)
    }

    /// Whether somebody hid a record who might, be it shown again or not.
    func wasHidden(_ record: Record) -> Bool {
        record.kind.identity == .delta
            && said(about: Hiding.field, of: record).contains { $0.change.value != .cleared }
    }

    // MARK: - Fields that several people write

    private typealias SharedWord = (delta: Delta, change: Change, weight: Int)

    private func shared(_ field: Field, of record: Record) -> Value? {
        ranked(said(about: field, of: record)).first.flatMap { $0.change.value == .cleared ? nil : $0.change.value }
    }

    /// Every word about a field by those who write it where their word stands.
    private func said(about field: Field, of record: Record) -> [SharedWord] {
        entries.values.compactMap { entry in
            let isMaking = entry.delta.hash == record.entries[0].delta.hash
            guard isMaking || root(of: entry)?.delta.hash == record.entries[0].delta.hash,
                entry.opened?.kind == record.kind.number, entry.audience == record.audience,
                isIn(record.audience, entry), let level = level(of: entry.delta), !isMaking || field != Hiding.field,
                mayWrite(
                    field,
                    level,
                    isAuthor: entry.person == record.person && level >= record.kind.writers,
                    isMaking: isMaking
                ),
                let (delta, change) = assertion(about: field, of: entry.delta, entry.opened)
            else { return nil }
            let isOwnHiding = field == Hiding.field && entry.person == record.person && level >= record.kind.writers
            return (delta, change, isOwnHiding ? 0 : change.isPinned && level >= .moderator ? 2 : 1)
        }
    }

    private func mayWrite(_ field: Field, _ level: Level, isAuthor: Bool, isMaking: Bool) -> Bool {
        switch field.writers {
        case .author: isAuthor
        case .level(let least): level >= least
        case .authorAnd(let least): isAuthor || level >= least
        case .makerThen(let least): isMaking || level >= least
        }
    }

    /// Of each branch the last word of each weight: pinned ones first, an author's about hiding an own record last.
    ///
    /// Of equal weight what nothing names comes first, then the latest.
    private func ranked(_ said: [SharedWord]) -> [SharedWord] {
        let counting = said.filter { one in
            !said.contains { one.weight <= $0.weight && isBefore(one.delta, $0.delta) }
        }
        func isNamed(_ one: SharedWord) -> Bool {
            counting.contains { one.weight <= $0.weight && $0.change.overwrites.contains(one.delta.reference) }
        }
        func rank(_ one: SharedWord) -> (Int, Int, Timestamp, HeaderHash) {
            (one.weight, isNamed(one) ? 0 : 1, one.delta.header.timestamp, one.delta.hash)
        }
        return counting.sorted { rank($0) > rank($1) }
    }

    /// Whether the second delta comes after the first on a branch of its journal.
    private func isBefore(_ first: Delta, _ second: Delta) -> Bool {
        var hash = second.header.previous
        while let delta = held[hash] {
            if hash == first.hash { return true }
            hash = delta.header.previous
        }
        return false
    }
}

// MARK: - Showing

extension ReferenceReplica {
    func isVisible(_ record: Record) -> Bool {
        guard hiding(record) == nil, !isHiddenBefore(record) else { return false }
        let kind = record.kind
        guard !isHeldBack(record),
            kind.fields.allSatisfy({ !$0.isRequired || record.values[$0.number] != nil }),
            kind.shownIf.allSatisfy({ holds($0, of: record) })
        else { return false }
        if let onOff = kind.onOff.flatMap(kind.field(named:)), record.values[onOff.number] != .number(1) {
            return false
        }
        guard let trait = kind.trait, case .record(let reference) = record.target else { return true }
        let kinds = Kind.all.filter { $0.traits.contains(trait) }.map(\.number)
        if kind == .report {
            // Everybody sees that one record, and no other stands for it.
            return made[reference].map { parent in
                kinds.contains(parent.kind.number) && parent.audience == .event && isVisible(parent)
            } ?? false
        }
        if kind.audience == .own {
            // For whom that is, whose mark it is, is another matter.
            return parents(at: reference).contains { kinds.contains($0.kind.number) && isVisible($0) }
        }
        return parents(at: reference).contains { parent in
            guard kinds.contains(parent.kind.number), isVisible(parent), let audience = audience(of: reference),
                isWithin(record.audience, audience),
                !kind.shownIf.contains(.creator) || parent.person == record.person
            else { return false }
            guard parent.kind == .moment, let least = kind.participation else { return true }
            return records.contains { taking in
                guard taking.kind == .participation, taking.person == record.person,
                    case .record(let moment) = taking.target,
                    parents(at: moment).contains(where: { $0.isSame(parent) }),
                    let audience = self.audience(of: moment), isWithin(taking.audience, audience),
                    case .number(let state)? = taking.values[1]
                else { return false }
                return state >= least.rawValue
            }
        }
    }

    /// Whether a moderator has to look at a record before others see it.
    private func isHeldBack(_ record: Record) -> Bool {
        record.kind.heldBack.flatMap(record.kind.field(named:)).map { record.values[$0.number] == .number(1) } ?? false
    }

    private func holds(_ rule: ShownRule, of record: Record) -> Bool {
        func value(_ name: String) -> Value? { record.kind.field(named: name).flatMap { record.values[$0.number] } }
        switch rule {
        case .anyOf(let names): return names.contains { value($0) != nil }
        case .span(let from, let to, let longest):
            guard case .number(let start)? = value(from), case .number(let end)? = value(to) else { return false }
            return end > start && end - start <= longest
        // What it hangs on is looked at elsewhere.
        case .creator: return true
        case .owner:
            return records.contains { owned in
                owned.kind == .ownership && owned.target == record.target
                    && owned.values[1] == .data(record.person.bytes) && isVisible(owned) && takesPart(record.person)
            }
        case .mutual:
            return records.contains { other in
                other.kind == record.kind && other.person != record.person && other.target == .person(record.person)
                    && record.target == .person(other.person) && other.values[1] == .number(1)
            }
        }
    }

    /// Whether what a person says from now on counts as an attendee's.
    private func takesPart(_ person: PersonID) -> Bool {
        guard let standing = standings[person], (leavings[person] ?? []).isEmpty else { return false }
        let levels = [standing.base] + standing.cuts.map(\.terms.level)
        return levels.allSatisfy { $0.map { $0 >= .attendee } ?? false }
    }

    /// Whether something is hidden that a moment continues, for all who can open the moment.
    private func isHiddenBefore(_ moment: Record) -> Bool {
        guard moment.kind == .moment, case .data(let bytes)? = moment.values[11] else { return false }
        return (Reference.list(bytes) ?? []).compactMap { made[$0] }.contains { old in
            old.person == moment.person && isWithin(moment.audience, old.audience) && hiding(old) != nil
        }
    }

    /// What stands for a record: itself, and moments that continue it.
    private func parents(at reference: Reference) -> [Record] {
        let itself = made[reference].map { [$0] } ?? []
        return itself
            + records.filter { moment in
                guard moment.kind == .moment, case .data(let bytes)? = moment.values[11],
                    Reference.list(bytes)?.contains(reference) ?? false, let old = named[reference],
                    let delta = held[old], devices[delta.header.device]?.person == moment.person
                else { return false }
                return !itself.contains { $0.isSame(moment) }
            }
    }

    /// Whom a delta was sealed for, whether it was erased or not.
    private func audience(of reference: Reference) -> Audience? {
        named[reference].flatMap { held[$0] }.flatMap { keys[$0.header.epoch]?.audience }
    }

    private func isWithin(_ child: Audience, _ parent: Audience) -> Bool { child == parent || parent == .event }

    /// A word for those who see a record that not everybody does.
    private func word(for record: Record) -> String? {
        guard record.audience == .event else { return word(record.audience) }
        guard case .record(let reference) = record.target else { return nil }
        if let parent = made[reference], parent.kind != .moment { return self.word(for: parent) }
        let shown = parents(at: reference).filter(isVisible).map(\.audience)
        return shown.contains(.event) ? nil : shown.map(word).min()
    }

    private func word(_ audience: Audience) -> String {
        String(Base32.encode(audience.id(in: event).bytes).prefix(16))
    }

    func line(_ record: Record) -> String {
        let time =
            record.kind.identity == .delta
            ? record.entries[0].delta.header.timestamp : record.entries.map(\.delta.header.timestamp).max()
        var words = [record.kind.name, "-", record.person.description, "-", "\(time?.milliseconds ?? 0)"]
        if record.kind.identity == .delta { words[1] = record.entries[0].delta.reference.description }
        switch record.target {
        case .nothing: break
        case .record(let reference): words[3] = reference.description
        case .person(let person): words[3] = person.description
        }
        if record.kind.subject == .person, case .person(let person) = record.subject {
            words.append("subject=\(person)")
        }
        for field in record.kind.fields {
            guard let value = record.values[field.number] else { continue }
            if let word = field.isSeed ? word(ofSeed: value) : word(value) { words.append("\(field.name)=\(word)") }
        }
        if let word = word(for: record) { words.append("audience=\(word)") }
        return words.joined(separator: "\t")
    }

    /// The line that says who hid a record; nil if nobody did.
    func hiddenLine(_ record: Record) -> String? {
        guard let hiding = hiding(record), let maker = devices[hiding.delta.header.device]?.person else { return nil }
        let id = record.entries[0].delta.reference
        let time = hiding.delta.header.timestamp.milliseconds
        let audience = record.audience == .event ? "" : "\taudience=\(word(record.audience))"
        return "hidden\t\(id)\t\(maker)\t-\t\(time)\treason=\(word(hiding.change.value))" + audience
    }

    /// A dump has no seed, but the invitation that it opens, if it is one.
    private func word(ofSeed value: Value) -> String? {
        guard case .text(let text) = value, let seed = Base32.decode(text), seed.count == 32 else { return nil }
        return InvitationKeys(seed: Secret(seed)).id.description
    }

    private func word(_ value: Value) -> String {
        switch value {
        case .cleared: ""
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .data(let bytes): Base32.encode(bytes)
        case .media(let media): "\(Base32.encode(media.root.bytes)):\(media.size):\(quoted(media.type))"
        }
    }

    private func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            let code = String(scalar.value, radix: 16)
            let isControl = scalar.value < 0x20 || scalar.value == 0x7f
            if isControl { quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code }
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            if !isControl { quoted.unicodeScalars.append(scalar) }
        }
        return "\"\(quoted)\""
    }
}

extension ReferenceReplica.Record {
    /// Whether it is the same record.
    func isSame(_ other: ReferenceReplica.Record) -> Bool { entries[0].delta.hash == other.entries[0].delta.hash }
}
