// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOCore
import NIOHTTP1

/// Takes an event home.
struct ExportCommand: AsyncParsableCommand {
    /// Bytes of a line: a page of records with the longest texts has less.
    private static let lineLimit = 64 << 20

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Save all that you see of the event: photos, a page that shows them, and every record.",
        discussion: """
            The folder has photos/ with the originals and an XMP file beside each, thumbs/, index.html, which a browser
            opens, records.jsonl with one record on a line, and missing.txt if photos have not arrived yet. Without
            records.jsonl the export is not complete: run the command again. What is hidden, and what muted people share, is
            left out.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Folder to write: a new or empty one, or one of an earlier export.", completion: .directory)
    var folder: String?
    @Option(help: "Write a ZIP file instead. '-' writes to the standard output.", completion: .file()) var zip: String?
    @Flag(name: .shortAndLong, help: "Replace an existing ZIP file.") var force = false
    @Flag(name: .customLong("private"), help: "Also save what not everybody in the event sees.")
    var includesPrivate = false

    func validate() throws {
        guard (folder == nil) != (zip == nil) else {
            throw ValidationError("Name a folder, or a ZIP file with --zip.")
        }
    }

    func run() async throws {
        if let zip { try await save(to: zip) } else if let folder { try await save(in: folder) }
    }

    private var parameters: [String: String?] { ["private": includesPrivate ? "true" : nil] }

    private func save(to file: String) async throws {
        let saved = try Output(file, replaces: force, options)
        try saved.requireNoTerminal("Redirect the output: mingle export --zip - > FILE")
        let progress = Progress("Saving", total: 0)
        try await progress.shown {
            try await saved.write { take in
                try await options.client.exchange(.GET, options.path("export.zip", parameters), .none) { part in
                    try take(part)
                    progress.add(part.readableBytes)
                }
            }
        }
        if !saved.isStandard { try options.showDone("Saved \(file).") }
    }

    private func save(in path: String) async throws {
        let client = try options.client
        let progress = Progress("Saving", total: 0)
        let folder = try ExportFolder(path) { call, take in
            try await client.exchange(.GET, options.path(call), .none) { part in
                try take(part)
                progress.add(part.readableBytes)
            }
        }
        var lines = Lines(limit: Self.lineLimit)
        try await progress.shown {
            try await client.exchange(.GET, options.path("export", parameters), .none) { part in
                for line in lines.take(part.readableBytesView) {
                    try await folder.take(API.decode(API.ExportedFile.self, from: Data(line.bytes ?? [])))
                }
            }
            try folder.finish()
        }
        let said = ExportReport(folder: folder.path, photos: folder.count, missing: folder.missing.count)
        try options.show(said) { $0.text }
        if said.missing > 0 { throw Failure.PartlyDone() }
    }
}

/// What an export brought.
private struct ExportReport: Encodable {
    let folder: String
    let photos: Int
    /// Photos that are not there.
    let missing: Int

    var text: String {
        let saved = "Saved \(photos) \(photos == 1 ? "photo" : "photos") in \(folder)."
        return missing == 0
            ? saved : "\(saved) \(missing) are missing: see \(folder)/missing.txt. Run this again later."
    }
}
