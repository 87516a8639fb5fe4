// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleModel
import MingleNode

/// Photos, comments, faves and bookmarks.
struct PhotoRoutes {
    private static let pageLength = 60

    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("photos") { request, _ in
            let photos = try node.photos(
                of: request.query("moment"),
                before: request.query("before"),
                limit: try request.limit() ?? Self.pageLength,
                event: request.event
            )
            return try Response.json(photos)
        }
        api.put("photos") { request, _ in
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            let upload = PhotoUpload(
                path: file.path,
                name: request.query("name") ?? "photo",
                title: request.query("title") ?? "",
                moment: request.query("moment"),
                keepsLocation: try request.flag("keep_location")
            )
            let photo = try await node.addPhoto(upload, event: request.event)
            return try Response.json(photo, status: photo.alreadyShared == true ? .ok : .created)
        }
        api.get("photos/:id") { request, context in try Response.json(node.photo(context.id, event: request.event)) }
        api.delete("photos/:id") { request, context in
            try node.delete(.photo, context.id, event: request.event)
            return Response.done
        }
        addComments(to: api)
        addMarks(to: api)
    }

    private func addMarks(to api: RouterGroup<WebContext>) {
        api.put("faves/:id") { request, context in try Response.json(node.fave(context.id, true, event: request.event))
        }
        api.delete("faves/:id") { request, context in
            try Response.json(node.fave(context.id, false, event: request.event))
        }
        api.get("bookmarks") { request, _ in
            try Response.json(node.bookmarks(before: request.query("before"), event: request.event))
        }
        api.put("bookmarks/:id") { request, context in
            try Response.json(node.bookmark(context.id, true, event: request.event))
        }
        api.delete("bookmarks/:id") { request, context in
            try Response.json(node.bookmark(context.id, false, event: request.event))
        }
    }

    private func addComments(to api: RouterGroup<WebContext>) {
        for target in ["photos", "moments"] {
            api.get("\(target)/:id/comments") { request, context in
                try Response.json(node.comments(on: context.id, before: request.query("before"), event: request.event))
            }
            api.post("\(target)/:id/comments") { request, context in
                let text = try await request.value(API.Envelope.Text.self).text
                return try Response.json(
                    node.comment(on: context.id, text: text, event: request.event),
                    status: .created
                )
            }
        }
        api.delete("comments/:id") { request, context in
            try node.delete(.comment, context.id, event: request.event)
            return Response.done
        }
    }
}
