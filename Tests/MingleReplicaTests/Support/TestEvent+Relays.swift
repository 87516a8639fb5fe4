// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

extension TestEvent {
    /// A link for relays that the founder makes.
    func makeRelayLink() throws -> InvitationKeys {
        let link = InvitationKeys(seed: randomness.secret())
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, level: .relay)
        try founder.say(.open(terms), at: 2100, randomness)
        return link
    }

    /// Adds a relay, by a link for relays that the founder makes.
    mutating func joinRelay(path: String? = nil) throws -> Replica {
        let link = try makeRelayLink()
        let keys = TestKeys(randomness)
        let known = keys.own(in: event, invitation: link)
        let own = OwnDevice(
            person: known.person,
            name: known.name,
            signing: known.signing,
            agreement: known.agreement,
            invitation: link,
            isRelay: true
        )
        let relay = try Replica(path: path, event: event, own: own)
        try relay.enter(keys, by: link, at: 2200, randomness)
        try founder.receiveAll(from: relay)
        try relay.receiveAll(from: founder)
        return relay
    }

    /// Lets all hold what all hold.
    func meet(_ others: [Replica]) throws {
        for _ in 0..<2 {
            for other in others {
                try founder.receiveAll(from: other)
                try other.receiveAll(from: founder)
            }
        }
    }
}

extension Replica {
    /// Pulls what somebody posted, and says what that did.
    func receiveContent(of author: Replica) throws -> MergeOutcome {
        let held = try locator(of: author.own.name, .content)
        return try merge(author.runs(of: author.own.name, .content, after: held, byteLimit: .max))
    }

    /// Shares a picture of so many tens of bytes as the person's own; none of it is anywhere.
    func share(_ number: UInt8, at time: Int64, _ world: TestEvent) throws -> Reference {
        let draft = Draft.create(
            .profilePicture,
            on: .nothing,
            values: ["thumbnail": .media(media(number))],
            blobs: [BlobListing(name: picture(number), size: media(number).size)]
        )
        return try say(draft, at: time, world.randomness)
    }

    /// What a picture is called that this replica's person shares by its number.
    func picture(_ number: UInt8) -> BlobName { media(number).name(owner: own.person) }

    private func media(_ number: UInt8) -> Media {
        let root = Bytes32(at: 0, of: [UInt8](repeating: number, count: 32).span)
        return Media(
            root: root,
            size: UInt64(number) * 10,
            key: [UInt8](repeating: 1, count: 32),
            type: "image/jpeg"
        )
    }
}
