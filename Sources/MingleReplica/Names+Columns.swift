// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

extension Level {
    /// Reads a level from a column; nil for one that this version does not know.
    init?(column: Int64) { self.init(rawValue: UInt32(truncatingIfNeeded: column)) }

    var column: Int64 { Int64(rawValue) }
}

extension Identifier32 {
    /// Reads a name from a column that this program wrote.
    init(column data: Data) throws { self.init(try Bytes32(column: data)) }

    var column: Data { Data(bytes) }
}

extension Bytes32 {
    /// Reads 32 bytes from a column that this program wrote.
    init(column data: Data) throws {
        guard let value = Bytes32(data) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a name") }
        self = value
    }
}
