// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleNode
import NIOCore
import ServiceLifecycle

/// The live stream: server-sent events that say what changed, so that a page refetches what it shows.
struct StreamRoutes {
    /// How often a silent stream says that it lives, as the WHATWG's text advises.
    private static let heartbeat = Duration.seconds(15)

    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("stream") { request, _ in
            let since = request.headers[.lastEventID] ?? request.query("since")
            let changes = node.changes
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
                    let stream = changes.changes()
                    try await writer.write(ByteBuffer(string: Self.missed(since: since, in: changes)))
                    let (texts, end) = Self.texts(of: stream, in: changes)
                    // A page that looks on would else keep the node from stopping.
                    try await withGracefulShutdownHandler {
                        for await text in texts { try await writer.write(ByteBuffer(string: text)) }
                    } onGracefulShutdown: {
                        end()
                    }
                    try await writer.finish(nil)
                }
            )
        }
    }

    /// What a client that comes back has missed; a reset if that is not known any more.
    private static func missed(since: String?, in changes: ChangeFeed) -> String {
        guard let since else { return "" }
        let parts = since.split(separator: ".")
        guard parts.count == 2, parts[0] == changes.session, let number = UInt64(parts[1]),
            let entries = changes.changes(after: number)
        else { return "event: reset\ndata: {}\n\n" }
        return entries.map { text(of: $0, in: changes) }.joined()
    }

    private static func text(of entry: ChangeFeed.Entry, in changes: ChangeFeed) -> String {
        let kinds = entry.kinds.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            event: change
            id: \(changes.session).\(entry.number)
            data: {"kinds":[\(kinds)],"targets":[]}


            """
    }

    /// Changes as they come, and a comment whenever none came for a while, until `end` is called.
    private static func texts(
        of stream: AsyncStream<ChangeFeed.Entry>,
        in changes: ChangeFeed
    ) -> (texts: AsyncStream<String>, end: @Sendable () -> Void) {
        let (texts, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(64))
        let reader = Task {
            for await entry in stream { continuation.yield(text(of: entry, in: changes)) }
            continuation.finish()
        }
        let heart = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: heartbeat)
                continuation.yield(":\n\n")
            }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            heart.cancel()
        }
        return (texts, { continuation.finish() })
    }
}

extension HTTPField.Name {
    /// Where a client that comes back says what it saw last.
    fileprivate static var lastEventID: HTTPField.Name {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("a header's name is a token") }
        return name
    }
}
