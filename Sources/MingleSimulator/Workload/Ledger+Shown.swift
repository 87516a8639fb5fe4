// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

extension Ledger {
    /// Whether those see a record for whom it is.
    func isShown(_ entry: Entry) -> Bool {
        guard !entry.isDeleted, !entry.isLost, entry.hiding == nil else { return false }
        guard entry.kind.fields.allSatisfy({ !$0.isRequired || entry.value($0.name) != nil }) else { return false }
        if let onOff = entry.kind.onOff, entry.number(onOff) != 1 { return false }
        if let held = entry.kind.heldBack, entry.number(held) == 1 { return false }
        guard entry.kind.shownIf.allSatisfy({ holds($0, for: entry) }) else { return false }
        return entry.target == nil || bearers(of: entry).contains { isShown($0) && mayHang(entry, on: $0) }
    }

    /// Whether a record waits for a moderator, or what it hangs on does: its author and moderators see it all the same.
    func isHeld(_ entry: Entry) -> Bool {
        if let held = entry.kind.heldBack, entry.number(held) == 1 { return true }
        return entry.target.flatMap { self[$0] }.map(isHeld) ?? false
    }

    /// Whether only guests may see a record, as what it hangs on was made private.
    func isWithdrawn(_ entry: Entry) -> Bool {
        guard let target = entry.target else { return false }
        return withdrawn.contains(target) || self[target].map(isWithdrawn) ?? false
    }

    /// What a record hangs on, or what stands in its place; what is for moderators is about one record alone.
    private func bearers(of entry: Entry) -> [Entry] {
        guard let target = entry.target else { return [] }
        return entry.kind.audience == .moderators ? [self[target]].compactMap(\.self) : parents(at: target)
    }

    private func holds(_ rule: ShownRule, for entry: Entry) -> Bool {
        switch rule {
        case .anyOf(let names): return names.contains { entry.value($0) != nil }
        case .span(let start, let end, let longest):
            guard let start = entry.number(start), let end = entry.number(end) else { return false }
            return end > start && end - start <= longest
        case .owner:
            guard let place = entry.target, !outsiders.contains(entry.person) else { return false }
            return owns(entry.person, place)
        case .mutual:
            guard case .person(let other) = entry.scope.target else { return false }
            var reverse = entry.scope
            reverse.target = .person(entry.person)
            guard let answer = self.entry(entry.kind, of: other, in: reverse), !answer.isLost else { return false }
            return entry.kind.onOff.map { answer.number($0) == 1 } ?? true
        // A condition of what it hangs on.
        case .creator: return true
        }
    }

    /// Whether hosts say that a person owns a place.
    func owns(_ person: PersonID, _ place: Reference) -> Bool {
        entries(of: .ownership, on: place).contains { $0.value("person") == .data(person.bytes) && isShown($0) }
    }

    /// Whether an author may hang a record on another one.
    ///
    /// Some kinds hang on records of the same author only. Others need that the author takes part in the moment, or in
    /// one that it continues.
    private func mayHang(_ entry: Entry, on parent: Entry) -> Bool {
        if entry.kind.shownIf.contains(.creator), parent.person != entry.person { return false }
        guard parent.kind == .moment, let least = entry.kind.participation, let reference = parent.reference else {
            return true
        }
        return ([reference] + parent.continues).contains { moment in
            let taking = self.entry(.participation, of: entry.person, on: moment)
            return taking?.number("state").map { $0 >= least.rawValue } ?? false
        }
    }

    // MARK: - As a dump says it

    /// What every replica's canonical dump must be, as far as it is of what everybody sees.
    func dump() -> [String] {
        let shared = entries.filter { $0.scope.audience == .event && !isDoubtful($0) }
        return (shared.filter(isShown).map(line) + shared.compactMap(hiddenLine)).sorted()
    }

    /// Whether it is not for the ledger to know what a record shows.
    private func isDoubtful(_ entry: Entry) -> Bool { entry.reference.map(doubtful.contains) ?? false }

    /// That a record is hidden is a line of its own, wherever the record can be read.
    private func hiddenLine(_ entry: Entry) -> String? {
        guard let hiding = entry.hiding, !entry.isDeleted, !entry.isLost, let record = entry.reference,
            let reason = Self.word(hiding.value)
        else { return nil }
        return "hidden\t\(record)\t\(hiding.person)\t-\t\(hiding.timestamp.milliseconds)\treason=\(reason)"
    }

    /// A record's line, without a word for whom it is.
    func line(_ entry: Entry) -> String {
        var words = [Self.head(of: entry), String(entry.made.milliseconds)]
        if case .person(let subject) = entry.scope.subject { words.append("subject=\(subject)") }
        for field in entry.kind.fields {
            let value = entry.value(field.name)
            guard let word = field.isSeed ? value.flatMap(Self.opener) : value.flatMap({ Self.word($0, field.type) })
            else { continue }
            words.append("\(field.name)=\(word)")
        }
        return words.joined(separator: "\t")
    }

    /// The first words of a record's line: kind, name, author and target.
    static func head(of entry: Entry) -> String {
        let target =
            switch entry.scope.target {
            case .nothing: "-"
            case .record(let record): record.description
            case .person(let person): person.description
            }
        return [entry.kind.name, entry.reference?.description ?? "-", entry.person.description, target]
            .joined(separator: "\t")
    }

    /// What opens the door is not shown, but which invitation it is.
    private static func opener(_ value: Value) -> String? {
        guard case .text(let text) = value, let bytes = Base32.decode(text) else { return nil }
        return InvitationKeys(seed: Secret(bytes)).id.description
    }

    private static func word(_ value: Value, _ type: FieldType = .text(limit: 0)) -> String? {
        switch value {
        case .cleared: nil
        // People in here say nothing that would have to be escaped.
        case .text(let text): "\"\(text)\""
        case .number(let number): String(number)
        case .data(let bytes):
            type == .reference ? Reference(bytes: bytes)?.description : Base32.encode(bytes)
        case .media(let media): "\(Base32.encode(media.root.bytes)):\(media.size):\"\(media.type)\""
        }
    }

    /// How many shown records of a kind hang on another.
    func count(_ kind: Kind, on target: Reference) -> Int { entries(of: kind, on: target).count(where: isShown) }
}
