// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode

/// All that visitors of a showcase can ask for: each path is named here, and none of the local API is added by itself.
struct ShowcaseRoutes {
    /// The kinds of changes that visitors are told of.
    private static let toldKinds: Set<String> = [
        "check_in", "comment", "event", "fave", "hidden", "media", "moment", "participation", "people", "photo",
        "profile", "profile_picture",
    ]
    /// Paths that the web app understands.
    private static let pages: [RouterPath] = [
        "/", "feed", "moments", "moments/:id", "people", "photos", "photos/:id",
    ]

    let node: Node
    /// Places for those who watch what changes.
    let streams: Places

    func add(to router: Router<WebContext>) {
        router.get("assets/**") { request, _ in
            try AppRoutes.serve(String(request.uri.path.dropFirst("/assets/".count)), request)
        }
        for page in Self.pages { router.get(page) { request, _ in VisitorPages.app(request) } }
        let api = router.group("api/v1")
        api.get("visit") { _, _ in try Response.json(node.visitedEvent().about()) }
        api.get("feed") { request, _ in
            try Response.json(node.visitedEvent().feed(before: request.query("before")))
        }
        api.get("people") { _, _ in try Response.json(node.visitedEvent().people()) }
        addRecords(to: api)
        addMedia(to: api)
        api.get("stream") { request, context in try stream(request, context) }
    }

    private func addRecords(to api: RouterGroup<WebContext>) {
        api.get("photos") { request, _ in
            try Response.json(node.visitedEvent().photos(ListQuery(.photo, request.parameters)))
        }
        api.get("photos/:id") { _, context in try Response.json(node.visitedEvent().photo(context.record)) }
        api.get("moments") { _, _ in try Response.json(node.visitedEvent().moments()) }
        api.get("moments/:id") { _, context in try Response.json(node.visitedEvent().moment(context.record)) }
        api.get("comments") { request, _ in
            let query = ListQuery(.comment, request.parameters)
            return try Response.json(node.visitedEvent().comments(query))
        }
    }

    private func addMedia(to api: RouterGroup<WebContext>) {
        for rendition in [Rendition.thumbnail, .preview, .original] {
            api.get("media/:id/\(rendition.rawValue)") { request, context in
                let media = try node.visitedEvent().openMedia(context.record, rendition)
                return try MediaRoutes.answer(request, with: media, of: context.id, as: rendition)
            }
        }
        api.get("media/:id/picture") { request, context in
            try MediaRoutes.answer(request, withPicture: node.visitedEvent().openProfilePicture(context.person))
        }
    }

    private func stream(_ request: Request, _ context: WebContext) throws -> Response {
        _ = try node.visitedEvent()
        guard let place = streams.take(for: Visitor.address(of: context.channel)) else {
            throw API.Problem(
                .tooMany,
                "Too many pages are open at this address. Close some, then load this page again."
            )
        }
        let node = node
        return StreamRoutes.answer(request, from: node.changes) { entry in
            // The place is held for as long as the stream is.
            withExtendedLifetime(place) {
                // A host may have closed the page.
                if entry.kinds.contains("people"), (try? node.visitedEvent()) == nil { return nil }
                return API.Change(forVisitors: entry, of: Self.toldKinds)
            }
        }
    }
}
