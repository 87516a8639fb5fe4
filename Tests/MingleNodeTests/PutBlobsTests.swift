// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica
import NodeTestSupport
import Testing

@testable import MingleNode

/// What becomes of blobs of which in the end nothing speaks.
@Suite(.timeLimit(.minutes(5)))
struct PutBlobsTests {
    private struct DiskFull: Error {}

    @Test func `blobs of a photo that could not be written are taken back, and those of others stay`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                _ = try await host.addPhoto(makePicture(in: folder), event: nil)
                let session = try host.session(nil)
                let before = session.blobs.list().map(\.name)
                #expect(before.count == 3)
                // The disk is full at the original, or nobody may write.
                #expect(throws: DiskFull.self) {
                    try session.speak(for: session.replica.own.person) { put in
                        for byte: UInt8 in 0..<2 {
                            let blob = try session.blobs.put([byte, 1, 2, 3, 4, 5, 6, 7], owner: put.owner)
                            _ = put.add(blob, type: "image/jpeg")
                        }
                        #expect(session.blobs.list().count == 5 && put.names.count == 2)
                        throw DiskFull()
                    }
                }
                try await eventually("they are gone", at: host) { session.blobs.list().map(\.name) == before }
            }
        }
    }

    @Test func `a profile picture is set in one step`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let picture = try makePicture(in: folder).path
                let person = try await host.setProfilePicture(path: picture, of: host.part(nil))
                #expect(person.picture != nil && person.name.hasPrefix("Guest "))
                #expect(try host.session(nil).blobs.list().count == 1)
            }
        }
    }
}
