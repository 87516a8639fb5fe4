// SPDX-License-Identifier: Apache-2.0

package import MingleWire

/// The transport's limits and times.
package struct TransportConfiguration: Sendable {
    /// Connections of either direction, open or not.
    package var connections = 256
    /// Incoming connections that have not shaken hands; one more displaces the oldest of them.
    package var unauthenticated = 64
    /// Incoming connections from one address that have not shaken hands; one more is refused.
    package var unauthenticatedPerAddress = 16
    /// Incoming connections that have shaken hands and were not let in; one more displaces the oldest of them.
    package var unadmitted = 64
    /// The same from one address.
    package var unadmittedPerAddress = 16
    /// Incoming connections of one person that were let in; one more displaces the oldest of them.
    ///
    /// Sixteen devices may each be connected twice for a moment.
    package var connectionsPerPerson = 32
    /// How long a handshake may take.
    package var handshakeTimeout = Duration.seconds(10)
    /// How long reaching the other end may take.
    package var connectTimeout = Duration.seconds(5)
    /// How long it may take to send what waits on a connection that is to be closed.
    package var drainTimeout = Duration.seconds(10)
    /// How long the other side may take to close after the last message was sent.
    package var finishTimeout = Duration.seconds(2)
    /// Bytes received from one connection and not settled by the consumer, above which nothing more is read from it.
    ///
    /// What one read brings comes on top: up to 256 KiB and the message that it completes.
    package var undeliveredBytes = 1 << 20
    /// The same of all connections: above it each may leave only ``undeliveredBytesEach``.
    package var undeliveredBytesTogether = 16 << 20
    /// Bytes that each connection may leave unsettled while all together have too many.
    package var undeliveredBytesEach = 64 << 10
    /// Bytes of unfinished messages that those may hold together who are not let in.
    package var unfinishedBytesOfStrangers = 8 << 20
    /// Bytes of unfinished messages that one person may hold, or one address from which nobody is let in.
    package var unfinishedBytesEach = 24 << 20
    /// Bytes of unfinished messages that all may hold together.
    package var unfinishedBytes = 64 << 20
    /// What a channel takes, sends and keeps.
    package var channel = ChannelLimits()

    /// The limits of a node that people use.
    package init() {}

    /// The limits of a machine that all of a venue's nodes are linked to.
    package static var relay: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.connections = 2048
        configuration.unauthenticated = 256
        configuration.unadmitted = 256
        configuration.unfinishedBytes = 256 << 20
        configuration.undeliveredBytesTogether = 64 << 20
        return configuration
    }
}
