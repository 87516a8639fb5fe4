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
        var words: Set<UInt64>
        /// The blobs of each photo that was shared in it.
        var photos: [Reference: Set<BlobName>] = [:]
        var blobs: Set<BlobName> { photos.values.reduce(into: []) { $0.formUnion($1) } }

        /// A moment of somebody's with a title.
        init(_ reference: Reference, of owner: PersonID, for audience: Audience, saying title: UInt64) {
            (self.reference, self.owner, self.audience) = (reference, owner, audience)
            (confidants, words) = ([owner], [title])
        }
    }

    var moments: [Moment] = []

    /// The blobs of all private photos.
    var blobs: Set<BlobName> { moments.reduce(into: []) { $0.formUnion($1.blobs) } }
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
        let (title, number) = privateWord("Secret")
        let draft = Draft.create(.moment, on: .nothing, values: momentValues(title, by: node), for: audience)
        guard let written = try author([draft], by: node), let reference = written.references.first else { return }
        try begin(Privacy.Moment(reference, of: person, for: audience, saying: number), by: node)
    }

    /// Notes a private moment, and invites some to it.
    func begin(_ moment: Privacy.Moment, by node: SimulatedNode) throws {
        coverage.privateMoments += 1
        privacy.moments.append(moment)
        try changeGuests(of: privacy.moments.count - 1, by: node)
    }

    /// Invites somebody, or takes an invitation back.
    private func changeGuests(of index: Int, by node: SimulatedNode) throws {
        let moment = privacy.moments[index].reference
        guard node.shows(.moment, moment) else { return }
        let invited = try node.replica.participants(of: moment).invited.map(\.id)
        if !invited.isEmpty, whims.chance(25) {
            coverage.uninvited += 1
            _ = try author([.uninvite(whims.pick(invited), from: moment)], by: node)
            return
        }
        let others = try node.replica.people().filter { !$0.me }.map(\.id)
            .filter { person in !invited.contains(person) && honest.contains { $0.secrets.person == person } }
        for _ in 0..<2 where !others.isEmpty {
            let guest = whims.pick(others)
            // Noted first: a power cut may come between what is written and what is known of it.
            privacy.moments[index].confidants.insert(guest)
            _ = try author([.invite(guest, to: moment)], by: node)
        }
    }

    /// Lets those meet who share something private: nobody else carries its pictures.
    func introduceGuests() {
        for moment in privacy.moments {
            let friends = nodes.filter { $0.isHere && moment.confidants.contains($0.secrets.person) }.map(\.number)
            for (place, friend) in friends.enumerated() {
                for other in friends.dropFirst(place + 1) { acquaint(friend, other) }
            }
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
        case 0: try sayPrivately([joining], in: index, by: node)
        case 1:
            let fave = Draft.set(.fave, on: target, values: ["on": .number(whims.chance(70) ? 1 : 0)])
            try sayPrivately([fave], in: index, by: node)
        case 2:
            let text = privateWord("Whisper", in: index)
            try sayPrivately([.create(.comment, on: target, values: ["text": text])], in: index, by: node)
        default: try sharePrivately(joining, on: target, of: index, by: node)
        }
    }

    /// A guest who moderates hides what another one said, or shows it again; nobody else may learn why.
    private func hidePrivately(_ index: Int, by node: SimulatedNode) throws {
        let moment = privacy.moments[index].reference
        // What was posted while the moment was public is not hidden for everybody to read why; what hostile peers post is in no
        // ledger.
        let hostile = Set(nodes.filter { $0.hostility != nil }.map(\.secrets.person))
        // Nor is what was said in an earlier private moment, in the place of which this one came: its guests may be others.
        let comments = try node.replica.comments(on: moment, before: nil, limit: 20).items
            .filter { ledger[$0.id] == nil && !hostile.contains($0.author.id) }
            .filter { try node.replica.audience(of: $0.id) == privacy.moments[index].audience }
        guard !comments.isEmpty else { return }
        let comment = whims.pick(comments)
        var reason: String?
        if comment.hiding == nil || whims.chance(30), case .text(let text) = privateWord("Because", in: index) {
            reason = text
        }
        let written = try sayPrivately([.hide(comment.id, because: reason)], in: index, by: node)
        if written != nil { coverage.privateHidings += 1 }
    }

    private func sharePrivately(
        _ joining: Draft,
        on target: MingleModel.Target,
        of index: Int,
        by node: SimulatedNode
    ) throws {
        let (title, number) = privateWord("Picture")
        var values: [String: Value] = ["width": .number(640), "height": .number(480), "title": title]
        var listings: [BlobListing] = []
        for name in ["thumbnail", "preview", "original"] {
            let picture = try node.store(node.randomness.bytes(whims.number(200...3000)))
            listings.append(picture.listing)
            values[name] = .media(picture.media)
        }
        privacy.moments[index].words.insert(number)
        let photo = Draft.create(.photo, on: target, values: values, blobs: listings)
        let written = try speak(of: listings, by: node) {
            try sayPrivately([joining, photo], in: index, by: node)?.last
        }
        guard let written else { return }
        privacy.moments[index].photos[written] = Set(listings.map(\.name))
        for blob in listings { traffic.author(blob) }
        tell(node, [.blobsHeld(listings.map(\.name))])
    }

    /// Says something in the private moment of a place in the list, which is sealed for those who see that.
    @discardableResult
    func sayPrivately(_ drafts: [Draft], in index: Int, by node: SimulatedNode) throws -> [Reference]? {
        do {
            guard let written = try author(drafts, by: node) else { return nil }
            coverage.privateWords += 1
            for reference in written.references
            where try node.replica.audience(of: reference) != privacy.moments[index].audience {
                report("privacy", "node \(node.number) sealed \(reference) for others than the guests")
            }
            return written.references
        } catch ReplicaError.notInvited {
            // The invitation was taken back, and what was seen before is still shown.
            return nil
        }
    }

    /// Words that nobody but those who see a private moment may ever read.
    func privateWord(_ what: String, in index: Int) -> Value {
        let (text, number) = privateWord(what)
        privacy.moments[index].words.insert(number)
        return text
    }

    func privateWord(_ what: String) -> (Value, UInt64) {
        let number = makeNumber()
        return (Ledger.words(what, number), number)
    }
}
