// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// What people do among themselves, and who may ever learn of it.
///
/// The ledger, which is of what everybody sees, knows nothing of it.
struct Privacy {
    /// A private moment.
    struct Moment {
        let reference: Reference
        let owner: PersonID
        let audience: Audience
        /// Everybody who was ever invited, and the owner.
        var confidants: Set<PersonID>
        /// The numbers of all words that were said in it.
        var words: Set<UInt64> = []
        var blobs: Set<BlobName> = []
        /// Whether what somebody says who was a guest may count for nothing.
        var hasEnds = false
    }

    var moments: [Moment] = []

    /// The blobs of all private photos.
    var blobs: Set<BlobName> { moments.reduce(into: []) { $0.formUnion($1.blobs) } }

    /// Those of photos that may count for nothing, and that nobody has to keep.
    var doubtfulBlobs: Set<BlobName> { moments.filter(\.hasEnds).reduce(into: []) { $0.formUnion($1.blobs) } }
}

extension World {
    /// Somebody makes a moment for some of the others, or changes who sees one of his or hers.
    func meetPrivately(_ node: SimulatedNode) throws {
        let person = node.secrets.person
        let own = privacy.moments.indices.filter {
            privacy.moments[$0].owner == person && node.shows(.moment, privacy.moments[$0].reference)
        }
        if own.count > 2 || !own.isEmpty && whims.chance(50) { return try changeGuests(of: whims.pick(own), by: node) }
        let audience = Audience.guests(owner: person, salt: node.randomness.bytes(Audience.saltLength))
        let start = max(0, node.clock(at: now).milliseconds)
        let (title, number) = privateWord("Secret")
        let values: [String: Value] = [
            "title": title, "start": .number(start), "end": .number(start + 7_200_000),
            "place_name": .text("Here"), "latitude": .number(404_155_000), "longitude": .number(-37_074_000),
            "radius": .number(100),
        ]
        let draft = Draft.create(.moment, on: .nothing, values: values, for: audience)
        guard let written = try author([draft], by: node), let reference = written.references.first else { return }
        coverage.privateMoments += 1
        privacy.moments.append(
            Privacy.Moment(
                reference: reference,
                owner: person,
                audience: audience,
                confidants: [person],
                words: [number]
            )
        )
        try changeGuests(of: privacy.moments.count - 1, by: node)
    }

    /// Invites somebody, or takes an invitation back.
    private func changeGuests(of index: Int, by node: SimulatedNode) throws {
        let moment = privacy.moments[index].reference
        guard node.shows(.moment, moment) else { return }
        let invited = try node.replica.participants(of: moment).invited.compactMap { PersonID(text: $0.id) }
        if !invited.isEmpty, whims.chance(25) {
            coverage.uninvited += 1
            privacy.moments[index].hasEnds = true
            _ = try author([.uninvite(whims.pick(invited), from: moment)], by: node)
            return
        }
        let others = try node.replica.people().filter { !$0.me }.compactMap { PersonID(text: $0.id) }
            .filter { person in !invited.contains(person) && honest.contains { $0.secrets.person == person } }
        for _ in 0..<2 where !others.isEmpty {
            let guest = whims.pick(others)
            // Noted first: a power cut may come between what is written and what is known of it.
            privacy.moments[index].confidants.insert(guest)
            _ = try author([.invite(guest, to: moment)], by: node)
        }
    }

    /// Somebody says something where only some hear it.
    func talkPrivately(_ node: SimulatedNode) throws {
        let seen = privacy.moments.indices.filter { node.shows(.moment, privacy.moments[$0].reference) }
        guard !seen.isEmpty else { return }
        let index = whims.pick(seen)
        let target = MingleModel.Target.record(privacy.moments[index].reference)
        let joining = Draft.set(.participation, on: target, values: ["state": .number(whims.chance(50) ? 2 : 3)])
        if try moderates(node.secrets.person, at: node), whims.chance(35) {
            return try hidePrivately(index, by: node)
        }
        switch whims.number(0...3) {
        case 0: try sayPrivately([joining], by: node)
        case 1: try sayPrivately([.set(.fave, on: target, values: ["on": .number(whims.chance(70) ? 1 : 0)])], by: node)
        case 2:
            let (text, number) = privateWord("Whisper")
            privacy.moments[index].words.insert(number)
            try sayPrivately([.create(.comment, on: target, values: ["text": text])], by: node)
        default: try sharePrivately(joining, on: target, of: index, by: node)
        }
    }

    /// A guest who moderates hides what another one said, or shows it again; nobody else may learn why.
    private func hidePrivately(_ index: Int, by node: SimulatedNode) throws {
        let moment = privacy.moments[index].reference
        let time = node.clock(at: now)
        let comments = try node.replica.comments(on: moment, before: nil, limit: 20, now: time).items
        guard !comments.isEmpty else { return }
        let comment = whims.pick(comments)
        var reason: String?
        if comment.hiding == nil || whims.chance(30), case (.text(let text), let number) = privateWord("Because") {
            privacy.moments[index].words.insert(number)
            reason = text
        }
        if try sayPrivately([.hide(comment.id, because: reason)], by: node) { coverage.privateHidings += 1 }
    }

    private func sharePrivately(_ joining: Draft, on target: MingleModel.Target, of index: Int, by node: SimulatedNode)
        throws
    {
        let (title, number) = privateWord("Picture")
        var values: [String: Value] = ["width": .number(640), "height": .number(480), "title": title]
        var listings: [BlobListing] = []
        for name in ["thumbnail", "preview", "original"] {
            let bytes = node.randomness.bytes(whims.number(200...3000))
            let descriptor = try node.blobs.put(bytes, owner: node.secrets.person)
            let media = Media(
                root: descriptor.root,
                size: UInt64(descriptor.size),
                key: descriptor.key,
                type: "image/jpeg"
            )
            let blob = descriptor.name(owner: node.secrets.person)
            listings.append(BlobListing(name: blob, size: media.size))
            values[name] = .media(media)
        }
        privacy.moments[index].words.insert(number)
        privacy.moments[index].blobs.formUnion(listings.map(\.name))
        let photo = Draft.create(.photo, on: target, values: values, blobs: listings)
        guard try sayPrivately([joining, photo], by: node) else {
            for listing in listings { try node.blobs.delete(listing.name) }
            return
        }
        for blob in listings { traffic.author(blob) }
        tell(node, [.blobsHeld(listings.map(\.name))])
    }

    @discardableResult
    private func sayPrivately(_ drafts: [Draft], by node: SimulatedNode) throws -> Bool {
        do {
            guard try author(drafts, by: node) != nil else { return false }
        } catch ReplicaError.notInvited {
            // The invitation was taken back, and what was seen before is still shown.
            return false
        }
        coverage.privateWords += 1
        return true
    }

    private func privateWord(_ what: String) -> (Value, UInt64) {
        let number = makeNumber()
        return (.text("\(what) \(Ledger.mark)\(number)"), number)
    }
}
