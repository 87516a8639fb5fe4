// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceLifecycle

/// Tells systemd how a service is: the datagrams of sd_notify(3).
///
/// Without a service manager, and if it cannot be reached, nothing happens: the node is of more use than the notice.
struct ServiceManager: Service, CustomStringConvertible {
    private let socket: String?

    /// Reads the address of the socket, and takes it from the environment: no child of this process is to use it.
    init() {
        socket = unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) }
        unsafe unsetenv("NOTIFY_SOCKET")
    }

    /// Uses a socket at a path, or an abstract one if the name begins with `@`.
    init(socket: String?) { self.socket = socket }

    var description: String { "ServiceManager" }

    /// Says that the service is ready.
    func noteReady(_ status: String) { send("READY=1\nSTATUS=\(status)") }

    /// Says when the service stops.
    func run() async throws {
        try await gracefulShutdown()
        noteStopping()
    }

    /// Says that the service stops.
    func noteStopping() { send("STOPPING=1\nSTATUS=Stopping") }

    private func send(_ text: String) {
        guard let socket, let address = Self.address(of: socket) else { return }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        unsafe withUnsafeBytes(of: address) { raw in
            guard let start = raw.baseAddress else { return }
            let address = unsafe start.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe sendto(
                descriptor,
                bytes,
                bytes.count,
                Int32(MSG_NOSIGNAL),
                address,
                self.length(of: socket)
            )
        }
    }

    /// Bytes of an address; an abstract one has no zero at its end.
    private func length(of socket: String) -> socklen_t {
        socklen_t(MemoryLayout<sa_family_t>.size + socket.utf8.count + (socket.hasPrefix("@") ? 0 : 1))
    }

    /// The address of a socket; nil if it is none of a Unix socket, or too long.
    private static func address(of socket: String) -> sockaddr_un? {
        var name = Array(socket.utf8)
        var address = sockaddr_un()
        guard let first = name.first, [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first),
            name.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        // The name of an abstract socket begins with a zero.
        if first == UInt8(ascii: "@") { name[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        return address
    }
}
