// SPDX-License-Identifier: Apache-2.0

/// Why the transport could not do what it was asked for; each says what to do about it.
package enum TransportError: Error, Hashable, CustomStringConvertible {
    /// Another program listens on the port.
    case portInUse(Int)
    /// The system keeps the port for privileged programs.
    case portForbidden(Int)
    /// The system refuses to listen, for another reason.
    case cannotListen(port: Int, String)
    /// More events than a responder tries.
    case tooManyEvents(limit: Int)
    /// The node holds as many connections as it may.
    case tooManyConnections(limit: Int)
    /// Nobody answers at the address.
    case unreachable(host: String, port: Int, String)
    /// The other side ended the connection instead of shaking hands.
    case handshakeRefused(host: String, port: Int)
    /// The other side did not shake hands in time.
    case handshakeTimedOut(host: String, port: Int)
    /// The transport is shut down.
    case shutDown

    package var description: String {
        switch self {
        case .portInUse(let port):
            "TCP port \(port) is in use: stop the program that listens there (ss -ltnp 'sport = :\(port)' names it), or choose "
                + "another port (0 for any free port)"
        case .portForbidden(let port):
            "TCP port \(port) is reserved for privileged programs: choose one above 1023 (0 for any free port)"
        case .cannotListen(let port, let reason): "cannot listen on TCP port \(port): \(reason)"
        case .tooManyEvents(let limit): "a node serves at most \(limit) events: leave one first"
        case .tooManyConnections(let limit): "all \(limit) connections are taken: close one, or raise the limit"
        case .unreachable(let host, let port, let reason):
            "cannot reach \(host) port \(port): \(reason); check that it is on the same network and not isolated"
        case .handshakeRefused(let host, let port):
            "\(host) port \(port) closed the connection without an answer: it does not serve this event or is full"
        case .handshakeTimedOut(let host, let port):
            "\(host) port \(port) accepted the connection but did not answer: it is overloaded or not a node of this event"
        case .shutDown: "the transport is shut down"
        }
    }
}
