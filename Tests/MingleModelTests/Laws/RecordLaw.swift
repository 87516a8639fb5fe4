// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What a way of merging says about one record.
struct Shown: Equatable {
    var values: [UInt32: Value] = [:]
    var conflicts: Set<UInt32> = []
    /// The deltas whose say about a field nothing overwrites.
    var living: [UInt32: Set<Reference>] = [:]
}

/// A way of merging: that of the product, or a wrong one that the laws have to find.
typealias Merging = (Kind, [Contribution]) -> Shown

/// What holds for every field of every kind, whatever its rule.
enum RecordLaw: CaseIterable {
    /// The order of deltas does not matter.
    case order
    /// Nor does it how often they come.
    case repetition
    /// What is said of one field matters for no other.
    case independence
    /// What a field does not admit is as if it were not said.
    case admission
    /// The whole follows from its parts: the largest of the largest, and nothing that a part overwrote lives again.
    case parts
    /// What is shown is what the protocol's words say.
    case words

    /// What is wrong, in words; nil if the law holds.
    func complaint(_ kind: Kind, _ said: [Contribution], _ merge: Merging = Shown.init) -> String? {
        let shown = merge(kind, said)
        let broken = kind.ownFields.first { !holds($0, kind, said, shown, merge) }
        return broken.map { "\(kind.name).\($0.name) is \(shown.values[$0.number] ?? .cleared)" }
    }

    private func holds(_ field: Field, _ kind: Kind, _ said: [Contribution], _ shown: Shown, _ merge: Merging) -> Bool {
        func isSame(_ others: [Contribution]) -> Bool { merge(kind, others).part(field) == shown.part(field) }
        return switch self {
        case .order: isSame(said.reversed()) && isSame(said.sorted { $0.hash < $1.hash })
        case .repetition: isSame(said + said) && isSame(said.flatMap { [$0, $0] })
        case .independence: isSame(said.map { $0.saying { $0.field == field.number } })
        case .admission: isSame(said.map { $0.saying { kind.field($0.field)?.admits($0.value) ?? false } })
        case .parts: holdsForParts(field, kind, said, shown, merge)
        case .words: PlainState(kind, said).says(shown, of: field)
        }
    }

    private func holdsForParts(
        _ field: Field,
        _ kind: Kind,
        _ said: [Contribution],
        _ shown: Shown,
        _ merge: Merging
    ) -> Bool {
        (0...said.count).allSatisfy { cut in
            let parts = [merge(kind, Array(said[..<cut])), merge(kind, Array(said[cut...]))]
            let living = parts.reduce(into: Set<Reference>()) { $0.formUnion($1.living[field.number] ?? []) }
            guard shown.living[field.number, default: []].isSubset(of: living) else { return false }
            guard field.merge == .maximum else { return true }
            return parts.compactMap { $0.values[field.number]?.number }.max() == shown.values[field.number]?.number
        }
    }
}

extension Shown {
    /// The product's way.
    init(_ kind: Kind, _ said: [Contribution]) {
        let state = RecordState(kind: kind, contributions: said)
        (values, conflicts) = (state.values, state.conflicts)
        for field in kind.ownFields {
            living[field.number] = Set(RecordState.living(field, among: said).map(\.reference))
        }
    }

    /// What concerns one field.
    func part(_ field: Field) -> Shown {
        let number = field.number
        return Shown(
            values: values.filter { $0.key == number },
            conflicts: conflicts.intersection([number]),
            living: living.filter { $0.key == number }
        )
    }
}

extension Contribution {
    /// The same delta with a part of its changes.
    func saying(_ isSaid: (Change) -> Bool) -> Contribution { with(changes.filter(isSaid)) }

    /// The same delta with other changes.
    func with(_ changes: [Change]) -> Contribution {
        Contribution(reference: reference, hash: hash, timestamp: timestamp, branch: branch, changes: changes)
    }
}

extension Value {
    /// The number that it is, if it is one.
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
}
