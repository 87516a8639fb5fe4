// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleNode

/// People, peers, and the person's own profile and devices.
struct PeopleRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("people") { request, _ in try Response.json(node.people(event: request.event)) }
        api.put("people/:id/level") { request, context in
            let level = try await request.value(API.Envelope.Level.self).level
            return try Response.json(node.setLevel(of: context.id, to: level, event: request.event))
        }
        api.put("people/:id/muted") { request, context in
            try Response.json(node.mute(context.id, true, event: request.event))
        }
        api.delete("people/:id/muted") { request, context in
            try Response.json(node.mute(context.id, false, event: request.event))
        }
        api.delete("people/:id") { request, context in
            let keepsLinks = try request.flag("keep_links")
            return try Response.json(node.remove(context.id, keepsLinks: keepsLinks, event: request.event))
        }
        api.post("people/:id/rescue") { request, context in
            let until = try await request.value(API.Envelope.Until.self).until
            let isPreview = try request.flag("preview")
            return try Response.json(
                node.rescue(context.id, until: until, isPreview: isPreview, event: request.event)
            )
        }
        addDevices(to: api)
        api.get("peers") { request, _ in try Response.json(node.peers(event: request.event)) }
        api.put("profile") { request, _ in
            let name = try await request.value(API.Envelope.Name.self).name
            return try Response.json(node.rename(to: name, event: request.event))
        }
        api.put("profile/picture") { request, _ in
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            return try await Response.json(node.setProfilePicture(path: file.path, event: request.event))
        }
    }

    private func addDevices(to api: RouterGroup<WebContext>) {
        api.get("devices") { request, _ in try Response.json(node.devices(event: request.event)) }
        api.delete("devices/:id") { request, context in
            let isForced = try request.flag("force")
            return try Response.json(node.retireDevice(context.id, event: request.event, isForced: isForced))
        }
        api.get("device-link") { request, _ in try Response.json(node.deviceLink(event: request.event)) }
        api.post("device-link") { request, _ in
            try Response.json(node.makeDeviceLink(event: request.event), status: .created)
        }
        api.delete("device-link") { request, _ in
            try node.closeDeviceLink(event: request.event)
            return Response.done
        }
    }
}
