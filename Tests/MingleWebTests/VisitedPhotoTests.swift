// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleEvent
import MingleMedia
import MingleModel
import MingleReplica
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// Photos whose authors kept where they were taken, for those who take part.
@Suite(.timeLimit(.minutes(5)))
struct VisitedPhotoTests {
    /// Shares a photo that tells where it was taken, which Ana's own page shows.
    private func sharePlaced(by node: Node) throws -> String {
        let session = try node.session(nil)
        let owner = session.replica.own.person
        let blob = try session.blobs.put(Array("not looked at".utf8), owner: owner)
        let media = Value.media(Media(root: blob.root, size: UInt64(blob.size), key: blob.key, type: "image/jpeg"))
        return try session.service.author([
            .create(
                .photo,
                on: .nothing,
                values: [
                    "width": .number(1), "height": .number(1), "name": .text("a.jpg"), "original": media,
                    "preview": media,
                    "thumbnail": media, "latitude": .number(404_155_000), "longitude": .number(-37_074_000),
                ],
                blobs: [BlobListing(name: blob.name(owner: owner), size: UInt64(blob.size))]
            )
        ])[0].description
    }

    @Test func `visitors learn nowhere where a photo was taken`() async throws {
        try await withParty { party async throws in
            let id = try sharePlaced(by: party.founder.node)
            #expect(try await party.founder.value(API.Photo.self, .get, "photos/\(id)").latitude == 40.4155)
            try await eventually("it comes", at: party.node) {
                try party.node.photos(of: nil, before: nil, limit: 5, event: nil).photos.first?.held.original == true
            }
            for path in ["photos/\(id)", "photos", "feed"] {
                let text = try await party.look("/api/v1/\(path)").text
                #expect(text.contains("a.jpg") && !text.contains("latitude") && !text.contains("40.4155"), "\(path)")
                #expect(text.contains(#""original":false"#))
            }
            for query in ["", "?download=1"] {
                let answer = try await party.look("/api/v1/media/\(id)/original\(query)")
                #expect(answer.isProblem(.notAllowed, "where it was taken"))
            }
            #expect(try await party.look("/api/v1/media/\(id)/preview").status == 200)
        }
    }
}
