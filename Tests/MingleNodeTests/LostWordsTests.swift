// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode
import NodeTestSupport
import Testing

/// What becomes of pictures whose words are lost.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LostWordsTests {
    private func files(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// Waits until files are there: nodes tell of what changes in an event, and not of each file.
    private func whole(_ isWhole: () throws -> Bool) async throws {
        while try !isWhole() { try await Task.sleep(for: .milliseconds(20)) }
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
                try await withNode(guest, peers: [host.loopback]) { _ in
                    _ = try await host.addPhoto(upload, event: nil)
                    try await whole { try files(in: blobs).count { !$0.hasSuffix(".part") } == 3 }
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
                    try await whole { try files(in: hostBlobs) == pictures }
                }
            }
            let left = try files(in: blobs)
            #expect(left == pictures)
        }
    }
}
