// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

// What people say something about.
extension World {
    /// Something that a record of a kind may be about, as a node knows it; nil if there is nothing.
    func someScope(of kind: Kind, by node: SimulatedNode) throws -> Ledger.Scope? {
        if kind.identity == .key, whims.chance(25), let said = someSaid(of: kind, by: node) { return said }
        var scope = Ledger.Scope()
        switch kind.target {
        case .nothing: break
        case .havingOrNothing where whims.chance(40): break
        case .havingOrNothing, .having:
            guard let record = try someTarget(of: kind, by: node) else { return nil }
            scope.target = .record(record)
        case .person:
            guard let other = try someAsker(of: kind, by: node) ?? someOther(than: node) else { return nil }
            scope.target = .person(other)
        }
        if kind.subject == .person {
            guard let person = try someOther(than: node) else { return nil }
            scope.subject = .person(person)
        }
        scope.audience = kind.simulatedAudience(by: node.secrets.person, on: scope.target)
        return scope
    }

    /// What the person said something of a kind about before, and still sees.
    private func someSaid(of kind: Kind, by node: SimulatedNode) -> Ledger.Scope? {
        let said = ledger.entries(of: kind, last: 60).filter { entry in
            guard entry.person == node.secrets.person else { return false }
            guard let target = entry.target else { return true }
            return ledger[target].map { node.shows($0.kind, target) && isPublic($0, at: node) } ?? false
        }
        return said.isEmpty ? nil : whims.pick(said).scope
    }

    /// Somebody who said the same of this person before, who now can answer.
    private func someAsker(of kind: Kind, by node: SimulatedNode) throws -> PersonID? {
        guard whims.chance(70) else { return nil }
        let own = MingleModel.Target.person(node.secrets.person)
        let asking = ledger.entries(of: kind).filter { entry in
            entry.scope.target == own && !node.read(among: entry.references).isEmpty
        }
        return asking.isEmpty ? nil : whims.pick(asking).person
    }

    /// Somebody else who takes part, as a node knows it.
    func someOther(than node: SimulatedNode) throws -> PersonID? {
        let people = try node.replica.people().filter { !$0.me && $0.level.map { $0 >= .attendee } ?? false }
        return people.isEmpty ? nil : whims.pick(people).id
    }

    /// A record that the person sees and on which one of a kind may hang; the newer the likelier.
    private func someTarget(of kind: Kind, by node: SimulatedNode) throws -> Reference? {
        // Now and then somebody says what is an owner's or a maker's to say, and nobody is to see it.
        let isOutOfPlace = whims.chance(4)
        for _ in 0..<5 {
            let candidates = try candidates(for: kind, isOutOfPlace, by: node)
            guard !candidates.isEmpty else { continue }
            let entry = whims.pick(candidates)
            if try mayBear(entry, kind, at: node) { return entry.reference }
        }
        return nil
    }

    private func candidates(
        for kind: Kind,
        _ isOutOfPlace: Bool,
        by node: SimulatedNode
    ) throws -> [Ledger.Entry] {
        let person = node.secrets.person
        if !isOutOfPlace {
            if kind.shownIf.contains(.creator) {
                return ledger.entries(of: person).filter { kind.parents.contains($0.kind) }.suffix(8)
            }
            if kind.shownIf.contains(.owner) {
                return ledger.entries(of: .ownership)
                    .filter { $0.value("person") == .data(person.bytes) && node.shows($0.kind, $0.reference) }
                    .compactMap { $0.target.flatMap { ledger[$0] } }
            }
        }
        // Mostly what others say something of: some reports hide a record, and a mean is one of many.
        if kind.identity == .key, whims.chance(kind.audience == .moderators ? 80 : 50) {
            let said = ledger.entries(of: kind, last: 12).filter { $0.person != person }
            let fresh = said.filter { ledger.entry(kind, of: person, in: kind.scope(of: $0, by: person)) == nil }
            if !fresh.isEmpty { return fresh.compactMap { $0.target.flatMap { ledger[$0] } } }
        }
        // Each record is as likely as another, up to a number: of what there is little not all is reported.
        let parents = kind.parents.map { ($0, min(12, ledger.count(of: $0))) }.filter { $0.1 > 0 }
        guard !parents.isEmpty else { return [] }
        let parent: Kind = whims.pick(parents)
        return ledger.entries(of: parent, last: whims.chance(70) ? 8 : 100)
    }

    /// Whether the page offers to say something of a kind about a record, and everybody would see that who is to.
    private func mayBear(_ entry: Ledger.Entry, _ kind: Kind, at node: SimulatedNode) throws -> Bool {
        guard let record = entry.reference, node.shows(entry.kind, record), isPublic(entry, at: node) else {
            return false
        }
        if kind.audience == .moderators {
            return try entry.person != node.secrets.person && node.replica.isForEverybody(record)
        }
        guard entry.kind == .moment, let least = kind.participation else { return true }
        guard let state = try node.replica.moment(record).participation, state >= least else { return false }
        try takePart(again: record, by: node)
        return true
    }
}

extension Kind {
    /// For whom a record of the kind is that hangs on something everybody sees.
    fileprivate func simulatedAudience(by author: PersonID, on target: MingleModel.Target) -> Audience {
        switch (audience, target) {
        case (.own, _): .own(author)
        case (.moderators, _): .reports(by: author)
        case (.pair, .person(let other)): .between(author, and: other)
        default: .event
        }
    }

    /// Where the same would stand that another one said, if a person said it.
    fileprivate func scope(of other: Ledger.Entry, by author: PersonID) -> Ledger.Scope {
        var scope = other.scope
        scope.audience = simulatedAudience(by: author, on: scope.target)
        return scope
    }
}
