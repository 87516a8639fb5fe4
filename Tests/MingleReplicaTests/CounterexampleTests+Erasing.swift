// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

extension CounterexampleTests {
    private static func picture(_ number: UInt8, of person: PersonID) -> (media: Media, listing: BlobListing) {
        let root = Bytes32(at: 0, of: [UInt8](repeating: number, count: 32).span)
        let media = Media(root: root, size: 10, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        return (media, BlobListing(name: media.name(owner: person), size: media.size))
    }

    // Case 31.
    @Test func `a blob goes with its owner's record, whoever else lists it`() throws {
        var world = try TestEvent(seed: 131)
        let ana = try world.join()
        let (first, second) = (Self.picture(1, of: ana.own.person), Self.picture(2, of: ana.own.person))
        let values: [String: Value] = ["thumbnail": .media(first.media)]
        let drafts = (0..<2).map { _ in
            Draft.create(.profilePicture, on: .nothing, values: values, blobs: [first.listing])
        }
        let pictures = try ana.author(drafts, at: Timestamp(milliseconds: 3000), randomness: world.randomness)
            .references
        let edit = Draft.edit(
            pictures[0],
            .profilePicture,
            values: ["thumbnail": .media(second.media)],
            blobs: [second.listing]
        )
        try ana.say(edit, at: 3001, world.randomness)
        let bob = world.scribe()
        var entry = try world.entry(.profilePicture, [Change(field: 1, value: .media(first.media))])
        entry.blobs = [first.listing]
        let pinned = bob.write(entry, after: nil)
        let reader = try world.reader()
        try reader.receiveAll(from: ana)
        _ = try reader.merge([Run(try bob.introduction(by: world.invitation)), Run([pinned])])
        #expect(try reader.lines("profile_picture").count == 2)
        // The second record still shows the first blob; the blob that the edit brought goes at once.
        try ana.say(.delete(pictures[0]), at: 3002, world.randomness)
        #expect(try reader.erasedBlobs(byReceivingFrom: ana) == [second.listing.name])
        try ana.say(.delete(pictures[1]), at: 3003, world.randomness)
        #expect(try reader.erasedBlobs(byReceivingFrom: ana) == [first.listing.name])
        #expect(try reader.lines("profile_picture").isEmpty)
    }

    // Found by the simulator (seed 11): the engine asked every further peer for such payloads, for ever.
    @Test func `what is deleted before its payload came is reported as settled`() throws {
        var world = try TestEvent(seed: 133)
        let ana = try world.join()
        let party = Draft.create(.moment, on: .nothing, values: MergeTests.party)
        let moments = try (0..<2).map { try ana.say(party, at: 3000 + $0, world.randomness) }
        let held = try ana.runs(of: ana.own.name, .content, after: [], byteLimit: .max)
        let bare = try world.reader()
        try bare.receiveFabric(from: ana)
        _ = try bare.merge(held.map(\.withoutPayloads))
        #expect(try bare.missingPayloads(limit: 100).map(\.reference) == moments)
        for reference in moments { try ana.say(.delete(reference), at: 3002, world.randomness) }
        let all = try ana.runs(of: ana.own.name, .content, after: [], byteLimit: .max)
        let rest = all.map { Run($0.deltas.filter { $0.header.sequence > 2 }) }
        #expect(try bare.merge(rest).settledPayloads == moments)
        // Where both come together there is nothing to fetch either.
        let late = try world.reader()
        try late.receiveFabric(from: ana)
        #expect(try late.merge(all.map(\.withoutPayloads)).settledPayloads == moments)
        #expect(try late.missingPayloads(limit: 100).isEmpty)
    }

    // A header's list of blobs is its author's word; once the payload is gone nobody can tell what it spoke of.
    @Test func `who deletes what lists somebody else's blob deletes nothing of theirs`() throws {
        var world = try TestEvent(seed: 134)
        let (ana, eve) = (try world.join(), try world.join())
        let picture = Self.picture(1, of: ana.own.person)
        func share(by person: Replica, blobs: [BlobListing]) throws -> Reference {
            let values: [String: Value] = ["thumbnail": .media(picture.media)]
            return try person.say(
                .create(.profilePicture, on: .nothing, values: values, blobs: blobs),
                at: 3000,
                world.randomness
            )
        }
        _ = try share(by: ana, blobs: [picture.listing])
        let stolen = try share(by: eve, blobs: [picture.listing])
        try eve.say(.delete(stolen), at: 3001, world.randomness)
        for order in [[ana, eve], [eve, ana]] {
            let reader = try world.reader()
            for author in order { try reader.receiveFabric(from: author) }
            for author in order {
                let erased = try reader.erasedBlobs(byReceivingFrom: author)
                #expect(!erased.contains(picture.listing.name))
            }
        }
    }

    // Case 32.
    @Test(arguments: [false, true])
    func `deleted words are in no file of the database`(hasReader: Bool) throws {
        var world = try TestEvent(seed: 132)
        let folder = try TemporaryFolder()
        let ana = world.founder
        let bob = try world.join(path: folder.file("bob"))
        let words = "Xylophone rendezvous"
        var values = MergeTests.party
        values["title"] = .text(words)
        values["description"] = .text(String(repeating: "\(words) ", count: 150))
        var drafts = [Draft.create(.moment, on: .nothing, values: values)]
        for index in 0..<200 {
            values["title"] = .text("Other \(index)")
            values["description"] = .text("kept")
            drafts.append(.create(.moment, on: .nothing, values: values))
        }
        let moments = try ana.author(drafts, at: Timestamp(milliseconds: 3000), randomness: world.randomness).references
        let edits = (0..<20).map { Draft.edit(moments[0], .moment, values: ["title": .text("\(words) \($0)")]) }
        _ = try ana.author(edits, at: Timestamp(milliseconds: 3001), randomness: world.randomness)
        try bob.receiveAll(from: ana)
        guard case .held(let sealed) = try bob.payloads([moments[0]])[0] else {
            Issue.record("the payload did not come")
            return
        }
        let needles = [Data(words.utf8), Data(sealed.prefix(24))]
        // The words are there to be found before they are deleted.
        #expect(try needles.allSatisfy { needle in try folder.contents().contains { $0.range(of: needle) != nil } })
        try ana.say(.delete(moments[0]), at: 3002, world.randomness)
        try bob.receiveAll(from: ana)
        if hasReader { #expect(try bob.dump().count == ana.dump().count) }
        #expect(try bob.scrub())
        for file in try folder.contents() { for needle in needles { #expect(file.range(of: needle) == nil) } }
        #expect(try bob.dump() == ana.dump())
        #expect(try bob.lines("moment").count == 200)
    }
}

extension Replica {
    /// Blobs that go because of what `other` holds.
    fileprivate func erasedBlobs(byReceivingFrom other: Replica) throws -> [BlobName] {
        let held = try locator(of: other.own.name, .content)
        return try merge(other.runs(of: other.own.name, .content, after: held, byteLimit: .max)).erasedBlobs
    }
}

extension Run {
    /// The same headers, of which no payload has come yet.
    fileprivate var withoutPayloads: Run {
        Run(
            deltas.map { delta in
                var delta = delta
                if !delta.header.isDeletion { delta.payload = nil }
                return delta
            }
        )
    }
}

extension Replica {
    /// Pulls the fabric journals that `other` holds.
    fileprivate func receiveFabric(from other: Replica) throws {
        for entry in try other.frontier().entries where entry.journal == .fabric {
            _ = try merge(other.runs(of: entry.device, .fabric, after: [], byteLimit: .max))
        }
    }
}
