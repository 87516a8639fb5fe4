// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// The database's file as SQLite has it open, for what no statement reaches.
///
/// SQLite's own handle is used, as another one's end would give back the locks that SQLite holds on the file.
@safe
struct DatabaseFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// The file of a connection; nil for a database in memory.
    init?(of db: Database) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        unsafe sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
        guard let file = unsafe found, let methods = unsafe file.pointee.pMethods else { return nil }
        unsafe (self.file, self.methods) = (file, methods)
    }

    /// Bytes of the file.
    func size() throws -> Int64 {
        var size: Int64 = 0
        try check(unsafe methods.pointee.xFileSize(file, &size))
        return size
    }

    /// Fills `bytes` with what stands at `offset`.
    func read(_ bytes: inout [UInt8], at offset: Int64) throws {
        try check(
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe methods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), offset)
            }
        )
    }

    /// Puts zeros at `offset`.
    func clear(_ count: Int, at offset: Int64) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        try check(
            unsafe zeros.withUnsafeBytes { bytes in
                unsafe methods.pointee.xWrite(file, bytes.baseAddress, Int32(bytes.count), offset)
            }
        )
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws { try check(unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL)) }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

extension Database {
    /// Lets go of all pages that the connection remembers; the next statement reads them from the file.
    func forgetPages() { _ = unsafe sqlite3_db_release_memory(sqliteConnection) }
}
