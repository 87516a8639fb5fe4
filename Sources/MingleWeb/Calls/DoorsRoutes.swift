// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore

/// Doors: which an event has, and the one beside this node.
struct DoorsRoutes {
    let node: Node
    /// Nil where this node opens none.
    let door: HostedDoor?

    func add(to calls: CallRouter) {
        calls.on(.get, "doors", "Lists the doors of the event, by which phones take part.") { request, _ in
            var doors = try node.doors(event: request.event)
            for index in doors.doors.indices where await door?.isThis(doors.doors[index].person.id) ?? false {
                doors.doors[index].own = await door?.own
            }
            return doors
        }
        calls.on(
            .post,
            "doors",
            "Opens a door beside this node; hosts can.",
            details:
                "It serves the event to phones on the local network. Said again, it is opened anew under these terms.",
            status: .created
        ) { (new: API.NewDoor, request, _) in
            try await own.open(new, event: request.event)
        }
        calls.on(.post, "doors/code", "Gives the door beside this node a new code.") { _, _ in
            try await own.renewCode()
        }
        let force = API.Parameter("force", .flag, "Whether to close it where this node may not know all its guests.")
        calls.on(.delete, "doors/:id", "Closes a door, and ends the part of all who came by it.", force) {
            request,
            context in
            let isForced = try request.flag("force")
            if let door, await door.isThis(context.id) { return try await door.close(isForced: isForced) }
            return try node.closeDoor(context.id, isForced: isForced, event: request.event)
        }
        let code = API.Call(
            "GET",
            "doors/code.svg",
            "Draws the QR code of the door beside this node.",
            answer: .bytes(["image/svg+xml"])
        )
        calls.on(code) { _, _ in
            guard let address = await door?.own?.addresses.first else { throw API.Problem.noOwnDoor }
            return try Response.code(of: address.uppercased())
        }
        let sizes = PosterSheet.Size.allCases.map(\.rawValue)
        let poster = API.Call(
            "GET",
            "doors/poster.svg",
            "Draws a page to print for the door beside this node: a poster or a card for a table.",
            parameters: [
                API.Parameter("size", .text(limit: 2), "The paper: \(sizes.joined(separator: " or ")). Default: a4."),
                API.Parameter("language", .text(limit: 20), "The language of the page, such as es. Default: en."),
            ],
            answer: .bytes(["image/svg+xml"])
        )
        calls.on(poster) { request, _ in try await self.poster(request) }
    }

    private func poster(_ request: Request) async throws -> Response {
        guard let size = PosterSheet.Size(rawValue: request.query("size") ?? "a4") else {
            throw API.Problem(.badRequest, "`size` must be a4 or a6.")
        }
        guard let door, let address = await door.own?.addresses.first else { throw API.Problem.noOwnDoor }
        let sheet = PosterSheet(
            title: try node.status(event: request.event).current?.title ?? "",
            address: address,
            wifi: await door.wifi,
            words: .of(language: request.query("language") ?? "en")
        )
        return Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try sheet.svg(size)))
        )
    }

    private var own: HostedDoor {
        get throws {
            guard let door else { throw API.Problem.noOwnDoor }
            return door
        }
    }
}

extension API.Problem {
    /// There is no door beside this node.
    static let noOwnDoor = API.Problem(.notFound, "This node has no open door. To open one: mingle doors open.")
}
