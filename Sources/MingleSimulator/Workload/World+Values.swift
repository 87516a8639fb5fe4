// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

// What people say, by what a field may hold.
extension World {
    /// Values for a new record of a kind, or new values for a keyed one that exists; nil if a needed one cannot be had.
    ///
    /// Pictures are left out.
    func someValues(of kind: Kind, in scope: Ledger.Scope, by node: SimulatedNode) throws -> [String: Value]? {
        let known = kind.identity == .key ? ledger.entry(kind, of: node.secrets.person, in: scope) : nil
        let level = try node.replica.level(of: node.secrets.person) ?? .attendee
        var values: [String: Value] = [:]
        for field in kind.fields where field.type != .media {
            let isNeeded = field.isRequired && known == nil
            guard isNeeded || field.name == kind.onOff || whims.chance(50),
                field.writers.admit(level, isAuthor: true, isMaking: true)
            else { continue }
            values[field.name] = try someValue(of: field, in: kind, by: node)
            if isNeeded, values[field.name] == nil { return nil }
        }
        if let onOff = kind.onOff { values[onOff] = .number(isToBeOn(known, onOff) ? 1 : 0) }
        if let held = kind.heldBack, whims.chance(60) { values[held] = nil }
        // A door writes how its guests are called, and never that they are doors.
        if kind == .profile, node.isDoor { values["door"] = nil }
        for rule in kind.shownIf { try keep(rule, in: &values, of: kind, known, by: node) }
        let needsPicture = kind.fields.contains { $0.type == .media && $0.isRequired }
        return values.isEmpty && !needsPicture ? nil : values
    }

    /// Whether somebody now says yes: mostly what is off is switched on, and now and then the other way round.
    private func isToBeOn(_ known: Ledger.Entry?, _ onOff: String) -> Bool {
        known?.number(onOff) == 1 ? whims.chance(60) : whims.chance(90)
    }

    /// Lets values that a person makes up mostly be such that the record is shown.
    private func keep(
        _ rule: ShownRule,
        in values: inout [String: Value],
        of kind: Kind,
        _ known: Ledger.Entry?,
        by node: SimulatedNode
    ) throws {
        switch rule {
        case .anyOf(let names) where known == nil && names.allSatisfy({ values[$0] == nil }):
            guard let field = names.compactMap(kind.field(named:)).first(where: { $0.type != .media }) else { return }
            values[field.name] = try someValue(of: field, in: kind, by: node)
        case .span(let start, let end, _) where whims.chance(95):
            guard case .number(let time)? = values[start] else { return }
            values[end] = .number(time + Int64(whims.number(60...172_800)) * 1000)
        default: break
        }
    }

    /// A value of a field; nil if there is nothing that it could be.
    func someValue(of field: Field, in kind: Kind, by node: SimulatedNode) throws -> Value? {
        switch field.type {
        case .text(let limit): field.isSeed ? nil : someText(field.name, within: limit)
        case .choice(let words): .number(Int64(whims.number(1...words.count)))
        case .time:
            .number(max(0, node.clock(at: now).milliseconds + Int64(whims.number(-3600...7200)) * 1000))
        case .number, .flag, .latitude, .longitude, .metres: field.type.numbers.map { .number(someNumber(in: $0)) }
        case .reference: someReference(field, in: kind, at: node).map { .data($0.bytes) }
        case .references(let limit): someReferences(field, within: limit, at: node)
        case .person: .data((try (whims.chance(30) ? nil : someOther(than: node)) ?? node.secrets.person).bytes)
        case .device: .data(node.replica.own.name.bytes)
        case .hours: someHours().map { .data($0.bytes) }
        case .ends, .media: nil
        }
    }

    private func someText(_ name: String, within limit: Int) -> Value {
        let text = limit >= 4000 ? words(name) : word(name)
        guard case .text(let words) = text, words.utf8.count > limit else { return text }
        return .text(String("abcdefgh".prefix(limit)))
    }

    /// Now and then an end of the range.
    private func someNumber(in range: ClosedRange<Int64>) -> Int64 {
        if whims.chance(10) { return whims.chance(50) ? range.lowerBound : range.upperBound }
        return Int64(whims.number(Int(range.lowerBound)...Int(range.upperBound)))
    }

    /// A record of the kind that the field is called after, or of its own kind.
    private func someReference(_ field: Field, in kind: Kind, at node: SimulatedNode) -> Reference? {
        someReference(to: Kind.all.first { $0.name == field.name } ?? kind, at: node)
    }

    private func someReference(to kind: Kind, at node: SimulatedNode) -> Reference? {
        let entries = ledger.entries(of: kind, last: 8).filter { node.shows(kind, $0.reference) }
        return entries.isEmpty ? nil : whims.pick(entries).reference
    }

    /// Records of the kind that the field is called after; what else it may name, people do not choose.
    private func someReferences(_ field: Field, within limit: Int, at node: SimulatedNode) -> Value? {
        guard let kind = Kind.all.first(where: { $0.plural == field.name }) else { return nil }
        let references = (0..<whims.number(1...limit)).compactMap { _ in someReference(to: kind, at: node) }
        return references.isEmpty ? nil : .data(Array(Set(references)).sorted().flatMap(\.bytes))
    }

    private func someHours() -> OpeningHours? {
        OpeningHours(
            (0..<whims.number(1...5)).compactMap { _ in
                let start = whims.number(0...1439)
                return OpeningHours.Span(day: whims.number(0...6), from: start, to: start + whims.number(1...720))
            }
        )
    }
}

extension FieldType {
    /// Whether it holds words.
    var isWords: Bool { if case .text = self { true } else { false } }
}
