// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import MinglePeering

/// All that guests of a door can ask for: each call of the local API is named here, and none is added by itself.
struct DoorRoutes {
    /// Calls of the local API that a door has too, with the guest in place of the node's person.
    static let shared: Set<String> = [
        "GET news", "GET notifications", "GET people", "GET people/:id", "GET people/:id/pictures",
        "GET people/:id/moments", "GET search",
        "GET photos", "GET photos/times", "GET photos/nearby", "PUT photos", "GET photos/:id", "PATCH photos/:id",
        "DELETE photos/:id",
        "POST uploads", "HEAD uploads/:id", "PATCH uploads/:id", "DELETE uploads/:id",
        "GET moments", "POST moments", "GET moments/:id", "PATCH moments/:id", "DELETE moments/:id",
        "GET moments/:id/thumbnail", "GET moments/:id/preview", "GET moments/:id/calendar.ics", "GET places",
        "GET places/:id", "GET place_pages", "GET place_pages/:id/thumbnail", "GET place_pages/:id/preview",
        "GET ownerships", "GET kinds", "PUT ratings/:id", "DELETE ratings/:id", "POST check_ins",
        "GET categories", "GET themes",
        "GET places/find", "GET places/suggest", "GET places/trending", "GET places/inspire",
        "GET deals", "GET deals/:id", "GET deals/:id/thumbnail", "GET deals/:id/preview", "PUT deal_uses/:id",
        "GET site_plans", "GET site_plans/:id/thumbnail", "GET site_plans/:id/preview",
        "POST moments/:id/join", "POST moments/:id/check-in", "GET moments/:id/participants",
        "GET comments", "POST comments", "PATCH comments/:id", "DELETE comments/:id", "GET comments/:id/thumbnail",
        "GET comments/:id/preview",
        "PUT faves/:id", "DELETE faves/:id", "PUT votes/:id", "DELETE votes/:id", "GET reports/:id", "PUT reports/:id",
        "PUT profile/picture",
        "GET media/:id/thumbnail", "GET media/:id/preview", "GET media/:id/original", "GET media/:id/jpeg",
        "GET media/:id/picture", "GET photos.zip", "POST photos.zip",
    ]
    /// Those of them that tell of others, which a door does not have whose guests see only what they sent.
    static let ofOthers: Set<String> = [
        "GET news", "GET notifications", "GET people", "GET people/:id", "GET people/:id/pictures",
        "GET people/:id/moments", "GET search", "GET places/:id", "GET place_pages", "GET ownerships",
        "GET moments/:id/participants", "GET media/:id/picture", "GET places/find", "GET places/suggest",
        "GET places/trending", "GET places/inspire", "GET deals", "GET deals/:id", "GET deals/:id/thumbnail",
        "GET deals/:id/preview", "PUT deal_uses/:id", "GET photos/nearby", "PUT votes/:id", "DELETE votes/:id",
    ]
    /// The kinds of changes that guests are told of.
    private static let toldKinds: Set<String> = [
        "category", "check_in", "comment", "deal", "deal_confirmation", "deal_use", "event", "fave", "hidden", "media",
        "moment", "ownership", "participation", "people", "photo", "place", "place_page", "profile", "profile_picture",
        "rating", "site_plan", "theme", "vote",
    ]
    /// Paths that the web app understands.
    private static let pages: [RouterPath] = [
        "/", "check-ins", "deals", "deals/:id", "for-you", "moments", "moments/:id", "news", "people", "people/:id",
        "photos", "photos/:id", "places", "places/:id",
    ]

    let door: Door
    let entrance: DoorEntrance
    /// Places for those who watch what changes, by their browsers.
    let streams: Places
    /// The same by their addresses.
    let streamsByAddress: Places

    private var node: Node { door.node }

    private var parts: Parts {
        let door = door
        return Parts { _, context in
            try door.reader(context.knownBrowser)
        } writing: { _, context in
            try door.writer(context.knownBrowser, from: Visitor.address(of: context.channel))
        }
    }

    func add(to router: Router<WebContext>) {
        router.get("assets/**") { request, _ in
            try AppRoutes.serve(String(request.uri.path.dropFirst("/assets/".count)), request)
        }
        for page in Self.pages { router.get(page) { request, _ in DoorPages.app(request) } }
        router.get("wall") { request, _ in DoorPages.wall(request) }
        let (api, parts) = (router.group("api/v1"), parts)
        let calls = CallRouter(
            api,
            allowing: door.terms.isDropOnly ? Self.shared.subtracting(Self.ofOthers) : Self.shared
        )
        EventRoutes(node: node, parts: parts).add(to: calls)
        NewsRoutes(parts: parts).add(to: calls)
        MomentRoutes(node: node, parts: parts).add(to: calls)
        PhotoRoutes(node: node, parts: parts).add(to: calls)
        ArchiveRoutes(node: node, parts: parts).add(to: calls)
        UploadRoutes.guests(of: door, parts).add(to: calls)
        PeopleRoutes(node: node, parts: parts).add(to: calls)
        ProfileRoutes(node: node, parts: parts).add(to: calls)
        SearchRoutes(parts: parts).add(to: calls)
        PlaceRoutes(parts: parts).add(to: calls)
        LivePlaceRoutes(parts: parts).add(to: calls)
        ModerationRoutes(parts: parts).add(to: calls)
        MediaRoutes(node: node, parts: parts).add(to: calls)
        DealRoutes(parts: parts).add(to: calls)
        KindRoutes(parts: parts).add(to: calls)
        let own = CallRouter(api)
        addVisit(to: own, parts)
        addSignIn(to: own)
        addCode(to: own)
        api.get("stream") { request, context in try stream(request, context) }
        let described = API.OpenAPI.document(of: calls.calls + own.calls, version: Node.version)
        api.get("openapi.json") { _, _ in try Response.json(described) }
    }

    private func addVisit(to calls: CallRouter, _ parts: Parts) {
        calls.on(.get, "visit", "Tells what the event is called, and who the guest is.") { _, context in
            try door.visit(context.knownBrowser)
        }
        calls.on(.put, "profile", "Sets the name that others see.") { (body: API.Envelope.Name, request, context) in
            try await parts.write(request, context) { service in
                try service.rename(to: body.name)
                return try service.ownPerson()
            }
        }
        let leaving = API.Call(
            "DELETE",
            "visit",
            "Leaves the event, and deletes what the guest shared.",
            status: 204,
            answer: .nothing
        )
        calls.on(leaving) { _, context in
            try await door.leave(context.knownBrowser, from: Visitor.address(of: context.channel))
            var response = Response.done
            response.headers[.setCookie] = entrance.forgottenCookie
            return response
        }
    }

    private func addCode(to calls: CallRouter) {
        let code = API.Call(
            "GET",
            "doors/code.svg",
            "Draws the QR code of this door, at the address by which it was asked.",
            answer: .bytes(["image/svg+xml"])
        )
        calls.on(code) { request, _ in
            try Response.code(of: "http://\(request.head.authority ?? "")\(entrance.path)".uppercased())
        }
    }

    private func addSignIn(to calls: CallRouter) {
        calls.on(
            .post,
            "sign-in-codes",
            "Makes a code by which the guest takes part with another phone.",
            status: .created
        ) {
            _,
            context in
            try door.makeCode(context.knownBrowser)
        }
        calls.on(
            .post,
            "device-link",
            "Makes a link by which a node of the guest's own becomes a device of the guest.",
            status: .created
        ) { _, context in
            try door.makeDeviceLink(context.knownBrowser, from: Visitor.address(of: context.channel))
        }
        calls.on(.post, "sign-in", "Goes on as the guest who made a code.") { (body: API.SignIn, _, context) in
            var person: API.Person?
            let browser = try context.knownBrowser
            let refusal = try entrance.refusal(of: body.code, from: Visitor.address(of: context.channel)) { code in
                person = try door.signIn(browser, by: code)
                return person != nil
            }
            if case .tooMany(let seconds) = refusal {
                throw API.Problem(.tooMany, "There were too many wrong codes. Try again in \(seconds) seconds.")
            }
            guard let person else { throw API.Problem.wrongSignInCode }
            return person
        }
    }

    private func stream(_ request: Request, _ context: WebContext) throws -> Response {
        let browser = try context.knownBrowser
        _ = try door.reader(browser)
        // Cookies are free, and places are not: one address has not all of them.
        guard let place = streams.take(for: browser.text),
            let addressPlace = streamsByAddress.take(for: Visitor.address(of: context.channel))
        else {
            throw API.Problem(.tooMany, "This page is open too many times. Close some, then load this page again.")
        }
        let door = door
        return StreamRoutes.answer(request, from: node.changes) { entry in
            // The place is held for as long as the stream is.
            withExtendedLifetime((place, addressPlace)) {
                // A host may have closed the page, or removed the guest.
                if entry.kinds.contains("people"), (try? door.reader(browser)) == nil { return nil }
                var change = API.Change(forGuests: entry, of: Self.toldKinds)
                if door.terms.isDropOnly { change.targets = nil }
                return change
            }
        }
    }
}

extension WebContext {
    /// The browser that the request comes from, which ``DoorGuard`` let in.
    var knownBrowser: Browser {
        get throws {
            guard let browser else { throw API.Problem(.notAllowed, "Scan the code at the event to open this page.") }
            return browser
        }
    }
}
