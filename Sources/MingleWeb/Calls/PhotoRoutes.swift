// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode

/// Photos, faves and bookmarks; comments are records like others.
struct PhotoRoutes {
    /// Media types of pictures that can be uploaded.
    private static let pictures = [
        "image/jpeg", "image/heic", "image/avif", "image/png", "image/webp", "image/gif", "application/octet-stream",
    ]

    let node: Node

    func add(to calls: CallRouter) {
        calls.on(Kind.photo.described(.list, answering: API.Envelope.Photos.self)) { request, _ in
            try Response.json(node.service(request.event).photos(ListQuery(.photo, request.parameters)))
        }
        addUploads(to: calls)
        calls.on(.get, "photos/:id", "Shows a photo.") { request, context in
            try node.service(request.event).photo(context.record)
        }
        calls.on(.patch, "photos/:id", "Changes what is said of a photo of one's own.") {
            (change: API.Envelope.PhotoChange, request, context) in
            let id = try context.record
            return try await node.write(request.event) { service in try service.edit(photo: id, change) }
        }
        addMarks(to: calls)
    }

    private func addUploads(to calls: CallRouter) {
        let share = API.Call(
            "PUT",
            "photos",
            "Shares a photo; the body is the file.",
            details: "A photo that this person has shared there already is not shared twice: it gets the title that is "
                + "given now, and `already_shared` says so.",
            parameters: [
                API.Parameter("name", .text(limit: 255), "The file's name."),
                API.Parameter("title", .text(limit: 1000), "What is said of it."),
                API.Parameter("target", .text(limit: 64), "The id of the moment or place that it is of."),
                API.Parameter("keep_location", .flag, "Whether others may see where it was taken."),
            ],
            body: .bytes(Self.pictures),
            status: 201,
            repeatedStatus: 200,
            answer: .json(API.Schema(of: API.Photo.self))
        )
        calls.on(share) { request, _ in
            let target = try request.target()
            let keepsLocation = try request.flag("keep_location")
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            let upload = PhotoUpload(
                path: file.path,
                name: request.query("name") ?? "photo",
                title: request.query("title") ?? "",
                target: target,
                keepsLocation: keepsLocation
            )
            let photo = try await node.addPhoto(upload, event: request.event)
            return try Response.json(photo, status: photo.alreadyShared == true ? .ok : .created)
        }
        let picture = API.Call(
            "POST",
            "pictures",
            "Uploads a picture for a record that is to have it; the body is the file.",
            body: .bytes(Self.pictures),
            status: 201,
            answer: .json(API.Schema(of: API.Picture.self))
        )
        calls.on(picture) { request, _ in
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            return try Response.json(
                await node.addPicture(path: file.path, event: request.event),
                status: .created
            )
        }
    }

    private func addMarks(to calls: CallRouter) {
        calls.on(.put, "faves/:id", "Faves a record.") { request, context in
            let target = try context.record
            return try await node.write(request.event) { try $0.fave(target, true) }
        }
        calls.on(.delete, "faves/:id", "Takes a fave back.") { request, context in
            let target = try context.record
            return try await node.write(request.event) { try $0.fave(target, false) }
        }
        calls.on(.get, "bookmarks", "Lists what this person marked, marked last first.", .before) { request, _ in
            try node.service(request.event).bookmarks(before: request.query("before"), limit: 50)
        }
        calls.on(.put, "bookmarks/:id", "Marks a record to find it again; nobody else learns of it.") {
            request,
            context in
            let target = try context.record
            return try await node.write(request.event) { try $0.bookmark(target, true) }
        }
        calls.on(.delete, "bookmarks/:id", "Takes a mark away.") { request, context in
            let target = try context.record
            return try await node.write(request.event) { try $0.bookmark(target, false) }
        }
    }
}

extension Request {
    /// The record that the query names as target; nil where it names none.
    ///
    /// - Throws: `API.Problem` named `notFound` for anything else.
    func target() throws -> Reference? { try query("target").map(RequestValidation.reference) }
}
