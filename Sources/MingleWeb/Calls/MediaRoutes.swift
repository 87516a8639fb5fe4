// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleMedia
import MingleModel
import MingleNode
import NIOCore

/// Photos' and clips' bytes, decrypted as they are read.
struct MediaRoutes {
    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        for rendition in [Rendition.thumbnail, .preview, .original] {
            let download = API.Parameter("download", .flag, "Whether a browser is to save the file.")
            let call = API.Call(
                "GET",
                "media/:id/\(rendition.rawValue)",
                "Sends the \(rendition.rawValue) of a photo.",
                parameters: rendition == .original ? [download] : [],
                answer: .bytes(Self.shownTypes.sorted() + ["application/octet-stream"])
            )
            calls.on(call) { request, context in
                let media = try parts.reading(request, context).openMedia(context.record, rendition)
                return try Self.answer(request, with: media, of: context.id, as: rendition)
            }
        }
        let jpeg = API.Call(
            "GET",
            "media/:id/jpeg",
            "Sends all pixels of a photo as a JPEG, which is made of the original.",
            parameters: [API.Parameter("download", .flag, "Whether a browser is to save the file.")],
            answer: .bytes(["image/jpeg"])
        )
        calls.on(jpeg) { request, context in
            try await fullSize(request, context)
        }
        let picture = API.Call(
            "GET",
            "media/:id/picture",
            "Sends the profile picture of a person.",
            parameters: [
                API.Parameter("v", .text(limit: 64), "The picture's version; another one is another address."),
                API.Parameter("of", .text(limit: 64), "The id of an earlier picture; without it the present one."),
                API.Parameter("large", .flag, "Whether an earlier picture is for a screen."),
            ],
            answer: .bytes(["image/jpeg"])
        )
        calls.on(picture) { request, context in
            let part = try parts.reading(request, context)
            guard let id = request.query("of") else {
                return try Self.answer(request, withPicture: part.openProfilePicture(context.person))
            }
            let (picture, isLarge) = (try RequestValidation.reference(id), try request.flag("large"))
            let media = try part.openProfilePicture(picture, of: context.person, isLarge: isLarge)
            return Self.answer(request, withPicture: media)
        }
    }

    /// Answers with one form of a photo.
    static func answer(
        _ request: Request,
        with media: (reader: BlobReader, type: String, name: String),
        of id: String,
        as rendition: Rendition
    ) throws -> Response {
        var headers: HTTPFields = [
            .contentType: media.type,
            .cacheControl: Self.unchanging,
            .eTag: "\"\(id).\(rendition.rawValue)\"",
        ]
        if rendition == .original, try request.flag("download") || !isShown(media.type) {
            headers[.contentDisposition] = attachment(media.name)
        }
        return respond(to: request, with: media.reader, headers: headers)
    }

    /// Answers with a JPEG that is made for this answer; browsers keep it.
    private func fullSize(_ request: Request, _ context: WebContext) async throws -> Response {
        let (record, id, part) = (try context.record, context.id, try parts.reading(request, context))
        // What is a JPEG already is read as it is sent.
        let original = try part.openMedia(record, .original)
        if original.type == "image/jpeg" { return try Self.answer(request, with: original, of: id, as: .original) }
        var headers = Self.sandboxed([
            .contentType: "image/jpeg", .cacheControl: Self.unchanging, .eTag: "\"\(id).jpeg\"",
        ])
        if request.holds("\"\(id).jpeg\"") { return Response(status: .notModified, headers: headers) }
        let download = try request.flag("download")
        let picture = try await node.fullSizeJPEG(record, for: part)
        if download { headers[.contentDisposition] = Self.attachment(picture.name) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    /// Answers with a profile picture.
    static func answer(_ request: Request, withPicture media: (reader: BlobReader, type: String)) -> Response {
        respond(
            to: request,
            with: media.reader,
            headers: [.contentType: media.type, .cacheControl: "no-cache"]
        )
    }

    /// Types that a browser shows and never runs.
    private static let shownTypes: Set<String> = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "image/avif", "video/mp4",
    ]

    private static func isShown(_ type: String) -> Bool { shownTypes.contains(type) }

    /// Answers with all of a blob, or the range that was asked for (RFC 9110, section 14).
    private static func respond(to request: Request, with reader: BlobReader, headers: HTTPFields) -> Response {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        // Whoever shared this said what it is. A page or a script must be neither in this origin.
        if !isShown(headers[.contentType] ?? "") { headers[.contentType] = "application/octet-stream" }
        headers = sandboxed(headers)
        if let tag = headers[.eTag], request.holds(tag) {
            return Response(status: .notModified, headers: headers)
        }
        let asked = request.method == .get && isCurrent(request, headers[.eTag])
        switch ByteRange(asked ? request.headers[.range] : nil, size: reader.size) {
        case .whole: return Response(status: .ok, headers: headers, body: body(of: reader, 0..<reader.size))
        case .unsatisfiable:
            (headers[.contentRange], headers[.cacheControl]) = ("bytes */\(reader.size)", "no-store")
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.size)"
            return Response(status: .partialContent, headers: headers, body: body(of: reader, range))
        }
    }

    /// What a record names never changes.
    private static let unchanging = "private, max-age=31536000, immutable"

    /// Headers with which a browser runs nothing of what it is sent.
    private static func sandboxed(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.xContentTypeOptions] = "nosniff"
        return headers
    }

    /// Whether what the client holds already is part of this very picture, if it asks.
    private static func isCurrent(_ request: Request, _ tag: String?) -> Bool {
        HTTPField.Name("If-Range").flatMap { request.headers[$0] }.map { $0 == tag } ?? true
    }

    private static func body(of reader: BlobReader, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                // Whole chunks are the cheapest to read.
                let end = min((offset / Int64(reader.chunkSize) + 1) * Int64(reader.chunkSize), range.upperBound)
                let bytes = try reader.read(offset: offset, length: Int(end - offset))
                guard !bytes.isEmpty else { break }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += Int64(bytes.count)
            }
            try await writer.finish(nil)
        }
    }

    /// A header that names the file, whatever its characters (RFC 6266).
    static func attachment(_ name: String) -> String {
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "photo"
        return "attachment; filename*=UTF-8''\(encoded)"
    }
}
