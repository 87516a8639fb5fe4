// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NIOCore

/// Photos to take home, as a ZIP archive that is made while it is sent.
struct ArchiveRoutes {
    /// Bytes of a list of ids.
    private static let listLimit = 512 * 1024
    private static let path = "photos.zip"
    static let type = "application/zip"
    private static let details =
        "A photo that has not arrived yet is named in `missing.txt`, and one that is hidden is left out. The length is not known "
        + "in advance."

    private static let parameters = [
        API.Parameter("mine", .flag, "Whether only to send one's own photos."),
        API.Parameter("faved", .flag, "Whether only to send photos that one faves."),
        API.Parameter("target", .text(limit: 64), "Only photos of the moment or place of this id."),
        API.Parameter(
            "format",
            .word(["original", "jpeg"]),
            "`jpeg` makes a JPEG of each HEIC and AVIF; without it all are sent as they were shared."
        ),
    ]

    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        let get = API.Call(
            "GET",
            Self.path,
            "Sends photos as one ZIP archive.",
            details: Self.details,
            parameters: Self.parameters
                + [API.Parameter("ids", .text(limit: 8192), "Only photos with these ids, with commas between them.")],
            answer: .bytes([Self.type])
        )
        calls.on(get) { request, context in
            try answer(request, context, ids: request.query("ids").map(Self.ids))
        }
        let schema = API.Schema(of: API.ArchivedPhotos.self)
        let post = API.Call(
            "POST",
            Self.path,
            "Sends the photos of a list of ids as one ZIP archive.",
            details: "A form of a page has the field `ids`, with commas between the ids. \(Self.details)",
            parameters: Self.parameters,
            body: .json(schema),
            answer: .bytes([Self.type])
        )
        calls.on(post) { request, context in
            try answer(request, context, ids: await Self.listed(in: request, schema))
        }
    }

    private func answer(_ request: Request, _ context: WebContext, ids: [Reference]?) throws -> Response {
        var choice = PhotoChoice()
        (choice.isMine, choice.isFaved) = (try request.flag("mine"), try request.flag("faved"))
        (choice.target, choice.ids) = (try request.target(), ids)
        choice.isAsJPEG = try Self.isJPEG(request)
        return Self.response(try node.photoArchive(choice, for: parts.reading(request, context)))
    }

    /// An answer that a browser saves as a file.
    static func response(_ archive: PhotoArchive) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: MediaRoutes.attachment(archive.name),
            ],
            body: ResponseBody { writer in
                var parts = archive.parts()
                while let part = try await parts.next() { try await writer.write(ByteBuffer(bytes: part)) }
                try await writer.finish(nil)
            }
        )
    }

    private static func isJPEG(_ request: Request) throws -> Bool {
        switch request.query("format") {
        case nil, "original": return false
        case "jpeg": return true
        default: throw API.Problem(.badRequest, "`format` must be original or jpeg.")
        }
    }

    private static func listed(in request: Request, _ schema: API.Schema) async throws -> [Reference] {
        let type = request.headers[.contentType] ?? ""
        guard type.hasPrefix("application/x-www-form-urlencoded") else {
            let list = try await request.value(API.ArchivedPhotos.self, as: schema, limit: listLimit)
            return try references(list.ids)
        }
        let fields = Request.fields(of: String(decoding: try await request.bytes(upTo: listLimit), as: UTF8.self))
        guard let list = fields["ids"], fields.count == 1 else {
            throw API.Problem(.badRequest, "The form must have the field `ids` and no others.")
        }
        return try ids(list)
    }

    private static func ids(_ list: String) throws -> [Reference] {
        try references(list.split(separator: ",").map(String.init))
    }

    private static func references(_ ids: [String]) throws -> [Reference] {
        guard ids.count <= API.ArchivedPhotos.limit else {
            throw API.Problem(
                .tooLarge,
                "There are more than \(API.ArchivedPhotos.limit) ids. Save fewer photos at a time."
            )
        }
        return try ids.map(RequestValidation.reference)
    }
}
