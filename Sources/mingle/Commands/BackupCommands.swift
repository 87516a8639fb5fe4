// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleAPI
import MingleClient
import MingleModel
import MingleNode
import NIOHTTP1

/// Backs up a data folder.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the node's data to a new folder, while the node runs.",
        discussion: """
            The folder appears when the backup is complete. It contains your private keys: anyone who has it can act \
            as you. To restore the backup: mingle restore FOLDER

            Exits with 3 if something was left out, such as a damaged event.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @Argument(help: "Folder to create. It must not exist yet.", completion: .directory)
    var folder: String

    func run() async throws {
        guard !folder.isEmpty else { throw ValidationError("The folder name is empty. Name the folder to create.") }
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        let data = try options.data.nodePath
        let progress = Progress("Backing up")
        let backup: API.Backup = try await options.perform("backup", progress) {
            try await $0.send(.POST, "backup", API.Envelope.Path(path: path))
        } orOnFolder: { folder, tell in
            try folder.backUp(to: path, tell: tell)
        }
        // A service may have a private /tmp, which is deleted when the service stops.
        guard FileManager.default.fileExists(atPath: path) else {
            throw API.Problem(
                .badRequest,
                "The node wrote \(path) to a file system that only its service can see. Name a folder below its data "
                    + "folder or /srv/backup; see docs/operation.md."
            )
        }
        try options.show(
            backup,
            "Backed up \(backup.events.counted("event")), \(backup.files.counted("file")), \(backup.bytes >> 20) MiB "
                + "to \(backup.path). The backup contains your private keys: keep it safe."
                + (path.hasPrefix("\(data)/")
                    ? "\n  The backup is inside the data folder, and is lost with it: copy it elsewhere." : "")
                + backup.skipped.map { "\n  LEFT OUT: \($0)" }.joined()
        )
        if !backup.skipped.isEmpty { throw Failure.PartlyDone() }
    }
}

/// Restores a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup to a data folder that does not exist or is empty.",
        discussion: """
            In each event, the node continues as a new device of yours and fetches what was shared since the backup.

            Exits with 15 if the backup is damaged or incomplete, and with 4 if the folder is not a backup.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @Argument(help: "Folder that mingle backup created.", completion: .directory)
    var backup: String

    func run() throws {
        guard !backup.isEmpty else { throw ValidationError("The folder name is empty. Name the folder of the backup.") }
        umask(0o077)
        let folder = try options.data.nodePath
        let progress = Progress("Restoring")
        let restored = try progress.shown {
            try Restoring.restore(backup, to: folder) { progress.set($0.done, of: $0.total) }
        }
        try options.show(
            restored,
            "Restored \(restored.events.counted("event")), \(restored.bytes >> 20) MiB to \(restored.path). "
                + "Start the node as before, with --data \(restored.path)."
                + restored.skipped.map { "\n  NOT IN THE BACKUP: \($0)" }.joined()
        )
    }
}
