// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Who leaves, and who has lost a device.
extension World {
    /// Somebody leaves as `Node` does, which hands everything over before it says so.
    func leave(_ node: SimulatedNode) throws {
        guard plan.maySendAway, removals.left.isEmpty, node.canWrite, !nodes.contains(where: { $0.departure != nil })
        else { return }
        let candidates = try expendable
        guard candidates.count > 2, candidates.contains(where: { $0.number == node.number }) else { return }
        beginToLeave(node)
    }

    /// Somebody begins to leave, and writes nothing more.
    func beginToLeave(_ node: SimulatedNode) {
        var departure = Departure(at: now)
        for (peer, known) in node.greeted {
            guard let person = known.person, person != node.secrets.person else { continue }
            departure.meet(peer, known.device)
        }
        (node.departure, node.handOver) = (departure, HandOver())
        node.forgetSyncStates()
        put(.takeLeave, on: .merging, of: node)
    }

    /// Does what is next about leaving, about once a second.
    func takeLeave(_ node: SimulatedNode) throws {
        guard node.departure != nil else { return }
        put(.takeLeave, on: .merging, of: node, after: .seconds(1))
        let person = node.secrets.person
        var scene = Departure.Scene()
        scene.others = others(of: node)
        scene.isSaid = try node.replica.hasLeft(person)
        scene.hasPart = try node.replica.isAdmitted(person)
        scene.unhanded = try lookAtHandOver(of: node)
        scene.isOver = try !scene.isSaid && (!scene.hasPart || node.replica.isRetired(node.replica.own.name))
        switch node.departure?.next(scene, at: now) {
        case .reconcile: tell(node, [.reconcile])
        case .compareAnew:
            node.forgetSyncStates()
            tell(node, [.reconcile])
        case .say:
            noteHeirs(of: node)
            try depart(node)
            node.departure?.noteSaid()
            for other in nodes where other.secrets.person == person { bridge(other) }
        case .forget:
            try checkReceipts(of: node)
            node.departure = nil
        case .stay: node.departure = nil
        case .wait, .erase, nil: break
        }
    }

    /// Whoever is loyal says only what is so; of a folder and its copy, which have one name, one of the two is enough.
    private func checkReceipts(of node: SimulatedNode) throws {
        for device in (node.departure?.receipts ?? []).sorted() {
            let named = loyal.filter { $0.replica.own.name == device }
            guard let first = named.first else { continue }
            // Whoever heard of a removal later knows that the person was removed instead.
            let isKnown = try named.contains { witness in
                try witness.replica.hasLeft(node.secrets.person)
                    || witness.replica.removal(of: node.secrets.person) != nil
            }
            if !isKnown { report("leaving", "node \(first.number) says to know what it does not") }
        }
    }

    /// Remembers who holds what somebody wrote who is about to leave: the loyal ones that have said so.
    private func noteHeirs(of node: SimulatedNode) {
        for (peer, known) in node.greeted where node.isInSync(peer) && known.person != node.secrets.person {
            guard let heir = loyal.first(where: { $0.replica.own.name == known.device }) else { continue }
            removals.heirs[node.replica.own.name.raw.prefix, default: [:]][heir.number] = heir.life
        }
    }

    private func lookAtHandOver(of node: SimulatedNode) throws -> Int {
        if node.handOver.isStale { try node.responder.list { node.handOver.list($0, whoLeft: $1) } }
        if let names = node.handOver.question(at: now) { tell(node, [.blobsWatched(names)]) }
        return node.handOver.left.count
    }

    /// A merge gave a node more to hand over.
    func noteForHandOver(_ outcome: MergeOutcome, of node: SimulatedNode) {
        guard node.departure != nil, outcome.changedKinds.contains("people") else { return }
        node.forgetSyncStates()
        node.handOver.noteChange()
    }

    /// A peer says to hold blobs whole: of somebody else's, these are handed over, and stay with whoever is loyal.
    func noteHolding(_ names: [BlobName], by peer: PeerID, at node: SimulatedNode) {
        guard let known = node.greeted[peer], let person = known.person, person != node.secrets.person else { return }
        node.handOver.noteHolding(names)
        guard node.departure != nil, let heir = loyal.first(where: { $0.replica.own.name == known.device })
        else { return }
        for name in names { removals.blobHeirs[name, default: [:]][heir.number] = heir.life }
    }

    private func others(of node: SimulatedNode) -> [Departure.Other] {
        node.greeted.sorted { $0.key < $1.key }.compactMap { peer, known in
            guard let person = known.person, person != node.secrets.person,
                let link = node.links[peer].flatMap({ links[$0] })
            else { return nil }
            let end = link.ends[0].node == node.number ? 0 : 1
            return Departure.Other(
                isInSync: node.isInSync(peer),
                isAwaiting: node.engine.owesSomething(to: peer) || !link.ends[end].outbox.isEmpty
            )
        }
    }

    /// Somebody leaves at once.
    func depart(_ node: SimulatedNode) throws {
        let authored = try node.replica.leave(at: node.clock(at: now), randomness: node.randomness)
        noteCuts(authored)
        removals.left.insert(node.secrets.person)
        coverage.leavings += 1
        try publish(authored, by: node)
    }

    /// Somebody retires another device of the same person's, wherever it is.
    func retireOther(of node: SimulatedNode) throws {
        guard plan.maySendAway, removals.retired.isEmpty, node.canWrite, try expendable.contains(where: { $0 === node })
        else { return }
        let others = honest.filter { other in
            other.secrets.person == node.secrets.person && other !== node && other.isHere
        }
        let known = try node.replica.devices(of: node.secrets.person).map(\.name)
        guard let lost = others.first(where: { known.contains($0.replica.own.name) }) else { return }
        try retire(lost, by: node)
        bridge(lost)
    }

    /// Somebody retires a device on another one.
    func retire(_ lost: SimulatedNode, by node: SimulatedNode) throws {
        let name = lost.replica.own.name
        let authored = try node.replica.retire(name, at: node.clock(at: now), randomness: node.randomness)
        noteCuts(authored)
        coverage.retirements += 1
        try publish(authored, by: node)
    }

    /// Blobs of people who retired a device, or forked a journal on purpose, of which no record speaks any more.
    ///
    /// What a cut or a fork took from sight may come back, so those who hold it keep it until they start anew.
    func strandedBlobs() throws -> Set<BlobName> {
        guard let first = honest.first else { return [] }
        let owners = try removals.retiring.union(forkingPersons(as: first))
        guard !owners.isEmpty else { return [] }
        var mentioned: Set<BlobName> = []
        try first.responder.mentions { mentioned.formUnion($0.map(\.name)) }
        return try honest.reduce(into: []) { names, node in
            let own = try node.blobs.list().map(\.name).filter { name in
                try node.blobs.status(of: name).map { owners.contains($0.identity.owner) } ?? false
            }
            names.formUnion(own.filter { !mentioned.contains($0) })
        }
    }

    /// The hostile persons of whom a node holds more than one branch of a content journal.
    private func forkingPersons(as seen: SimulatedNode) throws -> Set<PersonID> {
        guard !hostilePersons.isEmpty else { return [] }
        let content = try seen.replica.frontier().entries.filter { $0.journal == .content }
        let forked = Dictionary(grouping: content, by: \.device).filter { $0.value.count > 1 }
        let owners = nodes.filter { forked[$0.replica.own.name] != nil }.map(\.secrets.person)
        return hostilePersons.intersection(owners)
    }
}
