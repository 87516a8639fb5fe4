// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

// What people do on the stage that the product would not let them.
extension Stage {
    /// Hands somebody all that a node holds, as an accomplice could.
    func handEverything(of giver: Int, to receiver: Int) throws {
        let (giver, receiver) = (world.nodes[giver].replica, world.nodes[receiver])
        let journals = Set(try giver.frontier().entries.map { Place.Journal($0.device, $0.journal) })
        for journal in journals.sorted(by: { $0.journal < $1.journal }) {
            let runs = try giver.runs(of: journal.device, journal.journal, after: [], byteLimit: .max)
            try world.tell(receiver, receiver.replica.merge(runs))
        }
    }

    /// Expects no more that somebody takes part.
    func turnAway(_ node: Int) { world.removals.turnedAway.insert(world.nodes[node].secrets.person) }

    /// Somebody seals keys to a device that do not open, and does nothing else.
    func sealWrongly(to node: Int, by liar: Int) throws {
        try world.sealWrongly(to: world.nodes[node].replica.own.name, by: world.nodes[liar])
    }

    /// Says that somebody is removed, in the name of one who may not.
    func forge(removalOf node: Int, by forger: Int) throws {
        let (person, forger) = (world.nodes[node].secrets.person, world.nodes[forger])
        let time = forger.clock(at: world.now)
        let cut = Draft.fabric(.cut(CutTerms(person: person, level: nil, ends: [])))
        let authored = try forger.replica.author([cut], at: time, randomness: forger.randomness)
        try world.publish(authored, by: forger)
    }
}
