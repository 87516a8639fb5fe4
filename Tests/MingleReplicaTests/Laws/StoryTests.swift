// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import Testing

/// The stories hold what they are meant to.
struct StoryTests {
    @Test(arguments: Kind.all)
    func `stories about a kind show and dispute all of it, and delete it`(kind: Kind) throws {
        var missing = Set(kind.fields.map(\.name)).union(["more than one delta"])
        if kind.identity == .delta { missing.formUnion(["a deletion", "hidden", "shown again"]) }
        for seed in 0..<4000 as Range<UInt64> where !missing.isEmpty {
            let history = try Story.drawn(seed, about: kind).history()
            let reference = ReferenceReplica(history)
            for record in reference.records where record.kind == kind && reference.isVisible(record) {
                for field in kind.fields where record.values[field.number] != nil { missing.remove(field.name) }
                if record.entries.count > 1 { missing.remove("more than one delta") }
            }
            if history.deltas.contains(where: reference.isErased) { missing.remove("a deletion") }
            for record in reference.records where record.kind == kind {
                if reference.hiddenLine(record) != nil { missing.remove("hidden") }
                if reference.wasHidden(record), reference.isVisible(record) { missing.remove("shown again") }
            }
        }
        #expect(missing.isEmpty, "no story about \(kind.name) has \(missing.sorted())")
    }

    @Test func `stories have people of every level, and such as are not let in`() throws {
        var missing = Set(Level.allCases.filter(\.isPeople).map(\.word)).union(["nobody"])
        for seed in 0..<400 as Range<UInt64> where !missing.isEmpty {
            let reference = ReferenceReplica(try Story.drawn(seed, about: .comment).history())
            missing.subtract(reference.standings.values.map(\.base.word))
            let isSomebodyOut = reference.devices.values.contains { reference.standings[$0.person] == nil }
            if isSomebodyOut { missing.remove("nobody") }
        }
        #expect(missing.isEmpty, "no story has \(missing.sorted())")
    }
}
