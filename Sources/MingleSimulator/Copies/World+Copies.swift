// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// What goes wrong with copies of a node's files.
extension World {
    /// Puts down when copies are made and used.
    func beginCopies() {
        for (place, copy) in plan.copies.enumerated() {
            agenda.add(.copy(place), at: copy.made)
            agenda.add(.useCopy(place), at: copy.used)
        }
    }

    /// Copies a node's files, as a person does who makes a backup or sets up another machine.
    func makeCopy(_ place: Int) throws {
        let plan = plan.copies[place]
        let node = copiedNode(of: nodes[plan.node])
        guard node.isHere, try node.isRelay || node.replica.hasKey() else { return }
        copies[place] = try copy(node, as: plan, to: "copy-\(place)")
    }

    private func copy(_ node: SimulatedNode, as plan: CopyPlan, to folder: String) throws -> Copy {
        let files = StoredFiles(path: "\(options.folder)/\(folder)", disk: node.disk.map { _ in SimulatedDisk() })
        try node.copyFiles(to: files)
        trace.note(.copied, at: now, UInt64(node.number))
        return Copy(plan: plan, number: node.number, files: files, node: node.identity)
    }

    /// Copies a node's files, and begins to use the copy beside it at once.
    func copyAndUse(_ node: SimulatedNode) throws {
        let plan = CopyPlan(use: .twin, node: node.number, made: now, used: now)
        copied.insert(node.replica.own.name)
        try beginTwin(copy(node, as: plan, to: "twin-of-\(node.number)"))
    }

    /// A node, or now and then a linked device of its person's in its place.
    private func copiedNode(of node: SimulatedNode) -> SimulatedNode {
        let linked = nodes.first { $0.person == node.person && $0.isLinked && !$0.secrets.isUncertified && $0.isHere }
        guard stage == nil, let linked, dice.chance(60) else { return node }
        return linked
    }

    /// Puts a copy in the place of the node's files, or begins to use it beside them.
    func useCopy(_ place: Int) throws {
        guard let copy = copies[place], !isHealing, !nodes[copy.number].hasStopped else { return }
        copied.insert(copy.node.secrets.ownDevice(in: nodes[0].event).name)
        copied.formUnion(copy.node.guests.values.compactMap(\.deviceName))
        switch copy.plan.use {
        case .restoring: try restore(copy)
        case .twin: try beginTwin(copy)
        }
    }

    private func restore(_ copy: Copy) throws {
        let node = nodes[copy.number]
        coverage.restores += 1
        try noteLosses(of: node) {
            try reopen(node) {
                try node.replaceFiles(by: copy.files)
                node.identity = copy.node
            }
        }
    }

    private func beginTwin(_ copy: Copy) throws {
        let original = nodes[copy.number]
        var dice = Dice(seed: options.seed &+ UInt64(nodes.count))
        let files = StoredFiles(path: "\(options.folder)/\(nodes.count)", disk: plan.hasDisks ? SimulatedDisk() : nil)
        try copy.files.copy(to: files)
        let twin = try makeNode(
            in: original.event,
            person: original.person,
            secrets: copy.node.secrets,
            disk: files.disk,
            randomness: dice.randomness()
        )
        twin.identity = copy.node
        nodes.append(twin)
        coverage.twins += 1
        let others = honest.map(\.number).filter { $0 != twin.number }.shuffled(using: &dice)
        for other in others.prefix(3) {
            targets.append(Target(from: twin.number, to: other))
            agenda.add(.dial(target: targets.count - 1), at: now + dice.milliseconds(0...3000))
        }
        try enter(twin)
    }

    // MARK: - Becoming another device

    /// A node met its own key elsewhere: it goes on as a new device of the same person, as `Node` does.
    func meetOwnKey(_ node: SimulatedNode) {
        guard node.hostility == nil, !node.isRetired else { return }
        guard copied.contains(node.opened.own.name) else {
            return report("authorship", "node \(node.number) met its own key elsewhere")
        }
        node.isRetired = true
        guard options.planted != .keepsKey else { return }
        agenda.add(.renew(node: node.number, life: node.life), at: now + dice.milliseconds(1...500))
    }

    /// Draws new keys for a node and certifies them.
    func renew(_ node: SimulatedNode) throws {
        guard node.isAwake else {
            return agenda.add(.renew(node: node.number, life: node.life), at: now + .seconds(5))
        }
        var secrets = node.secrets
        do {
            try secrets.replaceDevice(node.randomness)
        } catch {
            return endLinked(node)
        }
        noteRenewal(of: node)
        try reopen(node) { node.secrets = secrets }
        try certify(node)
    }

    /// Remembers that a node has drawn new keys.
    func noteRenewal(of node: SimulatedNode) {
        coverage.renewals += 1
        node.hasNewKeys = true
        trace.note(.renewed, at: now, UInt64(node.number))
    }

    /// Lets a node say whose its new keys are, and begin with them.
    func certify(_ node: SimulatedNode) throws {
        let authored = try node.replica.enter(
            secrets: node.secrets,
            at: node.clock(at: now),
            randomness: node.randomness
        )
        // A relay came by an invitation, too, and is nobody.
        if node.secrets.cameBy != nil, !node.isRelay {
            guestList.note(node.secrets.person, at: node.clock(at: now), by: authored.references.last)
        }
        note(authored.runs, by: node)
        try node.begin()
        try start(node)
    }

    // MARK: - What is lost

    /// Remembers what a node does not hold any more once something was done to it, and nobody else has come to hold: its own, or what
    /// another one had lost before.
    ///
    /// - Parameter isSafe: What must not be lost by that.
    func noteLosses(
        of node: SimulatedNode,
        but isSafe: (Reference) -> Bool = { _ in false },
        _ body: () throws -> Void
    ) rethrows {
        // A disk without power says nothing any more: what another one had lost may have been on it for a moment.
        let isSilent = node.disk?.hasFailed == true
        let held = authored.filter { !isSafe($0) && (node.hasMet($0) || isSilent && endangered.contains($0)) }
        let blobs = node.blobs.list().filter(\.isComplete).map(\.name)
        let epochs = node.epochs.union(isSilent ? endangeredKeys : [])
        try body()
        endangeredKeys.formUnion(epochs.subtracting(node.epochs))
        lostKeys.formUnion(epochs.subtracting(loyal.flatMap(\.epochs)))
        endangered.formUnion(held.filter { !node.hasMet($0) })
        forgotten.formUnion(held.filter { delta in !loyal.contains { $0.hasMet(delta) } })
        forgottenBlobs.formUnion(blobs.filter { blob in !loyal.contains { $0.blobs.isComplete(blob) } })
    }

    /// Blobs of which nobody has any words any more: who holds one and knows whose words list it keeps it, as these may come back.
    func wordlessBlobs() -> Set<BlobName> {
        let isMet = { (delta: Reference) in self.loyal.contains { $0.hasMet(delta) } }
        let lost = forgotten.filter { listedBlobs[$0] != nil && !isMet($0) }
        let names = Set(lost.flatMap { listedBlobs[$0] ?? [] })
        let others = listedBlobs.filter { !lost.contains($0.key) && !names.isDisjoint(with: $0.value) && isMet($0.key) }
        return names.subtracting(others.values.joined())
    }

    /// Takes out of the ledger what was forgotten before it ever left its machine.
    ///
    /// What was on its way at that time may have arrived.
    func settleLosses() throws {
        let witnesses = loyal
        try findLocked()
        let lost = forgotten.filter { reference in !witnesses.contains { $0.hasMet(reference) } }.union(lockedForEver)
        ledger.lose(lost)
        for reference in lost.sorted() { guestList.lose(reference) }
        coverage.losses += lost.count
    }

    /// Finds what was said under keys that disks had lost and nobody has.
    private func findLocked() throws {
        lostKeys.subtract(loyal.flatMap(\.epochs))
        guard !lostKeys.isEmpty else { return }
        let deltas = try loyal.flatMap { node in
            try node.replica.frontier().entries.filter { $0.journal == .content }.flatMap { entry in
                try node.replica.runs(of: entry.device, entry.journal, after: [], byteLimit: .max).flatMap(\.deltas)
            }
        }
        lockedForEver = Set(deltas.filter { lostKeys.contains($0.header.epoch) }.map(\.reference))
        coverage.lockedForEver += lockedForEver.count
    }
}

extension SimulatedNode {
    /// The epochs whose keys the node holds; none where its disk fails.
    fileprivate var epochs: Set<EpochID> { (try? replica.heldEpochs()) ?? [] }

    /// Whether the node holds a delta, or knows it as deleted.
    func hasMet(_ reference: Reference) -> Bool {
        switch try? replica.payloads([reference]).first {
        case .held, .erased, .evicted: true
        case .absent, nil: false
        }
    }
}
