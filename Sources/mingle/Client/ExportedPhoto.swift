// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel

/// What a line of an export says of a photo.
struct ExportedPhoto {
    /// Bytes that a caption may have.
    private static let captionLimit = 1000

    /// The path of its file.
    let file: String
    /// What its author's file was called.
    var name: String
    /// Its id in the event that was exported; nil where that is none.
    var id: String?
    /// What is said of it here, with the name of its author if that was somebody else.
    var caption = ""

    /// A photo of which only the file is known.
    init(file: String) { (self.file, name) = (file, URL(filePath: file).lastPathComponent) }

    /// Reads a line of `records.jsonl`; nil for a record of another kind.
    ///
    /// - Throws: `API.Problem` for what is no record, or names no file.
    init?(_ line: Lines.Line) throws {
        guard let bytes = line.bytes else { throw API.Problem(.tooLarge, "line \(line.number) is longer than 1 MiB.") }
        guard !bytes.isEmpty else { return nil }
        guard let record = try? API.decode(API.JSON.self, from: Data(bytes)), let kind = record["kind"]?.text else {
            throw API.Problem(.badRequest, "line \(line.number) is not a record.")
        }
        guard kind == Kind.photo.name else { return nil }
        guard let file = record["file"]?.text else {
            throw API.Problem(.notFound, "line \(line.number): the photo has no file in the export.")
        }
        self.init(file: file)
        name = record["name"]?.text ?? name
        id = record["id"]?.text.flatMap { Reference($0)?.description }
        caption = Self.caption(record)
    }

    private static func caption(_ record: API.JSON) -> String {
        let title = (record["title"]?.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard record["mine"] != true, let author = record["author"]?["name"]?.text?.visible, !author.isEmpty else {
            return title
        }
        let signed = title.isEmpty ? "by \(author)" : "\(title) (by \(author))"
        return signed.utf8.count <= captionLimit ? signed : title
    }
}
