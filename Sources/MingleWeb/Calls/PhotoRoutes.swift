// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode

/// Photos, faves and bookmarks; comments are records like others.
struct PhotoRoutes {
    /// Media types of pictures that can be uploaded.
    static let pictures = [
        "image/jpeg", "image/heic", "image/avif", "image/png", "image/webp", "image/gif", "application/octet-stream",
    ]
    /// Those of videos that clips are made of.
    static let videos = ["video/mp4", "video/quicktime", "video/webm"]

    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(Kind.photo.described(.list, answering: API.Envelope.Photos.self)) { request, context in
            try Response.json(parts.service(request, context).photos(ListQuery(.photo, request.parameters)))
        }
        addTimes(to: calls)
        addNearby(to: calls)
        addUploads(to: calls)
        calls.on(.get, "photos/:id", "Shows a photo.") { request, context in
            try parts.service(request, context).photo(context.record)
        }
        calls.on(.patch, "photos/:id", "Changes what is said of a photo of one's own, or shows one that was held back.")
        {
            (change: API.Envelope.PhotoChange, request, context) in
            let id = try context.record
            return try await parts.write(request, context) { service in try service.edit(photo: id, change) }
        }
        addMarks(to: calls)
    }

    private func addTimes(to calls: CallRouter) {
        let list = Kind.photo.described(.list, answering: API.Envelope.PhotoTimes.self)
        let unused: Set = ["before", "limit", "q", "near", "radius_m", "within"]
        let times = API.Call(
            "GET",
            "photos/times",
            "Counts photos by the time, in the order of the list with the same parameters.",
            details: "`before` is the cursor with which that list goes on at the first photo of the time. Each time is "
                + "`seconds` long: ten minutes, or where there were more than 2000 of these an hour or a day.",
            parameters: list.parameters.filter { !unused.contains($0.name) },
            answer: list.answer
        )
        calls.on(times) { request, context in
            try Response.json(parts.service(request, context).photoTimes(ListQuery(.photo, request.parameters)))
        }
    }

    private func addNearby(to calls: CallRouter) {
        let nearby = API.Call(
            "GET",
            "photos/nearby",
            "Lists photos around a position, the best first: by votes, nearness and age.",
            details: "A photo is where it was taken, or else where the place or the moment is that it is of. At most "
                + "200 are listed, and there is no further page. The event needs the area `\(Area.nearby.word)`.",
            parameters: [
                API.Parameter("near", .text(limit: 60), "LATITUDE,LONGITUDE: where one stands.", isRequired: true),
                API.Parameter("radius_m", .number(1...1_000_000), "How far photos are; without it 500."), .limit,
            ],
            answer: .json(API.Schema(of: API.Envelope.Photos.self))
        )
        calls.on(nearby) { request, context in
            try Response.json(parts.service(request, context).nearbyPhotos(request.parameters))
        }
    }

    private func addUploads(to calls: CallRouter) {
        let share = API.Call(
            "PUT",
            "photos",
            "Shares a photo or a clip; the body is the file.",
            details: "A photo that this person has shared there already is not shared twice: it gets the title that is "
                + "given now, and `already_shared` says so. Of a video a clip is made: its first 10 seconds, square, without "
                + "anything else that is in the file. One of less than 5 seconds is refused.",
            parameters: API.Parameter.ofPhoto,
            body: .bytes(Self.pictures + Self.videos),
            status: 201,
            repeatedStatus: 200,
            answer: .json(API.Schema(of: API.Photo.self))
        )
        calls.on(share) { request, context in
            // Who has no part in an event sends no file for nothing.
            _ = try parts.reading(request, context)
            var upload = try request.photoUpload()
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            upload.path = file.path
            let photo = try await node.addPhoto(upload) { try parts.writing(request, context) }
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
        calls.on(picture) { request, context in
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            return try Response.json(
                await node.addPicture(path: file.path, to: parts.writing(request, context)),
                status: .created
            )
        }
    }

    private func addMarks(to calls: CallRouter) {
        calls.on(.put, "faves/:id", "Faves a record.") { request, context in
            let target = try context.record
            return try await parts.write(request, context) { try $0.fave(target, true) }
        }
        calls.on(.delete, "faves/:id", "Takes a fave back.") { request, context in
            let target = try context.record
            return try await parts.write(request, context) { try $0.fave(target, false) }
        }
        calls.on(.get, "bookmarks", "Lists what this person marked, marked last first.", .before) { request, context in
            try parts.service(request, context).bookmarks(before: request.query("before"), limit: 50)
        }
        calls.on(.put, "bookmarks/:id", "Marks a record to find it again; nobody else learns of it.") {
            request,
            context in
            let target = try context.record
            return try await parts.write(request, context) { try $0.bookmark(target, true) }
        }
        calls.on(.delete, "bookmarks/:id", "Takes a mark away.") { request, context in
            let target = try context.record
            return try await parts.write(request, context) { try $0.bookmark(target, false) }
        }
    }
}

extension Request {
    /// The record that the query names as target; nil where it names none.
    ///
    /// - Throws: `API.Problem` named `notFound` for anything else.
    func target() throws -> Reference? { try query("target").map(RequestValidation.reference) }

    /// The photo that the query describes (``API/Parameter/ofPhoto``), still without a file.
    ///
    /// - Throws: `API.Problem` for a target or a flag that is none.
    func photoUpload() throws -> PhotoUpload {
        var upload = PhotoUpload(
            path: "",
            name: query("name") ?? "photo",
            title: query("title") ?? "",
            target: try target(),
            keepsLocation: try flag("keep_location")
        )
        upload.event = event
        return upload
    }
}

extension API.Parameter {
    /// What is said of a photo that is to be shared.
    static let ofPhoto = [
        Self("name", .text(limit: 255), "The file's name."),
        Self("title", .text(limit: 1000), "What is said of it."),
        Self("target", .text(limit: 64), "The id of the moment or place that it is of."),
        Self("keep_location", .flag, "Whether others may see where it was taken."),
    ]
}
