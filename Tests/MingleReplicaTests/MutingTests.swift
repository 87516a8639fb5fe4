// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire
import TestSupport
import Testing

@testable import MingleReplica

/// Whom somebody does not want to see.
struct MutingTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    /// Ana, who mutes; Bob, who does not mind; and Carl, who shares too much.
    private struct Scene {
        let folder: TemporaryFolder
        let world: TestEvent
        let carl: Replica
        let bob: Replica
        let moment: Reference
        let photo: Reference
        var ana: Replica { world.founder }

        static func picture(by person: PersonID, on moment: Reference) -> Draft {
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
            bob = try world.join()
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

        func news() throws -> Int { try ana.happenings(limit: 50).count }

        func texts() throws -> [String] {
            try ana.comments(on: moment, before: nil, limit: 50).items.map(\.text).sorted()
        }
    }

    @Test func `what others see has nothing of a muted person in an export, nor what hangs on it`() throws {
        let scene = try Scene(seed: 706)
        var query = RecordQuery()
        query.isShown = true
        func shown(_ kind: Kind) throws -> Int { try scene.ana.records(of: kind, query).items.count }
        #expect(try shown(.comment) == 3 && shown(.photo) == 1)
        try scene.ana.mute(scene.carl.own.person)
        // Left is what Bob says of the moment.
        #expect(try shown(.comment) == 1 && shown(.photo) == 0)
    }

    @Test func `what a muted person shares is in no list and no count, and comes back whole`() throws {
        let scene = try Scene(seed: 701)
        let (ana, carl) = (scene.ana, scene.carl.own.person)
        let (dump, news) = (try ana.dump(), try scene.news())
        #expect(news == 5)
        try ana.mute(carl)
        // Left are the moment and what Bob says of it; what he says of Carl's photo would show that.
        #expect(try scene.news() == 2 && scene.texts() == ["Soup!"])
        let moment = try ana.moment(scene.moment)
        #expect(moment.comments == 1 && moment.photos == 0 && moment.cover == nil)
        #expect(try ana.person(carl).isMuted && !ana.person(ana.own.person).isMuted)
        // Who follows a link sees it, and nothing of it is said to others.
        #expect(try ana.photo(scene.photo).author.isMuted && ana.dump() == dump)
        try ana.mute(carl)
        try ana.unmute(carl)
        #expect(try scene.news() == news && ana.moment(scene.moment).photos == 1 && !ana.person(carl).isMuted)
    }

    @Test func `what others do on a muted person's moment is in no news, also on one that continues another`() throws {
        let scene = try Scene(seed: 704)
        let (ana, bob, carl, randomness) = (scene.ana, scene.bob, scene.carl, scene.world.randomness)
        func make(at time: Int64, _ further: [String: Value] = [:]) throws -> Reference {
            let values = MergeTests.party.merging(further) { $1 }
            return try carl.say(.create(.moment, on: .nothing, values: values), at: time, randomness)
        }
        let old = try make(at: 4000)
        try bob.receiveAll(from: carl)
        let there: [String: Value] = ["latitude": .number(0), "longitude": .number(0)]
        for draft: Draft in [
            .set(.participation, on: .record(old), values: ["state": .number(3)]),
            .create(.checkIn, on: .record(old), values: there),
            .create(.comment, on: .record(old), values: ["text": .text("Soup!")]),
            .create(.comment, on: .record(scene.moment), values: ["text": .text("Elsewhere")]),
            Scene.picture(by: bob.own.person, on: old),
        ] { try bob.say(draft, at: 4001, randomness) }
        for member in [carl, bob] { try ana.receiveAll(from: member) }
        let everything = try scene.news()
        try ana.mute(carl.own.person)
        // Carl's photo, his comment on Ana's moment and Bob's on that photo go as before; here the moment, the check-in and what
        // is said there. A photo of Bob's is his own.
        #expect(try everything == 10 && scene.news() == 4)
        try ana.unmute(carl.own.person)
        // Under another moment of Carl's it is the same.
        _ = try make(at: 5000, ["continues": .data(old.bytes)])
        try carl.say(.delete(old), at: 5001, randomness)
        try ana.receiveAll(from: carl)
        #expect(try scene.news() == everything)
        try ana.mute(carl.own.person)
        #expect(try scene.news() == 4)
    }

    @Test func `a cover by a muted person is not shown, and goes on for others; counts leave it out`() throws {
        let scene = try Scene(seed: 705)
        let (ana, carl) = (scene.ana, scene.carl.own.person)
        let cover = ["cover": Value.data(scene.photo.bytes)]
        try ana.say(.edit(scene.moment, .moment, values: cover), at: 4000, scene.world.randomness)
        #expect(try ana.moment(scene.moment).cover == scene.photo && ana.counts().photos == 1)
        try ana.mute(carl)
        #expect(try ana.moment(scene.moment).cover == nil && ana.counts().photos == 0 && ana.counts().moments == 1)
        // Who makes the moment private takes the cover along, for all.
        #expect(try ana.chosenCover(of: scene.moment) == scene.photo)
    }

    @Test func `comments say what they are on`() throws {
        let scene = try Scene(seed: 706)
        func comments(_ target: Reference) throws -> [ShownComment] {
            try scene.ana.comments(on: target, before: nil, limit: 9).items
        }
        let kinds = (try comments(scene.photo).map(\.targetKind), try comments(scene.moment).map(\.targetKind))
        #expect(kinds.0 == [.photo] && kinds.1 == [.moment, .moment])
    }

    private func strangers(_ count: Int) -> [PersonID] {
        (0..<count).map { number in
            let bytes = [UInt8](repeating: 7, count: 30) + [UInt8(number >> 8), UInt8(number & 255)]
            return PersonID(Bytes32(at: 0, of: bytes.span))
        }
    }

    @Test func `beyond the limit nobody else is muted, and who is muted can be so again`() throws {
        let scene = try Scene(seed: 707)
        let (ana, bob, carl) = (scene.ana, scene.bob.own.person, scene.carl.own.person)
        try ana.mute(carl)
        try ana.keepMuted(strangers(Replica.mutedLimit))
        try ana.mute(carl)
        #expect(throws: ReplicaError.tooManyMuted) { try ana.mute(bob) }
        #expect(try ana.person(carl).isMuted && !ana.person(bob).isMuted)
        try ana.unmute(carl)
        try ana.mute(bob)
    }

    @Test func `who is muted and was removed is listed, to be shown again`() throws {
        let scene = try Scene(seed: 708)
        let (ana, carl) = (scene.ana, scene.carl.own.person)
        try ana.mute(carl)
        #expect(try ana.mutedOutsiders().isEmpty)
        try ana.say(.remove(carl, keepsLinks: false), at: 9000, scene.world.randomness)
        #expect(
            try ana.mutedOutsiders().map(\.id) == [carl]
                && !ana.people().contains { $0.id == carl }
        )
        try ana.unmute(carl)
        #expect(try ana.mutedOutsiders().isEmpty)
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

    @Test func `a repair keeps muted also whom it cannot tell, and says if it cannot read who is`() throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("replica"), folder.file("new"))
        var world = try TestEvent(seed: 709, path: path)
        let (ana, carl) = (world.founder, try world.join())
        // His certificate could not be read, and comes again with the next peer.
        try ana.keepMuted([carl.own.person])
        try ana.close()
        func rebuild() throws -> Rebuild {
            ReplicaFiles.remove(new)
            return try Replica.rebuild(from: path, into: new, event: world.event, own: ana.own)
        }
        #expect(try rebuild().isWhole)
        let rebuilt = try Replica(path: new, event: world.event, own: ana.own)
        try rebuilt.receiveAll(from: carl)
        #expect(try rebuilt.person(carl.own.person).isMuted)
        try rebuilt.close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in try db.execute(sql: "INSERT INTO muted (name) VALUES (x'01')") }
        try queue.close()
        let partly = try rebuild()
        #expect(!partly.mutedAreWhole && !partly.isWhole && partly.ownIsWhole)
    }
}
