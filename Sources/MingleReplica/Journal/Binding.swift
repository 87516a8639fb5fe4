// SPDX-License-Identifier: Apache-2.0

import Foundation
package import GRDB
import GRDBSQLite
package import MingleModel

extension Database {
    /// Runs a statement that gives no rows, prepared once and kept.
    ///
    /// GRDB's own arguments cost as much as SQLite's work for a small row, so values go straight to SQLite here.
    package func run(_ sql: String, binding: (inout Binder) -> Void) throws {
        try run(cachedStatement(sql: sql), binding: binding)
    }

    /// Ends GRDB's watch over what statements read and write.
    ///
    /// It is there for observers, of which a replica has none, and costs as much as compiling the statement: after each
    /// scrub, for all of them. The schema must not change any more, as GRDB would not notice.
    func stopAuthorizing() { _ = unsafe sqlite3_set_authorizer(sqliteConnection, nil, nil) }

    /// Runs a statement that gives no rows.
    package func run(_ statement: Statement, binding: (inout Binder) -> Void) throws {
        let execution = Execution(statement)
        defer { execution.end() }
        try execution.bind(binding)
        while try execution.step() {}
    }

    /// What `read` makes of the first row of a query, prepared once and kept; nil if it gives none.
    func first<Result>(
        _ sql: String,
        binding: (inout Binder) -> Void,
        read: (Columns) throws -> Result
    ) throws -> Result? {
        let execution = Execution(try cachedStatement(sql: sql))
        defer { execution.end() }
        try execution.bind(binding)
        return try execution.step() ? try read(execution.columns) : nil
    }

    /// The number in the first column of a query's first row, prepared once and kept; nil if it gives no row, and 0 for nothing.
    func number(_ sql: String, binding: (inout Binder) -> Void = { _ in }) throws -> Int64? {
        try first(sql, binding: binding) { $0.integer(0) }
    }

    /// Whether that is another number than 0; no row is none.
    func holds(_ sql: String, binding: (inout Binder) -> Void = { _ in }) throws -> Bool {
        (try number(sql, binding: binding) ?? 0) != 0
    }

    /// What `read` makes of each row of a query, prepared once and kept; `read` may not run the same query.
    func all<Result>(
        _ sql: String,
        binding: (inout Binder) -> Void,
        read: (Columns) throws -> Result
    ) throws -> [Result] {
        let execution = Execution(try cachedStatement(sql: sql))
        defer { execution.end() }
        try execution.bind(binding)
        var results: [Result] = []
        while try execution.step() { results.append(try read(execution.columns)) }
        return results
    }
}

/// Gives values to a statement's parameters, one after the other.
@safe
package struct Binder {
    private let statement: SQLiteStatement
    private var index: Int32 = 0
    fileprivate private(set) var code = SQLITE_OK

    fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = statement }

    /// Binds a number.
    package mutating func add(_ number: Int64) {
        index += 1
        note(unsafe sqlite3_bind_int64(statement, index, number))
    }

    /// Binds a number, or nothing.
    package mutating func add(_ number: Int64?) {
        if let number { add(number) } else { addNull() }
    }

    /// Binds nothing.
    package mutating func addNull() {
        index += 1
        note(unsafe sqlite3_bind_null(statement, index))
    }

    /// Binds words.
    package mutating func add(_ text: String) {
        index += 1
        unsafe text.withCString { start in
            note(unsafe sqlite3_bind_text(statement, index, start, Int32(text.utf8.count), Self.copied))
        }
    }

    /// Binds bytes.
    package mutating func add(_ bytes: [UInt8]) {
        index += 1
        guard !bytes.isEmpty else { return note(unsafe sqlite3_bind_zeroblob(statement, index, 0)) }
        unsafe bytes.withUnsafeBytes { bytes in
            note(unsafe sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Self.copied))
        }
    }

    /// Binds whatever it is.
    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: addNull()
        case .int64(let number): add(number)
        case .double(let number):
            index += 1
            note(unsafe sqlite3_bind_double(statement, index, number))
        case .string(let text): add(text)
        case .blob(let bytes): add([UInt8](bytes))
        }
    }

    /// Binds bytes, or nothing.
    package mutating func add(_ bytes: [UInt8]?) {
        if let bytes { add(bytes) } else { addNull() }
    }

    /// Binds a name, key or hash.
    package mutating func add(_ name: Bytes32) {
        index += 1
        let bytes = name.inlineBytes
        unsafe bytes.span.withUnsafeBufferPointer { bytes in
            note(unsafe sqlite3_bind_blob(statement, index, bytes.baseAddress, 32, Self.copied))
        }
    }

    /// Tells SQLite to copy what it is given (`SQLITE_TRANSIENT`, which is a macro that Swift does not see).
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private mutating func note(_ result: Int32) {
        if result != SQLITE_OK { code = result }
    }
}

/// The row that a statement stands at.
@safe
struct Columns {
    private let statement: SQLiteStatement

    fileprivate init(_ statement: SQLiteStatement) { unsafe self.statement = statement }

    /// The number in a column, 0 where there is none.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// Whether a column holds nothing.
    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The name, key or hash in a column.
    func bytes32(_ column: Int32) throws -> Bytes32 {
        guard let start = unsafe sqlite3_column_blob(statement, column),
            unsafe sqlite3_column_bytes(statement, column) == 32
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a name") }
        return Bytes32(at: 0, of: unsafe Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: 32))
    }

    /// The bytes in a column; nil where there is nothing.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        guard count > 0, let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// One use of a statement, from its first parameter to its last row.
@safe
private struct Execution {
    private let statement: SQLiteStatement

    init(_ statement: Statement) {
        unsafe self.statement = statement.sqliteStatement
        // GRDB leaves a statement where its last use ended, and then SQLite takes no values for it.
        _ = unsafe sqlite3_reset(self.statement)
    }

    var columns: Columns { unsafe Columns(statement) }

    func bind(_ body: (inout Binder) -> Void) throws {
        var binder = unsafe Binder(statement)
        body(&binder)
        guard binder.code == SQLITE_OK else { throw failure(binder.code) }
    }

    /// Goes to the next row; false at the end.
    func step() throws -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Makes the statement ready for its next use.
    func end() { _ = unsafe sqlite3_reset(statement) }

    private func failure(_ code: Int32) -> DatabaseError {
        let connection = unsafe sqlite3_db_handle(statement)
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
}
