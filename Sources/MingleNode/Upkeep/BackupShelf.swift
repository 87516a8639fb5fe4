// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCrypto

/// The backups of one node that lie in a folder, all encrypted under one key, or none of them.
struct BackupShelf {
    /// Keys that are tried: each takes time and memory, and all backups have the same, unless it is damaged.
    private static let keyLimit = 3

    let folder: BackupFolder
    /// The node whose backups they are.
    let node: String
    /// The key of all of them; nil if they are not encrypted.
    let key: BackupKey?
    /// The newest one; nil if there is none.
    let earlier: EarlierBackup?

    /// Reads what is in a folder.
    ///
    /// - Throws: `API.Problem` if backups of another node are there, and for the wrong passphrase, none, or an
    ///   unneeded one.
    init(_ folder: BackupFolder, _ node: String, _ passphrase: Passphrase?) throws {
        (self.folder, self.node) = (folder, node)
        let backups = folder.backups.reversed().map { "\(folder.path)/\($0)" }
        guard !backups.isEmpty else {
            (key, earlier) = (try passphrase.map(BackupKey.init(new:)), nil)
            return
        }
        let encrypted = backups.filter(BackupKey.isThere)
        guard !encrypted.isEmpty || passphrase == nil else {
            throw API.Problem(
                .conflict,
                "The backups in \(folder.path) are not encrypted. Choose another folder for encrypted backups."
            )
        }
        key = try Self.key(of: encrypted, passphrase)
        earlier = try Self.newest(folder, node, key)
    }

    /// The key of the newest backup whose key is not damaged.
    ///
    /// - Parameter backups: Encrypted ones, newest first.
    private static func key(of backups: [String], _ passphrase: Passphrase?) throws -> BackupKey? {
        var tried: [WrappedKey] = []
        var failure: (any Error)?
        for backup in backups where tried.count < keyLimit {
            guard let wrapped = try? WrappedKeyFile.read("\(backup)/\(BackupKey.name)"), !tried.contains(wrapped) else {
                continue
            }
            do {
                return try BackupKey(of: backup, passphrase)
            } catch {
                failure = failure ?? error
                tried.append(wrapped)
            }
        }
        if let failure { throw failure }
        return try backups.first.flatMap { try BackupKey(of: $0, passphrase) }
    }

    /// The newest backup that can be read: a damaged one, or one of another version, stays where it is.
    ///
    /// - Throws: `API.Problem` if one is another node's.
    private static func newest(_ folder: BackupFolder, _ node: String, _ key: BackupKey?) throws -> EarlierBackup? {
        for name in folder.backups.reversed() {
            let path = "\(folder.path)/\(name)"
            guard BackupKey.isSame(key, in: path), let manifest = try? BackupManifest(of: path, key) else { continue }
            guard manifest.node == node else {
                throw API.Problem(
                    .conflict,
                    "The backups in \(folder.path) are those of another node. Choose a folder for each node."
                )
            }
            return EarlierBackup(path, manifest)
        }
        return nil
    }

    /// Removes the oldest backups of this node beyond a number.
    ///
    /// What cannot be removed is noted. The backup just made is never removed.
    func remove(allBut count: Int, _ backup: inout API.Backup) {
        for name in folder.backups.dropLast(count) where "\(folder.path)/\(name)" != backup.path && isOwn(name) {
            do {
                try folder.remove(name)
                backup.removed += 1
            } catch {
                backup.skipped.append("The backup \(name) is not needed any more and could not be removed: \(error)")
            }
        }
    }

    /// Whether a backup is whole and of this kind.
    ///
    /// Others are not for this node to remove.
    private func isOwn(_ name: String) -> Bool {
        let path = "\(folder.path)/\(name)"
        return BackupKey.isSame(key, in: path) && (try? BackupManifest(of: path, key))?.node == node
    }
}
