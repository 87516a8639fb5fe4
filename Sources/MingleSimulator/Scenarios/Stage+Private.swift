// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

// What is among some people only.
extension Stage {
    /// Makes a moment for oneself and some others.
    func privateMoment(by node: Int, for guests: [Int], as mark: String) throws {
        let host = world.nodes[node]
        let audience = Audience.guests(
            owner: host.secrets.person,
            salt: host.randomness.bytes(Audience.saltLength)
        )
        let (title, number) = world.privateWord("Secret")
        let draft = Draft.create(.moment, on: .nothing, values: world.momentValues(title, by: host), for: audience)
        guard let moment = try world.author([draft], by: host)?.references.first else { return }
        marks[mark] = moment
        var noted = Privacy.Moment(moment, of: host.secrets.person, for: audience, saying: number)
        noted.confidants.formUnion(guests.map { world.nodes[$0].secrets.person })
        world.privacy.moments.append(noted)
        for guest in guests { _ = try world.author([.invite(world.nodes[guest].secrets.person, to: moment)], by: host) }
    }

    /// Takes back that somebody is invited to a moment of one's own.
    func uninvite(_ guest: Int, from mark: String, by node: Int) throws {
        let person = world.nodes[guest].secrets.person
        _ = try world.author([.uninvite(person, from: reference(mark))], by: world.nodes[node])
    }

    /// Comments on a private moment.
    func whisper(by node: Int, on moment: String, as mark: String) throws {
        guard let index = placeOfPrivate(moment) else { return }
        let text = world.privateWord("Whisper", in: index)
        let draft = Draft.create(.comment, on: .record(reference(moment)), values: ["text": text])
        marks[mark] = try world.sayPrivately([draft], in: index, by: world.nodes[node])?.first
    }

    /// Hides what was said in a private moment.
    func hidePrivately(_ mark: String, in moment: String, by node: Int) throws {
        guard let index = placeOfPrivate(moment), case .text(let reason) = world.privateWord("Because", in: index)
        else { return }
        try world.sayPrivately([.hide(reference(mark), because: reason)], in: index, by: world.nodes[node])
    }

    /// Makes a private moment public.
    func publish(_ mark: String, as new: String, by node: Int) throws {
        marks[new] = try world.publish(reference(mark), by: world.nodes[node])
    }

    /// The comments on a moment, as a node shows them: which there are, and whether each is hidden.
    func comments(on mark: String, at node: Int) throws -> [Reference: Bool] {
        let node = world.nodes[node]
        let shown = try node.replica.comments(
            on: reference(mark),
            before: nil,
            limit: 100
        )
        return Dictionary(shown.items.map { ($0.id, $0.hiding != nil) }) { first, _ in first }
    }

    private func placeOfPrivate(_ mark: String) -> Int? {
        world.privacy.moments.firstIndex { $0.reference == reference(mark) }
    }
}
