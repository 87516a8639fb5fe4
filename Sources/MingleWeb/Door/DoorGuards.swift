// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import MinglePeering
import NIOCore

extension HostGuard {
    /// Accepts a door's addresses, and the names that its operator gave.
    static func door(names: [String]) -> HostGuard {
        HostGuard(
            names: names,
            advice: "Open the page by the address of the printed code. The person who set it up can allow other names: "
                + "mingle door --host."
        )
    }
}

/// Keeps pages of other sites from writing.
struct OwnOriginOnly: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        if request.method != .get, request.method != .head { try OriginGuard.requireOwnOrigin(request) }
        return try await next(request, context)
    }
}

/// Shows nothing of the event to a browser that has not scanned the code.
///
/// The page's own files are the same in every Mingle, so they are open: they tell nothing.
struct DoorGuard: RouterMiddleware {
    /// Bytes of a body above which a request counts as a file that is sent.
    private static let fileBytes = 256 * 1024

    let entrance: DoorEntrance
    let door: Door
    /// Files that are on their way here, in all and from one browser: else a few could fill the disk at once.
    private let files = Places(limit: 256, perAddress: 6)

    init(entrance: DoorEntrance, door: Door) { (self.entrance, self.door) = (entrance, door) }

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if let code = DoorEntrance.code(in: path) {
            // What other pages load costs their readers no try, and is not read, or it would be a way to guess.
            guard !Self.isPartOfAPage(request) else { return head(DoorPages.closed(.forbidden), request) }
            return answer(entrance.show(code, by: request, from: Visitor.address(of: context.channel)), to: request)
        }
        if path.hasPrefix("/assets/") { return try await next(request, context) }
        if let browser = entrance.browser(of: request) {
            // Before the body is read, which may be a large file.
            if request.method != .get, request.method != .head { try door.requireMayWrite(browser) }
            let place = try place(for: request, of: browser)
            defer { withExtendedLifetime(place) {} }
            var context = context
            context.browser = browser
            return try await next(request, context)
        }
        guard !path.hasPrefix("/api/") else {
            throw API.Problem(.notAllowed, "Scan the code at the event to open this page, and allow cookies.")
        }
        return head(DoorPages.closed(.forbidden), request)
    }

    /// A place for a file that a browser sends; nil for what is small.
    private func place(for request: Request, of browser: Browser) throws -> Places.Place? {
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? (request.method == .get ? 0 : .max)
        guard length > Self.fileBytes else { return nil }
        guard let place = files.take(for: browser.text) else {
            throw API.Problem(.tooMany, "Too many files are on their way at once. Send some later.")
        }
        return place
    }

    /// Whether a page asks for it, as for a picture, a style or data, and nobody has opened the address.
    ///
    /// Browsers say so outright only where the address is `localhost` or has TLS. Elsewhere `Accept` and `Origin` tell
    /// some of it.
    private static func isPartOfAPage(_ request: Request) -> Bool {
        if let use = request.headers[.fetchDestination] { return use != "document" }
        let taken = request.headers[.accept] ?? ""
        return request.headers[.origin] != nil || taken.hasPrefix("image/") || taken.hasPrefix("text/css")
    }

    private func answer(_ verdict: DoorEntrance.Verdict, to request: Request) -> Response {
        switch verdict {
        case .welcome(let cookie):
            var response = DoorPages.app(request, isFresh: true)
            response.headers[.setCookie] = cookie
            return head(response, request)
        case .wrong: return head(DoorPages.closed(.forbidden), request)
        case .tooMany(let seconds):
            var response = DoorPages.closed(.tooManyRequests)
            response.headers[.retryAfterSeconds] = "\(seconds)"
            return head(response, request)
        }
    }

    private func head(_ response: Response, _ request: Request) -> Response {
        request.method == .head ? response.createHeadResponse() : response
    }
}
