// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

// What `EventSession.setVisibility` does: a new moment for others in the place of another.
extension World {
    /// Somebody makes a moment private or public.
    func changeVisibility(_ node: SimulatedNode) throws {
        // Two devices of a person that do so apart make two moments of one, for different guests.
        guard nodes.count(where: { $0.secrets.person == node.secrets.person }) == 1,
            !plan.mayForget(node.number)
        else { return }
        let own = privacy.moments.filter { $0.owner == node.secrets.person }.map(\.reference)
            .filter { node.shows(.moment, $0) }
        if !own.isEmpty, whims.chance(70) {
            try publish(whims.pick(own), by: node)
            return
        }
        let open = ledger.entries(of: node.secrets.person).filter { $0.kind == .moment }.compactMap(\.reference)
            .filter { node.shows(.moment, $0) }
        if !open.isEmpty { try withdraw(whims.pick(open), by: node) }
    }

    /// Makes a private moment public, and returns the one that takes its place.
    @discardableResult
    func publish(_ moment: Reference, by node: SimulatedNode) throws -> Reference? {
        let old = try node.replica.moment(moment)
        guard old.hiding == nil else { return nil }
        var values = momentValues(word("Moment"), by: node)
        values["continues"] = .data(([old.id] + old.continues).prefix(16).flatMap(\.bytes))
        let drafts = [Draft.create(.moment, on: .nothing, values: values), .delete(old.id)]
        guard let written = try author(drafts, by: node), let reference = written.references.first else { return nil }
        ledger.create(.moment, values, by: node, at: written.time, reference: reference)
        coverage.published += 1
        return reference
    }

    /// Makes a public moment private, and invites some.
    private func withdraw(_ moment: Reference, by node: SimulatedNode) throws {
        let old = try node.replica.moment(moment)
        guard old.hiding == nil else { return }
        let audience = Audience.guests(owner: node.secrets.person, salt: node.randomness.bytes(Audience.saltLength))
        let (title, number) = privateWord("Secret")
        var values = momentValues(title, by: node)
        values["continues"] = .data(([moment] + old.continues).prefix(16).flatMap(\.bytes))
        let drafts = [Draft.create(.moment, on: .nothing, values: values, for: audience), .delete(moment)]
        guard let written = try author(drafts, by: node), written.references.count == 2 else { return }
        ledger.delete(moment, by: written.references[1])
        ledger.withdrawn.formUnion([moment] + old.continues)
        coverage.withdrawn += 1
        try begin(
            Privacy.Moment(written.references[0], of: node.secrets.person, for: audience, saying: number),
            by: node
        )
    }

    /// That this person takes part in the moment itself, where so far that is known from an earlier one alone.
    func takePart(again moment: Reference, by node: SimulatedNode) throws {
        guard let state = try node.replica.inheritedParticipation(in: moment) else { return }
        try set(.participation, on: moment, ["state": .number(state.rawValue)], by: node)
    }

    /// Whether everybody would see what a person says about a record now: under a private moment alone it is for guests.
    func isPublic(_ entry: Ledger.Entry, at node: SimulatedNode) -> Bool {
        guard let target = entry.target, let parent = ledger[target] else { return true }
        guard parent.kind == .moment else { return isPublic(parent, at: node) }
        return ledger.parents(at: target).contains { node.shows(.moment, $0.reference) }
    }

    /// A moment that goes on from now.
    func momentValues(_ title: Value, by node: SimulatedNode) -> [String: Value] {
        let start = max(0, node.clock(at: now).milliseconds)
        return [
            "title": title, "start": .number(start), "end": .number(start + 7_200_000),
            "place_name": .text("Here"), "latitude": .number(404_155_000), "longitude": .number(-37_074_000),
            "radius": .number(100),
        ]
    }
}
