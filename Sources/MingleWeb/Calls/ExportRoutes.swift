// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleNode
import NIOCore

/// All that a person sees of an event, to take home: as a ZIP archive, or as lines for a program that writes a folder.
struct ExportRoutes {
    private static let parameters = [
        API.Parameter("private", .flag, "Whether to send what not everybody in the event sees, too.")
    ]
    private static let details =
        "`photos/` has the originals, each with a file of XMP beside it, `thumbs/` small ones, `index.html` is a page that "
        + "shows them, and `records.jsonl` has every record, one on a line. Nothing that is hidden or of a muted person is sent."

    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        let archive = API.Call(
            "GET",
            "export.zip",
            "Sends all that this person sees of the event as one ZIP archive.",
            details: "A photo that has not arrived yet is named in `missing.txt`. \(Self.details)",
            parameters: Self.parameters,
            answer: .bytes([ArchiveRoutes.type])
        )
        calls.on(archive) { request, context in
            let part = try parts.reading(request, context)
            return try ArchiveRoutes.response(
                node.exportArchive(includingPrivate: request.flag("private"), for: part)
            )
        }
        let lines = API.Call(
            "GET",
            "export",
            "Lists the files of the same archive, one or a piece of one on a line.",
            details:
                "A line is an object with `path` and `time`, and either the next piece of a `text`, or the `call` that "
                + "sends the file and its `size`. \(Self.details)",
            parameters: Self.parameters,
            answer: .bytes(["application/jsonl"])
        )
        calls.on(lines) { request, context in
            let part = try parts.reading(request, context)
            let export = try part.service.export(includingPrivate: request.flag("private"), assuming: .current)
            return Self.response(export)
        }
    }

    private static func response(_ export: EventExport) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/jsonl", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                var export = export
                while let item = try export.next() {
                    try await writer.write(ByteBuffer(bytes: API.encode(API.ExportedFile(item)) + Data("\n".utf8)))
                }
                try await writer.finish(nil)
            }
        )
    }
}

extension API.ExportedFile {
    fileprivate init(_ item: ArchiveItem) {
        switch item {
        case .text(let piece, let text):
            self.init(path: text.path, text: piece, time: Date(milliseconds: text.milliseconds))
        case .photo(let photo):
            self.init(
                path: photo.path,
                call: "media/\(photo.id)/\(photo.form == .thumbnail ? "thumbnail" : "original")",
                size: Int(photo.size),
                time: Date(milliseconds: photo.milliseconds)
            )
        }
    }
}
