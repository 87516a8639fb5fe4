// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleAPI
import MingleClient
import MingleModel
import MingleNode
import NIOHTTP1

/// The option for the passphrase of a backup.
struct BackupPassphraseOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the passphrase of encrypted backups. Default: the credential mingle-backup-passphrase of systemd.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    var source: PassphraseSource { PassphraseSource(file: passphraseFile, credential: .backup) }
}

/// Backs up a data folder.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the node's data, while the node runs.",
        discussion: """
            Each backup is a folder in FOLDER, named by its time, and can be restored by itself. Pictures that have not \
            changed since the backup before take no further space. A backup contains your private keys: anyone who can \
            read it can act as you. To restore the newest one: mingle restore FOLDER

            Exits with 3 if something was left out, such as a damaged event. Then no earlier backup is removed.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @OptionGroup var passphrase: BackupPassphraseOption
    @Argument(help: "Folder for the backups of this node.", completion: .directory)
    var folder: String
    @Option(help: "Number of backups to keep. Older ones are removed after this one is complete. Default: all.")
    var keep: Int?
    @Flag(help: "Encrypt the backup with a passphrase, which is asked for on the terminal.")
    var encrypt = false
    @Option(
        help: ArgumentHelp(
            "File with the passphrase of the node's encrypted keys, if no node runs. Default: the credential "
                + "mingle-passphrase of systemd.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keysPassphraseFile: String?

    private var keys: PassphraseSource { PassphraseSource(file: keysPassphraseFile, credential: .keys) }

    func validate() throws {
        guard keep ?? 1 >= 1 else { throw ValidationError("Not a valid --keep. Use 1 or more.") }
    }

    func run() async throws {
        guard !folder.isEmpty else { throw ValidationError("The folder name is empty. Name a folder for backups.") }
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        let data = try options.data.nodePath
        let new = API.Envelope.NewBackup(path: path, keep: keep, passphrase: try text(of: path))
        let progress = Progress("Backing up")
        let backup: API.Backup = try await options.perform("backup", progress, keys) {
            try await $0.send(.POST, "backup", new)
        } orOnFolder: { folder, tell in
            try folder.backUp(BackupTerms(new), tell: tell)
        }
        // A service may have a private /tmp, which is deleted when the service stops.
        guard FileManager.default.fileExists(atPath: backup.path) else {
            throw API.Problem(
                .badRequest,
                "The node wrote \(backup.path) to a file system that only its service can see. Name a folder below its data "
                    + "folder or /srv/backup; see docs/operation.md."
            )
        }
        try options.show(backup, Self.text(backup, isInside: path.hasPrefix("\(data)/"), new.passphrase != nil))
        if !backup.skipped.isEmpty { throw Failure.PartlyDone() }
    }

    /// The passphrase; nil if the backup is not encrypted.
    private func text(of path: String) throws -> String? {
        if let given = try passphrase.source.given() { return given }
        guard encrypt else { return nil }
        guard Confirmation.canAsk else {
            throw ValidationError("Nobody can be asked for a passphrase. Use --passphrase-file FILE.")
        }
        return try Restoring.isEncrypted(path)
            ? PassphrasePrompt.ask(for: "the backups in \(path)")
            : PassphrasePrompt.askNew(for: "the backups in \(path)")
    }

    private static func text(_ backup: API.Backup, isInside: Bool, _ isEncrypted: Bool) -> String {
        var lines = [
            "Backed up \(backup.events.counted("event")), \(backup.files.counted("file")), \(backup.bytes >> 20) MiB "
                + "(\(backup.newBytes >> 20) MiB new) to \(backup.path)."
                + (isEncrypted
                    ? " Keep the passphrase: without it nobody can restore the backup."
                    : " The backup contains your private keys: keep it safe.")
        ]
        if backup.removed > 0 { lines.append("  Removed \(backup.removed.counted("earlier backup")).") }
        if isInside {
            lines.append("  The backup is inside the data folder, and is lost with it: copy it elsewhere.")
        }
        return (lines + backup.skipped.map { "  LEFT OUT: \($0)" }).joined(separator: "\n")
    }
}

/// Restores a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup to a data folder that does not exist or is empty.",
        discussion: """
            In each event, the node continues as a new device of yours and fetches what was shared since the backup.

            Of a folder with several backups, the newest one is restored.

            Exits with 3 if something was left out, such as a damaged picture, with 15 if the backup is damaged otherwise, and \
            with 4 if the folder is not a backup.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @OptionGroup var passphrase: BackupPassphraseOption
    @Argument(help: "A backup, or the folder in which backups lie.", completion: .directory)
    var backup: String

    func run() throws {
        guard !backup.isEmpty else { throw ValidationError("The folder name is empty. Name the folder of the backup.") }
        umask(0o077)
        let folder = try options.data.nodePath
        let source = passphrase.source
        // A file with the passphrase says that the backup must be encrypted.
        let isEncrypted = Restoring.isEncrypted(backup)
        let text = try isEncrypted ? source.givenOrAsked(for: "the backup") : source.given()
        if !isEncrypted, text == nil, Confirmation.canAsk {
            try Confirmation.confirm(
                "This backup is not encrypted: whoever can write to \(backup) could have changed it, or put it there."
            )
        }
        let secret = try text.map { try Passphrase($0) }
        let progress = Progress("Restoring")
        let restored = try progress.shown {
            try Restoring.restore(backup, to: folder, passphrase: secret) { progress.set($0.done, of: $0.total) }
        }
        try options.show(
            restored,
            "Restored the backup of \(API.text(of: restored.created)): \(restored.events.counted("event")), \(restored.bytes >> 20) MiB to \(restored.path). "
                + "Start the node as before, with --data \(restored.path)."
                + restored.skipped.map { "\n  LEFT OUT: \($0)" }.joined()
        )
        if !restored.skipped.isEmpty { throw Failure.PartlyDone() }
    }
}
