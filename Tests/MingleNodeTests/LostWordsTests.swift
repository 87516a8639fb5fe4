// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync
import NodeTestSupport
import Testing

@testable import MingleNode

/// What becomes of pictures whose words are lost.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LostWordsTests {
    private func files(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// Found by the simulator, seed 8008 with `--peers 8 --relays 2 --flips 60`, and by reading.
    @Test func `the only copies of pictures are kept whose words a repair has lost, until these come again`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (host, guest, early) = (folder + "/host", folder + "/guest", folder + "/early")
            let event = try await withNode(host) { try await $0.createEvent(title: "Party").id }
            let (database, blobs) = ("\(guest)/events/\(event)/replica.sqlite", "\(guest)/events/\(event)/blobs")
            let hostBlobs = "\(host)/events/\(event)/blobs"
            try await withNode(host) { host in
                try await withNode(guest, peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    try await eventually("the guest is in", at: guest) {
                        try guest.dump(event: nil) == host.dump(event: nil)
                    }
                }
                try FileManager.default.copyItem(atPath: database, toPath: early)
                try await withNode(guest, peers: [host.loopback]) { guest in
                    _ = try await host.addPhoto(upload, event: nil)
                    // Each answer is news, and so a further look: nodes do not tell of every file.
                    try await eventually("the guest holds the picture", at: guest) {
                        try guest.session(nil).feed(.reconcile)
                        return try files(in: blobs).count { !$0.hasSuffix(".part") } == 3
                    }
                }
            }
            let pictures = try files(in: blobs)
            for name in try files(in: hostBlobs) {
                try FileManager.default.removeItem(atPath: "\(hostBlobs)/\(name)")
            }
            try FileManager.default.removeItem(atPath: database)
            try FileManager.default.copyItem(atPath: early, toPath: database)
            try await withNode(guest) { guest in
                let shown = try guest.photos(of: nil, before: nil, limit: 9, event: nil).photos
                #expect(shown.isEmpty)
            }
            try await withNode(host) { host in
                try await withNode(guest, peers: [host.loopback]) { _ in
                    try await eventually("the host has it again", at: host) {
                        try host.session(nil).feed(.reconcile)
                        return try files(in: hostBlobs) == pictures
                    }
                }
            }
            let left = try files(in: blobs)
            #expect(left == pictures)
        }
    }

    /// Found by a reader: such a founder has old keys, one device and a title, as one to whom nobody has come.
    @Test func `a founder whose log is cut behind the founding keeps every picture`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (host, early) = (folder + "/host", folder + "/early")
            let event = try await withNode(host) { try await $0.createEvent(title: "Party").id }
            let files = EventFiles("\(host)/events/\(event)")
            try FileManager.default.copyItem(atPath: files.database, toPath: early)
            _ = try await withNode(host) { try await $0.addPhoto(upload, event: nil) }
            let pictures = try self.files(in: files.blobs)
            try FileManager.default.removeItem(atPath: files.database)
            try FileManager.default.copyItem(atPath: early, toPath: files.database)
            try await withNode(host) { host in
                let session = try host.session(nil)
                session.eraseOrphans()
                session.reading.sync {}
                session.storing.sync {}
            }
            #expect(pictures.count == 3)
            #expect(try self.files(in: files.blobs) == pictures)
        }
    }

    @Test func `a deleted picture goes with the next start where a stop left its file, and no other does`() async throws
    {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let (host, aside) = (folder + "/host", folder + "/aside")
            let (event, deleted, blobs) = try await withNode(host) { host in
                let event = try await host.createEvent(title: "Party").id
                let blobs = EventFiles("\(host.folder.path)/events/\(event)").blobs
                let photo = try await host.addPhoto(upload, event: nil)
                let deleted = try files(in: blobs)
                try FileManager.default.copyItem(atPath: blobs, toPath: aside)
                try host.delete(.photo, photo.id, event: nil)
                try await eventually("its files are gone", at: host) { try files(in: blobs).isEmpty }
                _ = try await host.addPhoto(upload, event: nil)
                return (event, deleted, blobs)
            }
            #expect(!event.isEmpty && deleted.count == 3)
            let kept = try files(in: blobs)
            for name in deleted where !kept.contains(name) {
                try FileManager.default.copyItem(atPath: "\(aside)/\(name)", toPath: "\(blobs)/\(name)")
            }
            try await withNode(host) { host in
                try await eventually("what was deleted is gone", at: host) { try files(in: blobs) == kept }
            }
        }
    }

    /// Found by a reader: a member agreed once, and then told of words that were on their way here.
    @Test func `what was put without a word of it stays while a member tells of more, and until all agree anew`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let event = try await withNode(folder) { node in
                let event = try await node.createEvent(title: "Party").id
                let session = try node.session(nil)
                _ = try session.blobs.put([1, 2, 3], owner: session.replica.own.person)
                return event
            }
            let blobs = EventFiles("\(folder)/events/\(event)").blobs
            try await withNode(folder) { node in
                let (session, peer) = (try node.session(nil), PeerID(1))
                // It looks twice before the engine has its turn.
                let isLeft = { () throws -> Bool in
                    session.loop.suspend()
                    for _ in 1...2 { session.eraseOrphans() }
                    for queue in [session.reading, session.storing] { queue.sync {} }
                    session.loop.resume()
                    session.loop.sync {}
                    return try files(in: blobs).count == 1
                }
                session.roster.open(peer, address: "192.0.2.7:4711", isIncoming: false)
                session.roster.greet(peer, device: DeviceName(.zero), person: PersonID(.zero))
                session.roster.note(.inSync(.all), of: peer)
                session.roster.note(.ahead, of: peer)
                #expect(try isLeft())
                session.roster.note(.caughtUp, of: peer)
                #expect(try isLeft() && isLeft() && !session.roster.holdNoMore)
                session.roster.note(.inSync(.all), of: peer)
                #expect(try !isLeft())
            }
        }
    }

    @Test func `what was put without a word of it goes once a member holds no more`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                let event = try await host.createEvent(title: "Party").id
                let link = try host.link()
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: link)
                    let session = try guest.session(nil)
                    _ = try session.blobs.put([1, 2, 3], owner: session.replica.own.person)
                }
                let blobs = EventFiles("\(folder)/guest/events/\(event)").blobs
                // With nobody near it stays.
                try await withNode(folder + "/guest") { guest in
                    try guest.session(nil).reading.sync {}
                    #expect(try files(in: blobs).count == 1)
                }
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    try await eventually("it is linked", at: guest) { try !guest.session(nil).roster.all.isEmpty }
                    try await eventually("it is gone", at: guest) {
                        try guest.session(nil).feed(.reconcile)
                        return try files(in: blobs).isEmpty
                    }
                }
            }
        }
    }
}
