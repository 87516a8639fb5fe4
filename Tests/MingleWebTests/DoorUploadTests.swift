// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// Photos that guests of a door send in pieces.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorUploadTests {
    @Test func `a guest goes on with the guest's own uploads, and with nobody else's`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            for guest in [phone, other] { _ = try await guest.comment(on: dinner, "Hi") }
            let begun = try await phone.call(.post, "uploads?name=a.jpg", nil, [.uploadLength: "1000"])
            let location = try #require(begun.headers[.location], "\(begun.text)")
            let path = String(location.dropFirst("/api/v1/".count))
            #expect(try await other.call(.head, path).status == 404)
            #expect(try await other.call(.delete, path).status == 404)
            #expect(try await (200..<300).contains(phone.call(.head, path).status))
        }
    }
}
