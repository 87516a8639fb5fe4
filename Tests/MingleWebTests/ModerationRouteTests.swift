// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Hiding and its log, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct ModerationRouteTests {
    @Test func `a moment is hidden with a reason, listed, and shown again`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Brawl"), event: nil).id
            #expect(try await browser.call(.get, "hidden").text == #"{"log":[]}"#)
            let done = try await browser.call(.put, "hidden/\(moment)", #"{"reason":"rough"}"#)
            #expect(done.status == 204 && done.bytes.isEmpty)
            let answer = try await browser.call(.get, "hidden")
            let hidden = try API.decode(API.Envelope.HidingLog.self, from: Data(answer.bytes)).log
            #expect(hidden.map(\.reason) == ["rough"] && hidden.map(\.moment?.title) == ["Brawl"])
            #expect(hidden.allSatisfy { $0.kind == "moment" && $0.by.me && $0.author?.me == true && $0.current })
            let shown = try await browser.value(API.Moment.self, .get, "moments/\(moment)")
            #expect(shown.hidden?.reason == "rough" && shown.hidden?.record == moment)
            #expect(try await browser.call(.delete, "hidden/\(moment)").status == 204)
            #expect(try await browser.value(API.Moment.self, .get, "moments/\(moment)").hidden == nil)
            let log = try await browser.value(API.Envelope.HidingLog.self, .get, "hidden/log").log
            #expect(log.map(\.hides) == [false, true] && log.map(\.current) == [false, false])
        }
    }

    @Test func `what is not there, and a reason that is too long, are refused`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Brawl"), event: nil).id
            for method in [.put, .delete] as [HTTPRequest.Method] {
                let body = method == .put ? "{}" : nil
                #expect(try await browser.call(method, "hidden/nothing", body).isProblem(.notFound, "nothing"))
            }
            let long = String(repeating: "x", count: 501)
            let refusal = try await browser.call(.put, "hidden/\(moment)", "{\"reason\":\"\(long)\"}")
            #expect(refusal.isProblem(.badRequest, "At most 500 English letters"))
            #expect(try await browser.call(.put, "hidden/\(moment)", "[]").isProblem(.badRequest, "not the JSON"))
        }
    }

    @Test func `what is reported has to be somebody else's, with a reason that there is`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Brawl"), event: nil).id
            #expect(try await browser.call(.get, "reports").text == #"{"reported":[]}"#)
            let own = try await browser.call(.put, "reports/\(moment)", #"{"reason":"rude"}"#)
            #expect(own.isProblem(.conflict, "That is yours"))
            let odd = try await browser.call(.put, "reports/\(moment)", #"{"reason":"boring"}"#)
            #expect(odd.isProblem(.badRequest, "Use one of: spam, rude, indecent, personal, other"))
            let long = String(repeating: "x", count: 1001)
            let wordy = try await browser.call(.put, "reports/\(moment)", "{\"reason\":\"rude\",\"text\":\"\(long)\"}")
            #expect(wordy.isProblem(.badRequest, "At most 1000 English letters"))
            #expect(try await browser.call(.put, "reports/\(moment)", "{}").isProblem(.badRequest, "not the JSON"))
            let nothing = try await browser.call(.put, "reports/nothing", #"{"reason":"rude"}"#)
            #expect(nothing.isProblem(.notFound, "nothing"))
        }
    }
}
