// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCrypto

/// The key of the encrypted backups in one folder.
///
/// Each of them holds it, wrapped by the passphrase, in `key.json`.
struct BackupKey {
    static let name = "key.json"

    private let secret: Secret
    private let wrapped: WrappedKey

    /// The key for the files, and for the manifest: none opens as the other.
    var files: StreamKey { StreamKey(key: secret, purpose: Array("mingle.backup.file".utf8)) }
    var manifest: StreamKey { StreamKey(key: secret, purpose: Array("mingle.backup.manifest".utf8)) }

    /// Makes a key.
    init(new passphrase: Passphrase) throws {
        secret = Randomness.system.secret()
        wrapped = try WrappedKey(secret, by: passphrase)
    }

    /// Whether a backup is encrypted, also if one of its two files that tell so is lost.
    static func isThere(in backup: String) -> Bool {
        [name, BackupManifest.sealedName].contains { SafeFile.isThere("\(backup)/\($0)") }
    }

    /// Unlocks the key of a backup; nil if the backup is not encrypted.
    ///
    /// - Throws: `API.Problem` without the right passphrase, and if the key is lost or damaged.
    init?(of backup: String, _ passphrase: Passphrase?) throws {
        guard Self.isThere(in: backup) else { return nil }
        guard let passphrase else {
            throw API.Problem(
                .badRequest,
                "The backup \(backup) is encrypted. Name the file with its passphrase: --passphrase-file FILE. In a terminal, "
                    + "mingle restore and mingle backup --encrypt ask for it."
            )
        }
        guard let wrapped = try WrappedKeyFile.read("\(backup)/\(Self.name)") else {
            throw API.Problem(.damaged, "The backup \(backup) is damaged: \(Self.name) is missing. Use another backup.")
        }
        self.wrapped = wrapped
        secret = try wrapped.unlocked(by: passphrase, what: "the backup \(backup)")
    }

    /// Whether a backup has the same key, or is not encrypted either.
    static func isSame(_ key: BackupKey?, in backup: String) -> Bool {
        do {
            return try WrappedKeyFile.read("\(backup)/\(name)") == key?.wrapped
        } catch {
            return false
        }
    }

    /// Writes it to a backup.
    func write(to backup: String) throws { try WrappedKeyFile.write(wrapped, to: "\(backup)/\(Self.name)") }
}
