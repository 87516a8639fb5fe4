// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// A picture that two devices of one person share, neither knowing of the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharedTwiceTests {
    @Test func `a picture that two linked devices share at once becomes one photo, and is gone once it is deleted`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let picture = try makePicture(in: folder)
            let (upload, titled) = (Self.titled(picture, ""), Self.titled(picture, "Cake"))
            try await withNode(folder + "/laptop") { laptop in
                _ = try await laptop.createEvent(title: "Party")
                try await withNode(folder + "/phone", peers: [laptop.loopback]) { phone in
                    _ = try await phone.join(link: laptop.makeDeviceLink(event: nil).link, asDevice: true)
                    try await eventually("the phone may share", at: phone) {
                        try phone.status(event: nil).current?.level == "founder"
                    }
                    async let first = phone.addPhoto(upload, event: nil)
                    _ = try await laptop.addPhoto(titled, event: nil)
                    _ = try await first
                    for node in [laptop, phone] {
                        // Each may have its own one for a moment.
                        try await eventually("one photo is left on both, with the title", at: node) {
                            let lists = try [laptop, phone].map { node in
                                try node.photos(of: nil, before: nil, limit: 9, event: nil).photos
                            }
                            return lists[0].count == 1 && lists[0].map(\.id) == lists[1].map(\.id)
                                && lists.joined().allSatisfy { $0.title == "Cake" && $0.held.original }
                        }
                    }
                    let left = try laptop.photos(of: nil, before: nil, limit: 9, event: nil).photos.map(\.id)
                    #expect(left.count == 1)
                    try phone.delete(.photo, left[0], event: nil)
                    for node in [laptop, phone] {
                        try await eventually("none comes back", at: node) {
                            try node.photos(of: nil, before: nil, limit: 9, event: nil).photos.isEmpty
                        }
                    }
                }
            }
        }
    }

    private static func titled(_ upload: PhotoUpload, _ title: String) -> PhotoUpload {
        var titled = upload
        titled.title = title
        return titled
    }
}
