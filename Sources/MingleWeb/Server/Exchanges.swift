// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The requests of a connection that are not answered yet, in order: a value without I/O.
struct Exchanges {
    private struct Exchange {
        let method: HTTPMethod
        let isOld: Bool
        var keepsAlive: Bool
        /// Whether the client sends the body only if it is asked for it.
        var awaitsContinue: Bool
        var isRead = false
    }

    private var open = CircularBuffer<Exchange>()
    /// Whether the connection ends behind the answer that is being written.
    private(set) var isLast = false

    /// Whether no request waits for an answer.
    var isEmpty: Bool { open.isEmpty }

    /// Whether all that the client sent belongs to whole requests.
    var isRead: Bool { open.allSatisfy(\.isRead) }

    /// A request's head came.
    mutating func begin(_ head: HTTPRequestHead) {
        let isOld = head.version == .http1_0
        open.append(
            Exchange(
                method: head.method,
                isOld: isOld,
                keepsAlive: head.isKeepAlive,
                awaitsContinue: !isOld
                    && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
            )
        )
    }

    /// A part of the body of the latest request came.
    mutating func bodyCame() { change(open.count - 1) { $0.awaitsContinue = false } }

    /// The latest request came to its end.
    mutating func end() { change(open.count - 1) { ($0.isRead, $0.awaitsContinue) = (true, false) } }

    /// Somebody begins to read the body of the request that is to be answered next.
    ///
    /// - Returns: Whether the client waits to be asked for the body.
    mutating func readBody() -> Bool {
        let asks = open.first?.awaitsContinue ?? false
        change(0) { $0.awaitsContinue = false }
        return asks
    }

    /// Begins an answer, and completes its head with what the request's version and the connection need.
    ///
    /// The connection ends behind an answer to a request that was not read to its end: what follows would be taken for
    /// the next request.
    mutating func answer(_ head: HTTPResponseHead) -> HTTPResponseHead {
        guard let exchange = open.first else { return head }
        var head = head
        let isFramed =
            head.headers.contains(name: "content-length") || exchange.method == .HEAD
            || !head.status.mayHaveResponseBody
        isLast =
            !exchange.keepsAlive || !exchange.isRead || exchange.isOld && !isFramed
            || head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
        // The encoder frames an answer by its version: a client of HTTP/1.0 does not understand chunks.
        if exchange.isOld { head.version = .http1_0 }
        if isLast {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if exchange.isOld {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        return head
    }

    /// An answer was written to its end.
    mutating func endAnswer() { _ = open.popFirst() }

    private mutating func change(_ index: Int, _ body: (inout Exchange) -> Void) {
        guard index >= 0, index < open.count else { return }
        body(&open[open.index(open.startIndex, offsetBy: index)])
    }
}
