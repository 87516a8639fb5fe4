// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The Debian package.
struct PackagingTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `a program whose libraries are in no Debian package is not packed`() throws {
        try Mingle.withFolder { folder in
            let process = Process()
            let errors = Pipe()
            process.executableURL = Self.root.appending(path: "scripts/package-deb")
            // The tests are built against the libraries of the toolchain.
            process.arguments = ["--binary", Mingle.program().path, "--output", folder]
            process.standardError = errors
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(said.contains("libswiftCore.so") && said.contains("run scripts/package-deb without --binary"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `purging the package deletes its settings, and keeps the passphrases beside them`() throws {
        try Mingle.withFolder { folder in
            let script = try String(contentsOf: Self.root.appending(path: "packaging/postrm"), encoding: .utf8)
            let settings = folder + "/etc/mingle"
            let files = ["relay.conf", "door.conf", "backup-passphrase"]
            // All that it touches, in the folder.
            let moved = ["etc", "var", "run"].reduce(script) { $0.replacing(" /\($1)/", with: " \(folder)/\($1)/") }
            func purge() throws {
                let process = Process()
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = ["-c", moved, "postrm", "purge"]
                try process.run()
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
            for file in files { try Data().write(to: URL(filePath: "\(settings)/\(file)")) }
            try purge()
            #expect(try FileManager.default.contentsOfDirectory(atPath: settings) == ["backup-passphrase"])
            try FileManager.default.removeItem(atPath: settings + "/backup-passphrase")
            try purge()
            #expect(!FileManager.default.fileExists(atPath: settings))
        }
    }
}
