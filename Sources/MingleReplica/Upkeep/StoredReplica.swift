// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The file of a replica that no session has open.
package struct StoredReplica {
    private static let connections = Connections.several

    /// Whether the file has no table: the disk lost power before the first one was written.
    package let isEmpty: Bool
    private let path: String

    /// Looks at the file in `path` and changes nothing.
    ///
    /// - Throws: `ReplicaError.otherVersion` if another version made it, `ReplicaError.damaged` if it cannot be read.
    package init(path: String) throws {
        self.path = path
        isEmpty = try Self.use(path) { db in
            let isEmpty = try db.isEmpty()
            if !isEmpty { try Schema.requireVersion(of: db, path: path) }
            return isEmpty
        }
    }

    /// Copies the file; the copy is on the disk and was read again when this returns.
    ///
    /// - Throws: `ReplicaError.damaged` if the copy differs from what it should be.
    package func copy(to copy: String) throws {
        try Self.use(path) { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try Self.connections.finish(copy: copy)
    }

    private static func use<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
        do {
            guard let connection = try connections.openAgain(path: path) else { throw ReplicaError.closed }
            defer { try? connection.close() }
            return try connection.writeWithoutTransaction(body)
        } catch let error as DatabaseError {
            throw ReplicaError(error, path: path)
        }
    }
}
