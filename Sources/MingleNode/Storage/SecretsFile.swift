// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering

/// The keys as they stand in `secrets.json` (mode 0600).
extension Secrets {
    /// The file's form; base32 words.
    private struct Stored: Codable {
        var psk, identity, signing, agreement: String
        var cameBy: String?
        var issued: [String]
        var foundingSalt: String?
        var hints: [String]
        var relay: Bool?
    }

    /// Reads `secrets.json`.
    init(contentsOf path: String) throws {
        guard let data = FileManager.default.contents(atPath: path),
            let stored = try? JSONDecoder().decode(Stored.self, from: data),
            let psk = Self.secret(stored.psk), let identity = Self.secret(stored.identity),
            let signing = Self.secret(stored.signing), let agreement = Self.secret(stored.agreement)
        else { throw DataFolderError.unusable(path, detail: "the event's keys cannot be read") }
        self.init(
            psk: psk,
            identity: SigningKey(seed: identity),
            signing: SigningKey(seed: signing),
            agreement: AgreementKey(secret: agreement),
            cameBy: stored.cameBy.flatMap(Self.secret),
            issued: stored.issued.compactMap(Self.secret),
            foundingSalt: stored.foundingSalt.flatMap { Base32.decode($0) }.flatMap { Bytes32($0) },
            hints: stored.hints,
            isRelay: stored.relay ?? false
        )
    }

    /// Writes `secrets.json`.
    func write(to path: String) throws {
        let stored = Stored(
            psk: Base32.encode(psk.exposed()),
            identity: Base32.encode(identity.seed.exposed()),
            signing: Base32.encode(signing.seed.exposed()),
            agreement: Base32.encode(agreement.secret.exposed()),
            cameBy: cameBy.map { Base32.encode($0.exposed()) },
            issued: issued.map { Base32.encode($0.exposed()) },
            foundingSalt: foundingSalt.map { Base32.encode($0.bytes) },
            hints: hints,
            relay: isRelay ? true : nil
        )
        try SafeFile.write([UInt8](JSONEncoder().encode(stored)), to: path)
    }

    private static func secret(_ text: String) -> Secret? {
        guard let bytes = Base32.decode(text), bytes.count == 32 else { return nil }
        return Secret(bytes)
    }
}
