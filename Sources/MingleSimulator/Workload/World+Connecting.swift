// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Who said what to whom about a connection, which the ledger, being of what everybody sees, knows nothing of.
struct Connecting {
    /// Two people, one of whom said something to the other.
    struct Half: Hashable {
        let person: PersonID
        let other: PersonID
    }

    /// What the person said, in order: by which delta, and whether that switches the half on.
    var said: [Half: [(delta: Reference, isOn: Bool)]] = [:]
}

extension World {
    /// Somebody asks, confirms, declines, takes back or ends, as the page offers it.
    func connect(_ node: SimulatedNode) throws {
        guard let other = try somePartner(of: node) else { return }
        let connects = whims.chance(70)
        guard let draft = try node.replica.draft(connecting: connects, with: other),
            let written = try author([draft], by: node), case .set(_, _, _, let values, _) = draft
        else { return }
        coverage.connections += 1
        let half = Connecting.Half(person: node.secrets.person, other: other)
        let isOn = values["on"] == .number(1)
        connecting.said[half, default: []].append((written.references[0], isOn))
        if try node.replica.connection(with: other) == .connected { coverage.connected += 1 }
    }

    /// Mostly somebody who asks, or with whom there is something already; who takes part and could answer.
    private func somePartner(of node: SimulatedNode) throws -> PersonID? {
        let connections = try node.replica.connections()
        let asking = connections.filter { $0.state == .asks }
        let known = whims.chance(70) ? (asking.isEmpty ? connections : asking).map(\.person) : []
        let people = known.isEmpty ? try node.replica.people() : known
        let partners = people.filter { !$0.me && $0.level.map { $0 >= Kind.connection.writers } ?? false }
        return partners.isEmpty ? nil : PersonID(text: whims.pick(partners).id)
    }
}
