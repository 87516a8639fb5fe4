// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleAPI
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import Synchronization

extension API {
    /// What a backup holds.
    package struct Backup: Codable, Sendable {
        package var path: String
        /// When it was begun.
        package var created: Date
        package var events: Int
        package var files: Int
        package var bytes: Int
        /// Bytes that were copied, and not shared with an earlier backup.
        package var newBytes: Int
        /// How many earlier backups were removed.
        package var removed: Int
        /// What is not in it, and why.
        package var skipped: [String]
    }
}

extension API.Backup {
    /// What a manifest lists.
    init(_ manifest: BackupManifest, at path: String, newBytes: Int) {
        self.init(
            path: path,
            created: manifest.created,
            events: manifest.events.count,
            files: manifest.files.count,
            bytes: manifest.bytes,
            newBytes: newBytes,
            removed: 0,
            skipped: manifest.skipped
        )
    }
}

extension Node {
    /// Makes a backup of all that this node keeps, while it goes on; an event that could not be opened is left out.
    ///
    /// - Parameters:
    ///   - terms: Where and how.
    ///   - tell: Hears how far it is.
    /// - Throws: `API.Problem`: `conflict` where the folder has backups of another kind or an event is being opened
    ///   anew, `notAllowed` for a wrong passphrase, `noSpace` where the disk has no room.
    package func backUp(
        _ terms: BackupTerms,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) async throws -> API.Backup {
        try await told(.backup, tell) { tell in try await write(terms, tell) }
    }

    private func write(
        _ terms: BackupTerms,
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) async throws -> API.Backup {
        try await apart { [self, folder] in
            let (sessions, unopened, reopening) = state.withLock { ($0.sessions, $0.unopened, $0.reopening) }
            // Whatever has a folder is to be in the copy.
            let closed = folder.events().filter { sessions[$0] == nil }
            if let event = reopening.min() ?? closed.first(where: { !unopened.contains($0) }) {
                throw API.Problem(.conflict, "The event \(event) is being reopened. Try the backup again in a moment.")
            }
            // What is being left goes.
            let sources = sessions.filter { !$0.value.isLeaving }.sorted { $0.key < $1.key }.map { event, session in
                BackupSource(
                    event: event,
                    files: session.files,
                    secrets: session.secrets.withLock { $0 },
                    blobStore: session.blobs,
                    copyDatabase: session.replica.copy(to:)
                )
            }
            let skipped = closed.map {
                "The event \($0) could not be opened. `mingle status` says why, and `mingle repair` repairs damage."
            }
            return try BackupWriter.write(terms, node: folder, sources, skipped: skipped, tell: tell)
        }
    }
}

extension DataFolder {
    /// Makes a backup of all that is kept, where no node runs; an event that could not be opened is left out.
    ///
    /// - Parameters:
    ///   - terms: Where and how.
    ///   - tell: Hears how far it is.
    package func backUp(
        _ terms: BackupTerms,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) throws -> API.Backup {
        var (sources, skipped): ([BackupSource], [String]) = ([], [])
        for event in events() {
            // What is being left goes.
            guard try Farewell(in: eventPath(event)) == nil else { continue }
            do {
                sources.append(try EventFolder(event, in: self).backupSource())
            } catch {
                skipped.append("The event \(event): \(API.Problem(error).detail)")
            }
        }
        return try BackupWriter.write(terms, node: self, sources, skipped: skipped, tell: tell)
    }
}

extension EventFolder {
    fileprivate func backupSource() throws -> BackupSource {
        removeLeftovers()
        let secrets = try files.readSecrets()
        guard hasDatabase else {
            throw API.Problem(.conflict, "Its database is missing. Run `mingle repair`, then back up again.")
        }
        let stored = try StoredReplica(path: files.database)
        return BackupSource(
            event: event,
            files: files,
            secrets: secrets,
            blobStore: try BlobStore(path: files.blobs),
            copyDatabase: stored.copy(to:)
        )
    }
}
