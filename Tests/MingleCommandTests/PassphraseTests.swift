// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode
import Testing

@testable import mingle

/// Passphrases on the command line: from files, credentials and the terminal.
@Suite("Passphrases of the command line", .timeLimit(.minutes(5)))
struct PassphraseCommandTests {
    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a file comes before the credential of systemd, and a credential may be readable by a group`() throws {
        try Mingle.withFolder { folder in
            try write("file\n", to: folder + "/file")
            try write("credential", to: folder + "/mingle-passphrase", mode: 0o440)
            let environment = ["CREDENTIALS_DIRECTORY": folder]
            func given(_ file: String?, _ environment: [String: String]) throws -> String? {
                try PassphraseSource(file: file, credential: .keys, environment: environment).given()
            }
            #expect(try given(folder + "/file", environment) == "file")
            #expect(try given(nil, environment) == "credential" && given(nil, [:]) == nil)
            let backup = PassphraseSource(file: nil, credential: .backup, environment: environment)
            #expect(try backup.given() == nil)
        }
    }

    @Test func `keys are encrypted, a node does not start without them, and a backup and its restore ask for theirs`()
        throws
    {
        try Mingle.withFolder { folder in
            let mingle = Mingle(data: folder + "/data")
            try write("", to: folder + "/empty")
            try write("keys", to: folder + "/keys")
            try write("backup", to: folder + "/backup")
            _ = try DataFolder(folder + "/data")
            let none = try mingle("keys", "encrypt")
            #expect(none.code == 2 && none.errors.contains("--passphrase-file"))
            #expect(try mingle("keys", "encrypt", "--passphrase-file", folder + "/empty").code == 2)
            #expect(try mingle("keys", "encrypt", "--passphrase-file", folder + "/keys").code == 0)
            let start = try mingle("run", "--port", "0", "--no-discovery")
            #expect(start.code == 2 && start.errors.contains("are encrypted"))
            let wrong = try mingle("verify", "--passphrase-file", folder + "/backup")
            #expect(wrong.code == 12 && wrong.errors.contains("Wrong passphrase"))
            let plain = try mingle("backup", folder + "/backups", "--keys-passphrase-file", folder + "/keys")
            #expect(plain.code == 1 && plain.errors.contains("Encrypt the backup too"))
            let made = try mingle(
                "backup",
                folder + "/backups",
                "--passphrase-file",
                folder + "/backup",
                "--keys-passphrase-file",
                folder + "/keys"
            )
            #expect(made.code == 0 && made.output.contains("Keep the passphrase"))
            #expect(!made.output.contains("backup\n"))
            let asked = try mingle.onTerminal(
                ["restore", folder + "/backups", "--data", folder + "/restored"],
                answer: "backup\n"
            )
            #expect(asked.code == 0 && asked.said.contains("Restored the backup of"))
            #expect(try mingle("keys", "decrypt", "--passphrase-file", folder + "/keys").code == 0)
            #expect(try mingle("verify").code == 0)
        }
    }

    @Test func `on a terminal a backup that is not encrypted is restored after a yes alone`() throws {
        try Mingle.withFolder { folder in
            let mingle = Mingle(data: folder + "/data")
            _ = try DataFolder(folder + "/data")
            try #require(mingle("backup", folder + "/backups").code == 0)
            let words = ["restore", folder + "/backups", "--data", folder + "/restored"]
            let kept = try mingle.onTerminal(words, answer: "\n")
            #expect(kept.code == 1 && kept.said.contains("This backup is not encrypted"))
            #expect(try mingle.onTerminal(words, answer: "y\n").code == 0)
        }
    }

    @Test func `a backup refuses to keep none, and to encrypt without anybody to ask`() throws {
        try Mingle.withFolder { folder in
            let mingle = Mingle(data: folder)
            let none = try mingle("backup", folder + "-b", "--keep", "0")
            #expect(none.code == 2 && none.errors.contains("--keep"))
            let asked = try mingle("backup", folder + "-b", "--encrypt")
            #expect(asked.code == 2 && asked.errors.contains("--passphrase-file"))
        }
    }
}
