// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Private moments and their guests, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct GuestRouteTests {
    @Test func `a moment is made private, public and private again, and says so`() async throws {
        try await withEvent { browser in
            let open = try browser.node.makeMoment(.about("Toast"), event: nil).id
            #expect(try await browser.value(API.Moment.self, .get, "moments/\(open)").private == false)
            let path = "moments/\(open)/visibility"
            let closed = try await browser.value(API.Moment.self, .post, path, #"{"private":true,"invite":[]}"#)
            #expect(closed.private && closed.id != open && closed.title == "Toast")
            #expect(try await browser.call(.get, "moments/\(open)").status == 404)
            let again = try await browser.call(.post, "moments/\(closed.id)/visibility", #"{"private":true}"#)
            #expect(again.isProblem(.conflict, "Toast is private already."))
            let back = try await browser.value(
                API.Moment.self,
                .post,
                "moments/\(closed.id)/visibility",
                #"{"private":false}"#
            )
            #expect(!back.private)
        }
    }

    @Test func `guests who are not there, too many of them, and what is no list, are refused`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Toast"), event: nil).id
            let path = "moments/\(moment)/guests"
            #expect(try await browser.call(.post, path, #"{"people":["nobody"]}"#).isProblem(.notFound, "nobody"))
            #expect(try await browser.call(.post, path, #"{"people":7}"#).isProblem(.badRequest, "not the JSON"))
            let many = String(repeating: #""x","#, count: 501).dropLast()
            #expect(try await browser.call(.post, path, "{\"people\":[\(many)]}").isProblem(.badRequest, "500"))
            #expect(try await browser.call(.delete, path + "/nobody").isProblem(.notFound, "nobody"))
            #expect(try await browser.call(.post, "moments/nothing/guests", #"{"people":[]}"#).status == 404)
            let answer = try await browser.value(API.Envelope.Participants.self, .post, path, #"{"people":[]}"#)
            #expect(answer.invited.isEmpty)
        }
    }
}
