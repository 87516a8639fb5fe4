// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleWeb

/// The live stream, as the WHATWG's text on server-sent events has it.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
    /// What one event of the stream says.
    private struct Event: Equatable {
        var name = ""
        var id = ""
        var data = ""
    }

    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    /// Opens the stream and lends what it writes; the reader leaves afterwards.
    private func withStream(
        _ browser: Browser,
        since: String? = nil,
        wait: @escaping @Sendable () async -> Void = {},
        _ body: (Page) async throws -> Void
    ) async throws {
        var headers: HTTPFields = [:]
        if let since, let name = Self.lastEventID { headers[name] = since }
        let response = try await browser.open(.get, "/api/v1/stream", headers)
        #expect(response.status == .ok && response.headers[.contentType] == "text/event-stream")
        #expect(response.headers[.cacheControl] == "no-store" && response.headers[.contentLength] == nil)
        let page = Page()
        let reading = Task { try await response.body.write(PageWriter(page: page, wait: wait)) }
        defer { reading.cancel() }
        // The second part is what was missed; after it the stream listens.
        try await page.eventually("the stream begins") { page.parts >= 2 }
        try await body(page)
    }

    private func events(_ page: Page) -> [Event] {
        page.text.components(separatedBy: "\n\n").compactMap { block in
            var event = Event()
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { continue }
                switch parts[0] {
                case "event": event.name = parts[1]
                case "id": event.id = parts[1]
                case "data": event.data = parts[1]
                default: continue
                }
            }
            return event == Event() ? nil : event
        }
    }

    @Test func `a stream begins with how to come back, and then tells of changes as they come`() async throws {
        try await withSilentNode { browser in
            try await withStream(browser) { page in
                #expect(page.text == "retry: 3000\n\n")
                browser.node.changes.publish(kinds: ["photo", "comment"])
                try await page.eventually("the change comes") { events(page).count == 1 }
                let event = try #require(events(page).first)
                #expect(event.name == "change" && event.data == #"{"kinds":["photo","comment"]}"#)
                #expect(event.id.hasPrefix(browser.node.changes.session + "."))
                let change = try API.decode(API.Change.self, from: Data(event.data.utf8))
                #expect(change.kinds == ["photo", "comment"] && change.targets == nil)
                _ = try await browser.node.rename(to: "Ana", event: nil)
                try await page.eventually("the next change comes") { events(page).count == 2 }
                #expect(events(page).last?.data == #"{"kinds":["status"]}"#)
            }
        }
    }

    @Test func `who comes back is told what it missed, and nothing twice`() async throws {
        try await withSilentNode { browser in
            let changes = browser.node.changes
            changes.publish(kinds: ["a"])
            let all = try #require(changes.changes(after: 0))
            let last = try #require(all.last)
            changes.publish(kinds: ["b"])
            changes.publish(kinds: ["c"])
            try await withStream(browser, since: "\(changes.session).\(last.number)") { page in
                let missed = [#"{"kinds":["b"]}"#, #"{"kinds":["c"]}"#]
                #expect(events(page).map(\.data) == missed && events(page).allSatisfy { $0.name == "change" })
                changes.publish(kinds: ["d"])
                try await page.eventually("the next comes") { events(page).count == 3 }
                #expect(events(page).map(\.id) == (1...3).map { "\(changes.session).\(last.number + UInt64($0))" })
            }
            let newest = "\(changes.session).\(last.number + 3)"
            try await withStream(browser, since: newest) { page in #expect(events(page).isEmpty) }
            let answer = try await browser.open(.get, "/api/v1/stream?since=\(changes.session).\(last.number + 2)")
            let page = Page()
            let reading = Task { try await answer.body.write(PageWriter(page: page)) }
            defer { reading.cancel() }
            try await page.eventually("a query says it as well") {
                events(page).map(\.data).first?.contains("d") == true
            }
        }
    }

    @Test(arguments: [
        "", "x", ".", "x.1", "SESSION", "SESSION.", "SESSION.x", "SESSION.99999", "SESSION.-1", "SESSION.1.1",
    ])
    func `who was here before all that is known is told to begin anew`(since: String) async throws {
        try await withSilentNode { browser in
            let since = since.replacingOccurrences(of: "SESSION", with: browser.node.changes.session)
            try await withStream(browser, since: since) { page in
                #expect(events(page) == [Event(name: "reset", data: "{}")])
                browser.node.changes.publish(kinds: ["a"])
                try await page.eventually("changes come all the same") { events(page).last?.name == "change" }
            }
        }
    }

    @Test func `who reads too slowly to be told of every change is told to look anew`() async throws {
        try await withSilentNode { browser in
            let isOpen = Mutex(true)
            let wait: @Sendable () async -> Void = {
                while !(isOpen.withLock { $0 }), !Task.isCancelled { await Task.yield() }
            }
            try await withStream(browser, wait: wait) { page in
                browser.node.changes.publish(kinds: ["first"])
                try await page.eventually("the first comes") { events(page).count == 1 }
                isOpen.withLock { $0 = false }
                for _ in 0..<300 { browser.node.changes.publish(kinds: ["lost"]) }
                browser.node.changes.publish(kinds: ["last"])
                isOpen.withLock { $0 = true }
                try await page.eventually("the last comes") { page.text.contains("last") }
                #expect(events(page).contains { $0.name == "reset" })
                #expect(events(page).count < 300)
            }
        }
    }

    @Test func `a stream ends when its reader leaves`() async throws {
        try await withSilentNode { browser in
            let response = try await browser.open(.get, "/api/v1/stream")
            let page = Page()
            let reading = Task { try await response.body.write(PageWriter(page: page)) }
            try await page.eventually("the stream begins") { page.parts >= 2 }
            page.leave()
            browser.node.changes.publish(kinds: ["a"])
            await #expect(throws: (any Error).self) { try await reading.value }
            #expect(!page.isFinished)
        }
    }

    @Test func `a stream ends when the server stops`() async throws {
        try await withSilentNode { browser in
            let response = try await browser.open(.get, "/api/v1/stream")
            let page = Page()
            let reading = Task { try await response.body.write(PageWriter(page: page)) }
            try await page.eventually("the stream begins") { page.parts >= 2 }
            reading.cancel()
            try await reading.value
            #expect(page.isFinished && events(page).isEmpty)
        }
    }
}
