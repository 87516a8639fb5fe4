// SPDX-License-Identifier: Apache-2.0

/// The transport's events as a sequence for one task; settling slowly slows the senders down.
package struct TransportEvents: AsyncSequence, Sendable {
    package typealias Element = TransportEvent
    package typealias Failure = Never

    /// Takes one event after the other.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let transport: PeerTransport

        /// The next event; nil when the transport was shut down or the task cancelled.
        package func next() async -> TransportEvent? { await transport.nextEvent() }
    }

    let transport: PeerTransport

    /// Begins, or goes on, with the oldest event that nobody took.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transport: transport) }
}

/// How many connections there are, and how many never opened.
package struct TransportCounts: Hashable, Sendable {
    /// Connections of either direction, open or not, and closed ones whose end nobody took from the events.
    package let connections: Int
    /// Incoming ones that have not shaken hands.
    package let unauthenticated: Int
    /// Incoming ones that found no place, since the start.
    package let refused: Int
    /// Ones that ended without a handshake, since the start.
    package let failedHandshakes: Int
}
