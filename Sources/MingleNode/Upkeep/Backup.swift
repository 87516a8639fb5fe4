// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import Synchronization
import SystemPackage

extension API {
    /// What a backup holds.
    package struct Backup: Codable, Sendable {
        package var path: String
        package var events: Int
        package var files: Int
        package var bytes: Int
    }
}

/// One event's data, to be copied while others may use it.
struct BackupSource {
    let event: EventID
    /// The event's folder.
    let path: String
    let replica: Replica
    let secrets: Secrets
    let blobs: BlobStore
}

/// Writes a backup: a folder that appears under its name when it is whole and on the disk.
struct BackupWriter {
    private let destination: String
    private let temporary: String
    private var files: [BackupManifest.File] = []

    /// Writes to `destination`, which must not exist yet.
    static func write(to destination: String, node: DataFolder, _ sources: [BackupSource]) throws -> API.Backup {
        var writer = try BackupWriter(to: destination)
        do {
            return try writer.write(node: node, sources)
        } catch {
            try? FileManager.default.removeItem(atPath: writer.temporary)
            throw API.Problem(error)
        }
    }

    private init(to destination: String) throws {
        guard destination.hasPrefix("/") else {
            throw API.Problem(.badRequest, "The backup's folder is to be named from the root: /…, not \(destination).")
        }
        let destination = URL(fileURLWithPath: destination).standardizedFileURL.path
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw API.Problem(
                .conflict,
                "\(destination) is there already: name a folder that is not, for example one a day."
            )
        }
        self.destination = destination
        temporary = destination + ".unfinished"
        // What an earlier try left is of no use.
        try? FileManager.default.removeItem(atPath: temporary)
        do {
            try SafeFile.makeFolder(temporary + "/events")
        } catch {
            throw API.Problem(.badRequest, "\(temporary) cannot be made: \(error.localizedDescription)")
        }
    }

    private mutating func write(node: DataFolder, _ sources: [BackupSource]) throws -> API.Backup {
        if FileManager.default.fileExists(atPath: node.path + "/node.json") {
            try copy(node.path + "/node.json", to: "node.json")
        }
        for source in sources { try add(source) }
        let manifest = BackupManifest(events: sources.map(\.event.description), files: files)
        try SafeFile.write([UInt8](API.encode(manifest)), to: temporary + "/" + BackupManifest.name)
        guard unsafe rename(temporary, destination) == 0 else { throw Errno(rawValue: errno) }
        try CopiedFile.synchronize(folder: URL(fileURLWithPath: destination).deletingLastPathComponent().path)
        return API.Backup(
            path: destination,
            events: sources.count,
            files: files.count,
            bytes: files.reduce(0) { $0 + $1.size }
        )
    }

    private mutating func add(_ source: BackupSource) throws {
        let folder = "events/\(source.event)"
        try SafeFile.makeFolder("\(temporary)/\(folder)/blobs")
        try source.secrets.write(to: "\(temporary)/\(folder)/secrets.json")
        try note("\(folder)/secrets.json", try CopiedFile.sum(of: "\(temporary)/\(folder)/secrets.json"))
        try source.replica.copy(to: "\(temporary)/\(folder)/replica.sqlite")
        guard unsafe chmod("\(temporary)/\(folder)/replica.sqlite", 0o600) == 0 else { throw Errno(rawValue: errno) }
        try note("\(folder)/replica.sqlite", try CopiedFile.sum(of: "\(temporary)/\(folder)/replica.sqlite"))
        // After the records that speak of them: what has come since is fetched again.
        for blob in source.blobs.list() where blob.isComplete {
            do {
                try copy("\(source.path)/blobs/\(blob.name)", to: "\(folder)/blobs/\(blob.name)")
            } catch Errno.noSuchFileOrDirectory {
                // Deleted meanwhile.
                continue
            }
        }
        for part in ["\(folder)/blobs", folder, "events"] { try CopiedFile.synchronize(folder: "\(temporary)/\(part)") }
    }

    private mutating func copy(_ source: String, to path: String) throws {
        try note(path, try CopiedFile.copy(source, to: "\(temporary)/\(path)"))
    }

    private mutating func note(_ path: String, _ read: (size: Int, sum: String)) throws {
        files.append(BackupManifest.File(path: path, size: read.size, sum: read.sum))
    }
}

extension Node {
    /// Copies all that this node keeps to a new folder, while it goes on.
    ///
    /// - Throws: `API.Problem`: `conflict` where the folder exists or an event is damaged, `noSpace` for a full disk.
    package func backUp(to destination: String) async throws -> API.Backup {
        try await apart { [self, folder] in
            let (sessions, unopened, reopening) = state.withLock { ($0.sessions, $0.unopened, $0.reopening) }
            if let event = unopened.min() {
                throw API.Problem(
                    .conflict,
                    "The event \(event) could not be opened: run `mingle repair`, then back up."
                )
            }
            // Whatever has a folder is to be in the copy.
            if let event = reopening.min() ?? folder.events().first(where: { sessions[$0] == nil }) {
                throw API.Problem(.conflict, "The event \(event) is being opened anew. Back up again in a while.")
            }
            let sources = sessions.sorted { $0.key < $1.key }.map { event, session in
                BackupSource(
                    event: event,
                    path: session.path,
                    replica: session.replica,
                    secrets: session.secrets.withLock { $0 },
                    blobs: session.blobs
                )
            }
            return try BackupWriter.write(to: destination, node: folder, sources)
        }
    }
}

extension DataFolder {
    /// Copies all that is kept to a new folder, where no node runs.
    package func backUp(to destination: String) throws -> API.Backup {
        let sources = try events().map { event in
            let path = eventPath(event)
            let secrets = try Secrets(contentsOf: path + "/secrets.json")
            return BackupSource(
                event: event,
                path: path,
                replica: try Replica(path: path + "/replica.sqlite", event: event, own: secrets.ownDevice(in: event)),
                secrets: secrets,
                blobs: try BlobStore(path: path + "/blobs")
            )
        }
        defer { for source in sources { try? source.replica.close() } }
        return try BackupWriter.write(to: destination, node: self, sources)
    }
}
