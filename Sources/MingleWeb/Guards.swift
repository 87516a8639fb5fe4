// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode

/// Keeps pages of other sites from using the node: they may neither rename it (DNS rebinding) nor write to it.
struct OriginGuard: RouterMiddleware {
    private static let hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard Self.hosts.contains(Authority.host(in: request.head.authority ?? "")) else {
            throw API.Problem(
                .insecureHost,
                "Open this page at http://127.0.0.1 or http://localhost, with the same port."
            )
        }
        if !Self.isReading(request.method) { try Self.requireOwnOrigin(request) }
        return try await next(request, context)
    }

    /// Refuses what a page of another site sends.
    static func requireOwnOrigin(_ request: Request) throws {
        if let origin = request.headers[.origin] {
            if origin.lowercased() == "http://\(request.head.authority ?? "")".lowercased() { return }
        } else if request.headers[.fetchSite] == "same-origin" {
            return
        } else if request.headers[.fetchSite] == nil {
            // No browser: a program on this machine, which could use the socket as well.
            return
        }
        throw API.Problem(.notAllowed, "A page of another site cannot change anything here.")
    }

    private static func isReading(_ method: HTTPRequest.Method) -> Bool { method == .get || method == .head }

}

/// What a client says whom it speaks to.
enum Authority {
    /// Returns the host without its port; empty if `authority` is not a host with an optional port.
    static func host(in authority: String) -> String {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
        let port = authority[host.endIndex...]
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(isDigit) else { return "" }
        return host.lowercased()
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }
}

/// Tells browsers what the page may load, and that nobody may frame it.
struct SafetyHeaders: RouterMiddleware {
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "media-src 'self'", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'self'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = Self.policy }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        return response
    }
}

extension HTTPField.Name {
    /// Where a browser says from which site a request comes.
    static let fetchSite = headerName("Sec-Fetch-Site")
    /// For what a browser wants it: a document for somebody, or part of one.
    static let fetchDestination = headerName("Sec-Fetch-Dest")
    /// How much of an address a browser passes on.
    static let referrerPolicy = headerName("Referrer-Policy")
    /// Which sites may load a resource.
    static let resourcePolicy = headerName("Cross-Origin-Resource-Policy")
    /// When a client shall try again.
    static let retryAfterSeconds = headerName("Retry-After")

    /// Bytes of the whole file that is uploaded in parts.
    static let uploadLength = headerName("Upload-Length")
    /// Bytes of it that the server has, or where the bytes of a request belong.
    static let uploadOffset = headerName("Upload-Offset")

    private static func headerName(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a header's name is a token") }
        return name
    }
}
