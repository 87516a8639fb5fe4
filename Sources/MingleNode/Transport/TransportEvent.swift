// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire

/// Names one connection for as long as the process runs; never used twice.
package struct ConnectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The connection's number, counted from 1.
    package let number: UInt64

    package var description: String { "#\(number)" }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}

/// The other end's address, as the system tells it.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address; one of IPv4 never appears in IPv6's clothes.
    package let host: String
    /// The TCP port.
    package let port: Int

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Which side dialled.
package enum Direction: Hashable, Sendable {
    /// The other one did.
    case incoming
    /// This node did.
    case outgoing
}

/// What is known of a connection when it opens.
package struct Opening: Hashable, Sendable {
    /// The event that both sides hold the psk of.
    package let event: EventID
    /// What both sides sign to say who they are.
    package let handshakeHash: Bytes32
    /// The other side's Noise key; a node that finds its own has dialled itself.
    package let remoteStaticKey: Bytes32
    /// Which side dialled.
    package let direction: Direction
    /// The other end.
    package let remoteAddress: RemoteAddress
}

/// What happens on the connections, in order for each of them.
///
/// Every connection that opened closes exactly once, as its last event. One that never opened is not told of: the
/// caller of ``PeerTransport/dial(host:port:event:)`` gets an error, and incoming ones are counted.
package enum TransportEvent: Sendable {
    /// The handshake went through.
    case opened(ConnectionID, Opening)
    /// A message came.
    case message(ConnectionID, Lane, [UInt8])
    /// A lane that had refused a message has room again.
    case drained(ConnectionID, Lane)
    /// Nothing more comes.
    case closed(ConnectionID, CloseReason)
}

/// Why a connection ended; the operator sees it.
package enum CloseReason: Hashable, Sendable, CustomStringConvertible {
    /// This node closed it.
    case byUs
    /// The other side closed it, between two messages.
    case byPeer
    /// The network or the other side's machine went away.
    case lost(String)
    /// The other side broke the protocol.
    case violation(ChannelError)
    /// The handshake did not end in time.
    case handshakeTimedOut
    /// Another connection took its place before the other side was let in.
    case displaced
    /// Newer connections of the same person took its place.
    case crowdedOut
    /// Of those who held more unfinished messages than there is room for, it held most for longest.
    case overloaded
    /// It sent what it had begun at less than 4 KiB a second.
    case tooSlow

    package var description: String {
        switch self {
        case .byUs: "closed by this node"
        case .byPeer: "closed by the peer"
        case .lost(let what): "connection lost: \(what)"
        case .violation(let error): "the peer broke the protocol: \(error)"
        case .handshakeTimedOut: "the handshake did not end in time"
        case .displaced: "another connection took its place before the peer was let in"
        case .crowdedOut: "the same person has too many other connections"
        case .overloaded: "it holds too much of messages that it does not finish"
        case .tooSlow: "it sends a message too slowly"
        }
    }
}
