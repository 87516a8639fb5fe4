// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Whether the client waits to be asked for the body (RFC 9110, section 10.1.1).
    var expectsContinue: Bool {
        HTTPField.Name("Expect").map { headers[values: $0].contains { $0.lowercased() == "100-continue" } } ?? false
    }

    /// The request, which asks the client for the body as soon as somebody begins to read it.
    func continuing(on channel: any Channel) -> Request {
        guard expectsContinue else { return self }
        var request = self
        request.body = RequestBody(asyncSequence: AskedBody(body: body, channel: channel))
        return request
    }
}

/// A body that a client sends only if it is asked for it.
private struct AskedBody: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        fileprivate let channel: any Channel
        private var hasAsked = false

        fileprivate init(_ body: AskedBody) { (parts, channel) = (body.body.makeAsyncIterator(), body.channel) }

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            if !hasAsked {
                hasAsked = true
                channel.triggerUserOutboundEvent(ExchangeHandler.BodyIsRead(), promise: nil)
            }
            return try await parts.next()
        }
    }

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
