// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import MingleAPI
package import MingleCrypto
import SystemPackage

/// A passphrase, and how much work the keys take that are derived from it.
package struct Passphrase: Sendable {
    /// Bytes of a passphrase at most.
    package static let limit = 1024

    let secret: Secret
    /// The cost for new keys.
    let cost: PassphraseCost

    /// Takes a passphrase.
    ///
    /// - Throws: `API.Problem` if it is empty or longer than ``limit``.
    package init(_ text: String, cost: PassphraseCost = .standard) throws(API.Problem) {
        guard !text.isEmpty else { throw API.Problem(.badRequest, "The passphrase is empty.") }
        guard text.utf8.count <= Self.limit else {
            throw API.Problem(.badRequest, "The passphrase is longer than \(Self.limit) bytes.")
        }
        (secret, self.cost) = (Secret(Array(text.utf8)), cost)
    }

    /// Reads the text of a passphrase from a file, without the line break at its end.
    ///
    /// The file may be a pipe. A regular file must not be readable by everybody, and if this user owns it, by nobody
    /// else.
    ///
    /// - Parameter isProvided: Whether the service manager provides the file, in a folder for this service alone.
    /// - Throws: `API.Problem`.
    package static func text(ofFile path: String, isProvided: Bool = false) throws -> String {
        let bytes: [UInt8]
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            bytes = try file.closeAfter {
                if !isProvided { try requirePrivate(file, path) }
                return try read(file)
            }
        } catch let reason as Errno {
            throw API.Problem(.badRequest, "The passphrase file \(path) cannot be read: \(reason).")
        }
        guard bytes.count <= limit + 2, let whole = String(validating: bytes, as: UTF8.self) else {
            throw API.Problem(
                .badRequest,
                "The passphrase file \(path) does not contain a passphrase: one line of text, at most \(limit) bytes."
            )
        }
        let text = whole.hasSuffix("\r\n") || whole.hasSuffix("\n") ? String(whole.dropLast()) : whole
        guard !text.isEmpty else { throw API.Problem(.badRequest, "The passphrase file \(path) is empty.") }
        guard !text.contains(where: \.isNewline) else {
            throw API.Problem(
                .badRequest,
                "The passphrase file \(path) has more than one line. Write the passphrase on one line."
            )
        }
        return text
    }

    private static func requirePrivate(_ file: FileDescriptor, _ path: String) throws {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        let forbidden: mode_t = status.st_uid == geteuid() ? 0o077 : 0o007
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & forbidden != 0 else { return }
        throw API.Problem(
            .badRequest,
            "Other users of this machine can read the passphrase file \(path). Run: chmod 600 \(path)"
        )
    }

    /// Reads a little more than a passphrase may have.
    private static func read(_ file: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit + 2 {
            let part = try unsafe [UInt8](unsafeUninitializedCapacity: limit + 3) { buffer, count in
                count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !part.isEmpty else { break }
            bytes += part
        }
        return bytes
    }
}
