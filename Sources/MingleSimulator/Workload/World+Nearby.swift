// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// When the event was opened to anyone nearby, as people were told.
struct Openings {
    struct Opening {
        let id: InvitationID
        let seed: Secret
        /// What the event's record says of it.
        let named: String
        /// When it ends by itself.
        let ends: Timestamp
        /// Whether somebody closed it, as a removal does, too.
        var isClosed = false
    }

    var all: [Opening] = []

    /// The opening that a word of the event's record names.
    func opening(named value: Value?) -> Opening? {
        guard case .text(let text)? = value else { return nil }
        return all.last { $0.named == text }
    }

    /// Notes that some are closed.
    mutating func close(where isClosed: (Opening) throws -> Bool) rethrows {
        for place in all.indices where try isClosed(all[place]) { all[place].isClosed = true }
    }
}

/// The event that is open to anyone nearby for a while.
extension World {
    /// Who founded the event opens it to anyone nearby, or closes it again, as hosts may.
    func changeOpening() throws {
        let able = try honest.filter { node in
            try node.isHere && node.canWrite && !mayForget(node) && node.replica.hasKey()
                && (node.replica.level(of: node.secrets.person) ?? .guest) >= .host
        }
        guard !able.isEmpty else { return }
        let node = whims.pick(able)
        try attempt(node) { try changeOpening(node) }
    }

    private func changeOpening(_ node: SimulatedNode) throws {
        let isOpen = try node.replica.nearbyOpening(at: node.clock(at: now)) != nil
        switch try node.replica.level(of: node.secrets.person) {
        case .founder: if isOpen && whims.chance(50) { try closeToNearby(by: node) } else { try openToNearby(by: node) }
        case .host: if isOpen && whims.chance(30) { try closeToNearby(by: node) }
        default: break
        }
    }

    /// Opens the event to anyone nearby, as `Node` does for its founder.
    func openToNearby(by node: SimulatedNode) throws {
        let change = try node.replica.openingToNearby(at: node.clock(at: now), randomness: node.randomness)
        guard case .text(let text)? = change.named, let seed = Base32.decode(text).map(Secret.init) else { return }
        let id = InvitationKeys(seed: seed).id
        let span = Int64(NearbyOpening.span / .milliseconds(1))
        let ends = Timestamp(milliseconds: node.clock(at: now).milliseconds + span)
        // Where the power is cut it may be written all the same, and its record not be.
        guard try say(change, by: node) != nil || node.replica.invitation(id) != nil else { return }
        openings.all.append(Openings.Opening(id: id, seed: seed, named: text, ends: ends))
        guestList.limited.append(GuestList.Limited(seed: seed, expires: ends, uses: nil))
        coverage.openings += 1
    }

    /// Lets nobody nearby in any more.
    func closeToNearby(by node: SimulatedNode) throws {
        let known = try node.replica.namedOpenings()
        guard try say(node.replica.closingToNearby(at: node.clock(at: now)), by: node) != nil else {
            // The power was cut: it counts if it was written.
            return try openings.close { try node.replica.invitation($0.id)?.isClosed == true }
        }
        openings.close { known.contains($0.id) }
        coverage.openingsClosed += 1
    }

    /// Writes what opens the event or closes it, and what its record says of that; the last delta's name.
    private func say(_ change: NearbyChange, by node: SimulatedNode) throws -> Reference? {
        var drafts = change.drafts
        if let named = change.named { drafts.append(.set(.event, on: .nothing, values: ["nearby": named])) }
        guard !drafts.isEmpty, let written = try author(drafts, by: node, ofContent: change.named == nil ? 0 : 1) else {
            return nil
        }
        if let named = change.named, let said = written.references.last {
            ledger.set(.event, ["nearby": named], by: node, at: written.time, reference: said)
        }
        return written.references.last
    }

    /// The seed that a node says to anyone nearby, as `Node` does; nil if it says nothing.
    func seedSaid(by node: SimulatedNode) throws -> Secret? {
        guard node.isHere, node.isAwake, !node.isRelay, !node.isRetired, node.departure == nil,
            try node.replica.level(of: node.secrets.person) != nil
        else { return nil }
        return try node.replica.nearbyOpening(at: node.clock(at: now))?.seed
    }

    // MARK: - Who comes by it

    /// Somebody without an invitation comes by what a node says to anyone nearby.
    func walkIn(by node: SimulatedNode) throws {
        guard coverage.walkIns < max(1, plan.peers / 4), try seedSaid(by: node) != nil else { return }
        let newcomer = try addWalkIn(near: node)
        try arrive(newcomer)
    }

    /// Somebody is there whom nobody invited, and looks at what a node says.
    func addWalkIn(near node: SimulatedNode) throws -> SimulatedNode {
        // Drawn apart, so that the rest of the world stays the same.
        var dice = Dice(seed: options.seed &+ UInt64(nodes.count) &+ 0x7761_6c6b)
        let randomness = dice.randomness()
        // What nobody knows, until the node has been asked.
        let seed = try seedSaid(by: node) ?? randomness.secret()
        let secrets = Secrets.joining(
            InvitationLink(event: node.event, psk: node.secrets.psk, seed: seed, hints: []),
            randomness
        )
        let disk = try makeDisk(in: node.event, secrets)
        let newcomer = try makeNode(in: node.event, secrets: secrets, disk: disk, randomness: randomness)
        newcomer.deviceClock.step = plan.clockStep
        newcomer.isWalkIn = true
        stand(newcomer, near: node)
        let some = loyal.filter(\.isHere).map(\.number).filter { $0 != node.number }.shuffled(using: &dice).prefix(2)
        nodes.append(newcomer)
        for other in [node.number] + some { acquaint(newcomer.number, other) }
        coverage.walkIns += 1
        return newcomer
    }

    /// Lets those whom nobody has let in yet meet all doors, as on one network they do: clocks are unlike, and what one takes for over is
    /// open at another.
    func introduceWalkIns() {
        for newcomer in honest where newcomer.isWalkIn {
            guard (try? nodes[0].replica.level(of: newcomer.secrets.person)) == nil else { continue }
            for other in loyal where other.number != newcomer.number { acquaint(newcomer.number, other.number) }
        }
    }
}
