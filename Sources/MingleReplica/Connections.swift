// SPDX-License-Identifier: Apache-2.0

import GRDB

/// How a replica reaches its file.
package enum Connections: Hashable, Sendable {
    /// One that writes, with a cache of 16 MB, and up to four that read meanwhile, with 2 MB each.
    case several
    /// One for everything, with a cache of so many KiB and a log of about 1 MB: for one thread with many replicas.
    ///
    /// `pageSize` is that of a file which it makes, in bytes; nil: the usual one.
    case single(cache: Int, pageSize: Int? = nil)

    /// One for everything, with a cache of 1 MB.
    package static let one = Connections.single(cache: 1024)

    /// Opens the file at `path`, or a database in memory.
    func open(path: String?) throws -> any DatabaseWriter {
        guard let path else {
            return try DatabaseQueue(configuration: Self.plain { db in try db.execute(sql: Replica.settings) })
        }
        try PageSums.install()
        switch self {
        case .several:
            var configuration = Self.plain { db in
                try db.prepare(db.configuration.readonly ? Self.reading : "")
            }
            configuration.maximumReaderCount = 4
            return try DatabasePool(path: path, configuration: configuration)
        case .single(let cache, let pageSize):
            let further = """
                PRAGMA cache_size = -\(cache);
                PRAGMA wal_autocheckpoint = \((1 << 20) / (pageSize ?? Replica.pageSize));
                \(Self.alone)
                """
            return try DatabaseQueue(
                path: path,
                configuration: Self.plain { db in try db.prepare(further, pageSize: pageSize) }
            )
        }
    }

    /// Opens a file once more, be it beside connections that have it open; nil where there is to be one only.
    func openAgain(path: String) throws -> DatabaseQueue? {
        guard self == .several else { return nil }
        try PageSums.install()
        return try DatabaseQueue(path: path, configuration: Self.plain { db in try db.prepare() })
    }

    /// Opens a file that is damaged, to read what can be read; nobody has it open.
    func openDamaged(path: String) throws -> DatabaseQueue {
        try PageSums.install()
        return try DatabaseQueue(
            path: path,
            configuration: Self.plain { db in
                db.ignorePageSums()
                // What cannot be parsed of the schema is passed over, and the other tables can be read. Nothing is written.
                try db.execute(sql: "PRAGMA writable_schema = ON")
            }
        )
    }

    private static func plain(_ prepare: @escaping @Sendable (Database) throws -> Void) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase(prepare)
        return configuration
    }

    /// What is told a connection that only reads: what it reads is mostly in the system's cache, and it is one of four.
    private static let reading = "PRAGMA cache_size = -2048"

    /// What is told a connection that shares its file with no other: no locks, and no index of the log in a file.
    private static let alone = """
        PRAGMA journal_size_limit = 1048576;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = WAL;
        """
}

extension Database {
    /// Sets a connection up; a database that it makes gets sums.
    fileprivate func prepare(_ further: String = "", pageSize: Int? = nil) throws {
        try execute(sql: Replica.settings)
        if let pageSize { try execute(sql: "PRAGMA page_size = \(pageSize)") }
        // After the page's size, which would forget it, and before anything makes the file.
        requestPageSums()
        try execute(sql: further)
    }

    /// Runs `body` in a transaction, which ends with it.
    ///
    /// GRDB's own transactions compile their statements each time, which costs more than a small query.
    func transact<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        try run("BEGIN \(kind.rawValue)") { _ in }
        do {
            let result = try body()
            // SQLite ends a transaction by itself where a disk is full or fails.
            guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            try run("COMMIT") { _ in }
            return result
        } catch {
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }
}
