// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleModel
import Synchronization

/// Uploads that come in parts and survive a restart: files that are not whole yet, and for a day what became of them.
///
/// It knows neither HTTP nor pictures. Each upload belongs to an owner, and is not there for anybody else.
package final class UploadShelf: Sendable {
    /// How far an upload is.
    package struct Progress: Hashable, Sendable {
        package let id: String
        /// Bytes that are on the disk.
        package let offset: Int
        /// Bytes of the whole file.
        package let length: Int
    }

    private let folder: String
    private let limits: UploadLimits
    private let now: @Sendable () -> Int64
    private let freeBytes: @Sendable () -> Int?
    private let makeID: @Sendable () -> String
    private let uploads: Mutex<[String: KeptUpload]>

    /// Takes up what lies in `folder`, which need not be there.
    ///
    /// - Parameters:
    ///   - now: Returns the time in milliseconds since 1970.
    ///   - freeBytes: Returns the free bytes of the disk; nil if they cannot be told.
    ///   - makeID: Returns an id that nobody can guess.
    package init(
        folder: String,
        limits: UploadLimits = UploadLimits(),
        now: @escaping @Sendable () -> Int64,
        freeBytes: @escaping @Sendable () -> Int?,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        (self.folder, self.limits, self.now) = (folder, limits, now)
        (self.freeBytes, self.makeID) = (freeBytes, makeID)
        uploads = Mutex(Self.kept(in: folder))
        expire()
    }

    /// Returns what a stop or a crash left, and removes files that belong to no record.
    private static func kept(in folder: String) -> [String: KeptUpload] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var kept: [String: KeptUpload] = [:]
        for name in names where name.hasSuffix(KeptUpload.recordSuffix) {
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            guard let record = try? API.decode(UploadRecord.self, from: data),
                name == record.id + KeptUpload.recordSuffix
            else { continue }
            kept[record.id] = KeptUpload(record, in: folder)
        }
        for name in names where kept[String(name.prefix { $0 != "." })] == nil {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        return kept
    }

    /// Begins an upload of `length` bytes; the path in `upload` does not count.
    ///
    /// - Throws: `API.Problem` named `badRequest`, `tooLarge`, `tooMany` or `noSpace`.
    package func begin(_ upload: PhotoUpload, length: Int, owner: String) throws -> Progress {
        guard length > 0 else { throw API.Problem(.badRequest, "`Upload-Length` must be at least 1.") }
        guard length <= limits.length else {
            let most = "\(limits.length >> 20) MiB"
            throw API.Problem(.tooLarge, "The file is too large. It may have up to \(most). Trim a long video.")
        }
        expire()
        try requireRoom(for: length)
        return try uploads.withLock { uploads in
            let unfinished = uploads.values.compactMap { upload -> UploadLimits.Unfinished? in
                let (record, touched) = (upload.record, upload.touched)
                guard record.photo == nil else { return nil }
                return .init(id: record.id, owner: record.owner, length: record.length, touched: touched)
            }
            for id in try limits.dropped(for: length, of: owner, beside: unfinished, at: now()) {
                uploads.removeValue(forKey: id)?.drop()
            }
            let record = UploadRecord(upload, id: makeID(), owner: owner, length: length, begun: now())
            uploads[record.id] = try KeptUpload.begin(record, in: folder)
            return Progress(id: record.id, offset: 0, length: length)
        }
    }

    /// Says how far an upload is, and ends whoever still appends to it, so that the answer holds.
    ///
    /// - Throws: `API.Problem` named `notFound`, as do all calls below for an upload that `owner` does not have.
    package func progress(of id: String, owner: String) throws -> Progress {
        let upload = try upload(id, of: owner)
        return Progress(id: id, offset: upload.interrupt(), length: upload.record.length)
    }

    /// Lets the caller append; whoever appended before is ended.
    ///
    /// - Throws: ``WrongOffset`` if the file ends elsewhere; `API.Problem` named `noSpace` if the rest does not fit.
    package func append(to id: String, at offset: Int, owner: String) throws -> UploadWriter {
        let upload = try upload(id, of: owner)
        let writer = try upload.append(at: offset)
        try requireRoom(for: upload.record.length - offset)
        return writer
    }

    /// Writes bytes with the shelf's clock.
    package func write(_ bytes: some Collection<UInt8>, by writer: UploadWriter) throws {
        try writer.append(bytes, at: now())
    }

    /// Has `importing` share a whole file, and returns the photo.
    ///
    /// Called again it returns the same photo, for a day and after a restart too. If `importing` fails, the file stays.
    package func finish(
        _ id: String,
        owner: String,
        by importing: @escaping @Sendable (PhotoUpload) async throws -> API.Photo
    ) async throws -> API.Photo {
        let upload = try upload(id, of: owner)
        guard upload.offset == upload.record.length else {
            throw API.Problem(.conflict, "The upload is not complete.")
        }
        return try await upload.share(at: now, by: importing)
    }

    /// Drops an upload.
    package func drop(_ id: String, owner: String) throws {
        try upload(id, of: owner).drop()
        uploads.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Drops all uploads of an owner.
    package func dropAll(of owner: String) { drop { $0.record.owner == owner } }

    /// Drops all uploads to an event, and their outcomes.
    package func dropAll(ofEvent event: String) { drop { $0.record.event == event } }

    /// Drops what is too old, and outcomes beyond their limit.
    package func expire() {
        let time = now()
        drop { !$0.isBusy && $0.record.isExpired(at: time, lifetime: limits.lifetime) }
        let outcomes = uploads.withLock { Array($0.values) }.map(\.record).filter { $0.shared != nil }
        guard outcomes.count > limits.outcomes else { return }
        let oldest = outcomes.sorted { ($0.shared ?? 0) < ($1.shared ?? 0) }.prefix(outcomes.count - limits.outcomes)
        let ids = Set(oldest.map(\.id))
        drop { ids.contains($0.record.id) }
    }

    private func drop(where isOver: (KeptUpload) -> Bool) {
        uploads.withLock { uploads in
            for (id, upload) in uploads where isOver(upload) {
                upload.drop()
                uploads[id] = nil
            }
        }
    }

    private func upload(_ id: String, of owner: String) throws -> KeptUpload {
        guard let upload = uploads.withLock({ $0[id] }), upload.record.owner == owner else {
            throw API.Problem(.notFound, "There is no such upload. It ended or is older than a day: begin a new one.")
        }
        return upload
    }

    /// Leaves as much of the disk as words of people need.
    private func requireRoom(for bytes: Int) throws {
        guard let free = freeBytes(), free < bytes + DiskRoom.reserve else { return }
        throw API.Problem.uploadHasNoRoom
    }
}

extension UploadLimits {
    /// The uploads that make room for one more.
    ///
    /// - Throws: `API.Problem` named `tooMany` where there is none.
    fileprivate func dropped(
        for length: Int,
        of owner: String,
        beside unfinished: [Unfinished],
        at now: Int64
    ) throws -> [String] {
        switch verdict(on: length, of: owner, beside: unfinished, at: now) {
        case .allowed(let dropped): return dropped
        case .ownerIsFull:
            throw API.Problem(.tooMany, "Too many uploads are unfinished. Wait until some of them are finished.")
        case .allIsFull:
            throw API.Problem(.tooMany, "Too many people upload at once. Try again in a moment.")
        }
    }
}
