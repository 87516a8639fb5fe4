// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleModel
import MingleNode
import NIOHTTP1

/// Copies everything to a new folder.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy all that the node keeps to a new folder, while it runs.",
        discussion: """
            The folder appears when it is whole. It holds your keys: whoever has it is you. mingle restore puts it back.
            Exits with 3 if something had to be left out, as an event that is damaged.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @Argument(help: "The folder to make; it must not exist yet.", completion: .directory)
    var folder: String

    func run() async throws {
        guard !folder.isEmpty else { throw ValidationError("The folder is empty: name the one to make.") }
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        let progress = Progress("Backing up")
        let backup: API.Backup = try await options.perform("backup", progress) {
            try await $0.send(.POST, "backup", API.Envelope.Path(path: path))
        } orOnFolder: { folder, tell in
            try folder.backUp(to: path, tell: tell)
        }
        // A service may have a /tmp of its own, which goes when it stops.
        guard FileManager.default.fileExists(atPath: path) else {
            throw API.Problem(
                .badRequest,
                "The node wrote \(path) where only it can see it: its service shuts it in. Name a folder below its data "
                    + "folder or /srv/backup (docs/operation.md)."
            )
        }
        try options.show(
            backup,
            "\(backup.path): \(backup.events.counted("event")), \(backup.files.counted("file")), \(backup.bytes >> 20) MiB. It holds your keys: "
                + "keep it as you keep them."
                + (path.hasPrefix("\(options.data.path)/")
                    ? "\n  It lies in the data folder and goes with that: copy it elsewhere." : "")
                + backup.skipped.map { "\n  LEFT OUT: \($0)" }.joined()
        )
        if !backup.skipped.isEmpty { throw Failure.PartlyDone() }
    }
}

/// Puts a backup back.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a data folder that is not there or empty.",
        discussion: """
            In each event the node goes on as a new device of yours, and fetches what was shared since the backup.
            Exits with 15 if the backup is damaged or was cut short, and with 4 if the folder is none.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @Argument(help: "The folder that mingle backup has made.", completion: .directory)
    var backup: String

    func run() throws {
        guard !backup.isEmpty else { throw ValidationError("The backup is empty: name its folder.") }
        umask(0o077)
        let progress = Progress("Restoring")
        let restored = try progress.shown {
            try Restoring.restore(backup, to: options.data.path) { progress.set($0.done, of: $0.total) }
        }
        try options.show(
            restored,
            "\(restored.path): \(restored.events.counted("event")), \(restored.bytes >> 20) MiB. Start it as it was started before, with --data "
                + "\(restored.path)."
                + restored.skipped.map { "\n  NOT IN IT: \($0)" }.joined()
        )
    }
}
