// SPDX-License-Identifier: Apache-2.0

import CZlib
import HTTPTypes
import Hummingbird

/// Compression of what browsers are sent (RFC 1952), as all of them understand.
enum Gzip {
    /// How much time is spent to save bytes.
    enum Level {
        /// For what is compressed once and sent often.
        case best
        /// For what is compressed for one answer.
        case fast

        fileprivate var value: Int32 { self == .best ? Z_BEST_COMPRESSION : 4 }
    }

    /// Window of 32 KiB, in a gzip member and not zlib's own.
    private static let windowBits: Int32 = 15 + 16
    /// How much memory is taken for speed: the usual 8 of 9.
    private static let memoryLevel: Int32 = 8

    /// The bytes as one member; nil if that saves nothing.
    static func compress(_ bytes: [UInt8], level: Level = .best) -> [UInt8]? {
        // An array of no bytes is one for the whole program, which Swift would write to.
        guard !bytes.isEmpty else { return nil }
        var (stream, source) = (unsafe z_stream(), bytes)
        // zlib keeps the stream's address. There is room for one byte less than there is: what does not fit saves nothing.
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            count = unsafe withUnsafeMutablePointer(to: &stream) { stream in
                guard unsafe begin(stream, level) else { return 0 }
                defer { unsafe deflateEnd(stream) }
                return unsafe source.withUnsafeMutableBufferPointer { source in
                    unsafe stream.pointee.next_in = source.baseAddress
                    unsafe stream.pointee.avail_in = UInt32(source.count)
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(target.count - 1)
                    return unsafe deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : 0
                }
            }
        }
        return compressed.isEmpty ? nil : compressed
    }

    private static func begin(_ stream: UnsafeMutablePointer<z_stream>, _ level: Level) -> Bool {
        unsafe deflateInit2_(
            stream,
            level.value,
            Z_DEFLATED,
            windowBits,
            memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        ) == Z_OK
    }
}

extension Request {
    /// Whether the client takes what is compressed with gzip (RFC 9110, section 12.5.3).
    ///
    /// What is said of gzip goes before what is said of all.
    var takesGzip: Bool {
        let codings = headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.map { coding in
            coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
        }
        guard let coding = codings.first(where: { $0.first == "gzip" }) ?? codings.first(where: { $0.first == "*" })
        else { return false }
        let weight = coding.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        return weight ?? 1 > 0
    }
}
