// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Pictures that nobody sees now and that somebody may see again.
struct HeldBackTests {
    private static let media = Media(
        root: .zero,
        size: 1000,
        key: [UInt8](repeating: 1, count: 32),
        type: "image/jpeg"
    )

    private func photo(_ media: Media, by author: Replica, in moment: Reference) -> Draft {
        let values: [String: Value] = [
            "thumbnail": .media(media), "preview": .media(media), "original": .media(media), "width": .number(640),
            "height": .number(480),
        ]
        let listing = BlobListing(name: media.name(owner: author.own.person), size: media.size)
        return .create(.photo, on: .record(moment), values: values, blobs: [listing])
    }

    @Test func `a private picture is kept whose key has not come, and goes with its photo`() throws {
        let world = try PrivateWorld(seed: 142)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet([world.bob, world.carl])
        try world.say(world.joining(moment), by: world.carl)
        let photo = try world.say(photo(Self.media, by: world.carl, in: moment), by: world.carl)
        // As a guest's node does that has lost its database: the event's key comes from anybody.
        let reader = try world.event.reader()
        for other in [world.bob, world.carl] { try reader.receiveAll(from: other) }
        #expect(try reader.blobsHeldBack() == [Self.media.name(owner: world.carl.own.person)])
        try world.say(.delete(photo), by: world.carl, at: 7000)
        try reader.receiveAll(from: world.carl)
        #expect(try reader.blobsHeldBack().isEmpty)
    }

    @Test func `a guest's picture is kept that the owner had not seen when the guest's part ended`() throws {
        let world = try PrivateWorld(seed: 141)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet([world.bob, world.carl])
        let name = Self.media.name(owner: world.carl.own.person)
        try world.say(world.joining(moment), by: world.carl)
        try world.say(photo(Self.media, by: world.carl, in: moment), by: world.carl)
        try world.say(.uninvite(world.carl.own.person, from: moment), by: world.bob)
        try world.meet([world.bob, world.carl])
        for member in [world.bob, world.carl] {
            #expect(try member.mentions(after: 0, limit: 9).mentions.isEmpty)
            #expect(try member.blobsHeldBack() == [name])
        }
        #expect(try world.dora.blobsHeldBack().isEmpty)
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 8000)
        try world.meet([world.bob, world.carl])
        for member in [world.bob, world.carl] {
            #expect(try Set(member.mentions(after: 0, limit: 9).mentions.map(\.name)) == [name])
        }
    }
}
