// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleNode

/// People, peers, and the person's own profile and devices.
struct PeopleRoutes {
    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(
            .get,
            "people",
            "Lists everybody in the event.",
            API.Parameter("q", .text(limit: 200), "Only those with these words in their names, the best 40 first.")
        ) { request, context in
            let service = try parts.service(request, context)
            guard let words = request.query("q"), !words.isEmpty else { return try service.people() }
            return try service.people(called: words)
        }
        addDecisions(to: calls)
        addDevices(to: calls)
        calls.on(.get, "peers", "Lists the nodes that this one is connected with.") { request, _ in
            try node.peers(event: request.event)
        }
        calls.on(.put, "profile", "Sets the name that others see.") { (body: API.Envelope.Name, request, _) in
            try await node.rename(to: body.name, event: request.event)
        }
        let picture = API.Call(
            "PUT",
            "profile/picture",
            "Sets the profile picture; the body is the file.",
            body: .bytes(["image/jpeg", "image/heic", "image/avif", "application/octet-stream"]),
            answer: .json(API.Schema(of: API.Person.self))
        )
        calls.on(picture) { request, context in
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            return try await Response.json(node.setProfilePicture(path: file.path, of: parts.writing(request, context)))
        }
    }

    private func addDecisions(to calls: CallRouter) {
        calls.on(.put, "people/:id/level", "Sets what a person may do, or lets in who waits.") {
            (body: API.Envelope.Level, request, context) in
            try node.setLevel(of: context.id, to: body.level, event: request.event)
        }
        calls.on(.put, "people/:id/muted", "Leaves what a person shares out of all lists of this node.") {
            request,
            context in
            try node.mute(context.id, true, event: request.event)
        }
        calls.on(.delete, "people/:id/muted", "Shows again what a person shares.") { request, context in
            try node.mute(context.id, false, event: request.event)
        }
        calls.on(
            .delete,
            "people/:id",
            "Removes a person from the event.",
            API.Parameter("keep_links", .flag, "Whether links stay open by which the person could come back.")
        ) { request, context in
            let keepsLinks = try request.flag("keep_links")
            return try node.remove(context.id, keepsLinks: keepsLinks, event: request.event)
        }
        calls.on(
            .post,
            "people/:id/rescue",
            "Lets more count of what a removed person wrote.",
            API.Parameter("preview", .flag, "Whether only to say what that would show.")
        ) { (body: API.Envelope.Until, request, context) in
            let isPreview = try request.flag("preview")
            return try node.rescue(context.id, until: body.until, isPreview: isPreview, event: request.event)
        }
    }

    private func addDevices(to calls: CallRouter) {
        calls.on(.get, "devices", "Lists this person's devices.") { request, _ in
            try node.devices(event: request.event)
        }
        calls.on(
            .delete,
            "devices/:id",
            "Retires another device of this person's.",
            API.Parameter("force", .flag, "Whether to do so where nobody else holds the same as this node.")
        ) { request, context in
            let isForced = try request.flag("force")
            return try node.retireDevice(context.id, event: request.event, isForced: isForced)
        }
        calls.on(.get, "device-link", "Shows the open link for a further device.") { request, _ in
            try node.deviceLink(event: request.event)
        }
        calls.on(.post, "device-link", "Makes a link for a further device.", status: .created) { request, _ in
            try node.makeDeviceLink(event: request.event)
        }
        calls.done(.delete, "device-link", "Closes the link for a further device.") { request, _ in
            try node.closeDeviceLink(event: request.event)
        }
    }
}
