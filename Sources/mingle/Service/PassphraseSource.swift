// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode

/// Where a command finds a passphrase: in a file, in a credential of systemd, or on the terminal.
struct PassphraseSource {
    /// The credentials of `LoadCredential=` in a unit.
    enum Credential: String {
        case keys = "mingle-passphrase"
        case backup = "mingle-backup-passphrase"
    }

    /// The file that an option names.
    let file: String?
    let credential: Credential
    var environment = ProcessInfo.processInfo.environment

    /// The passphrase of the file or the credential; nil if there is neither.
    ///
    /// - Throws: `API.Problem` for a file that cannot be read, is empty, or is readable by others.
    func given() throws -> String? {
        if let file { return try Passphrase.text(ofFile: file) }
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        let path = "\(folder)/\(credential.rawValue)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try Passphrase.text(ofFile: path, isProvided: true)
    }

    /// The passphrase of the file or the credential, or else the answer on the terminal; nil without a terminal.
    func givenOrAsked(for what: String) throws -> String? {
        if let given = try given() { return given }
        return Confirmation.canAsk ? try PassphrasePrompt.ask(for: what) : nil
    }

    /// The passphrase of a data folder; nil if its keys are not encrypted, or if there is no passphrase.
    func passphrase(of folder: String) throws -> Passphrase? {
        guard DataFolder.hasEncryptedKeys(folder) else { return nil }
        return try givenOrAsked(for: "the keys in \(folder)").map { try Passphrase($0) }
    }
}

/// The option for the passphrase of encrypted keys.
struct KeysPassphraseOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the passphrase of encrypted keys. Default: the credential mingle-passphrase of systemd.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    var source: PassphraseSource { PassphraseSource(file: passphraseFile, credential: .keys) }

    /// The passphrase of a data folder; nil if its keys are not encrypted, or if there is no passphrase.
    func passphrase(of folder: String) throws -> Passphrase? { try source.passphrase(of: folder) }
}
