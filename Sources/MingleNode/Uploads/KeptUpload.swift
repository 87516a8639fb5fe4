// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import Synchronization
import SystemPackage

/// One upload on the disk: its record and its partial file.
///
/// Calls come from any thread.
final class KeptUpload: Sendable {
    /// What follows the id in the name of the record's file.
    static let recordSuffix = ".json"
    /// What follows the id in the name of the partial file.
    static let partSuffix = ".part"

    private struct State {
        var record: UploadRecord
        /// Counts those who may append; only the last one may.
        var turn = 0
        var touched: Int64
        var sharing: Task<API.Photo, any Error>?
        var isDropped = false
    }

    private let path: String
    private let state: Mutex<State>

    /// Takes an upload whose record lies in `folder` already.
    init(_ record: UploadRecord, in folder: String) {
        path = "\(folder)/\(record.id)"
        state = Mutex(State(record: record, touched: record.begun))
    }

    /// Begins an upload: writes its record and an empty file.
    static func begin(_ record: UploadRecord, in folder: String) throws -> KeptUpload {
        let upload = KeptUpload(record, in: folder)
        try SafeFile.makeFolder(folder)
        try upload.open().close()
        do {
            try upload.write(record)
        } catch {
            upload.drop()
            throw error
        }
        return upload
    }

    var record: UploadRecord { state.withLock { $0.record } }
    /// When bytes last came, in milliseconds since 1970.
    var touched: Int64 { state.withLock { $0.touched } }
    /// Whether it is being shared just now.
    var isBusy: Bool { state.withLock { $0.sharing != nil } }
    /// Where its bytes lie.
    var partPath: String { path + Self.partSuffix }

    /// Bytes that are on the disk; all of them once the photo is shared.
    var offset: Int { state.withLock { state in offset(of: state.record) } }

    private func offset(of record: UploadRecord) -> Int {
        guard record.photo == nil else { return record.length }
        return min((try? Stat(FilePath(partPath))).map { Int($0.size) } ?? 0, record.length)
    }

    /// Ends whoever appends, and returns how many bytes are on the disk.
    func interrupt() -> Int {
        state.withLock { state in
            state.turn += 1
            return self.offset(of: state.record)
        }
    }

    /// Ends whoever appends, and lets the caller append at `offset`.
    ///
    /// - Throws: ``WrongOffset``.
    func append(at offset: Int) throws -> UploadWriter {
        try state.withLock { state in
            let there = self.offset(of: state.record)
            guard offset == there else { throw WrongOffset(offset: there) }
            state.turn += 1
            // What was shared takes no more bytes, and needs no file.
            let file = state.record.photo == nil ? try open() : nil
            return UploadWriter(self, file, turn: state.turn, at: offset)
        }
    }

    private func open() throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(partPath),
            .writeOnly,
            options: [.create, .closeOnExec],
            permissions: [.ownerRead, .ownerWrite]
        )
    }

    /// Appends for the writer of `turn`.
    func write(_ bytes: some Collection<UInt8>, to file: FileDescriptor, turn: Int, at offset: Int, now: Int64) throws {
        try state.withLock { state in
            guard state.turn == turn, !state.isDropped, state.record.photo == nil else {
                throw API.Problem(.conflict, "This upload was taken up again by another request.")
            }
            guard bytes.count <= state.record.length - offset else {
                throw API.Problem(.badRequest, "More bytes came than `Upload-Length` announced. Begin a new upload.")
            }
            state.touched = now
            try file.writeAll(toAbsoluteOffset: Int64(offset), bytes)
        }
    }

    /// Shares the file, once: who asks meanwhile, or again later, gets the same photo.
    func share(
        at now: @escaping @Sendable () -> Int64,
        by importing: @escaping @Sendable (PhotoUpload) async throws -> API.Photo
    ) async throws -> API.Photo {
        let task = try state.withLock { state -> Task<API.Photo, any Error> in
            if let photo = state.record.photo { return Task { photo } }
            if let sharing = state.sharing { return sharing }
            let upload = try state.record.upload(at: partPath)
            // A task of its own, which goes on when the connection that asked is gone.
            let task = Task {
                let result = await Result { try await importing(upload) }
                return try self.end(result, at: now())
            }
            state.sharing = task
            return task
        }
        return try await task.value
    }

    private func end(_ result: Result<API.Photo, any Error>, at now: Int64) throws -> API.Photo {
        try state.withLock { state in
            state.sharing = nil
            let photo = try result.get()
            (state.record.photo, state.record.shared) = (photo, now)
            // Where the disk has no room for this, the next call shares anew and finds the photo that is there.
            if !state.isDropped { try? write(state.record) }
            try? FileManager.default.removeItem(atPath: partPath)
            return photo
        }
    }

    private func write(_ record: UploadRecord) throws {
        try SafeFile.write(Array(API.encode(record)), to: path + Self.recordSuffix)
    }

    /// Removes it from the disk.
    ///
    /// Later appends fail. A photo that is being shared is shared all the same.
    func drop() {
        state.withLock { state in
            state.isDropped = true
            state.turn += 1
            // The record goes first: a file without one is removed at the next start.
            try? FileManager.default.removeItem(atPath: path + Self.recordSuffix)
            if state.sharing == nil { try? FileManager.default.removeItem(atPath: partPath) }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
