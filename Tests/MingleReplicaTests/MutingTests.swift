// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica
import MingleWire
import TestSupport
import Testing

/// Whom somebody does not want to see.
struct MutingTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    /// Ana, who mutes; Bob, who does not mind; and Carl, who shares too much.
    private struct Scene {
        let folder: TemporaryFolder
        let world: TestEvent
        let carl: Replica
        let moment: Reference
        let photo: Reference
        var ana: Replica { world.founder }

        private static func picture(by person: PersonID, on moment: Reference) -> Draft {
            let media = Media(root: .zero, size: 1000, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
            let values: [String: Value] = [
                "title": .text("Me"), "name": .text("me.jpg"), "width": .number(4), "height": .number(3),
                "original": .media(media), "preview": .media(media), "thumbnail": .media(media),
            ]
            let listing = BlobListing(name: media.name(owner: person), size: media.size)
            return .create(.photo, on: .record(moment), values: values, blobs: [listing])
        }

        init(seed: UInt64) throws {
            folder = try TemporaryFolder()
            var world = try TestEvent(seed: seed, path: folder.file("replica"))
            carl = try world.join()
            let bob = try world.join()
            let ana = world.founder
            for member in [carl, bob] { try ana.receiveAll(from: member) }
            moment = try ana.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 3000, world.randomness)
            for member in [carl, bob] { try member.receiveAll(from: ana) }
            let joining = Draft.set(.participation, on: .record(moment), values: ["state": .number(2)])
            try carl.say(joining, at: 3001, world.randomness)
            photo = try carl.say(Self.picture(by: carl.own.person, on: moment), at: 3001, world.randomness)
            try bob.receiveAll(from: carl)
            for (writer, text, target) in [(carl, "Me, me", moment), (bob, "Lovely", photo), (bob, "Soup!", moment)] {
                let values = ["text": Value.text(text)]
                try writer.say(.create(.comment, on: .record(target), values: values), at: 3002, world.randomness)
            }
            for member in [carl, bob] { try ana.receiveAll(from: member) }
            self.world = world
        }

        func feed() throws -> Int { try ana.activity(before: nil, limit: 50, now: MutingTests.now).items.count }

        func texts() throws -> [String] {
            try ana.comments(on: moment, before: nil, limit: 50, now: MutingTests.now).items.map(\.text).sorted()
        }
    }

    @Test func `what a muted person shares is in no list and no count, and comes back whole`() throws {
        let scene = try Scene(seed: 701)
        let (ana, carl) = (scene.ana, scene.carl.own.person)
        let (dump, feed) = (try ana.dump(), try scene.feed())
        #expect(feed == 5)
        try ana.mute(carl)
        // Left are the moment and what Bob says of it; what he says of Carl's photo would show that.
        #expect(try scene.feed() == 2 && scene.texts() == ["Soup!"])
        let moment = try ana.moment(scene.moment)
        #expect(moment.comments == 1 && moment.photos == 0 && moment.cover == nil)
        #expect(try ana.person(carl).isMuted && !ana.person(ana.own.person).isMuted)
        // Who follows a link sees it, and nothing of it is said to others.
        #expect(try ana.photo(scene.photo).author.isMuted && ana.dump() == dump)
        try ana.mute(carl)
        try ana.unmute(carl)
        #expect(try scene.feed() == feed && ana.moment(scene.moment).photos == 1 && !ana.person(carl).isMuted)
    }

    @Test func `nobody mutes oneself, nor somebody who is unknown`() throws {
        let scene = try Scene(seed: 702)
        try scene.ana.mute(scene.ana.own.person)
        #expect(try !scene.ana.person(scene.ana.own.person).isMuted)
        #expect(throws: ReplicaError.self) {
            try scene.ana.mute(PersonID(Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span)))
        }
    }

    @Test func `who is muted stays so after a restart and a repair`() throws {
        let scene = try Scene(seed: 703)
        let (ana, carl) = (scene.ana, scene.carl.own.person)
        try ana.mute(carl)
        try ana.close()
        let path = scene.folder.file("replica")
        let again = try Replica(path: path, event: scene.world.event, own: ana.own)
        #expect(try again.person(carl).isMuted)
        try again.close()
        let new = scene.folder.file("new")
        #expect(try Replica.rebuild(from: path, into: new, event: scene.world.event, own: ana.own).isWhole)
        let rebuilt = try Replica(path: new, event: scene.world.event, own: ana.own)
        #expect(try rebuilt.person(carl).isMuted && rebuilt.moment(scene.moment).comments == 1)
        try rebuilt.close()
    }
}
