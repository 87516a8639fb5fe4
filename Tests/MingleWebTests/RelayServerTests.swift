// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// What a relay's operator can ask.
@Suite(.timeLimit(.minutes(5)))
struct RelayServerTests {
    private func withRelay(_ body: (Browser) async throws -> Void) async throws {
        try await withTemporaryFolder { path in
            var configuration = NodeConfiguration(dataPath: path, discovers: false)
            configuration.beRelay(blobBytes: 5, eventBytes: nil, authorBytes: nil, authorHourly: nil, days: 30)
            let node = try Node(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await body(Browser(node, RelayServer.router(node)))
        }
    }

    @Test func `a relay says how it is, what it holds at most, and what stands in the way`() async throws {
        try await withRelay { browser in
            let status = try await browser.value(API.Status.self, .get, "status")
            let relay = try #require(status.relay)
            #expect(relay.policy.blobBytes == 5 && relay.policy.days == 30 && relay.policy.eventBytes == nil)
            #expect(relay.events.isEmpty && relay.connections == 0 && status.current == nil)
            let checks = try await browser.value(API.Envelope.Doctor.self, .get, "doctor").checks
            #expect(checks.contains { $0.id == "relay.links" } && !checks.contains { $0.id.hasPrefix("tool.") })
        }
    }

    @Test(arguments: ["photos", "moments", "news", "dump", "invitation", "media/x/original", "stream"])
    func `a relay has nothing to show`(path: String) async throws {
        try await withRelay { browser in
            let answer = try await browser.call(.get, path)
            #expect(answer.status == 403 && answer.text.contains("mingle run"))
        }
    }

    @Test(arguments: ["events", "join", "invitations"])
    func `a relay takes no part`(path: String) async throws {
        try await withRelay { browser in
            let answer = try await browser.call(.post, path, "{}")
            #expect(answer.status == 403)
        }
    }

    @Test func `a relay tells how it is to what watches over it, and its data is looked at and copied`() async throws {
        try await withRelay { browser in
            #expect(try await browser.send(.get, "/health/live").text == "alive\n")
            let metrics = try await browser.send(.get, "/metrics")
            #expect(metrics.status == 200 && metrics.text.contains("\nmingle_events 0\n"))
            let verification = try await browser.value(API.Verification.self, .post, "verify")
            #expect(verification.sound && verification.events.isEmpty)
            #expect(try await browser.value(API.Repair.self, .post, "repair").events.isEmpty)
            try await withTemporaryFolder { path in
                for work in ["verify", "repair", "backup"] {
                    #expect(try await browser.call(.get, work).isProblem(.notFound, "No \(work)"))
                }
                let body = #"{"path":"\#(path)/backup"}"#
                let made = try await browser.value(API.Backup.self, .post, "backup", body).path
                #expect(made.hasPrefix(path + "/backup/"))
                #expect(FileManager.default.fileExists(atPath: made + "/manifest.json"))
            }
        }
    }
}
