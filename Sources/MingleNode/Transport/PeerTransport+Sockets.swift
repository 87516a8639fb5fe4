// SPDX-License-Identifier: Apache-2.0

package import MingleWire
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension PeerTransport {
    /// Listens on a TCP port of all addresses, IPv6 and IPv4, and returns it; 0 takes any free port.
    ///
    /// When the process has no file descriptor left, the listener waits a second and tries again (NIO's back-off).
    package func listen(on port: Int) async throws(TransportError) -> Int {
        do {
            let listener = try await bind(port)
            guard keep(listener) else {
                try? await listener.close()
                throw TransportError.shutDown
            }
            return listener.localAddress?.port ?? port
        } catch let error as TransportError {
            throw error
        } catch {
            throw Self.listenError(error, port)
        }
    }

    /// Connects to a node of `event` and shakes hands; the connection's first event is `opened`.
    ///
    /// Cancelling the task gives up.
    package func dial(host: String, port: Int, event: EventPSK) async throws(TransportError) -> ConnectionID {
        let id = try reserve()
        let socket: any Channel
        do {
            // The resolver refuses literal addresses of a family that no interface has just now.
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                socket = try await dialler.connect(to: address).get()
            } else {
                socket = try await dialler.connect(host: host, port: port).get()
            }
        } catch {
            release(id)
            throw .unreachable(host: host, port: port, String(describing: error))
        }
        do {
            try await withTaskCancellationHandler {
                try await shakeHands(id, event, on: socket)
            } onCancel: {
                socket.close(promise: nil)
            }
            return id
        } catch {
            release(id)
            throw Self.dialError(error, host, port)
        }
    }

    private func shakeHands(_ id: ConnectionID, _ event: EventPSK, on socket: any Channel) async throws {
        let opening = socket.eventLoop.makePromise(of: Void.self)
        try await socket.eventLoop.submit { try self.begin(id, event, on: socket, opening) }
            .flatMapErrorThrowing { error in
                socket.close(promise: nil)
                opening.fail(error)
                throw error
            }
            .get()
        try await opening.futureResult.get()
    }

    private func bind(_ port: Int) async throws -> any Channel {
        do {
            // One socket takes both, so that any free port is the same for both.
            return try await listening.serverChannelOption(SocketOptions.onlyIPv6, value: 0)
                .bind(to: SocketAddress(ipAddress: "::", port: port)).get()
        } catch let error as IOError where [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode) {
            return try await listening.bind(to: SocketAddress(ipAddress: "0.0.0.0", port: port)).get()
        }
    }

    private var listening: ServerBootstrap {
        SocketOptions.set(
            ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { socket in
                    socket.eventLoop.makeCompletedFuture { try self.accept(socket) }
                }
        )
    }

    private var dialler: ClientBootstrap {
        SocketOptions.set(
            ClientBootstrap(group: group).connectTimeout(TimeAmount(configuration.connectTimeout))
        )
    }

    private static func listenError(_ error: any Error, _ port: Int) -> TransportError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: .portInUse(port)
        case EACCES, EPERM: .portForbidden(port)
        default: .cannotListen(port: port, String(describing: error))
        }
    }

    private static func dialError(_ error: any Error, _ host: String, _ port: Int) -> TransportError {
        if let error = error as? TransportError { return error }
        guard let failure = error as? HandshakeFailure else {
            return .unreachable(host: host, port: port, String(describing: error))
        }
        return failure.reason == .handshakeTimedOut
            ? .handshakeTimedOut(host: host, port: port) : .handshakeRefused(host: host, port: port)
    }
}
