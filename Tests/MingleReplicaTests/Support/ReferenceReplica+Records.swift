// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire

extension ReferenceReplica {
    /// Folds what is open and not erased into records.
    mutating func fold() {
        var keyed: [Key: [Entry]] = [:]
        for entry in entries.values {
            guard let payload = entry.payload, let kind = Kind.numbered(payload.kind), fits(payload.target, kind) else {
                continue
            }
            if kind.identity == .key {
                keyed[Key(kind: kind.number, person: entry.person, target: payload.target), default: []].append(entry)
            } else if entry.delta.header.root == .itself {
                let edits = entries.values.filter { edit in
                    root(of: edit)?.delta.hash == entry.delta.hash && edit.person == entry.person
                        && edit.payload?.kind == kind.number
                }
                add(Record(kind: kind, entries: [entry] + edits, target: payload.target, person: entry.person))
            }
        }
        for (key, entries) in keyed {
            guard let kind = Kind.numbered(key.kind) else { continue }
            add(Record(kind: kind, entries: entries, target: key.target, person: key.person))
        }
    }

    private func fits(_ target: Target, _ kind: Kind) -> Bool {
        switch (kind.target, target) {
        case (.nothing, .nothing), (.record(_, orNothing: true), .nothing), (.record, .record): true
        default: false
        }
    }

    private mutating func add(_ record: Record) {
        var record = record
        for field in record.kind.fields { record.values[field.number] = value(of: field, record.entries) }
        records.append(record)
        if record.kind.identity == .delta { made[record.entries[0].delta.reference] = record }
    }

    private func value(of field: Field, _ entries: [Entry]) -> Value? {
        let said = assertions(about: field, entries)
        if field.merge == .maximum {
            let numbers = said.compactMap { if case .number(let number) = $0.change.value { number } else { nil } }
            return numbers.max().map(Value.number)
        }
        return shown(said).flatMap { $0.change.value == .cleared ? nil : $0.change.value }
    }

    private typealias Assertion = (delta: Delta, change: Change)

    private func assertions(about field: Field, _ entries: [Entry]) -> [Assertion] {
        entries.compactMap { entry in
            entry.payload?.changes.last { $0.field == field.number && field.type.admits($0.value) }
                .map { (entry.delta, $0) }
        }
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
        shown(hidings(record)).flatMap { $0.change.value == .cleared ? nil : $0 }
    }

    /// Whether somebody hid a record who might, be it shown again or not.
    func wasHidden(_ record: Record) -> Bool { hidings(record).contains { $0.change.value != .cleared } }

    private func hidings(_ record: Record) -> [Assertion] {
        guard record.kind.identity == .delta else { return [] }
        let said = entries.values.filter { entry in
            root(of: entry)?.delta.hash == record.entries[0].delta.hash && entry.payload?.kind == record.kind.number
                && level(of: entry.delta).map { $0 >= .moderator } ?? false
        }
        return assertions(about: Hiding.field, said)
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
        guard hiding(record) == nil else { return false }
        let kind = record.kind
        guard kind.fields.allSatisfy({ !$0.isRequired || record.values[$0.number] != nil }) else { return false }
        if let onOff = kind.onOff.flatMap(kind.field(named:)), record.values[onOff.number] != .number(1) {
            return false
        }
        guard case .record(let kinds, _) = kind.target, case .record(let reference) = record.target else { return true }
        guard let parent = made[reference], kinds.contains(parent.kind.number), isVisible(parent) else { return false }
        guard parent.kind == .moment, let least = kind.participation else { return true }
        return records.contains { taking in
            guard taking.kind == .participation, taking.person == record.person, taking.target == record.target,
                case .number(let state)? = taking.values[1]
            else { return false }
            return state >= least.rawValue
        }
    }

    func line(_ record: Record) -> String {
        let time =
            record.kind.identity == .delta
            ? record.entries[0].delta.header.timestamp : record.entries.map(\.delta.header.timestamp).max()
        var words = [record.kind.name, "-", record.person.description, "-", "\(time?.milliseconds ?? 0)"]
        if record.kind.identity == .delta { words[1] = record.entries[0].delta.reference.description }
        if case .record(let reference) = record.target { words[3] = reference.description }
        for field in record.kind.fields {
            if let value = record.values[field.number] { words.append("\(field.name)=\(word(value))") }
        }
        return words.joined(separator: "\t")
    }

    /// The line that says who hid a record; nil if nobody did.
    func hiddenLine(_ record: Record) -> String? {
        guard let hiding = hiding(record), let maker = devices[hiding.delta.header.device]?.person else { return nil }
        let id = record.entries[0].delta.reference
        let time = hiding.delta.header.timestamp.milliseconds
        return "hidden\t\(id)\t\(maker)\t-\t\(time)\treason=\(word(hiding.change.value))"
    }

    private func word(_ value: Value) -> String {
        switch value {
        case .cleared: ""
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .data(let bytes): Reference(bytes: bytes)?.description ?? ""
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
