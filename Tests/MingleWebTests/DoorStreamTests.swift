// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// What changes while a guest's page is open.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorStreamTests {
    /// Opens a phone's stream, and waits until it has begun.
    private func watch(_ phone: Phone) async throws -> (page: Page, reading: Task<Void, any Error>) {
        let response = try await phone.page.open(
            .get,
            "/api/v1/stream",
            [.cookie: phone.cookie],
            host: DoorParty.host
        )
        let page = Page()
        let reading = Task { try await response.body.write(PageWriter(page: page)) }
        try await page.eventually("the stream begins") { page.parts >= 2 }
        return (page, reading)
    }

    @Test func `the stream of a removed guest ends, and those of others go on`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, other) = (try await party.scan(), try await party.scan())
            let me = try await phone.comment(on: dinner, "Hi").author.id
            _ = try await other.comment(on: dinner, "Hi")
            let (ended, open) = (try await watch(phone), try await watch(other))
            defer { for stream in [ended, open] { stream.reading.cancel() } }
            let founder = party.founder.node
            try await eventually("the founder knows the guest", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == me }
            }
            _ = try founder.remove(me, keepsLinks: false, event: nil)
            let browser = try phone.browser
            try await eventually("the door hears of it", at: party.node) { party.door.state(of: browser) == .over }
            party.node.changes.publish(kinds: ["photo"])
            try await open.page.eventually("others are told") { open.page.text.contains(#""photo""#) }
            try await ended.page.eventually("the guest's stream ends, or goes on") {
                ended.page.isFinished || ended.page.text.contains(#""photo""#)
            }
            #expect(ended.page.isFinished && !ended.page.text.contains(#""photo""#) && !open.page.isFinished)
        }
    }
}
