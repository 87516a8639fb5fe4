// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Machines that stay on and carry everything, as a venue has them: the shipped replica and engine, without keys.
extension World {
    /// The relays, which come behind the people's devices.
    var relays: [SimulatedNode] { nodes.filter(\.isRelay) }

    /// All that do what they should: the devices of those who take part, and relays.
    var loyal: [SimulatedNode] { honest + relays }

    /// Adds the relays of the plan; every device dials each of them.
    func addRelays(_ event: EventID) throws {
        guard plan.relays > 0 else { return }
        let founder = nodes[0]
        let members = nodes.count
        var dice = Dice(seed: options.seed &+ 0x7265_6c61_79)
        for _ in 0..<plan.relays {
            let link = try relayLink(by: founder)
            let randomness = dice.randomness()
            let secrets = Secrets.joining(link, randomness)
            let disk = try makeDisk(in: event, secrets)
            let relay = try makeNode(in: event, secrets: secrets, disk: disk, randomness: randomness)
            nodes.append(relay)
            for member in 0..<members {
                targets.append(Target(from: member, to: relay.number))
                agenda.add(.dial(target: targets.count - 1), at: dice.milliseconds(0...3000))
            }
        }
    }

    /// Lets those who came late dial the relays as well, and relays each other, as nodes on one network do.
    ///
    /// What two newcomers share by themselves a relay gets from nobody else. A picture that a hostile person gave to one relay and of
    /// which no member has the words, another one gets from that one alone: members do not know of it.
    func introduceRelays() {
        for (place, relay) in relays.enumerated() {
            for device in honest where device.isHere { acquaint(device.number, relay.number) }
            for other in relays.dropFirst(place + 1) where other.isHere { acquaint(relay.number, other.number) }
        }
    }

    private func relayLink(by founder: SimulatedNode) throws -> InvitationLink {
        let seed = founder.randomness.secret()
        let authored = try founder.replica.invite(
            InvitationKeys(seed: seed),
            as: .relay,
            expires: nil,
            uses: 1,
            at: founder.clock(at: now),
            randomness: founder.randomness
        )
        try publish(authored, by: founder)
        return InvitationLink(event: founder.event, psk: founder.secrets.psk, seed: seed, hints: [], isForRelay: true)
    }

    /// A relay is switched on.
    func install(_ relay: SimulatedNode) throws {
        let time = relay.clock(at: now)
        let authored = try relay.replica.enter(secrets: relay.secrets, at: time, randomness: relay.randomness)
        note(authored.runs, by: relay)
        trace.note(.arrived, at: now, UInt64(relay.number))
        try enter(relay)
    }

    /// Takes what a write changed about the blobs that headers list, as `EventSession+Relaying` does.
    func takeListings(of outcome: MergeOutcome, on relay: SimulatedNode) {
        let wants = relay.want(outcome.listed)
        if !wants.isEmpty { tell(relay, [.blobsWanted(wants)]) }
        forget(outcome.unlisted.filter { !$0.isListedByOthers }.map(\.name), of: relay)
        let gone = relay.responder.ownBlobs(among: outcome.unlisted)
        guard !gone.isEmpty else { return }
        forget(gone, of: relay)
        put(.erase(gone), on: .storing, of: relay)
    }

    /// Whether a relay may keep a chunk; else nobody waits for its blob any more.
    func isListed(_ chunk: ReceivedChunk, on relay: SimulatedNode) throws -> Bool {
        if try !chunk.fitsName || relay.responder.isListed(chunk) { return true }
        forget([chunk.name], of: relay)
        return false
    }

    /// Puts a key where it must not be: a planted mistake.
    func leakKey() throws {
        guard let relay = relays.first, let key = try nodes[0].replica.epochKeys().first?.1 else { return }
        try Data(key.exposed()).write(to: URL(fileURLWithPath: relay.path + "/leak"))
    }

    /// A relay lets go of all that a policy does not hold.
    func retain(by policy: RetentionPolicy, excess: Int = .max, on relay: SimulatedNode) throws {
        guard let outcome = try relay.responder.retain(by: policy, quiet: .zero, excess: excess) else { return }
        try tell(relay, outcome)
        coverage.evictions += outcome.unlisted.count
    }
}

extension SimulatedNode {
    /// Whether it is a relay.
    var isRelay: Bool { secrets.isRelay }

    /// Those of some listed blobs that are not here, which are waited for from now on.
    func want(_ listed: [ListedBlob]) -> [BlobWant] {
        let wants = responder.wants(listed)
        wanted.formUnion(wants.map(\.name))
        return wants
    }

    /// What an earlier life of a relay left to fetch.
    func unfinishedListings() throws -> [SyncInput] {
        var inputs: [SyncInput] = []
        try responder.missingPayloads { inputs.append($0) }
        try responder.listings { listed in
            let wants = want(listed)
            if !wants.isEmpty { inputs.append(.blobsWanted(wants)) }
        }
        return inputs
    }

    /// The blobs that it is to hold and does not.
    func lackingBlobs() throws -> Set<BlobName> {
        var names: Set<BlobName> = []
        if isRelay {
            try responder.listings { names.formUnion(responder.wants($0).map(\.name)) }
        } else {
            try responder.mentions { names.formUnion(responder.wants($0).map(\.name)) }
        }
        return names
    }
}
