// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

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

/// What a field holds, as SQLite stores it.
enum Column: Sendable {
    case nothing
    case number(Int64)
    case text(String)
    case bytes([UInt8])

    init(_ value: Value?) {
        switch value {
        case .cleared, nil: self = .nothing
        case .text(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .data(let bytes): self = .bytes(bytes)
        case .media(let media): self = .bytes(media.stored)
        }
    }
}

extension Binder {
    /// Binds what a field holds.
    mutating func add(_ column: Column) {
        switch column {
        case .nothing: addNull()
        case .number(let number): add(number)
        case .text(let text): add(text)
        case .bytes(let bytes): add(bytes)
        }
    }
}

extension Media {
    /// Root, size, key and type in one column: 72 bytes and the type's name.
    var column: Data { Data(stored) }

    /// What ``column`` holds.
    package var stored: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(72 + type.utf8.count)
        root.append(to: &bytes)
        size.appendBigEndian(to: &bytes)
        bytes.append(contentsOf: key)
        bytes.append(contentsOf: type.utf8)
        return bytes
    }

    /// The bytes of a column that say how large the blob is, as SQL.
    static func sizeColumn(_ column: String) -> String { "substr(\(column), 33, 8)" }

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
