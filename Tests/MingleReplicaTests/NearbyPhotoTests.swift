// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport
import Testing

/// Photos around a position, and what people say for and against them.
struct NearbyPhotoTests {
    @Test func `a photo is where it was taken, or where its place or moment is`() throws {
        let town = try Town(seed: 4701)
        let place = try town.place("Bar", north: 200)
        var toast = momentValues("Toast")
        toast.merge(town.position(north: 300)) { $1 }
        let moment = try town.ana.say(
            .create(.moment, on: .nothing, values: toast),
            at: 4001,
            town.event.randomness
        )
        let joining = Draft.set(.participation, on: .record(moment), values: ["state": .number(2)])
        try town.ana.say(joining, at: 4002, town.event.randomness)
        _ = try town.share("Here", north: 40)
        _ = try town.share("Bar", on: .record(place))
        _ = try town.share("Toast", on: .record(moment))
        _ = try town.share("Door of the bar", north: 100, on: .record(place))
        _ = try town.share("Nowhere")
        _ = try town.share("Far", north: 3000)
        try town.meet()
        for replica in [town.ana, town.bob] {
            let near = try town.near(500, at: replica).map { $0.split(separator: " +")[0] }
            #expect(near == ["Here 40", "Door of the bar 100", "Bar 200", "Toast 300"])
            #expect(try town.near(199, at: replica).count == 2)
        }
    }

    @Test func `one votes once, may change it and take it back, and each node counts the same`() throws {
        let town = try Town(seed: 4702)
        let photo = try town.share("Here", north: 0)
        try town.meet()
        #expect(try town.near(500, at: town.bob) == ["Here 0 +0 -0"])
        for (up, told) in [(true, "+1 -0"), (true, "+1 -0"), (false, "+0 -1"), (nil, "+0 -0"), (true, "+1 -0")] {
            try town.vote(up, on: photo, by: town.bob)
            for replica in [town.ana, town.bob] {
                #expect(try town.near(500, at: replica) == ["Here 0 \(told)"])
            }
            #expect(try town.bob.photo(photo).votes.mine == up && town.ana.photo(photo).votes.mine == nil)
        }
        try town.vote(false, on: photo, by: town.ana)
        let votes = try town.ana.photo(photo).votes
        #expect(votes.up == 1 && votes.down == 1 && votes.mine == false)
    }

    @Test func `what is hidden or deleted is not there, also for its author and for moderators`() throws {
        let town = try Town(seed: 4703)
        let (rude, gone) = (try town.share("Rude", north: 10, by: town.bob), try town.share("Gone", north: 20))
        try town.meet()
        try town.vote(true, on: gone, by: town.bob)
        try town.ana.say(.hide(rude, because: "rude"), at: 7000, town.event.randomness)
        try town.ana.say(.delete(gone), at: 7001, town.event.randomness)
        try town.meet()
        for replica in [town.ana, town.bob] { #expect(try town.near(500, at: replica).isEmpty) }
    }
}

extension Town {
    /// Shares a photo that was taken so many metres north of the middle; nil: that says nothing.
    fileprivate func share(
        _ title: String,
        north metres: Double? = nil,
        on target: Target = .nothing,
        by author: Replica? = nil,
        at time: Int64 = 5000
    ) throws -> Reference {
        let bytes = [UInt8](repeating: UInt8(title.utf8.count), count: 32)
        let media = Media(root: Bytes32(at: 0, of: bytes.span), size: 10, key: bytes, type: "image/jpeg")
        var values: [String: Value] = [
            "title": .text(title), "width": .number(4), "height": .number(3), "original": .media(media),
            "preview": .media(media), "thumbnail": .media(media),
        ]
        if let metres { values.merge(position(north: metres)) { $1 } }
        let author = author ?? ana
        let blobs = [BlobListing(name: media.name(owner: author.own.person), size: media.size)]
        let draft = Draft.create(.photo, on: target, values: values, blobs: blobs)
        return try author.say(draft, at: time, event.randomness)
    }

    fileprivate func position(north metres: Double) -> [String: Value] {
        [
            "latitude": .number(557_000_000 + Int64(metres / 111_194.93 * 1e7)),
            "longitude": .number(125_000_000),
        ]
    }

    fileprivate func vote(_ up: Bool?, on photo: Reference, by author: Replica, at time: Int64 = 6000) throws {
        let values: [String: Value] = ["up": up.map { .number($0 ? 1 : 0) } ?? .cleared]
        try author.say(.set(.vote, on: .record(photo), values: values), at: time, event.randomness)
        try meet()
    }

    /// The titles within a circle, with metres and votes.
    fileprivate func near(_ metres: Double, at replica: Replica) throws -> [String] {
        let center = try #require(GridPosition(latitude: 557_000_000, longitude: 125_000_000))
        let circle = try #require(GridCircle(center: center, metres: metres))
        return try replica.nearbyPhotos { reader in
            let photos = try reader.photos(within: circle).sorted { $0.metres < $1.metres }
            return try zip(photos, reader.shown(photos, limit: 2 * photos.count + 1)).map { photo, shown in
                "\(shown.photo.title) \(shown.metres) +\(photo.up) -\(photo.down)"
            }
        }
    }
}
