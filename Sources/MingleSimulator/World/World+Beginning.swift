// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

extension World {
    /// Founds the event, says who dials whom and when everybody comes.
    func begin() throws {
        let randomness = dice.randomness()
        let (event, secrets) = Secrets.founding(randomness)
        let disk = try makeDisk(in: event, secrets)
        let founder = try makeNode(in: event, secrets: secrets, disk: disk, randomness: randomness)
        nodes = [founder]
        try founder.replica.found(title, secrets: secrets, at: founder.clock(at: now), randomness: randomness)
        for journal in Journal.allCases {
            let runs = try founder.replica.runs(of: founder.replica.own.name, journal, after: [], byteLimit: .max)
            note(runs, by: founder)
            guard journal == .content else { continue }
            let (time, named) = (founder.clock(at: now), runs.last?.last.reference)
            ledger.set(.event, ["title": .text(title)], by: founder, at: time, reference: named)
        }
        guestList.note(secrets.person, at: nil)
        guestList.levels[secrets.person] = .founder
        try invite()
        try makeGuests(event)
        for node in nodes { node.deviceClock.step = plan.clockStep }
        connect()
        try addRelays(event)
        try addDoors(event)
        try addHostile(event)
        try enter(founder)
        for node in nodes.dropFirst() { agenda.add(.arrival(node: node.number), at: arrivalTime(of: node)) }
        if plan.hasFaults { beginFaults() }
        agenda.add(.step, at: .seconds(5))
        beginCopies()
        beginFlips()
    }

    /// Most people come early, some much later.
    private func arrivalTime(of node: SimulatedNode) -> Duration {
        if node.isRelay || node.isDoor { return .milliseconds(10 + node.number) }
        if let scenario = stage?.scenario {
            return scenario.late.contains(node.number) ? plan.length : .milliseconds(10 + node.number)
        }
        let share = dice.chance(80) ? dice.number(0...10) : dice.number(10...60)
        return plan.length * share / 100 + .milliseconds(10 + node.number)
    }

    private func makeGuests(_ event: EventID) throws {
        let founder = nodes[0]
        for number in 1..<plan.peers {
            let randomness = dice.randomness()
            // The last devices belong to guests who have one already.
            let isSecond = number >= plan.peers - plan.secondDevices
            let person = isSecond ? dice.number(1...(plan.peers - plan.secondDevices - 1)) : number
            var secrets: Secrets
            if isSecond {
                secrets = nodes[person].secrets
                try secrets.replaceDevice(randomness)
            } else {
                let link = InvitationLink(event: event, psk: founder.secrets.psk, seed: invitations[0], hints: [])
                secrets = Secrets.joining(link, randomness)
            }
            let disk = try makeDisk(in: event, secrets)
            nodes.append(
                try makeNode(in: event, person: person, secrets: secrets, disk: disk, randomness: randomness)
            )
        }
    }

    /// A disk for a node, with a replica that is as empty as new; nil if the node's files go to a folder.
    ///
    /// To copy an empty replica takes much less than to make one, and there are many.
    func makeDisk(in event: EventID, _ secrets: Secrets) throws -> SimulatedDisk? {
        guard plan.hasDisks else { return nil }
        let disk = SimulatedDisk()
        disk.hold(whatIsOn: try blankDisk(in: event, secrets))
        return disk
    }

    private func blankDisk(in event: EventID, _ secrets: Secrets) throws -> SimulatedDisk {
        if let blank { return blank }
        let disk = SimulatedDisk()
        let path = disk.path(of: SimulatedNode.fileName)
        try Replica(path: path, event: event, own: secrets.ownDevice(in: event), connections: .one).close()
        blank = disk
        return disk
    }

    /// A device that comes behind all others, of a person of its own if none is given.
    func makeNode(
        in event: EventID,
        person: Int? = nil,
        secrets: Secrets,
        disk: SimulatedDisk?,
        randomness: Randomness
    ) throws -> SimulatedNode {
        try SimulatedNode(
            number: nodes.count,
            person: person ?? nodes.count,
            event: event,
            secrets: secrets,
            folder: options.folder,
            disk: disk,
            randomness: randomness,
            knownSignatures: knownSignatures,
            clock: SimulatedClock(time),
            quota: plan.quota,
            limits: secrets.isRelay ? .relay : plan.limits
        )
    }

    /// Everybody dials the one before in a ring, and some others.
    private func connect() {
        var known: Set<[Int]> = []
        for node in nodes.indices {
            let others =
                [(node + nodes.count - 1) % nodes.count] + (1..<plan.degree).map { _ in dice.pick(nodes.indices) }
            for other in others where other != node && known.insert([node, other]).inserted {
                // Two that dial each other are kept from it, but for some.
                guard !known.contains([other, node]) || dice.chance(25) else { continue }
                targets.append(Target(from: node, to: other))
                agenda.add(.dial(target: targets.count - 1), at: dice.milliseconds(0...3000))
            }
        }
    }

    /// Opens a further invitation, made by the founder if by nobody else.
    func invite(
        by host: SimulatedNode? = nil,
        expires: Timestamp? = nil,
        uses: UInt32? = nil,
        asks: Bool = false
    ) throws {
        let host = host ?? nodes[0]
        let seed = host.randomness.secret()
        let authored = try host.replica.invite(
            InvitationKeys(seed: seed),
            expires: expires,
            uses: uses,
            asks: asks,
            at: host.clock(at: now),
            randomness: host.randomness
        )
        host.secrets.add(issued: seed)
        invitations.append(seed)
        try publish(authored, by: host)
    }

    /// Puts the person of a node at a level.
    func grant(_ level: Level, to node: SimulatedNode, by host: SimulatedNode) throws {
        let time = host.clock(at: now)
        let person = node.secrets.person
        let authored = try host.replica.setLevel(of: person, to: level, at: time, randomness: host.randomness)
        guestList.levels[person] = max(level, guestList.levels[person] ?? .attendee)
        try publish(authored, by: host)
    }

    /// Closes an invitation to all but those of whom a host knows.
    func close(_ seed: Secret, by host: SimulatedNode) throws {
        let id = InvitationKeys(seed: seed).id
        try publish(host.replica.close(id, at: host.clock(at: now), randomness: host.randomness), by: host)
    }

    func publish(_ authored: Authored, by node: SimulatedNode) throws {
        note(authored.runs, by: node)
        if node.isHere { try tell(node, authored.outcome, own: authored.runs) }
    }

    /// Somebody comes to the event and joins it.
    func arrive(_ node: SimulatedNode) throws {
        guard !node.isHere, !node.hasStopped else { return }
        if node.isRelay { return try install(node) }
        if dice.chance(40) { node.deviceClock.offset = dice.number(-120_000...120_000) }
        if dice.chance(10) { node.deviceClock.offset = dice.number(-400...400) * 86_400_000 }
        try takeInvitation(node)
        let authored = try node.replica.enter(
            secrets: node.secrets,
            at: node.clock(at: now),
            randomness: node.randomness
        )
        note(authored.runs, by: node)
        guestList.note(node.secrets.person, at: node.clock(at: now), by: authored.references.last)
        coverage.admissions += 1
        trace.note(.arrived, at: now, UInt64(node.number))
        try enter(node)
    }

    func enter(_ node: SimulatedNode) throws {
        (node.isHere, node.isAwake, node.since) = (true, true, now)
        node.keepsOrphans = options.planted == .keepsBlobs
        try node.begin()
        agenda.add(.feed(node: node.number, life: node.life), at: now)
        beginTicks(of: node)
        guard !node.isRelay else { return }
        let isHonest = node.hostility == nil
        agenda.add(isHonest ? .deed(node: node.number) : .mischief(node: node.number), at: now + .seconds(1))
    }
}
