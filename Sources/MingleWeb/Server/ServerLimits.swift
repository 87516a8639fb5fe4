// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore

/// What a server allows its clients.
struct ServerLimits: Sendable {
    /// From the first byte of a request's head to its last.
    var head = TimeAmount.seconds(10)
    /// Silence before a request.
    var idle = TimeAmount.seconds(60)
    /// Silence within a request's body, while the server waits for more of the body.
    var body = TimeAmount.seconds(30)
    /// How long a client may leave an answer unread, of which the server holds more than a channel takes at once.
    var unread = TimeAmount.minutes(5)
    /// Between the last answer of a connection and its end, for a client that still sends.
    var closing = TimeAmount.seconds(10)
    /// Bytes of a request's head.
    var headBytes = 16 * 1024
    /// Fields of a request's head.
    var headFields = 100
    /// Connections at once; further ones wait until one ends.
    var connections = 512

    /// The limits of a server on a port for browsers.
    ///
    /// Half of the 1024 open files that a process usually may have is left to the Unix socket, peers and files.
    static let browsers = ServerLimits()

    /// The limits of a server on a Unix socket.
    static let commandLine = ServerLimits(connections: 128)

    /// The limits of a server of metrics and health.
    static let watchers = ServerLimits(connections: 64)

    /// How often a connection compares its deadline with the time.
    ///
    /// A deadline may be missed by so much. In return, no request moves a timer.
    var tick: TimeAmount { .nanoseconds(min(head, idle, body, closing).nanoseconds / 2) }

    /// Lets the server stop accepting connections while it has as many as it may have.
    func places(_ logger: Logger) -> MaximumAvailableConnections { .maximum(connections, logger: logger) }
}
