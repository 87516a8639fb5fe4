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
}
