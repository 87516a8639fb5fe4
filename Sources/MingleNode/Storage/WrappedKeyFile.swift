// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import SystemPackage

/// A file with a key that a passphrase unlocks: of encrypted backups, or of a node's encrypted keys.
enum WrappedKeyFile {
    /// The file's form; base32 words.
    private struct Stored: Codable {
        var format: Int
        var salt: String
        var passes: Int
        var memory: Int
        var key: String
    }

    private static let format = 1
    private static let limit = 4096

    /// Reads the file; nil if there is none.
    ///
    /// - Throws: `API.Problem` if it is damaged, `FileFailure` if it cannot be read.
    static func read(_ path: String) throws -> WrappedKey? {
        let bytes: [UInt8]
        do {
            bytes = try CopiedFile.bytes(of: path, limit: limit)
        } catch let failure as FileFailure {
            switch failure.reason {
            case .noSuchFileOrDirectory: return nil
            case .invalidArgument, .tooManySymbolicLinkLevels: throw damaged(path)
            default: throw failure
            }
        }
        guard let stored = try? API.decode(Stored.self, from: Data(bytes)), stored.format == format,
            let cost = PassphraseCost(passes: stored.passes, memory: stored.memory),
            let salt = Base32.decode(stored.salt), let box = Base32.decode(stored.key),
            let key = WrappedKey(salt: salt, cost: cost, box: box)
        else { throw damaged(path) }
        return key
    }

    private static func damaged(_ path: String) -> API.Problem {
        API.Problem(.damaged, "\(path) is damaged. Without this file the passphrase unlocks nothing.")
    }

    /// Writes the file.
    static func write(_ key: WrappedKey, to path: String) throws {
        let stored = Stored(
            format: format,
            salt: Base32.encode(key.salt),
            passes: key.cost.passes,
            memory: key.cost.memory,
            key: Base32.encode(key.box)
        )
        try SafeFile.write([UInt8](try API.encode(stored)), to: path)
    }
}

extension WrappedKey {
    /// The key for a passphrase.
    ///
    /// - Parameter what: What it unlocks, for people, such as `the backups in /srv/backup`.
    /// - Throws: `API.Problem` for another passphrase, or without memory.
    func unlocked(by passphrase: Passphrase, what: String) throws(API.Problem) -> Secret {
        do {
            return try key(passphrase: passphrase.secret)
        } catch .outOfMemory {
            throw API.Problem(.unavailable, "\(cost.memory >> 20) MiB of memory are needed to check the passphrase.")
        } catch {
            throw API.Problem(.notAllowed, "Wrong passphrase for \(what).")
        }
    }

    /// Wraps a key by a passphrase.
    init(_ key: Secret, by passphrase: Passphrase) throws(API.Problem) {
        do {
            try self.init(key, passphrase: passphrase.secret, cost: passphrase.cost)
        } catch {
            let memory = passphrase.cost.memory >> 20
            throw API.Problem(.unavailable, "\(memory) MiB of memory are needed to use a passphrase.")
        }
    }
}
