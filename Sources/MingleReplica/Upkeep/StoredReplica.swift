// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// A replica's file as it lies on the disk, which nobody has open: nothing in it is brought to the form of this version, so
/// that the version which wrote it can go on with it.
package struct StoredReplica {
    private static let connections = Connections.several

    /// The version of the database, which is at most ``Replica/schemaVersion``.
    package let version: Int
    /// Whether an earlier version wrote it, so that a ``Replica`` would change it.
    package let isEarlier: Bool
    private let path: String
    private let event: EventID

    /// Looks at the file in `path`.
    ///
    /// - Throws: `ReplicaError.newer` if a later version has written it, `ReplicaError.damaged` if it cannot be read.
    package init(path: String, event: EventID) throws {
        (self.path, self.event) = (path, event)
        (version, isEarlier) = try Self.use(path) { db in
            let isEarlier = try Upgrade(path).state(of: db) == .earlier
            guard try db.tableExists("grdb_migrations") else { return (0, isEarlier) }
            return (try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations") ?? 0, isEarlier)
        }
    }

    /// Copies it as it stands; the copy is on the disk and read again when this returns.
    ///
    /// - Throws: `ReplicaError.damaged` if the copy is not what it should be.
    package func copy(to copy: String) throws {
        try Self.use(path) { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try Self.connections.finish(copy: copy)
    }

    /// Looks at the file, the hashes and signatures of journals, and keys; not at records.
    package func inspect() throws -> ReplicaInspection {
        try ReplicaInspection(of: event) { look in try Self.use(path, look) }
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
