// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the kernel knows of a connection's other end: whether it still answers.
///
/// `TCP_USER_TIMEOUT` would close what does not answer, but also what merely takes nothing for a while: with 10 s, a
/// peer whose consumer was behind for 10 s lost its connection (measured). So the timeout is not set and the handler
/// looks every two seconds. A silent connection is the keep-alive's matter.
package struct SocketHealth: Hashable, Sendable {
    /// How often the handler looks.
    static let interval = TimeAmount.seconds(2)

    /// Segments sent and not acknowledged.
    package let unacknowledged: Int
    /// How often in a row the oldest of them was sent again.
    package let retransmissions: Int
    /// Questions in a row whether a peer that takes nothing still does, without an answer.
    package let unansweredProbes: Int
    /// Milliseconds since anything was acknowledged.
    package let millisecondsOfSilence: Int

    /// Puts together what the kernel told.
    package init(unacknowledged: Int, retransmissions: Int, unansweredProbes: Int, millisecondsOfSilence: Int) {
        (self.unacknowledged, self.retransmissions) = (unacknowledged, retransmissions)
        (self.unansweredProbes, self.millisecondsOfSilence) = (unansweredProbes, millisecondsOfSilence)
    }

    /// Whether nobody has answered for about ten seconds.
    ///
    /// The probes of a peer that takes nothing are 0.2, 0.4, 0.8 … seconds apart, so six take as long.
    package var isLost: Bool {
        let isIgnored = unacknowledged > 0 && retransmissions >= 3 && millisecondsOfSilence >= 10_000
        return isIgnored || unansweredProbes >= 6
    }

    /// Asks the kernel; nil where it does not tell.
    static func read(_ socket: any Channel) -> EventLoopFuture<SocketHealth>? {
        #if os(Linux)
            return (socket as? any SocketOptionProvider)?.getTCPInfo().map { info in
                SocketHealth(
                    unacknowledged: Int(info.tcpi_unacked),
                    retransmissions: Int(info.tcpi_retransmits),
                    unansweredProbes: Int(info.tcpi_probes),
                    millisecondsOfSilence: Int(info.tcpi_last_ack_recv)
                )
            }
        #else
            return nil
        #endif
    }
}
