// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The compression of PNG (RFC 1950), for what is short, and the checksum of PNG and ZIP.
enum Zlib {
    /// The bytes that were compressed.
    ///
    /// - Returns: nil unless there are 1 to `limit` of them.
    static func expand(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var length = uLong(limit)
        let result = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let status = unsafe uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
            count = status == Z_OK ? Int(length) : 0
        }
        return result.isEmpty ? nil : result
    }

    /// The bytes compressed.
    ///
    /// - Returns: nil if there is no memory for it.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(uLong(bytes.count))
        let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            let status = unsafe compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
            count = status == Z_OK ? Int(length) : 0
        }
        return result.isEmpty ? nil : result
    }

    /// The CRC-32 of the bytes, as each chunk of PNG ends with it; `checksum` is that of the bytes before them.
    static func checksum(_ bytes: [UInt8], after checksum: UInt32 = 0) -> UInt32 {
        // For a missing buffer zlib answers with the checksum of nothing.
        bytes.isEmpty
            ? checksum : UInt32(truncatingIfNeeded: unsafe crc32(uLong(checksum), bytes, uInt(bytes.count)))
    }
}
