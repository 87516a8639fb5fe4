// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleMedia
import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

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

    @Test func `what is held back is its author's to delete, as what it is`() throws {
        let world = try PrivateWorld(seed: 145)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet([world.bob, world.carl])
        try world.say(world.joining(moment), by: world.carl)
        let photo = try world.say(photo(Self.media, by: world.carl, in: moment), by: world.carl)
        try world.say(.uninvite(world.carl.own.person, from: moment), by: world.bob)
        try world.meet([world.bob, world.carl])
        #expect(throws: ReplicaError.notFound(photo.description)) {
            try world.say(.delete(photo, .moment), by: world.carl, at: 7000)
        }
        try world.say(.delete(photo, .photo), by: world.carl, at: 7000)
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 8000)
        try world.meet([world.bob, world.carl])
        for member in [world.bob, world.carl] {
            #expect(try member.mentions(after: 0, limit: 9).mentions.isEmpty)
        }
    }

    @Test func `deleted payloads are found by an index`() throws {
        var world = try TestEvent(seed: 144)
        let guest = try world.join()
        let moment = try guest.say(
            .create(.moment, on: .nothing, values: momentValues("Dinner")),
            at: 3000,
            world.randomness
        )
        try guest.say(.delete(moment), at: 4000, world.randomness)
        let plan = try guest.read { try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(Replica.deletedRows)") }
        #expect(plan.map { $0["detail"] as String } == ["SCAN journal USING INDEX journal_erased"])
        #expect(try guest.read { try Int64.fetchAll($0, sql: Replica.deletedRows).count } == 1)
    }

    /// Found by a reader: headers may list any names, and whoever deletes such a record would delete everybody's pictures.
    @Test func `a deletion by somebody else is none of a picture's owner's`() throws {
        let world = try PrivateWorld(seed: 143)
        let path = FileManager.default.temporaryDirectory.path + "/mingle-orphans-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try BlobStore(path: path)
        let carl = world.carl.own.person
        let blob = try store.put([1, 2, 3], owner: carl)
        let listing = BlobListing(name: blob.name(owner: carl), size: UInt64(blob.size))
        let media = Media(root: blob.root, size: UInt64(blob.size), key: blob.key, type: "image/jpeg")
        func share(by author: Replica) throws -> Reference {
            let own = BlobListing(name: media.name(owner: author.own.person), size: media.size)
            let values = Dictionary(
                uniqueKeysWithValues: ["thumbnail", "preview", "original"].map { ($0, Value.media(media)) }
            )
            .merging(["width": .number(1), "height": .number(1)]) { first, _ in first }
            let draft = Draft.create(.photo, on: .nothing, values: values, blobs: Array(Set([own, listing])))
            return try world.say(draft, by: author)
        }
        let mine = try share(by: world.carl)
        let copied = try share(by: world.dora)
        try world.say(.delete(copied), by: world.dora, at: 7000)
        try world.meet([world.carl, world.dora])
        let responder = Responder(replica: world.carl, blobs: store)
        #expect(try world.carl.deletedBlobs(among: [listing.name]) == [listing.name: [world.dora.own.person]])
        #expect(try responder.orphans(among: [listing.name]).isEmpty)
        #expect(try responder.unspoken(among: [listing.name]).isEmpty)
        try world.say(.delete(mine), by: world.carl, at: 8000)
        #expect(try responder.orphans(among: [listing.name]) == [listing.name])
    }
}
