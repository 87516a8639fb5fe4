// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// Keys that a passphrase protects.
@Suite(.timeLimit(.minutes(5)))
struct EncryptedKeysTests {
    private func secret(_ text: String) throws -> Passphrase { try Passphrase(text, cost: .least) }

    /// Lends the data folder of a stopped node, and the file of its keys.
    private func withKeys(_ body: (_ path: String, _ keys: String) async throws -> Void) async throws {
        try await withStoppedNode { data, _ in
            data.unlock()
            let event = try #require(data.events().first)
            try await body(data.path, data.files(of: event).secrets)
        }
    }

    private func isPlain(_ keys: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: keys)).range(of: Data("signing".utf8)) != nil
    }

    @Test func `encrypted keys open with their passphrase alone, and decrypting gives the keys of before`() async throws
    {
        try await withKeys { path, keys in
            let before = try Data(contentsOf: URL(fileURLWithPath: keys))
            #expect(try DataFolder.encryptKeys(in: path, secret("right")) == 1)
            #expect(try !isPlain(keys) && DataFolder.hasEncryptedKeys(path))
            #expect(try refusal { _ = try DataFolder(path) }.contains("are encrypted"))
            #expect(try refusal { _ = try DataFolder(path, passphrase: secret("Right")) }.contains("Wrong passphrase"))
            #expect(try refusal { _ = try DataFolder.encryptKeys(in: path, secret("x")) }.contains("encrypted already"))
            let wrong = try refusal { _ = try DataFolder.decryptKeys(in: path, secret("x")) }
            #expect(try wrong.contains("Wrong passphrase") && !isPlain(keys))
            #expect(try DataFolder.decryptKeys(in: path, secret("right")) == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: keys)) == before)
            #expect(try !DataFolder.hasEncryptedKeys(path) && DataFolder(path).verify().sound)
            #expect(try refusal { _ = try DataFolder.decryptKeys(in: path, secret("x")) }.contains("not encrypted"))
        }
    }

    @Test func `a node with encrypted keys writes no keys as plain text, and its backups are encrypted`() async throws {
        try await withKeys { path, keys in
            _ = try DataFolder.encryptKeys(in: path, secret("right"))
            let passphrase = try secret("right")
            let node = try openNode(path, change: { $0.passphrase = passphrase })
            let second = try await node.createEvent(title: "Second").id
            _ = try node.invite(expires: nil, uses: nil, in: second)
            for file in [keys, "\(path)/events/\(second)/secrets.json"] { #expect(try !isPlain(file)) }
            let told = try await problem { _ = try await node.backUp(BackupTerms(path + "-backups")) }
            #expect(told.detail.contains("Encrypt the backup too"))
            #expect(try await node.backUp(BackupTerms(path + "-backups", "other")).events == 2)
            #expect(!FileManager.default.fileExists(atPath: path + "/uploads/backup.sqlite"))
        }
    }

    @Test func `whatever step of encrypting or decrypting is the last one, the next start has all keys, encrypted`()
        async throws
    {
        try await withKeys { path, keys in
            let plain = try Data(contentsOf: URL(fileURLWithPath: keys))
            _ = try DataFolder.encryptKeys(in: path, secret("right"))
            // Cut off between the passphrase and the file, and within the writing of the file.
            for rest in [keys, keys + ".new"] {
                try plain.write(to: URL(fileURLWithPath: rest))
                let passphrase = try secret("right")
                let node = try openNode(path, change: { $0.passphrase = passphrase })
                #expect(try node.session(nil).files.readSecrets().encoded() == [UInt8](plain))
                #expect(try !isPlain(keys) && !FileManager.default.fileExists(atPath: keys + ".new"))
                node.folder.unlock()
            }
        }
    }

    @Test func `decrypting that fails at one event leaves no other one decrypted`() async throws {
        try await withKeys { path, keys in
            // Comes last.
            let later = "\(path)/events/" + String(repeating: "z", count: eventName(keys).count - 1) + "a"
            try SafeFile.makeFolder(later)
            let second = later + "/secrets.json"
            try FileManager.default.copyItem(atPath: keys, toPath: second)
            #expect(try DataFolder.encryptKeys(in: path, secret("right")) == 2)
            // The file cannot be written.
            try SafeFile.makeFolder(second + ".new")
            #expect(throws: (any Error).self) { try DataFolder.decryptKeys(in: path, secret("right")) }
            for file in [keys, second] { #expect(try !isPlain(file)) }
            #expect(DataFolder.hasEncryptedKeys(path))
            // It is lost.
            try FileManager.default.removeItem(atPath: second)
            #expect(try refusal { _ = try DataFolder.decryptKeys(in: path, secret("right")) }.contains("damaged"))
            #expect(try !isPlain(keys))
        }
    }

    private func eventName(_ keys: String) -> String {
        URL(fileURLWithPath: keys).deletingLastPathComponent().lastPathComponent
    }

    @Test func `a damaged file of keys is encrypted too, and decrypted as it was`() async throws {
        try await withKeys { path, keys in
            let text = try String(contentsOfFile: keys, encoding: .utf8)
            let damaged = text.replacing("\"sum\":\"", with: "\"sum\":\"x")
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: keys))
            #expect(try DataFolder.encryptKeys(in: path, secret("right")) == 1)
            #expect(try !isPlain(keys))
            #expect(try DataFolder.decryptKeys(in: path, secret("right")) == 1)
            #expect(try String(contentsOfFile: keys, encoding: .utf8) == damaged)
        }
    }

    @Test func `damaged keys and a damaged passphrase file are told of, and nothing is written`() async throws {
        try await withKeys { path, keys in
            _ = try DataFolder.encryptKeys(in: path, secret("right"))
            let whole = try Data(contentsOf: URL(fileURLWithPath: keys))
            let text = String(decoding: whole, as: UTF8.self)
            let sealed = try #require(text.firstRange(of: "\"sealed\":\"")).upperBound
            let other = text[sealed] == "a" ? "b" : "a"
            try Data((text[..<sealed] + other + text[text.index(after: sealed)...]).utf8)
                .write(to: URL(fileURLWithPath: keys))
            let folder = try DataFolder(path, passphrase: secret("right"))
            #expect(try refusal { _ = try folder.files(of: folder.events()[0]).readSecrets() }.contains("damaged"))
            #expect(try refusal { _ = try DataFolder.decryptKeys(in: path, secret("right")) }.contains("using"))
            folder.unlock()
            #expect(try refusal { _ = try DataFolder.decryptKeys(in: path, secret("right")) }.contains("damaged"))
            #expect(DataFolder.hasEncryptedKeys(path))
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path + "/passphrase.json"))
            #expect(try refusal { _ = try DataFolder(path, passphrase: secret("right")) }.contains("passphrase.json"))
        }
    }
}
