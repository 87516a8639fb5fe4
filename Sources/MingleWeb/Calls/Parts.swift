// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleEvent
import MingleNode

/// Whose part in the event a request has: the node's own person's, or that of a guest of a door.
struct Parts: Sendable {
    typealias Source = @Sendable (Request, WebContext) throws -> Part

    /// Whose eyes a request looks with; opens no keys.
    let reading: Source
    /// Who writes; the first act of somebody who only looked so far makes a person of them.
    let writing: Source

    /// The part of a node's own person, in the event that the request names.
    static func own(of node: Node) -> Parts {
        Parts { request, _ in
            try node.part(request.event)
        } writing: { request, _ in
            try node.part(request.event)
        }
    }

    init(reading: @escaping Source, writing: @escaping Source) { (self.reading, self.writing) = (reading, writing) }

    /// What the request may read.
    func service(_ request: Request, _ context: WebContext) throws -> EventService {
        try reading(request, context).service
    }

    /// Runs `body`, which writes, once there is a key that nobody has who was removed.
    func write<Result: Sendable>(
        _ request: Request,
        _ context: WebContext,
        _ body: @escaping @Sendable (EventService) throws -> Result
    ) async throws -> Result {
        try await writing(request, context).write(body)
    }
}
