// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleNode
import NIOCore

/// A folder with all that a person sees of an event.
///
/// `records.jsonl` gets its name last: a folder without it is not complete. What an earlier run brought stays, and is
/// not fetched again.
final class ExportFolder {
    typealias Fetch = (_ call: String, _ take: (ByteBuffer) throws -> Void) async throws -> Void

    /// The file that comes last.
    static let records = "records.jsonl"
    /// A file that every such folder has from the beginning.
    private static let mark = "album.css"
    private static let folders = ["photos", "thumbs"]

    let path: String
    private let fetch: Fetch
    /// Photos that the folder has.
    private(set) var count = 0
    private(set) var missing = MissingPhotos()
    /// The text that is being written.
    private var text: (path: String, file: FileHandle)?

    /// Checks that a folder is empty or of an earlier export, or makes it.
    ///
    /// - Parameter fetch: passes the file that a call sends to its last argument.
    init(_ path: String, fetch: @escaping Fetch) throws {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The folder's name is empty.") }
        (self.path, self.fetch) = (path, fetch)
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        if unsafe manager.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw API.Problem(.conflict, "\(path) is a file. Name a folder.") }
            let names = try Self.attempt(path) { try manager.contentsOfDirectory(atPath: path) }
            guard names.isEmpty || names.contains(Self.mark) else {
                throw API.Problem(.conflict, "\(path) has other files. Name a new folder, or one of an earlier export.")
            }
        }
        for folder in Self.folders {
            try Self.attempt(path) {
                try manager.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
        }
    }

    /// Takes a line of the export.
    func take(_ line: API.ExportedFile) async throws {
        if let piece = line.text { return try write(piece, to: line.path) }
        guard let call = line.call, let size = line.size else { return }
        try endText()
        let isPhoto = line.path.hasPrefix("photos/")
        do {
            if Self.size(of: "\(path)/\(line.path)") != size {
                try await SavedFile("\(path)/\(line.path)", replaces: true).write { take in try await fetch(call, take)
                }
                try? FileManager.default.setAttributes(
                    [.modificationDate: line.time],
                    ofItemAtPath: "\(path)/\(line.path)"
                )
            }
            if isPhoto { count += 1 }
        } catch let problem as API.Problem where [.notFound, .unavailable, .internal, .damaged].contains(problem.name) {
            if isPhoto { missing.add(line.path, MissingPhotos.Reason(problem)) }
        }
    }

    /// Names what is missing, and then the records.
    func finish() throws {
        let path = "\(path)/\(MissingPhotos.fileName)"
        if let text = missing.text {
            try Self.attempt(path) { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
        } else {
            try? FileManager.default.removeItem(atPath: path)
        }
        try endText()
    }

    private func write(_ piece: String, to path: String) throws {
        if text?.path != path {
            try endText()
            if path == Self.mark { try? FileManager.default.removeItem(atPath: "\(self.path)/\(Self.records)") }
            let part = "\(self.path)/\(path).part"
            guard FileManager.default.createFile(atPath: part, contents: nil),
                let file = FileHandle(forWritingAtPath: part)
            else { throw API.Problem(.notAllowed, "Cannot write \(part). Check the folder and its disk.") }
            text = (path, file)
        }
        try Self.attempt(path) { try text?.file.write(contentsOf: Data(piece.utf8)) }
    }

    /// Gives the text its name.
    private func endText() throws {
        guard let (name, file) = text else { return }
        text = nil
        try Self.attempt(name) {
            try file.close()
            let part = URL(filePath: "\(path)/\(name).part")
            _ = try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            try FileManager.default.moveItem(at: part, to: URL(filePath: "\(path)/\(name)"))
        }
    }

    private static func size(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
    }

    private static func attempt<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw API.Problem(.noSpace, "The disk that holds \(path) is full. Free some space and try again.")
        } catch {
            throw API.Problem(.notAllowed, "Cannot write \(path): \(error.localizedDescription)")
        }
    }
}
