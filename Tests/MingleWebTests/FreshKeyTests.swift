// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Testing

@testable import MingleWeb

/// What waits for a key that nobody has who is out.
struct FreshKeyTests {
    private func request(_ method: HTTPRequest.Method, _ path: String) -> Request {
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/api/v1/" + path)
        return Request(head: head, body: RequestBody(buffer: .init()))
    }

    @Test(
        arguments: [
            (.post, "moments"), (.patch, "moments/x"), (.put, "photos?moment=x"), (.post, "photos/x/comments"),
            (.put, "faves/x"),
            (.delete, "faves/x"), (.put, "profile"), (.put, "hidden/x"), (.delete, "hidden/x"), (.put, "events/x"),
        ] as [(HTTPRequest.Method, String)]
    )
    func `what is sealed for everybody waits`(method: HTTPRequest.Method, path: String) {
        #expect(FreshKey.isSealed(request(method, path)))
    }

    @Test(
        arguments: [
            (.get, "moments"), (.head, "photos/x"), (.delete, "photos/x"), (.delete, "moments/x"),
            (.put, "events/current"),
            (.post, "events"), (.delete, "events/x"), (.get, "hidden"), (.post, "invitations"), (.post, "backup"),
        ] as [(HTTPRequest.Method, String)]
    )
    func `what is read, deleted or written in the open does not wait`(method: HTTPRequest.Method, path: String) {
        #expect(!FreshKey.isSealed(request(method, path)))
    }

    @Test func `it waits for the key of the event that is written to`() {
        #expect(FreshKey.event(of: request(.put, "events/abc")) == "abc")
        #expect(FreshKey.event(of: request(.put, "hidden/x?event=abc")) == "abc")
        #expect(FreshKey.event(of: request(.put, "hidden/x")) == nil)
    }
}
