// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering

/// Files of keys that a passphrase protects.
///
/// The passphrase unlocks one key of the data folder, in `passphrase.json`, and that key encrypts each event's
/// `secrets.json` with XChaCha20-Poly1305.
enum EncryptedKeys {
    /// The form of an encrypted file; base32 words.
    private struct Sealed: Codable {
        var nonce: String
        var sealed: String
    }

    static let name = "passphrase.json"
    private static let purpose = Array("mingle.keys".utf8)

    /// Whether a file is encrypted.
    static func isSealed(_ file: Data) -> Bool { (try? JSONDecoder().decode(Sealed.self, from: file)) != nil }

    /// An encrypted file with this content.
    static func file(of content: [UInt8], _ key: Secret) throws -> [UInt8] {
        let nonce = Randomness.system.bytes(Sealing.nonceLength)
        let box = Sealing.seal(content, key: key, nonce: nonce, associatedData: purpose)
        return [UInt8](try JSONEncoder().encode(Sealed(nonce: Base32.encode(nonce), sealed: Base32.encode(box))))
    }

    /// The content of a file, encrypted or not.
    static func content(of file: Data, _ path: String, _ key: Secret?) throws(DataFolderError) -> Data {
        guard let stored = try? JSONDecoder().decode(Sealed.self, from: file) else { return file }
        guard let key else { throw .encryptedKeys(path) }
        guard let nonce = Base32.decode(stored.nonce), let box = Base32.decode(stored.sealed),
            let content = try? Sealing.open(box, key: key, nonce: nonce, associatedData: purpose)
        else { throw .damagedKeys(path) }
        return Data(content)
    }
}

extension DataFolder {
    /// Whether a passphrase protects the keys in a data folder.
    package static func hasEncryptedKeys(_ path: String) -> Bool { SafeFile.isThere("\(path)/\(EncryptedKeys.name)") }

    /// The key of a folder with encrypted keys; nil if they are not encrypted.
    static func unlockKeys(in path: String, _ passphrase: Passphrase?) throws(DataFolderError) -> Secret? {
        let wrapped: WrappedKey?
        do {
            wrapped = try WrappedKeyFile.read("\(path)/\(EncryptedKeys.name)")
        } catch {
            throw .unusable(path, detail: "\(EncryptedKeys.name) is damaged or cannot be read")
        }
        guard let wrapped else { return nil }
        guard let passphrase else { throw .encryptedKeys(path) }
        do {
            return try wrapped.key(passphrase: passphrase.secret)
        } catch .outOfMemory {
            throw .unusable(
                path,
                detail: "\(wrapped.cost.memory >> 20) MiB of memory are needed to check the passphrase"
            )
        } catch {
            throw .wrongPassphrase(path)
        }
    }

    /// Refuses a data folder whose keys are encrypted already.
    package static func requirePlainKeys(_ path: String) throws(API.Problem) {
        guard hasEncryptedKeys(path) else { return }
        throw API.Problem(
            .conflict,
            "The keys in \(path) are encrypted already. To change the passphrase, first run: mingle keys decrypt"
        )
    }

    /// Refuses a data folder whose keys are not encrypted.
    package static func requireEncryptedKeys(_ path: String) throws(API.Problem) {
        guard !hasEncryptedKeys(path) else { return }
        throw API.Problem(.conflict, "The keys in \(path) are not encrypted.")
    }

    /// Encrypts the keys under a passphrase.
    ///
    /// If this is interrupted, the next start with the passphrase goes on.
    ///
    /// - Returns: How many events' keys were encrypted.
    /// - Throws: `API.Problem` if they are encrypted already.
    package static func encryptKeys(in path: String, _ passphrase: Passphrase) throws -> Int {
        try requirePlainKeys(path)
        let folder = try DataFolder(path)
        defer { folder.unlock() }
        let key = Randomness.system.secret()
        // First: a file that is encrypted under a key that nobody has would be lost.
        try WrappedKeyFile.write(WrappedKey(key, by: passphrase), to: "\(folder.path)/\(EncryptedKeys.name)")
        return try folder.sealKeys(key)
    }

    /// Decrypts the keys.
    ///
    /// If this is interrupted, they count as encrypted, and the next start encrypts them again.
    ///
    /// - Returns: How many events' keys were decrypted.
    /// - Throws: `API.Problem` if they are not encrypted, `DataFolderError` for a wrong passphrase or damaged keys. All
    ///   are encrypted then.
    package static func decryptKeys(in path: String, _ passphrase: Passphrase) throws -> Int {
        try requireEncryptedKeys(path)
        let folder = try DataFolder(path, passphrase: passphrase)
        defer { folder.unlock() }
        // All first: one that is damaged must not leave some of the others decrypted.
        let contents = try folder.events().map { event in
            let path = folder.files(of: event).secrets
            guard let file = FileManager.default.contents(atPath: path) else { throw DataFolderError.damagedKeys(path) }
            return (path, try EncryptedKeys.content(of: file, path, folder.keysKey))
        }
        do {
            for (path, content) in contents { try SafeFile.write([UInt8](content), to: path) }
            try SafeFile.removeIfThere("\(folder.path)/\(EncryptedKeys.name)")
        } catch {
            if let key = folder.keysKey { _ = try? folder.sealKeys(key) }
            throw error
        }
        try CopiedFile.synchronize(folder: folder.path)
        return contents.count
    }

    /// Encrypts each event's file of keys that is not encrypted yet, also a damaged one: it may still hold keys.
    @discardableResult
    func sealKeys(_ key: Secret) throws -> Int {
        var count = 0
        for event in events() {
            let path = EventFiles(eventPath(event)).secrets
            // Of a write that was cut off: it may not be encrypted.
            try SafeFile.removeIfThere(path + SafeFile.newSuffix)
            guard let file = FileManager.default.contents(atPath: path), !EncryptedKeys.isSealed(file) else { continue }
            try SafeFile.write(try EncryptedKeys.file(of: [UInt8](file), key), to: path)
            count += 1
        }
        return count
    }
}
