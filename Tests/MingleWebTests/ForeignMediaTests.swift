// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// Media of which a member says what no node of this version would say.
@Suite(.timeLimit(.minutes(5)))
struct ForeignMediaTests {
    // Once, a member could put a page and its script into the origin of everybody's own page.
    @Test(
        arguments: [
            "text/html", "text/javascript", "image/svg+xml", "application/pdf", "", "image/jpeg; charset=x",
            "IMAGE/JPEG", "image/jpeg\r\nX-Evil: 1",
        ]
    )
    func `what calls itself anything but a picture is a download that runs nowhere`(type: String) async throws {
        try await withEvent { browser in
            let session = try browser.node.session(nil)
            let owner = session.replica.own.person
            let blob = try session.blobs.put(Array("<script>alert(1)</script>".utf8), owner: owner)
            let media = Value.media(Media(root: blob.root, size: UInt64(blob.size), key: blob.key, type: type))
            let photo = try session.service.author([
                .create(
                    .photo,
                    on: .nothing,
                    values: [
                        "width": .number(1), "height": .number(1), "name": .text("a.html"), "original": media,
                        "preview": media, "thumbnail": media,
                    ],
                    blobs: [BlobListing(name: blob.name(owner: owner), size: UInt64(blob.size))]
                )
            ])[0]
            for form in ["original", "preview", "thumbnail"] {
                let answer = try await browser.send(.get, "/api/v1/media/\(photo)/\(form)")
                #expect(answer.status == 200 && answer.headers[.contentType] == "application/octet-stream")
                #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers.count { $0.name.canonicalName == "x-evil" } == 0)
            }
            // It is read by the rules of pictures before anything decodes it.
            let jpeg = try await browser.send(.get, "/api/v1/media/\(photo)/jpeg")
            #expect(jpeg.isProblem(.notAPicture))
            let original = try await browser.send(.get, "/api/v1/media/\(photo)/original")
            #expect(original.headers[.contentDisposition]?.hasPrefix("attachment") == true)
        }
    }
}
