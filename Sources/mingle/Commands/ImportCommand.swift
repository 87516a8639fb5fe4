// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import NIOHTTP1

/// Brings the photos of an export into an event.
struct ImportCommand: AsyncParsableCommand {
    /// Bytes of a line.
    private static let lineLimit = 1 << 20
    /// Bytes that are read at a time.
    private static let partLength = 256 << 10
    /// What stops all that follows, too.
    private static let stopping: Set<API.Problem.Name> = [.noEvent, .noSpace, .tooMany, .unavailable, .conflict]

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Share the photos of a folder that mingle export made, as yours.",
        discussion: """
            Each photo comes with its title and the time at which it was taken; of other people's photos the title says by
            whom they are. Comments and moments do not come in. A photo that the event has already is not shared again.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Folder of an export.", completion: .directory) var folder: String
    @Flag(help: "Keep the location, so that others see where the photos were taken.") var keepLocation = false

    func run() async throws {
        let folder = try ImportFolder(folder)
        var report = ImportReport()
        if let records = try folder.records() {
            var lines = Lines(limit: Self.lineLimit)
            while let part = try records.read(upToCount: Self.partLength), !part.isEmpty {
                for line in lines.take(part) { try await take(line, from: folder, &report) }
            }
            if let last = lines.last() { try await take(last, from: folder, &report) }
        } else {
            StandardError.print("\(Failure.prefix)records.jsonl is missing: photos come in without titles.")
            for path in try folder.photoPaths() {
                try await attempt(&report) { try await share(ExportedPhoto(file: path), from: folder) }
            }
        }
        try options.show(report) { $0.text }
        if let first = report.problem, report.shared + report.known == 0 {
            throw API.Problem(first, "No photo came in. See the errors above.")
        }
        if report.failed > 0 { throw Failure.PartlyDone() }
    }

    private func take(_ line: Lines.Line, from folder: ImportFolder, _ report: inout ImportReport) async throws {
        try await attempt(&report) {
            guard let photo = try ExportedPhoto(line) else { return nil }
            return try await share(photo, from: folder)
        }
    }

    /// Counts what `body` did: true for a photo that is new, false for one that was there, nil for no photo.
    private func attempt(_ report: inout ImportReport, _ body: () async throws -> Bool?) async throws {
        do {
            switch try await body() {
            case true?: report.shared += 1
            case false?: report.known += 1
            case nil: break
            }
        } catch let problem as API.Problem where !Self.stopping.contains(problem.name) {
            report.failed += 1
            report.problem = report.problem ?? problem.name
            StandardError.print(Failure.prefix + problem.detail)
        }
    }

    /// Shares a photo unless the event has it; whether it is new.
    private func share(_ photo: ExportedPhoto, from folder: ImportFolder) async throws -> Bool {
        if let id = photo.id, try await isThere(id) { return false }
        let (file, size) = try folder.photo(photo.file)
        defer { try? file.close() }
        let parameters = [
            "name": photo.name, "title": photo.caption.isEmpty ? nil : photo.caption,
            "keep_location": keepLocation ? "true" : nil,
        ]
        let body = NodeClient.Body.file(file, size: size) { _ in }
        let shared = try await options.client.bytes(.PUT, options.path("photos", parameters), body)
        return try API.decode(API.Photo.self, from: shared).alreadyShared != true
    }

    private func isThere(_ id: String) async throws -> Bool {
        do {
            let _: API.Photo = try await options.client.get(options.path("photos/\(id)"))
            return true
        } catch let problem as API.Problem where problem.name == .notFound {
            return false
        }
    }
}

/// What an import brought.
private struct ImportReport: Encodable {
    private enum CodingKeys: CodingKey {
        case shared, known, failed
    }

    /// Photos that are new in the event.
    var shared = 0
    /// Photos that were there.
    var known = 0
    /// Photos and lines that did not come in.
    var failed = 0
    /// The first of what went wrong.
    var problem: API.Problem.Name?

    var text: String {
        let left = failed == 0 ? "" : " \(failed) could not be taken: see above."
        return "Shared \(shared) \(shared == 1 ? "photo" : "photos"); \(known) were there already.\(left)"
    }
}
