// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Letting count what a removed person had shared and nobody had brought, as docs/api.md has it.
@Suite(.timeLimit(.minutes(5)))
struct RescueRouteTests {
    @Test func `what somebody removed had said is counted first, and seen by everybody once it is rescued`()
        async throws
    {
        try await withLateComment { founder, bob, carl, moment in
            let (path, text) = ("people/\(carl)/rescue", "comments?target=\(moment)")
            let body = try until(Date())
            let early = try await founder.call(.post, path, until(Date(timeIntervalSinceNow: -3600)))
            #expect(early.isProblem(.notFound, "Nothing more"))
            let ahead = try await founder.call(.post, path, until(Date(timeIntervalSinceNow: 3600)))
            #expect(ahead.isProblem(.badRequest, "is in the future"))
            #expect(try await founder.call(.post, path, "{}").isProblem(.badRequest, "not the JSON"))
            #expect(try await bob.call(.post, path, body).isProblem(.notAllowed))

            for _ in 0..<2 {
                for yes in ["true", "1"] {
                    let look = path + "?preview=\(yes)"
                    let preview = try await founder.value(API.Envelope.Rescue.self, .post, look, body)
                    #expect(preview.records == ["comment": 1] && preview.person.level == "removed")
                }
                #expect(try await founder.value(API.Envelope.Comments.self, .get, text).comments.isEmpty)
            }
            let done = try await founder.value(API.Envelope.Rescue.self, .post, path, body)
            #expect(done.records == ["comment": 1] && done.person.level == "removed" && done.person.name == "Carl")
            #expect(
                try await founder.value(API.Envelope.Comments.self, .get, text).comments.reversed().compactMap(\.text)
                    == ["Late"]
            )
            try await eventually("Bob reads it again", at: bob.node) { try texts(on: moment, at: bob.node) == ["Late"] }
            #expect(try await founder.call(.post, path, body).isProblem(.notFound, "Nothing more"))
            #expect(try bob.node.people(event: nil).people.count == 2)
        }
    }

    private func until(_ time: Date) throws -> String {
        String(decoding: try API.encode(API.Envelope.Until(until: time)), as: UTF8.self)
    }
}

/// Has Carl comment on a moment where the founder is not, who removes him, and learns of the comment from Bob afterwards.
private func withLateComment(_ body: (Browser, Browser, String, String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let (carl, moment) = try await withParty(in: folder)
        try await withNode(folder + "/bob") { bob in
            try await withNode(folder + "/carl", peers: [bob.loopback]) { node in
                _ = try node.comment(on: moment, text: "Late", event: nil)
                try await eventually("Bob reads it", at: bob) { try texts(on: moment, at: bob) == ["Late"] }
            }
        }
        try await withNode(folder + "/founder") { founder in
            let browser = Browser(founder)
            let removed = try await browser.value(API.Person.self, .delete, "people/\(carl)")
            #expect(removed.level == "removed")
            try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
                try await eventually("Bob knows", at: bob) { try texts(on: moment, at: bob).isEmpty }
                try await eventually("the comment has come", at: founder, bob) {
                    let found = try? founder.rescue(carl, until: Date(), isPreview: true, event: nil)
                    return found?.records == ["comment": 1]
                }
                try await body(browser, Browser(bob), carl, moment)
            }
        }
    }
}

/// Lets Bob and Carl join the founder's event, and returns Carl's name and that of a moment that all have.
private func withParty(in folder: String) async throws -> (carl: String, moment: String) {
    try await withNode(folder + "/founder") { founder in
        _ = try await founder.createEvent(title: "Party")
        let moment = try founder.makeMoment(.about("Dinner"), event: nil).id
        for name in ["Bob", "Carl"] {
            try await withNode("\(folder)/\(name.lowercased())", peers: [founder.loopback]) { node in
                _ = try await node.rename(to: name, event: nil)
                _ = try await node.join(link: founder.invitation(event: nil).link)
                try await eventually("\(name) has all", at: node) {
                    try node.moments(event: nil).moments.count == 1 && node.people(event: nil).people.count >= 2
                }
                try await eventually("\(name) is known", at: founder) {
                    try founder.people(event: nil).people.contains { $0.name == name }
                }
            }
        }
        // Bob hears of Carl.
        try await withNode(folder + "/bob", peers: [founder.loopback]) { bob in
            try await eventually("Bob knows Carl", at: bob) { try bob.people(event: nil).people.count == 3 }
        }
        let carl = try #require(try founder.people(event: nil).people.first { $0.name == "Carl" })
        return (carl.id, moment)
    }
}

/// What was said about something, as a node shows it.
private func texts(on target: String, at node: Node) throws -> [String] {
    try node.comments(on: target, before: nil, event: nil).comments.reversed().compactMap(\.text)
}

extension Node {
    /// Where another node of the same machine dials this one.
    fileprivate var loopback: String { "127.0.0.1:\(peerPort)" }
}
