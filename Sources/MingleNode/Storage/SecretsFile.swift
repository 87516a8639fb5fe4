// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering

/// The keys as they stand in `secrets.json` (mode 0600).
extension Secrets {
    /// The file's form; base32 words.
    private struct Stored: Codable {
        var psk, signing, agreement: String
        /// Not on a linked device, which has the person instead.
        var identity: String?
        var person: String?
        var linkedBy: String?
        /// Whether a linked device has no certificate yet.
        var uncertified: Bool?
        var certified: [String]?
        var cameBy: String?
        var issued: [String]
        var foundingSalt: String?
        var hints: [String]
        var relay: Bool?
        var door: Bool?
        /// Tells a damage; files of earlier versions have none.
        var sum: String?

        /// The sum of all else.
        func computedSum() throws -> String {
            var stored = self
            stored.sum = nil
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return Base32.encode(Blake2b.hash(.file, [UInt8](try encoder.encode(stored))).bytes.prefix(8))
        }

        /// Whether it is as it was written.
        var isSound: Bool { sum == nil || sum == (try? computedSum()) }
    }

    /// Reads `secrets.json`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - key: That of the data folder, if its keys are encrypted. A file that is not encrypted yet is read too.
    /// - Throws: `DataFolderError` if the file is missing or damaged, or encrypted under another key.
    init(contentsOf path: String, key: Secret? = nil) throws {
        guard let file = FileManager.default.contents(atPath: path) else { throw DataFolderError.damagedKeys(path) }
        let data = try EncryptedKeys.content(of: file, path, key)
        guard let stored = try? JSONDecoder().decode(Stored.self, from: data), stored.isSound,
            let psk = Self.secret(stored.psk), let signing = Self.secret(stored.signing),
            let agreement = Self.secret(stored.agreement)
        else { throw DataFolderError.damagedKeys(path) }
        guard let word = stored.identity else {
            guard let person = stored.person.flatMap({ PersonID(text: $0) }) else {
                throw DataFolderError.damagedKeys(path)
            }
            self.init(
                psk: psk,
                linked: person,
                by: stored.linkedBy.flatMap { DeviceName(text: $0) },
                isUncertified: stored.uncertified ?? false,
                signing: SigningKey(seed: signing),
                agreement: AgreementKey(secret: agreement),
                issued: stored.issued.compactMap(Self.secret),
                hints: stored.hints
            )
            return
        }
        guard let identity = Self.secret(word) else { throw DataFolderError.damagedKeys(path) }
        self.init(
            psk: psk,
            identity: SigningKey(seed: identity),
            signing: SigningKey(seed: signing),
            agreement: AgreementKey(secret: agreement),
            cameBy: stored.cameBy.flatMap(Self.secret),
            issued: stored.issued.compactMap(Self.secret),
            foundingSalt: stored.foundingSalt.flatMap { Base32.decode($0) }.flatMap { Bytes32($0) },
            hints: stored.hints,
            isRelay: stored.relay ?? false,
            isDoor: stored.door ?? false,
            certified: (stored.certified ?? []).compactMap { DeviceName(text: $0) }
        )
    }

    /// The content of `secrets.json`.
    func encoded() throws -> [UInt8] {
        var stored = Stored(
            psk: Base32.encode(psk.exposed()),
            signing: Base32.encode(signing.seed.exposed()),
            agreement: Base32.encode(agreement.secret.exposed()),
            identity: identity.map { Base32.encode($0.seed.exposed()) },
            person: identity == nil ? person.description : nil,
            linkedBy: linkedBy?.description,
            uncertified: isUncertified ? true : nil,
            certified: certified.isEmpty ? nil : certified.map(\.description),
            cameBy: cameBy.map { Base32.encode($0.exposed()) },
            issued: issued.map { Base32.encode($0.exposed()) },
            foundingSalt: foundingSalt.map { Base32.encode($0.bytes) },
            hints: hints,
            relay: isRelay ? true : nil,
            door: isDoor ? true : nil
        )
        stored.sum = try stored.computedSum()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(stored))
    }

    /// Writes `secrets.json`, encrypted if there is a key.
    func write(to path: String, key: Secret? = nil) throws {
        let content = try encoded()
        try SafeFile.write(try key.map { try EncryptedKeys.file(of: content, $0) } ?? content, to: path)
    }

    private static func secret(_ text: String) -> Secret? {
        guard let bytes = Base32.decode(text), bytes.count == 32 else { return nil }
        return Secret(bytes)
    }
}

extension EventFiles {
    /// Reads the device's keys.
    func readSecrets() throws -> Secrets { try Secrets(contentsOf: secrets, key: keysKey) }

    /// Writes the device's keys, encrypted if those of the data folder are.
    func write(_ keys: Secrets) throws { try keys.write(to: secrets, key: keysKey) }
}
