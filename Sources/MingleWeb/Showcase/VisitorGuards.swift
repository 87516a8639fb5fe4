// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore

extension HostGuard {
    /// Accepts a showcase's addresses, and the names that its operator gave.
    static func showcase(names: [String]) -> HostGuard {
        HostGuard(
            names: names,
            advice: "Open the page by the address of the printed code. The person who set it up can allow other names: "
                + "mingle showcase --host."
        )
    }
}

/// Takes what looks and changes nothing, and no bytes beside that.
struct LookingOnly: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let problem: API.Problem?
        switch request.method {
        case .get, .head:
            problem =
                Self.hasBody(request) ? API.Problem(.tooLarge, "This page does not accept any data.") : nil
        default:
            problem = API.Problem(
                .notAllowed,
                "You can only look at this page. To share or comment, take part with Mingle on your own device."
            )
        }
        guard let problem else { return try await next(request, context) }
        var response = Response.problem(problem)
        guard Self.hasBody(request) else { return response }
        // Nobody reads what follows: the server ends the connection behind the answer.
        response.headers[.connection] = "close"
        return response
    }

    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentLength].map { $0 != "0" } ?? false
    }
}

/// Shows nothing of the event to a visitor who has not scanned the code.
///
/// The page's own files are the same in every Mingle, so they are open: they tell nothing.
struct VisitorGuard: RouterMiddleware {
    let door: ShowcaseDoor

    @concurrent
    func handle(
        _ request: Request,
        context: WebContext,
        next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if path.hasPrefix(ShowcaseDoor.prefix) {
            // What other pages load costs who looks at them no try, and is not looked at, or it would be a way to guess.
            guard !Self.isPartOfAPage(request) else { return head(VisitorPages.closed(.forbidden), request) }
            let code = ShowcaseDoor.code(in: path)
            return answer(door.show(code, from: Visitor.address(of: context.channel)), to: request)
        }
        if path.hasPrefix("/assets/") || door.knows(request) { return try await next(request, context) }
        guard !path.hasPrefix("/api/") else {
            throw API.Problem(
                .notAllowed,
                "Scan the code at the event to open this page, and allow cookies."
            )
        }
        return head(VisitorPages.closed(.forbidden), request)
    }

    /// Whether a page asks for it, as for a picture, a style or data, and nobody has opened the address.
    ///
    /// Browsers say so outright only where the address is `localhost` or has TLS; else what they take and who asks tells some of it.
    private static func isPartOfAPage(_ request: Request) -> Bool {
        if let use = request.headers[.fetchDestination] { return use != "document" }
        let taken = request.headers[.accept] ?? ""
        return request.headers[.origin] != nil || taken.hasPrefix("image/") || taken.hasPrefix("text/css")
    }

    private func answer(_ verdict: ShowcaseDoor.Verdict, to request: Request) -> Response {
        switch verdict {
        case .welcome(let cookie):
            var response = VisitorPages.app(request, isFresh: true)
            response.headers[.setCookie] = cookie
            return head(response, request)
        case .wrong: return head(VisitorPages.closed(.forbidden), request)
        case .tooMany(let seconds):
            var response = VisitorPages.closed(.tooManyRequests)
            response.headers[.retryAfterSeconds] = "\(seconds)"
            return head(response, request)
        }
    }

    private func head(_ response: Response, _ request: Request) -> Response {
        request.method == .head ? response.createHeadResponse() : response
    }
}
