// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import SystemPackage

/// Reads a file's content in parts, and decrypts it if the file is encrypted.
final class PartReader {
    private let file: FileDescriptor
    private let stream: (opener: StreamOpener, purpose: [UInt8])?
    private var isAtEnd = false

    /// Begins to read at the start.
    ///
    /// - Throws: `Errno`, and `CryptoError` if the file is too short to be encrypted.
    init(_ file: FileDescriptor, _ key: StreamKey?) throws {
        self.file = file
        stream = try key.map { key in
            let header = try Self.read(file, SealedStream.headerLength)
            return (try StreamOpener(key: key.key, header: header), key.purpose)
        }
    }

    /// The next part; nil at the end.
    ///
    /// - Throws: `Errno`, and `CryptoError` if an encrypted file was changed or cut.
    func next() throws -> [UInt8]? {
        guard !isAtEnd else { return nil }
        guard let stream else {
            let part = try Self.read(file, SealedStream.partLength)
            return part.isEmpty ? nil : part
        }
        let sealed = try Self.read(file, SealedStream.partLength + SealedStream.overhead)
        let (part, isLast) = try stream.opener.open(sealed, purpose: stream.purpose)
        guard isLast else { return part }
        // Nothing may follow the last part.
        guard try Self.read(file, 1).isEmpty else { throw CryptoError.wrongLength }
        isAtEnd = true
        return part
    }

    /// Reads `count` bytes, or all up to the end of the file.
    private static func read(_ file: FileDescriptor, _ count: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let read = try unsafe file.read(into: rest)
                guard read > 0 else { break }
                filled += read
            }
        }
    }
}

/// Writes parts to a file, encrypted if there is a key.
///
/// All parts but the last one have ``SealedStream/partLength`` bytes.
final class PartWriter {
    private let file: FileDescriptor
    private let stream: (sealer: StreamSealer, purpose: [UInt8])?
    /// Whether it is the last one shows only when no other follows.
    private var pending: [UInt8]?

    init(_ file: FileDescriptor, _ key: StreamKey?) {
        self.file = file
        stream = key.map { (StreamSealer(key: $0.key), $0.purpose) }
    }

    func add(_ part: [UInt8]) throws {
        guard let stream else {
            try file.writeAll(part)
            return
        }
        if let pending {
            try file.writeAll(stream.sealer.seal(pending, isLast: false, purpose: stream.purpose))
        } else {
            try file.writeAll(stream.sealer.header)
        }
        pending = part
    }

    /// Writes what is left; without it an encrypted file is not whole.
    func finish() throws {
        guard let stream else { return }
        if pending == nil { try add([]) }
        try file.writeAll(stream.sealer.seal(pending ?? [], isLast: true, purpose: stream.purpose))
    }
}
