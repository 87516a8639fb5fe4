// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore

/// Uploads that go on after a break, in the manner of Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload).
struct UploadRoutes: Sendable {
    /// Bytes of a refused request that are read.
    private static let drainLimit = 128 << 20
    private static let fileTypes = ["application/octet-stream", "application/partial-upload"]

    let shelf: UploadShelf
    /// Whose uploads a request is about; empty for the node's own person.
    let owner: @Sendable (Request, WebContext) async throws -> String
    /// Refuses what cannot be shared, before its first byte, and names the event.
    let prepare: @Sendable (PhotoUpload, Request, WebContext) async throws -> PhotoUpload
    /// Shares a file that is whole; it goes on when the connection is gone.
    let finish: @Sendable (PhotoUpload, Request, WebContext) async throws -> API.Photo

    /// Serves the uploads of whomever `owner` names.
    init(
        shelf: UploadShelf,
        owner: @escaping @Sendable (Request, WebContext) async throws -> String,
        prepare: @escaping @Sendable (PhotoUpload, Request, WebContext) async throws -> PhotoUpload,
        finish: @escaping @Sendable (PhotoUpload, Request, WebContext) async throws -> API.Photo
    ) {
        (self.shelf, self.owner, self.prepare, self.finish) = (shelf, owner, prepare, finish)
    }

    /// Serves the uploads of the node's own person.
    static func own(of node: Node, _ parts: Parts) -> UploadRoutes {
        UploadRoutes(
            shelf: node.uploads,
            owner: { _, _ in "" },
            prepare: { upload, request, context in try node.prepare(upload, for: parts.writing(request, context)) },
            finish: { upload, _, _ in try await node.addPhoto(upload, event: upload.event) }
        )
    }

    func add(to calls: CallRouter) {
        calls.on(Self.beginning) { request, context in try await begin(request, context) }
        calls.on(API.Call("HEAD", "uploads/:id", "Says how many bytes of an upload have come.", answer: .nothing)) {
            request,
            context in
            let progress = try shelf.progress(of: context.id, owner: await owner(request, context))
            var response = Self.at(progress.offset, Response(status: .ok, headers: [.cacheControl: "no-store"]))
            response.headers[.uploadLength] = "\(progress.length)"
            return response
        }
        calls.on(Self.appending) { request, context in try await append(request, context) }
        calls.done(.delete, "uploads/:id", "Drops an upload; a photo that it became stays.") { request, context in
            try shelf.drop(context.id, owner: await owner(request, context))
        }
    }

    private static let beginning = API.Call(
        "POST",
        "uploads",
        "Begins an upload that goes on after a break.",
        details: "The bytes follow with `PATCH` at the address in `Location`. An upload lives for a day.",
        parameters: API.Parameter.ofPhoto,
        headers: [API.Parameter("Upload-Length", .integer(1...(128 << 20)), "The file's bytes.", isRequired: true)],
        status: 201,
        answer: .json(API.Schema(of: API.Upload.self))
    )

    private static let appending = API.Call(
        "PATCH",
        "uploads/:id",
        "Appends to an upload; the last byte shares the photo.",
        details: "What came before a break stays. A request that begins elsewhere than the upload ends is refused with "
            + "409, and `Upload-Offset` says where to begin. Repeating the last request, also without a body, gives the "
            + "same photo.",
        headers: [
            API.Parameter("Upload-Offset", .integer(0...(128 << 20)), "Where the bytes belong.", isRequired: true)
        ],
        body: .bytes(fileTypes),
        status: 201,
        repeatedStatus: 200,
        partialStatus: 204,
        answer: .json(API.Schema(of: API.Photo.self))
    )

    private func begin(_ request: Request, _ context: WebContext) async throws -> Response {
        let length = try request.count(.uploadLength)
        let upload = try await prepare(request.photoUpload(), request, context)
        let progress = try shelf.begin(upload, length: length, owner: await owner(request, context))
        let answer = API.Upload(id: progress.id, offset: 0, length: length)
        var response = Self.at(0, try .json(answer, status: .created))
        response.headers[.location] = "/api/v1/uploads/\(progress.id)"
        return response
    }

    private func append(_ request: Request, _ context: WebContext) async throws -> Response {
        let owner = await Result { try await self.owner(request, context) }
        let opened = Result<UploadWriter, any Error> {
            try shelf.append(to: context.id, at: request.count(.uploadOffset), owner: owner.get())
        }
        let writer: UploadWriter
        do {
            writer = try await take(request.body, by: opened)
        } catch let error as WrongOffset {
            let detail = "The upload has \(error.offset) bytes. Go on there."
            return Self.at(error.offset, .problem(API.Problem(.conflict, detail)))
        }
        guard writer.isComplete else { return Self.at(writer.offset, .done) }
        let photo = try await shelf.finish(context.id, owner: owner.get()) { upload in
            try await finish(upload, request, context)
        }
        return Self.at(writer.offset, try .json(photo, status: photo.alreadyShared == true ? .ok : .created))
    }

    private static func at(_ offset: Int, _ response: Response) -> Response {
        var response = response
        response.headers[.uploadOffset] = "\(offset)"
        return response
    }

    /// Writes a body as it comes; what came before a break stays.
    ///
    /// What is refused is read to its end all the same: a sender that is cut off never sees the reason.
    private func take(_ body: RequestBody, by opened: Result<UploadWriter, any Error>) async throws -> UploadWriter {
        var (result, refused) = (opened, 0)
        do {
            for try await buffer in body {
                if let writer = try? result.get() {
                    do { try shelf.write(buffer.readableBytesView, by: writer) } catch { result = .failure(error) }
                } else {
                    refused += buffer.readableBytes
                    guard refused <= Self.drainLimit else { break }
                }
            }
        } catch {
            throw API.Problem.brokenOff
        }
        return try result.get()
    }
}

extension Request {
    /// A header field that is a number of bytes.
    fileprivate func count(_ name: HTTPField.Name) throws -> Int {
        guard let text = headers[name], text.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(text) else {
            throw API.Problem(.badRequest, "`\(name.rawName)` must be a number of bytes.")
        }
        return count
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
