// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

/// Private moments among nodes of one process: Bob makes them, Carl is invited, Dora and the founder are not.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodePrivateMomentTests {
    /// Whether a node knows nothing of a word, in whatever it tells its page.
    private func isSilent(_ node: Node, about word: String) throws -> Bool {
        let news = try NewsOrder.allCases.map { try API.encode(node.news($0, event: nil)) }
        let notices = try API.encode(node.service(nil).notifications(before: nil, limit: 50, isUnread: false))
        let moments = try API.encode(node.moments(event: nil))
        let dump = try node.dump(event: nil).joined()
        let log = try API.encode(node.hidingLog(event: nil))
        return !(news + [notices, moments, log]).contains { String(decoding: $0, as: UTF8.self).contains(word) }
            && !dump.contains(word)
    }

    @Test func `a private moment is seen by who is invited, and makes no noise anywhere else`() async throws {
        try await withParty { party in
            let moment = try party.bob.meetPrivately("Canary", with: [party.carl])
            #expect(moment.private && !moment.invited && moment.place.id == nil)
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.contains { $0.id == moment.id && $0.private && $0.invited }
            }
            // An invitation that is ignored counts nowhere, and can still be followed.
            for _ in 0..<2 {
                let ignored = try party.carl.ignoreMoment(moment.id, event: nil)
                #expect(ignored.participation == "ignored" && ignored.invited && ignored.button == "join")
                #expect(!ignored.mayPost && ignored.joined == 1)
            }
            #expect(try party.carl.joinMoment(moment.id, event: nil).participation == "joined")
            // The list of invitations keeps what was answered, and says when it came.
            for (node, count) in [(party.carl, 1), (party.bob, 0), (party.dora, 0)] {
                let invited = try node.service(nil).moments(ListQuery(.moment, ["list": "invited"])).moments
                #expect(invited.count == count)
                #expect(invited.allSatisfy { $0.author.name == moment.author.name && $0.invitedAt != nil })
            }
            let late = try await problem { _ = try party.carl.ignoreMoment(moment.id, event: nil) }
            #expect(late.name == .conflict && late.detail.contains("You have joined"))
            _ = try party.carl.comment(on: moment.id, text: "Canary cake", event: nil)
            _ = try party.carl.fave(moment.id, true, event: nil)
            try await eventually("Bob reads it", at: party.bob) {
                let shown = try party.bob.moment(moment.id, event: nil)
                return shown.joined == 2 && shown.comments == 1 && shown.faves == 1
            }
            try await party.wait([party.carl, party.dora, party.founder], for: "everybody")
            for outsider in [party.dora, party.founder] {
                #expect(try isSilent(outsider, about: "Canary"))
                #expect(try outsider.moments(event: nil).moments.map(\.id) == [party.open])
                let unknown = try await problem { _ = try outsider.moment(moment.id, event: nil) }
                #expect(unknown.name == .notFound && !unknown.detail.contains("private"))
                let comment = try await problem {
                    _ = try outsider.comment(on: moment.id, text: "Hello?", event: nil)
                }
                #expect(comment.name == .notFound)
            }
            #expect(try party.carl.participants(of: moment.id, event: nil).invited.map(\.id) == [party.carl.ownID])
        }
    }

    @Test func `an invitation is given and taken back by the creator alone, and what follows stays among the rest`()
        async throws
    {
        try await withParty { party in
            let moment = try party.bob.meetPrivately("Canary", with: [party.carl])
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.count == 2
            }
            let (dora, carl) = (try party.dora.ownID, try party.carl.ownID)
            let refusal = try await problem { _ = try party.carl.invite([dora], to: moment.id, event: nil) }
            #expect(refusal.name == .notAllowed && refusal.detail.contains("Only the creator"))
            #expect(try party.bob.invite([dora], to: moment.id, event: nil).invited.count == 2)
            try await eventually("Dora sees it", at: party.dora) {
                try party.dora.moments(event: nil).moments.count == 2
            }
            #expect(try party.bob.uninvite(carl, from: moment.id, event: nil).invited.map(\.id) == [dora])
            let again = try await problem { _ = try party.bob.uninvite(carl, from: moment.id, event: nil) }
            #expect(again.name == .notFound)
            _ = try party.bob.comment(on: moment.id, text: "Canary among us", event: nil)
            try await eventually("Dora reads it", at: party.dora) {
                try party.dora.texts(on: moment.id) == ["Canary among us"]
            }
            try await party.wait([party.carl], for: "everybody")
            #expect(try isSilent(party.carl, about: "Canary among us"))
            let late = try await problem { _ = try party.carl.comment(on: moment.id, text: "Me too", event: nil) }
            #expect(late.name == .notAllowed && late.detail.contains("invited"))
        }
    }

    @Test func `a moment becomes private and public again, and keeps what hangs on it`() async throws {
        try await withParty { party in
            let old = try party.bob.makeMoment("Rehearsal").id
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.count == 2
            }
            _ = try party.carl.comment(on: old, text: "Public then", event: nil)
            try await eventually("Bob reads it", at: party.bob) { try party.bob.texts(on: old) == ["Public then"] }
            let change = API.Envelope.Visibility(private: true, invite: [try party.carl.ownID])
            let closed = try party.bob.setVisibility(of: old, change, event: nil)
            #expect(closed.private && closed.id != old && closed.comments == 1)
            let twice = try await problem { _ = try party.bob.setVisibility(of: closed.id, change, event: nil) }
            #expect(twice.name == .conflict && twice.detail.contains("private already"))
            try await eventually("Carl sees the private one", at: party.carl) {
                try party.carl.moments(event: nil).moments.map(\.private).contains(true)
            }
            #expect(try party.carl.texts(on: closed.id) == ["Public then"])
            _ = try party.carl.comment(on: closed.id, text: "Canary whisper", event: nil)
            try await party.wait([party.dora], for: "one")
            #expect(try party.dora.moments(event: nil).moments.map(\.id) == [party.open])
            try await eventually("Bob reads it", at: party.bob) { try party.bob.texts(on: closed.id).count == 2 }
            let open = API.Envelope.Visibility(private: false, invite: nil)
            let shown = try party.bob.setVisibility(of: closed.id, open, event: nil)
            #expect(!shown.private && shown.comments == 2)
            try await eventually("Dora sees it again", at: party.dora) {
                try party.dora.moments(event: nil).moments.map(\.id).contains(shown.id)
            }
            #expect(try party.dora.texts(on: shown.id) == ["Public then"] && isSilent(party.dora, about: "Canary"))
        }
    }
}
