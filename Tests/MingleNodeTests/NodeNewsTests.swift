// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// News and notifications among nodes.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeNewsTests {
    /// The ranked news of a node at a time, each as its type and title.
    private func news(of node: Node, at now: Timestamp) throws -> [String] {
        let own = try node.service(nil)
        let service = EventService(
            replica: own.replica,
            blobs: own.blobs,
            now: now,
            timeZone: .current,
            present: [],
            attach: { _, _, _ in },
            author: { _ in [] }
        )
        return try service.news(order: .best, before: nil).items.map { "\($0.type) \($0.thing?.title ?? "")" }
    }

    private func told(to node: Node, unread: Bool = false) throws -> API.Envelope.Notifications {
        try node.service(nil).notifications(before: nil, limit: 50, isUnread: unread)
    }

    @Test func `equal replicas rank alike, and a private moment changes nothing for others`() async throws {
        try await withParty { party in
            let rounds = try (0..<6).map { try party.bob.makeMoment("Round \($0)").id }
            for other in [party.carl, party.dora] {
                try await eventually("all rounds come", at: other) { try other.moments(event: nil).moments.count == 7 }
            }
            for moment in rounds.prefix(2) { _ = try party.carl.fave(moment, true, event: nil) }
            _ = try party.dora.comment(on: rounds[3], text: "Again", event: nil)
            for other in [party.carl, party.dora] {
                try await eventually("all is said", at: other) {
                    let shown = try other.moments(event: nil).moments
                    return shown.reduce(0) { $0 + $1.faves } == 2 && shown.reduce(0) { $0 + $1.comments } == 1
                }
            }
            let now = Timestamp(milliseconds: Date().milliseconds)
            let before = try news(of: party.dora, at: now)
            #expect(try before.count == 7 && news(of: party.carl, at: now) == before)
            let secret = try party.bob.meetPrivately("Canary", with: [party.carl])
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.contains { $0.id == secret.id }
            }
            _ = try party.carl.comment(on: secret.id, text: "Canary", event: nil)
            _ = try party.carl.fave(secret.id, true, event: nil)
            try await eventually("Bob is told", at: party.bob) {
                try Set(told(to: party.bob).notifications.map(\.kind)).isSuperset(of: ["comment", "fave"])
            }
            try await party.wait([party.carl, party.dora, party.founder], for: "the end")
            for outsider in [party.dora, party.founder] {
                let shown = try news(of: outsider, at: now)
                #expect(!shown.contains { $0.contains("Canary") })
                #expect(try !told(to: outsider).notifications.contains { $0.thing.title.contains("Canary") })
            }
            // What is said meanwhile is said of the dinner.
            let rest = { (items: [String]) in items.filter { !$0.hasSuffix("Dinner") } }
            #expect(try rest(news(of: party.dora, at: now)) == rest(before))
        }
    }

    @Test func `what is told is read, muted and told again, and its link leads to the very thing`() async throws {
        try await withParty { party in
            let moment = try party.founder.makeMoment("Toast").id
            try await eventually("Bob sees it", at: party.bob) {
                try party.bob.moments(event: nil).moments.contains { $0.id == moment }
            }
            let comment = try party.bob.comment(on: moment, text: "Cheers", event: nil)
            _ = try party.bob.fave(moment, true, event: nil)
            try await eventually("it is told", at: party.founder) {
                try told(to: party.founder).notifications.count { $0.thing.id == moment } == 2
            }
            let list = try told(to: party.founder)
            let said = try #require(list.notifications.first { $0.kind == "comment" && $0.thing.id == moment })
            #expect(said.thing.title == "Toast" && said.text == "Cheers" && said.people.count == 1 && !said.read)
            #expect(said.link == "/moments/\(moment)#\(comment.id)" && said.id == "comment.\(moment)")
            let service = try party.founder.service(nil)
            let target = try RequestValidation.reference(moment)
            try service.read(target, until: nil)
            #expect(try told(to: party.founder).notifications.allSatisfy { $0.read || $0.thing.id != moment })
            #expect(try !told(to: party.founder, unread: true).notifications.contains { $0.thing.id == moment })
            // What is read needs no further word.
            let lines = try party.founder.dump(event: nil).count
            try service.read(target, until: nil)
            #expect(try party.founder.dump(event: nil).count == lines)
            try service.mute(target, true)
            #expect(try !told(to: party.founder).notifications.contains { $0.thing.id == moment })
            #expect(try told(to: party.founder).muted?.map(\.title) == ["Toast"])
            try service.mute(target, false)
            #expect(try told(to: party.founder).notifications.contains { $0.thing.id == moment })
            try service.read(nil, until: nil)
            #expect(try told(to: party.founder).unread == 0)
        }
    }

    @Test func `pages have each notification once, and a cursor that is none is refused`() async throws {
        try await withParty { party in
            let moments = try (0..<5).map { try party.founder.makeMoment("Round \($0)").id }
            try await eventually("all rounds come", at: party.bob) {
                try party.bob.moments(event: nil).moments.count == 6
            }
            for moment in moments { _ = try party.bob.fave(moment, true, event: nil) }
            try await eventually("they are told", at: party.founder) {
                try told(to: party.founder).notifications.count { moments.contains($0.thing.id ?? "") } == 5
            }
            let service = try party.founder.service(nil)
            var (ids, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try service.notifications(before: cursor, limit: 2, isUnread: false)
                ids += page.notifications.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(try ids == told(to: party.founder).notifications.map(\.id) && Set(ids).count == ids.count)
            for cursor in ["", "x", "1.2.3"] {
                let refusal = try await problem {
                    _ = try service.notifications(before: cursor, limit: 2, isUnread: false)
                }
                #expect(refusal.name == .badRequest)
            }
        }
    }
}
