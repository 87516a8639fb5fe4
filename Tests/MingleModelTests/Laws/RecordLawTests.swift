// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// The laws of merging one record, for each kind that there is and for one with every rule.
struct RecordLawTests {
    /// Of fields that several people write see `SharedFieldTests`.
    static let kinds = Kind.all.filter { !$0.ownFields.isEmpty } + [TestKind.kind]
    /// Those with more than one value that could be shown wrongly.
    private static let disputable = kinds.filter { $0.ownFields.contains { $0.type.numbers?.count != 1 } }
    private static let wrong: [(law: RecordLaw, merge: @Sendable (Kind, [Contribution]) -> Shown)] = [
        (.order, { Shown.showingLast($0, $1) }),
        (.repetition, { Shown.counting($0, $1) }),
        (.independence, { Shown.overwritingAll($0, $1) }),
        (.admission, { Shown.clearing($0, $1) }),
        (.parts, { Shown.forgetful($0, $1) }),
        (.words, { Shown.showingLast($0, $1) }),
    ]

    @Test(arguments: kinds, RecordLaw.allCases)
    func `every law holds for every field of every kind`(kind: Kind, law: RecordLaw) {
        guard let failure = failure(of: law, kind, LawSeeds.first(20)) else { return }
        let again = LawSeeds.again(failure.seed, test: "RecordLawTests")
        Issue.record("\(law): \(failure.complaint)\n\(Self.told(failure.smallest, kind))\nAgain: \(again)")
    }

    @Test(arguments: disputable)
    func `a wrong way of merging is found and told in a few lines`(kind: Kind) throws {
        for (law, merge) in Self.wrong {
            let found = failure(of: law, kind, Array(0..<60), merge)
            let smallest = try #require(found, "\(law) finds nothing wrong with \(kind.name)").smallest
            #expect(smallest.count <= 4 && smallest.flatMap(\.changes).count <= 4, "\(Self.told(smallest, kind))")
        }
    }

    @Test func `each law has a wrong way of merging that it finds`() {
        #expect(Set(Self.wrong.map(\.law)) == Set(RecordLaw.allCases))
    }

    /// The first seed for which a law does not hold, with the smallest deltas that show it.
    private func failure(
        of law: RecordLaw,
        _ kind: Kind,
        _ seeds: [UInt64],
        _ merge: Merging = Shown.init
    ) -> (seed: UInt64, smallest: [Contribution], complaint: String)? {
        for seed in seeds {
            var numbers = SplitMix(seed: seed)
            let said = numbers.contributions(count: 9, of: kind)
            guard let complaint = law.complaint(kind, said, merge) else { continue }
            let shrunk = shrink(said, complaint: complaint, attempts: 500, smaller: Self.smaller) {
                law.complaint(kind, $0, merge)
            }
            return (seed, shrunk.smallest, shrunk.complaint)
        }
        return nil
    }

    /// Fewer deltas, then fewer changes, then fewer that are overwritten.
    private static func smaller(_ said: [Contribution]) -> [[Contribution]] {
        var smaller = said.withoutStretches
        func add(_ index: Int, _ changes: [Change]) {
            var other = said
            other[index] = said[index].with(changes)
            smaller.append(other)
        }
        for (index, contribution) in said.enumerated() {
            for changes in contribution.changes.withoutStretches { add(index, changes) }
            for (place, change) in contribution.changes.enumerated() where !change.overwrites.isEmpty {
                var changes = contribution.changes
                changes[place] = Change(field: change.field, value: change.value)
                add(index, changes)
            }
        }
        return smaller
    }

    private static func told(_ said: [Contribution], _ kind: Kind) -> String {
        said.map { contribution in
            let changes = contribution.changes.map { change in
                let names = change.overwrites.map { "#\($0.hash)" }.joined(separator: " ")
                let field = kind.field(change.field)?.name ?? "field \(change.field)"
                return "\(field)=\(change.value)" + (names.isEmpty ? "" : " over \(names)")
            }
            let time = contribution.timestamp.milliseconds
            return "  #\(contribution.reference.hash) at \(time), \(contribution.branch): \(changes)"
        }.joined(separator: "\n")
    }
}

// MARK: - Wrong ways

extension Shown {
    /// Of what lives the last in the list.
    fileprivate static func showingLast(_ kind: Kind, _ said: [Contribution]) -> Shown {
        var shown = Shown(kind, said)
        for field in kind.ownFields where shown.values[field.number] != nil {
            let values = said.flatMap(\.changes).filter { $0.field == field.number && field.admits($0.value) }
            shown.values[field.number] = values.last { $0.value != .cleared }?.value
        }
        return shown
    }

    /// Takes an even number of deltas for a conflict.
    fileprivate static func counting(_ kind: Kind, _ said: [Contribution]) -> Shown {
        var shown = Shown(kind, said)
        for field in kind.ownFields {
            let count = said.count { $0.changes.contains { $0.field == field.number } }
            if count > 0, count.isMultiple(of: 2) { shown.conflicts.insert(field.number) }
        }
        return shown
    }

    /// Who overwrites one field overwrites all of the delta.
    fileprivate static func overwritingAll(_ kind: Kind, _ said: [Contribution]) -> Shown {
        let overwritten = Set(said.flatMap(\.changes).flatMap(\.overwrites))
        return Shown(kind, said.filter { !overwritten.contains($0.reference) })
    }

    /// A value that is not admitted clears.
    fileprivate static func clearing(_ kind: Kind, _ said: [Contribution]) -> Shown {
        var shown = Shown(kind, said)
        for field in kind.ownFields {
            let values = said.flatMap(\.changes).filter { $0.field == field.number }.map(\.value)
            if !values.allSatisfy(field.admits) { shown.values[field.number] = nil }
        }
        return shown
    }

    /// Forgets what was overwritten when there is much to remember, and the numbers with it.
    fileprivate static func forgetful(_ kind: Kind, _ said: [Contribution]) -> Shown {
        var shown = Shown(kind, said)
        guard said.count > 2 else { return shown }
        for field in kind.ownFields {
            shown.living[field.number] = Set(said.map(\.reference))
            if field.merge == .maximum { shown.values[field.number] = nil }
        }
        return shown
    }
}
