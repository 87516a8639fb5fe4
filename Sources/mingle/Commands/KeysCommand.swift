// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleCommandLine
import MingleModel
import MingleNode

/// Encrypts the node's keys with a passphrase, or decrypts them.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Protect the node's keys with a passphrase.",
        subcommands: [Encrypt.self, Decrypt.self]
    )

    /// Options of both commands.
    struct Options: ParsableArguments {
        @OptionGroup var data: DataOption
        @OptionGroup var passphrase: KeysPassphraseOption

        /// The data folder.
        ///
        /// - Throws: `API.Problem` if it is not one: opening a folder would turn it into one.
        func folder() throws -> String {
            let folder = try data.nodePath
            guard DataFolder.isOne(folder) else { throw UpkeepOptions.notAFolder(folder) }
            return folder
        }

        static var none: ValidationError {
            ValidationError("Nobody can be asked for a passphrase. Use --passphrase-file FILE.")
        }
    }

    struct Encrypt: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Encrypt the keys with a passphrase, which each start of the node then needs.",
            discussion: """
                The node must not run. Without the passphrase nobody can act as you with a copy of the data folder. What \
                others have shared with you is not encrypted. If you lose the passphrase, nobody can restore the keys.
                """
        )
        @OptionGroup var options: Options

        func run() throws {
            let folder = try options.folder()
            try DataFolder.requirePlainKeys(folder)
            guard let text = try options.passphrase.source.given() ?? asked(folder) else { throw Options.none }
            let count = try DataFolder.encryptKeys(in: folder, Passphrase(text))
            try StandardOutput.print(
                "Encrypted the keys of \(count.counted("event")) in \(folder). From now on the node needs the passphrase to "
                    + "start: mingle run --passphrase-file FILE, or in a terminal."
            )
        }

        private func asked(_ folder: String) throws -> String? {
            Confirmation.canAsk ? try PassphrasePrompt.askNew(for: "the keys in \(folder)") : nil
        }
    }

    struct Decrypt: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decrypt the keys, so that the node starts without a passphrase.",
            discussion: "The node must not run."
        )
        @OptionGroup var options: Options

        func run() throws {
            let folder = try options.folder()
            try DataFolder.requireEncryptedKeys(folder)
            guard let text = try options.passphrase.source.givenOrAsked(for: "the keys in \(folder)") else {
                throw Options.none
            }
            let count = try DataFolder.decryptKeys(in: folder, Passphrase(text))
            try StandardOutput.print("Decrypted the keys of \(count.counted("event")) in \(folder).")
        }
    }
}
