// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// What the API does not offer, or refuses earlier, and the replica has to get right all the same.
extension World {
    /// Somebody asks for two things at once of which the second is refused: neither may happen.
    func slip(_ node: SimulatedNode) throws {
        let draft = Draft.create(.place, on: .nothing, values: placeValues())
        let isOthers = whims.chance(70)
        let others = ledger.entries.last { entry in
            entry.person != node.secrets.person && node.shows(entry.kind, entry.reference)
        }
        let nothing = Reference(
            device: node.replica.own.name.raw.prefix,
            journal: .content,
            sequence: 1 << 20,
            hash: whims.next()
        )
        let reference = (isOthers ? others?.reference : nil) ?? nothing
        let edit = Draft.edit(reference, .comment, values: ["text": word("No")])
        let refused = whims.chance(50) ? Draft.delete(reference) : edit
        do {
            let time = node.clock(at: now)
            _ = try node.replica.author([draft, refused], at: time, randomness: node.randomness)
            report("authority", "node \(node.number) may change what is not its person's: \(reference)")
        } catch ReplicaError.notYours, ReplicaError.notFound {
            coverage.slips += 1
        } catch ReplicaError.keyOutdated {
            // Neither happens, for another reason.
            coverage.lateKeys += 1
        }
    }

    /// Remembers how payloads begin, to look for them where they should be gone.
    func noteSealed(_ runs: [Run]) {
        for delta in runs.flatMap(\.deltas) {
            guard let payload = delta.payload, payload.count >= 8 else { continue }
            sealed[delta.reference] = payload.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private func placeValues() -> [String: Value] {
        [
            "name": word("Slip"), "latitude": .number(404_155_000), "longitude": .number(-37_074_000),
            "radius": .number(100),
        ]
    }

    /// Somebody writes the same thing on two devices at once, so that neither knows of the other's words.
    func disagree(_ node: SimulatedNode) throws {
        let twin = try nodes.first { twin in
            try twin.person == node.person && twin.number != node.number && twin.isHere && twin.canWrite
                && twin.replica.hasKey() && twin.replica.isAdmitted(twin.secrets.person)
        }
        guard let twin else { return }
        let devices = whims.chance(50) ? [node, twin] : [twin, node]
        if whims.chance(25) { return try devices.forEach(rename) }
        if whims.chance(25) { return try disagree(devices, on: someRecord([.photo, .moment], seenBy: twin)) }
        guard let entry = someOwnRecord([.moment, .photo, .comment], seenBy: node),
            twin.shows(entry.kind, entry.reference)
        else { return }
        if whims.chance(15), let record = entry.reference {
            coverage.deletions += 1
            try delete(record, by: devices[0])
            if let deleted = ledger[record] { try edit(deleted, by: devices[1]) }
            return
        }
        for device in devices { try edit(entry, by: device) }
    }

    /// One device says that its person likes something, and the other that not.
    private func disagree(_ devices: [SimulatedNode], on entry: Ledger.Entry?) throws {
        guard let entry, let target = entry.reference, devices.allSatisfy({ $0.shows(entry.kind, target) }) else {
            return
        }
        for (device, isOn) in zip(devices, [1, 0]) {
            try set(.fave, on: target, ["on": .number(Int64(isOn))], by: device)
        }
    }

    /// Lets somebody say something while two nodes that have just met still find out what each other lacks.
    func remarkSoon(_ node: SimulatedNode) {
        guard plan.deedsPerHour > 0, node.hostility == nil, !node.isDoor, whims.chance(12) else { return }
        let pause = plan.latency * whims.number(3...14) + .microseconds(whims.number(0...(plan.slowness * 6)))
        agenda.add(.remark(node: node.number), at: now + pause)
    }

    func remark(_ node: SimulatedNode) throws {
        guard !isHealing, node.canWrite, try node.replica.hasKey(),
            try node.replica.isAdmitted(node.secrets.person)
        else { return }
        try rename(node)
    }

    /// Lets somebody take back, with some luck, what was said last, while it is still on its way to others.
    func regretSoon(_ node: SimulatedNode) {
        guard plan.deedsPerHour > 0, !node.isDoor, whims.chance(10),
            let record = ledger.entries(of: node.secrets.person).last?.reference
        else { return }
        agenda.add(.regret(node: node.number, record), at: now + whims.milliseconds(20...2000))
    }

    func regret(_ record: Reference, by node: SimulatedNode) throws {
        guard !isHealing, node.canWrite, node.shows(.comment, record) else { return }
        coverage.deletions += 1
        if let written = try author([.delete(record)], by: node) {
            ledger.delete(record, by: written.references[0])
        }
    }

    /// The founder draws a new key: what is written under it may come before it does.
    func renewKey() throws {
        guard mayInvite else { return }
        let founder = nodes[0]
        let time = founder.clock(at: now)
        let authored = try founder.replica.author([.renewKey], at: time, randomness: founder.randomness)
        note(authored.runs, by: founder)
        coverage.rotations += 1
        try tell(founder, authored.outcome, own: authored.runs)
    }

    /// Somebody shares the files of an earlier photo anew: they stay when one of the two is deleted.
    func shareAgain(_ node: SimulatedNode) throws {
        guard let entry = someOwnRecord([.photo], seenBy: node), !entry.isDeleted,
            entry.blobs.allSatisfy(node.blobs.isComplete), let record = entry.reference, node.shows(.photo, record)
        else { return }
        let photo = try node.replica.photo(record)
        let values: [String: Value] = [
            "width": .number(photo.width), "height": .number(photo.height), "title": word("Again"),
            "thumbnail": .media(photo.thumbnail), "preview": .media(photo.preview), "original": .media(photo.original),
        ]
        let listings = [photo.thumbnail, photo.preview, photo.original].map { media in
            BlobListing(name: media.name(owner: node.secrets.person), size: media.size)
        }
        try create(.photo, on: nil, values, blobs: listings, by: node)
    }
}
