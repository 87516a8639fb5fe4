// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Who came by which invitation, and when.
struct GuestList {
    /// An invitation that does not let in everybody for ever.
    struct Limited {
        let seed: Secret
        let expires: Timestamp?
        let uses: UInt32?
        /// Those whom some door let in by it.
        var guests: [PersonID] = []
    }

    var limited: [Limited] = []
    /// Invitations that somebody opened who may not.
    var forged: [Secret] = []
    /// The levels of those who are no attendees.
    var levels: [PersonID: Level] = [:]
    /// Those of whom nobody hears again, so that all trace of them may be lost with the one who let them in.
    var visitors: Set<PersonID> = []
    /// Which nodes took somebody for admitted, each in the life that it had then.
    var doors: [PersonID: [Int: Int]] = [:]
    /// When each person says to have come, with whichever devices, and by which deltas.
    private var entries: [PersonID: [(time: Timestamp?, admission: Reference?)]] = [:]

    /// When each person says to have come first; nil for the founder.
    var arrivals: [PersonID: Timestamp?] { entries.mapValues { $0.compactMap(\.time).min() } }

    /// Notes that a person entered, with whichever device.
    mutating func note(_ person: PersonID, at time: Timestamp?, by admission: Reference? = nil) {
        entries[person, default: []].append((time, admission))
    }

    /// Takes out when a person came by a delta that nobody holds any more, if the person has come again.
    mutating func lose(_ admission: Reference) {
        entries = entries.mapValues { all in
            let left = all.filter { $0.admission != admission }
            return left.isEmpty ? all : left
        }
    }
}

extension World {
    /// With some luck the founder or a host shows a newcomer an invitation made for it, of which few doors know yet.
    func takeInvitation(_ node: SimulatedNode) throws {
        guard !node.isWalkIn, !node.isDoor, plan.hasFaults, node.hostility == nil, mayInvite, dice.chance(40) else {
            return
        }
        let hosts = try hosts
        try invite(by: dice.pick([nodes[0]] + hosts))
        if !hosts.isEmpty { coverage.hostedInvitations += 1 }
        try showLastInvitation(to: node)
    }

    /// Lets somebody who is yet to come do so by the invitation that was made last.
    func showLastInvitation(to node: SimulatedNode) throws {
        let old = node.secrets
        guard let identity = old.identity else { return }
        node.secrets = Secrets(
            psk: old.psk,
            identity: identity,
            signing: old.signing,
            agreement: old.agreement,
            cameBy: invitations[invitations.count - 1],
            issued: [],
            foundingSalt: nil,
            hints: []
        )
        var losses: Dice?
        try node.restart(losses: &losses)
    }

    /// The hosts who may invite now: who lacks a key could not hand it on, and nobody else would.
    private var hosts: [SimulatedNode] {
        get throws {
            let keys = try nodes[0].replica.epochKeys().count
            return try honest.filter { node in
                guard node.number > 0, node.isHere, node.canWrite, !mayForget(node) else { return false }
                return try node.replica.level(of: node.secrets.person) == .host
                    && node.replica.epochKeys().count == keys
            }
        }
    }

    /// The founder makes a host or a moderator of somebody.
    func promote() throws {
        guard mayInvite else { return }
        let candidates = try honest.filter {
            try !$0.isDoor && nodes[0].replica.level(of: $0.secrets.person) == .attendee
        }
        guard !candidates.isEmpty else { return }
        try grant(whims.chance(50) ? .host : .moderator, to: whims.pick(candidates), by: nodes[0])
        coverage.promotions += 1
    }

    /// Whether the founder's machine runs, and will go on as itself.
    var mayInvite: Bool {
        let founder = nodes[0]
        return founder.canWrite && !plan.mayForget(0)
    }

    /// Somebody new knocks at a node, by an invitation that may be expired or used up: whether the door opens has to
    /// follow from what the node knows and its clock says.
    func knock(at node: SimulatedNode) throws {
        if let seed = guestList.forged.last, whims.chance(30) { return try knock(at: node, byForged: seed) }
        if mayInvite, guestList.limited.isEmpty || whims.chance(20) { try limitInvitation() }
        guard !guestList.limited.isEmpty else { return }
        let place = whims.number(0...(guestList.limited.count - 1))
        let visitor = try visitor(at: node, byLimited: place)
        try knock(at: node, as: visitor, whims.chance(15) ? .withProofOfAnotherSession : .honestly, byLimited: place)
    }

    /// Somebody new knocks at a node, by the limited invitation that was made last.
    func knockByLastLimited(at node: SimulatedNode, isProofBorrowed: Bool = false) throws {
        let place = guestList.limited.count - 1
        let manner = isProofBorrowed ? Visitor.Manner.withProofOfAnotherSession : .honestly
        try knock(at: node, as: visitor(at: node, byLimited: place), manner, byLimited: place)
    }

    private func visitor(at node: SimulatedNode, byLimited place: Int) throws -> Visitor {
        try Visitor(to: self, by: guestList.limited[place].seed, at: node.clock(at: now), whims.randomness())
    }

    private func knock(
        at node: SimulatedNode,
        as visitor: Visitor,
        _ manner: Visitor.Manner,
        byLimited place: Int
    ) throws {
        let invitation = guestList.limited[place]
        let time = node.clock(at: now)
        let isOpen = try manner == .honestly && isOpen(invitation, at: node, time)
        // A power cut may come between the door and the list, so the list is first; it counts whom the node knows.
        guestList.limited[place].guests.append(visitor.person)
        guestList.visitors.insert(visitor.person)
        guestList.note(visitor.person, at: time)
        let judgement = try visitor.knock(at: node, manner, time)
        let isIn = judgement.hasProvedDevice
        if isIn != isOpen {
            report("doors", "node \(node.number) \(isIn ? "lets in" : "refuses") a newcomer by \(invitation.terms)")
        }
        guard isIn else {
            coverage.refusals += 1
            return
        }
        if let outcome = judgement.outcome { try tell(node, outcome) }
        if try visitor.knock(at: node, .withGreetingOfAnotherSession, time).hasProvedDevice {
            report("doors", "node \(node.number) takes a greeting that was recorded for its device's")
        }
    }

    private func knock(at node: SimulatedNode, byForged seed: Secret) throws {
        let time = node.clock(at: now)
        let visitor = try Visitor(to: self, by: seed, at: time, whims.randomness())
        guard try visitor.knock(at: node, .honestly, time).hasProvedDevice else {
            coverage.refusals += 1
            return
        }
        report("doors", "node \(node.number) lets in a newcomer by an invitation that is not the founder's")
    }

    /// Whether an invitation is open, as far as a node knows.
    private func isOpen(_ invitation: GuestList.Limited, at node: SimulatedNode, _ time: Timestamp) throws -> Bool {
        let id = InvitationKeys(seed: invitation.seed).id
        let known = try node.replica.invitation(id)
        // Who made it and has lost that hears whoever holds it.
        guard let known else {
            return try node.secrets.issued.contains { $0 === invitation.seed } && !node.replica.hasOwn(id)
        }
        guard !known.isClosed else { return false }
        if let expires = invitation.expires, time > expires { return false }
        guard let uses = invitation.uses else { return true }
        return try invitation.guests.count { try node.replica.isAdmitted($0) } < Int(uses)
    }

    private func limitInvitation() throws {
        let time = nodes[0].clock(at: now).milliseconds + Int64(whims.number(-1800...7200)) * 1000
        let expires = whims.chance(50) ? Timestamp(milliseconds: time) : nil
        let uses = whims.chance(60) ? UInt32(whims.number(1...2)) : nil
        try limitInvitation(expires: expires, uses: uses)
    }

    /// The founder makes an invitation that does not let in everybody for ever.
    func limitInvitation(expires: Timestamp?, uses: UInt32?) throws {
        try invite(expires: expires, uses: uses)
        let seed = invitations[invitations.count - 1]
        guestList.limited.append(GuestList.Limited(seed: seed, expires: expires, uses: uses))
    }
}

extension GuestList.Limited {
    fileprivate var terms: String {
        "an invitation for \(uses.map { "\($0) of which \(guests.count) came" } ?? "all"), expiring "
            + (expires.map { "\($0.milliseconds)" } ?? "never")
    }
}

/// Somebody who comes to the door, enters the event and is never heard of again.
private struct Visitor {
    let replica: Replica
    private let disk: SimulatedDisk?
    let randomness: Randomness
    var person: PersonID { replica.own.person }

    init(to world: World, by seed: Secret, at time: Timestamp, _ randomness: Randomness) throws {
        let founder = world.nodes[0]
        let link = InvitationLink(event: founder.event, psk: founder.secrets.psk, seed: seed, hints: [])
        let secrets = Secrets.joining(link, randomness)
        self.randomness = randomness
        disk = try world.makeDisk(in: founder.event, secrets)
        replica = try Replica(
            path: disk?.path(of: SimulatedNode.fileName),
            event: founder.event,
            own: secrets.ownDevice(in: founder.event),
            connections: .one
        )
        _ = try replica.enter(secrets: secrets, at: time, randomness: randomness)
    }

    /// How somebody greets.
    enum Manner {
        case honestly
        /// Who has seen an invitation's proof, but does not hold the invitation.
        case withProofOfAnotherSession
        /// Who has recorded a whole greeting, but does not hold the device's key.
        case withGreetingOfAnotherSession
    }

    /// Greets a node.
    func knock(at node: SimulatedNode, _ manner: Manner, _ time: Timestamp) throws -> Judgement {
        let greeter = Responder(replica: replica, blobs: node.blobs)
        let hashes = (0..<2).map { _ in Bytes32(at: 0, of: randomness.bytes(32).span) }
        var hello = try greeter.hello(in: Session(handshakeHash: hashes[0], isInitiator: true))
        if manner == .withProofOfAnotherSession {
            let other = try greeter.hello(in: Session(handshakeHash: hashes[1], isInitiator: true))
            hello.invitationProof = other.invitationProof
        }
        let hash = hashes[manner == .withGreetingOfAnotherSession ? 1 : 0]
        let heard = Session(handshakeHash: hash, isInitiator: false)
        return try node.responder.judge(hello, heard, at: time)
    }
}
