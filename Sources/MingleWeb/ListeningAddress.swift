// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleNode
import NIOCore
import NIOPosix

/// Where a server listens: `127.0.0.1:9478`, `[::1]:9478`.
package struct ListeningAddress: Equatable, Sendable {
    /// Every address of this machine, on the port that many pages have.
    package static let everywhere = ListeningAddress(host: "0.0.0.0", port: 8080)

    /// A name or an address, without brackets.
    package let host: String
    package let port: Int

    /// Takes both as they are.
    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Reads `HOST:PORT`.
    ///
    /// - Throws: `API.Problem`: how it is written.
    package init(reading text: String) throws(API.Problem) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port)
        else {
            throw Self.problem("Write the address as HOST:PORT, such as 192.168.1.5:8080, with a port from 1 to 65535.")
        }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard isBracketed == host.contains(":") else {
            throw Self.problem("Write an IPv6 address, and only that, in brackets: [::1]:8080.")
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"[]/@".utf8.contains($0) }) else {
            throw Self.problem("Write the address as HOST:PORT, such as 192.168.1.5:8080, without http:// and path.")
        }
        (self.host, self.port) = (String(host), port)
    }

    /// Whether it is every address of the machine.
    package var isEverywhere: Bool { ["0.0.0.0", "::"].contains(host) }

    private static func problem(_ detail: String) -> API.Problem { API.Problem(.badRequest, detail) }
}

extension ListeningAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ListeningAddress {
    private static let (inUse, notOwn, forbidden) = (Int32(98), Int32(99), Int32(13))

    /// Takes the address and lets go of it again, so that a start that cannot have it ends before anything else is begun.
    ///
    /// - Parameters:
    ///   - option: What it was said by.
    ///   - machine: The addresses that this machine has.
    /// - Throws: `API.Problem`: why it cannot be had, and what to do.
    package func requireFree(_ option: String, machine: [String]) async throws(API.Problem) {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            try await channel.close()
        } catch {
            throw problem(of: error, option, machine)
        }
    }

    private func problem(of error: any Error, _ option: String, _ machine: [String]) -> API.Problem {
        switch (error as? IOError)?.errnoCode {
        case Self.inUse: return Self.inUse([(option, port)])
        case Self.forbidden:
            return API.Problem(
                .conflict,
                "Port \(port) needs a permission of the system. Choose a port from 1024 on with \(option)."
            )
        case Self.notOwn: return notOwn(option, machine)
        case nil where error is SocketAddressError.UnknownHost:
            return API.Problem(
                .conflict,
                "No machine has the name '\(host)'. Give an address of this machine with \(option), such as "
                    + "\(Self.example(machine)):\(port)."
            )
        default: return API.Problem(.conflict, "The address \(self) of \(option) cannot be used: \(error)")
        }
    }

    private func notOwn(_ option: String, _ machine: [String]) -> API.Problem {
        let own = machine.isEmpty ? "is on no network yet" : "has \(machine.joined(separator: ", "))"
        return API.Problem(
            .conflict,
            "\(host) is not an address of this machine, which \(own). Give one of its addresses with \(option), or leave out "
                + "\(option)."
        )
    }

    private static func example(_ machine: [String]) -> String { machine.first ?? "127.0.0.1" }

    /// What to do where ports are taken, one of them at least.
    ///
    /// - Parameter ports: Each with the option that it was said by; there has to be one.
    package static func inUse(_ ports: [(option: String, port: Int)]) -> API.Problem {
        API.Problem(
            .conflict,
            "Port \(ports.map { "\($0.port)" }.joined(separator: " or ")) is in use, perhaps by another node. Choose another "
                + "with \(ports.map(\.option).joined(separator: " or ")), or stop the program that uses it "
                + "(ss -ltnp 'sport = :\(ports.first?.port ?? 0)' names it)."
        )
    }
}
