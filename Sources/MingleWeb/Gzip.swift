// SPDX-License-Identifier: Apache-2.0

import CZlib
import HTTPTypes
import Hummingbird

/// Compression of what browsers are sent (RFC 1952), as all of them understand.
enum Gzip {
    /// Window of 32 KiB, in a gzip member and not zlib's own.
    private static let windowBits: Int32 = 15 + 16
    /// How much memory is taken for speed: the usual 8 of 9.
    private static let memoryLevel: Int32 = 8

    /// The bytes as one member, packed as closely as zlib can; nil if that saves nothing.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        let begun = unsafe deflateInit2_(
            &stream,
            Z_BEST_COMPRESSION,
            Z_DEFLATED,
            windowBits,
            memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard begun == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var source = bytes
        // Room for one byte less than there is: what does not fit saves nothing.
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            unsafe source.withUnsafeMutableBufferPointer { source in
                unsafe (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
                unsafe (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(max(target.count - 1, 0)))
                count = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return compressed.isEmpty ? nil : compressed
    }
}

extension Request {
    /// Whether the client takes what is compressed with gzip (RFC 9110, section 12.5.3).
    var takesGzip: Bool {
        headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return weight ?? 1 > 0
        }
    }
}
