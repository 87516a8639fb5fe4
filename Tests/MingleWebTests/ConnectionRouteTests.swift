// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import Testing

@testable import MingleWeb

/// Connections, as docs/api.md has them; with whom one can have one is told in `NodeConnectionTests`.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionRouteTests {
    @Test func `whoever is alone is connected with nobody, and not with oneself`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "connections").text == #"{"connections":[]}"#)
            let me = try #require(try await browser.value(API.Envelope.People.self, .get, "people").people.first)
            for method in [.put, .delete] as [HTTPRequest.Method] {
                #expect(try await browser.call(method, "connections/\(me.id)").isProblem(.conflict, "That is you"))
                #expect(try await browser.call(method, "connections/nobody").isProblem(.notFound, "nobody"))
            }
            #expect(try await browser.value(API.Status.self, .get, "status").current?.requests == 0)
        }
    }
}
