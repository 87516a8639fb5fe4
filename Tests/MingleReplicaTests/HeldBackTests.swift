// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Pictures that nobody sees now and that somebody may see again.
struct HeldBackTests {
    @Test func `a guest's picture is kept that the owner had not seen when the guest's part ended`() throws {
        let world = try PrivateWorld(seed: 141)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet([world.bob, world.carl])
        let media = Media(root: .zero, size: 1000, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        let name = media.name(owner: world.carl.own.person)
        let values: [String: Value] = [
            "thumbnail": .media(media), "preview": .media(media), "original": .media(media), "width": .number(640),
            "height": .number(480),
        ]
        try world.say(world.joining(moment), by: world.carl)
        let listing = BlobListing(name: name, size: media.size)
        try world.say(.create(.photo, on: .record(moment), values: values, blobs: [listing]), by: world.carl)
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
