// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleNode

/// Files with a passphrase.
struct PassphraseFileTests {
    private func withFile(
        _ content: String,
        mode: Int = 0o600,
        _ body: (_ path: String) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/passphrase"
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            try body(path)
        }
    }

    @Test(arguments: ["correct horse", "correct horse\n", "correct horse\r\n"])
    func `a passphrase is one line without its line break`(content: String) async throws {
        try await withFile(content) { path in
            let text = try Passphrase.text(ofFile: path)
            #expect(text == "correct horse")
        }
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("one\ntwo\n", "more than one line"),
        (String(repeating: "x", count: Passphrase.limit + 3), "does not contain a passphrase"),
    ])
    func `an empty file, several lines and a long text are refused`(content: String, words: String) async throws {
        try await withFile(content) { path in
            let told = try refusal { _ = try Passphrase.text(ofFile: path) }
            #expect(told.contains(words) && told.contains(path))
        }
    }

    @Test(arguments: [0o644, 0o640, 0o606])
    func `a file that others can read or write is refused, unless the service manager provides it`(
        mode: Int
    ) async throws {
        try await withFile("x", mode: mode) { path in
            let told = try refusal { _ = try Passphrase.text(ofFile: path) }
            let text = try Passphrase.text(ofFile: path, isProvided: true)
            #expect(told.contains("chmod 600 \(path)") && text == "x")
        }
    }

    @Test func `a file that is not there and a folder are named`() async throws {
        try await withTemporaryFolder { folder in
            for path in [folder + "/none", folder] {
                let told = try refusal { _ = try Passphrase.text(ofFile: path) }
                #expect(told.contains("\(path) cannot be read"))
            }
        }
    }
}
