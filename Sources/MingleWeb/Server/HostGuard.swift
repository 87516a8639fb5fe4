// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore

/// Refuses requests under a name that the server does not know (DNS rebinding).
///
/// A page of another site can have its own name lead to this machine, but not an address. So every address is accepted,
/// and of names only `localhost` and those that the operator gave.
struct HostGuard: RouterMiddleware {
    private let names: Set<String>
    private let advice: String

    /// - Parameters:
    ///   - names: Further names of the server, in any case.
    ///   - advice: Tells the client what to do.
    init(names: [String], advice: String) {
        self.names = Set(names.map { $0.lowercased() } + ["localhost"])
        self.advice = advice
    }

    /// Accepts the machine's addresses and names, and the host at which metrics are served.
    static func watchers(host: String) -> HostGuard {
        HostGuard(
            names: [host] + machineNames,
            advice:
                "Ask for metrics and health by an address of this machine, by its name, or by the name that was given "
                + "with --metrics."
        )
    }

    /// The names by which a machine is known in its own network.
    private static var machineNames: [String] {
        let name = ProcessInfo.processInfo.hostName.lowercased()
        let label = name.prefix { $0 != "." }
        return label.isEmpty ? [] : [name, String(label), "\(label).local"]
    }

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let host = Authority.host(in: request.head.authority ?? "")
        guard names.contains(host) || Self.isAddress(host) else { throw API.Problem(.insecureHost, advice) }
        return try await next(request, context)
    }

    private static func isAddress(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let text = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return false }
        return isBracketed == (address.protocol == .inet6)
    }
}
