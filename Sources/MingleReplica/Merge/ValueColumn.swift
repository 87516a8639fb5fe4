// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

extension Value {
    /// The value as a column of a kind's table.
    var column: (any DatabaseValueConvertible)? {
        switch self {
        case .cleared: nil
        case .text(let text): text
        case .number(let number): number
        case .data(let bytes): Data(bytes)
        case .media(let media): media.column
        }
    }
}

extension Media {
    /// Root, size, key and type in one column: 72 bytes and the type's name.
    var column: Data {
        var bytes = root.bytes
        bytes.reserveCapacity(96)
        size.appendBigEndian(to: &bytes)
        return Data(bytes + key + type.utf8)
    }

    /// Reads what ``column`` wrote; nil for anything else.
    init?(column: Data?) {
        guard let column, column.count >= 72 else { return nil }
        let bytes = [UInt8](column)
        self.init(
            root: Bytes32(at: 0, of: bytes.span),
            size: UInt64(bigEndianAt: 32, of: bytes.span),
            key: Array(bytes[40..<72]),
            type: String(decoding: bytes[72...], as: UTF8.self)
        )
    }
}
