// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import ServiceLifecycle

/// The live stream: server-sent events that say what changed, so that a page refetches what it shows.
struct StreamRoutes {
    /// How often a silent stream says that it lives, as the WHATWG's text advises.
    private static let heartbeat = Duration.seconds(15)
    /// Says that anything may have changed.
    private static let reset = "event: reset\ndata: {}\n\n"

    /// What of a change a client is told; nil ends the stream.
    typealias Telling = @Sendable (ChangeFeed.Entry) -> API.Change?

    let node: Node

    func add(to calls: CallRouter) {
        let call = API.Call(
            "GET",
            "stream",
            "Tells what changes in all events of this node, as server-sent events.",
            details: "`change` has `{\"kinds\": [KIND], \"targets\": {KIND: [ID]}}`: records of these kinds changed, "
                + "and `targets` names up to 64 of them and what they hang on. Without `targets` it may be any. `reset` "
                + "means that anything may have changed. A comment comes every 15 seconds. A client that comes back sends "
                + "`Last-Event-ID`, or `since`.",
            parameters: [API.Parameter("since", .text(limit: 64), "The id of the last message that came.")],
            answer: .bytes(["text/event-stream"])
        )
        calls.on(call) { request, _ in Self.answer(request, from: node.changes) { API.Change($0) } }
    }

    /// Answers with the changes of a feed, as far as `telling` says.
    static func answer(_ request: Request, from changes: ChangeFeed, _ telling: @escaping Telling) -> Response {
        let since = request.headers[.lastEventID] ?? request.query("since")
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
                let stream = changes.changes()
                var last: UInt64?
                let missed = Self.missed(since: since, last: &last, in: changes, telling)
                try await writer.write(ByteBuffer(string: missed))
                let (beats, end) = Self.beating(stream)
                // A page that looks on would else keep the node from stopping.
                try await withGracefulShutdownHandler {
                    for await entry in beats {
                        guard let text = Self.text(of: entry, after: &last, in: changes, telling) else { break }
                        // What a client is not told of costs it nothing.
                        if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
                    }
                } onGracefulShutdown: {
                    end()
                }
                try await writer.finish(nil)
            }
        )
    }

    /// What a client that comes back has missed, up to the change `last`; a reset if that is not known any more.
    private static func missed(
        since: String?,
        last: inout UInt64?,
        in changes: ChangeFeed,
        _ telling: Telling
    ) -> String {
        guard let since else { return "" }
        let parts = since.split(separator: ".")
        guard parts.count == 2, parts[0] == changes.session, let number = UInt64(parts[1]),
            let entries = changes.changes(after: number)
        else { return reset }
        last = entries.last?.number ?? number
        return entries.compactMap { text(of: $0, in: changes, telling) }.joined()
    }

    private static func text(of entry: ChangeFeed.Entry, in changes: ChangeFeed, _ telling: Telling) -> String? {
        guard let told = telling(entry) else { return nil }
        guard !told.kinds.isEmpty || entry.kinds.isEmpty else { return "" }
        // Words in a dictionary can always be encoded.
        let data = (try? API.encode(told)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return """
            event: change
            id: \(changes.session).\(entry.number)
            data: \(data)


            """
    }

    /// What the client is told of a change, or of nothing; a reset goes before it if changes between were dropped.
    ///
    /// Nil is the end.
    private static func text(
        of entry: ChangeFeed.Entry?,
        after last: inout UInt64?,
        in changes: ChangeFeed,
        _ telling: Telling
    ) -> String? {
        guard let entry else { return ":\n\n" }
        let next = last.map { $0 + 1 } ?? entry.number
        // The stream was open before the client was told what it missed, so that both may hold a change.
        guard entry.number >= next else { return "" }
        last = entry.number
        return text(of: entry, in: changes, telling).map { (entry.number == next ? "" : reset) + $0 }
    }

    /// Changes as they come, and nil whenever none came for a while, until `end` is called.
    private static func beating(
        _ stream: AsyncStream<ChangeFeed.Entry>
    ) -> (beats: AsyncStream<ChangeFeed.Entry?>, end: @Sendable () -> Void) {
        let (beats, continuation) = AsyncStream.makeStream(
            of: ChangeFeed.Entry?.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        let reader = Task {
            for await entry in stream { continuation.yield(entry) }
            continuation.finish()
        }
        let heart = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: heartbeat)
                continuation.yield(nil)
            }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            heart.cancel()
        }
        return (beats, { continuation.finish() })
    }
}

extension HTTPField.Name {
    /// Where a client that comes back says what it saw last.
    fileprivate static var lastEventID: HTTPField.Name {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("a header's name is a token") }
        return name
    }
}
