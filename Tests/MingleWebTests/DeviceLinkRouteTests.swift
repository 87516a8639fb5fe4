// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import Testing

@testable import MingleWeb

/// The calls about the link for a further device, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct DeviceLinkRouteTests {
    @Test func `a link for a further device is made, shown as a QR code, and closed`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "device-link").isProblem(.notFound, "mingle devices link"))
            let made = try await browser.value(API.DeviceLink.self, .post, "device-link", status: 201)
            #expect(API.DeviceLink.isOne(made.link) && made.expires > Date())
            let answer = try await browser.call(.get, "device-link")
            #expect(answer.members == ["expires", "id", "level", "link", "used", "uses"])
            #expect(try API.decode(API.DeviceLink.self, from: Data(answer.bytes)).link == made.link)
            let code = try await browser.call(.get, "invitation.svg?id=\(made.id)")
            #expect(code.headers[.contentType] == "image/svg+xml" && code.headers[.cacheControl] == "no-store")
            #expect(try code.text == QRCode(made.link).svg)
            #expect(try await browser.call(.get, "invitation.svg").text != code.text)
            for _ in 0..<2 { #expect(try await browser.call(.delete, "device-link").status == 204) }
            for path in ["device-link", "invitation.svg?id=\(made.id)"] {
                #expect(try await browser.call(.get, path).isProblem(.notFound))
            }
        }
    }
}
