// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// How a device came to the world that another one of its person's is to certify.
struct Linking {
    /// The node that showed the link.
    let first: Int
    /// When the link was made.
    let made: Duration
    /// What the link is called, and what is in it.
    let id: String
    let seed: Secret
}

extension SimulatedNode {
    /// Whether another device of the person's certifies it, so that it certifies nobody, not even itself anew.
    var isLinked: Bool { secrets.identity == nil }
}

/// Second devices of people, by a link that the first one shows.
extension World {
    /// How long who comes by a link waits for a certificate, as `mingle join` does.
    private static let joining = Duration.seconds(30)

    /// A person links a further device, near those whom the first one is near.
    func link(_ node: SimulatedNode) throws {
        // Whoever is to leave or be removed may go on with a handful of devices; a world of nothing else shows less.
        let linked = nodes.count { $0.isLinked && !$0.hasStopped }
        guard linked < max(1, plan.peers / 4), linkings.count < plan.peers, try mayLink(node) else { return }
        guard let new = try makeLinked(by: node) else { return }
        // Somebody saw the link, and is as fast.
        if whims.chance(20) { try makeLinked(by: node, seed: linkings[new.number]?.seed) }
        guard plan.hasFaults, !options.without.contains(.restart), whims.chance(25) else { return }
        agenda.add(.stumble(node: whims.pick([node, new]).number), at: now + whims.milliseconds(0...4000))
    }

    private func mayLink(_ node: SimulatedNode) throws -> Bool {
        guard !node.isLinked, node.canWrite, node.isHere else { return false }
        return try node.replica.linkingRefusal(certified: node.secrets.certified) == nil
    }

    /// Somebody whose linked device goes on as nobody links another one, on whichever device can.
    func linkAgain(_ person: Int) throws {
        guard !isHealing else { return }
        // A further link would end the one by which another device is just coming.
        guard !nodes.contains(where: { $0.person == person && $0.arrival != nil }) else {
            return agenda.add(.linkAgain(person: person), at: now + .seconds(40))
        }
        let firsts = try nodes.filter { try $0.person == person && mayLink($0) }
        guard let first = firsts.first else { return }
        try attempt(first) { try makeLinked(by: first) }
    }

    /// Lets a device come by a link that a node makes, or by one that it has made.
    ///
    /// - Parameter others: the nodes besides that it dials; nil leaves them to chance.
    @discardableResult
    func makeLinked(by first: SimulatedNode, seed: Secret? = nil, dialling others: [Int]? = nil) throws
        -> SimulatedNode?
    {
        let offer = DeviceOffer(seed: seed ?? first.randomness.secret(), at: now)
        if seed == nil { first.offer = offer }
        // Drawn apart, so that the rest of the world stays the same.
        var dice = Dice(seed: options.seed &+ UInt64(nodes.count) &+ 0x6c69_6e6b)
        let randomness = dice.randomness()
        let link = InvitationLink(
            event: first.event,
            psk: first.secrets.psk,
            seed: offer.seed,
            hints: [],
            kind: .device(of: first.secrets.person)
        )
        guard let secrets = Secrets.linking(link, randomness) else { return nil }
        let disk = try makeDisk(in: first.event, secrets)
        let node = try makeNode(
            in: first.event,
            person: first.person,
            secrets: secrets,
            disk: disk,
            randomness: randomness
        )
        let some = loyal.map(\.number).filter { $0 != first.number }.shuffled(using: &dice).prefix(2)
        node.arrival = DeviceArrival(seed: offer.seed)
        node.deviceClock.step = plan.clockStep
        if dice.chance(40) { node.deviceClock.offset = dice.number(-120_000...120_000) }
        stand(node, near: first)
        linkings[node.number] = Linking(first: first.number, made: now, id: offer.id, seed: offer.seed)
        nodes.append(node)
        for other in [first.number] + (others ?? Array(some)) { acquaint(node.number, other) }
        trace.note(.arrived, at: now, UInt64(node.number))
        try enter(node)
        agenda.add(.giveUp(node: node.number, life: node.life), at: now + Self.joining)
        return node
    }

    /// Whatever keeps one node from others keeps another one from them that stands beside it.
    func stand(_ node: SimulatedNode, near other: SimulatedNode) {
        blocks = blocks.map { block in
            let (from, to) = (block.from.contains(other.number), block.to.contains(other.number))
            return Block(
                number: block.number,
                from: from ? block.from.union([node.number]) : block.from,
                to: to ? block.to.union([node.number]) : block.to
            )
        }
    }

    // MARK: - What `EventSession+Linking` does, in virtual time

    /// Greets a peer, or asks it for a certificate where this device has none yet.
    func greet(_ peer: PeerID, in session: Session, by node: SimulatedNode) throws {
        let request = node.arrival?.request(of: node.secrets, in: node.event, to: peer, session)
        if let request { return tell(node, [.deviceRequest(peer, request)]) }
        tell(node, try node.responder.answer(.makeHello(peer, session)).map { [$0] } ?? [])
    }

    /// Answers a device that asks for a certificate.
    func certify(_ peer: PeerID, _ request: DeviceRequest, _ session: Session, by node: SimulatedNode) throws {
        guard node.departure == nil, !node.isRetired else { return tell(node, [.deviceVerdict(peer, .nothing)]) }
        do {
            let verdict = try node.responder.certify(request, session, by: &node.secrets, &node.offer, at: now) { _ in }
            if case .certified = verdict { try checkCertified(peer, by: node) }
            if case .refused = verdict { coverage.linkRefusals += 1 }
            tell(node, [.deviceVerdict(peer, verdict)])
        } catch {
            tell(node, [.deviceVerdict(peer, .postponed("this node cannot answer now"))])
            throw error
        }
    }

    /// Takes the certificate that another device of the person's made, and greets everybody with it.
    func takeCertificate(_ certified: DeviceCertified, from peer: PeerID, on node: SimulatedNode) throws {
        guard node.arrival?.isOver == false else { return tell(node, [.deviceVerdict(peer, .nothing)]) }
        guard let certificate = node.arrival?.take(certified, of: node.secrets, in: node.event) else {
            return tell(node, [.deviceVerdict(peer, .refused("that is no certificate of the person"))])
        }
        let authored: Authored
        do {
            let time = node.clock(at: now)
            authored = try node.replica.enter(with: certificate, at: time, randomness: node.randomness)
        } catch ReplicaError.noSpace {
            // The join fails with that, and its folder goes.
            return stop(node)
        }
        node.secrets.noteCertificate(by: certified.device)
        let asked = node.arrival?.takeAsked() ?? []
        node.arrival = nil
        coverage.linkings += 1
        note(authored.runs, by: node)
        try tell(node, authored.outcome, own: authored.runs)
        tell(node, [.deviceVerdict(peer, .nothing)])
        for (peer, session) in asked { put(.greet(peer, session), on: .judging, of: node) }
    }

    /// A device has waited long enough for a certificate.
    func giveUp(_ node: SimulatedNode) {
        guard node.arrival?.giveUp() == true else { return }
        coverage.lostLinkings += 1
        stop(node)
    }

    /// A start of a node finds out whether a certificate came, of which a stop may have kept the note: without, nothing there is of use.
    func lacksCertificate(_ node: SimulatedNode) throws -> Bool {
        guard node.secrets.isUncertified else { return false }
        let name = node.replica.own.name
        guard try !node.replica.tips(of: name, .fabric).isEmpty else { return true }
        node.secrets.noteCertificate(by: nil)
        node.arrival = nil
        note(try node.replica.runs(of: name, .fabric, after: [], byteLimit: .max), by: node)
        return false
    }

    // MARK: - Devices that are none any more

    /// A linked device of which the folder was copied goes on as nobody, and says so; its person links another in its place.
    func endLinked(_ node: SimulatedNode) {
        coverage.linkedCopies += 1
        noteLosses(of: node) { stop(node) }
        agenda.add(.linkAgain(person: node.person), at: now + dice.milliseconds(5000...120_000))
    }

    /// A node is nobody's device any more, and never runs again.
    func stop(_ node: SimulatedNode) {
        for number in links.keys.sorted() {
            guard let link = links[number] else { continue }
            for end in 0...1 where link.ends[end].node == node.number { close(link, end) }
        }
        node.stop()
        bridge(node)
    }

    /// Whether a copy of a node's files may be used, or bits flip in them, so that what only it has may be lost.
    func mayForget(_ node: SimulatedNode) -> Bool {
        plan.mayForget(node.number)
            || node.isLinked && nodes.contains { $0.person == node.person && plan.mayForget($0.number) }
    }

    // MARK: - What must be

    /// A certificate is made by a device with the identity that takes part, in the time of its link, for the one that it was shown to.
    private func checkCertified(_ peer: PeerID, by node: SimulatedNode) throws {
        guard let link = node.links[peer].flatMap({ links[$0] }) else { return }
        let asker = nodes[link.ends[0].node == node.number ? link.ends[1].node : link.ends[0].node]
        let what = "node \(node.number) certifies node \(asker.number)"
        guard let linking = linkings[asker.number], linking.first == node.number else {
            return report("linking", "\(what), to which it showed no link")
        }
        if now >= linking.made + .seconds(600) { report("linking", "\(what) by a link of more than ten minutes") }
        if node.isLinked || node.isRelay { report("linking", "\(what), which it has no key for") }
        if node.isLost { report("linking", "\(what), and was retired") }
        if try !node.replica.isAdmitted(node.secrets.person) { report("linking", "\(what), and takes no part") }
        let others = linkings.keys.sorted().filter { $0 != asker.number && linkings[$0]?.id == linking.id }
        if let other = others.first(where: { !nodes[$0].secrets.isUncertified }) {
            report("linking", "\(what) by the link by which node \(other) came")
        }
    }
}
