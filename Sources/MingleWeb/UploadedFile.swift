// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import SystemPackage

/// A request's body in a temporary file, written as it comes.
struct UploadedFile {
    /// Bytes that an upload may have.
    private static let limit = 128 << 20
    /// Bytes of a refused upload that are read to its end.
    private static let drainLimit = 4 << 30

    let path: String

    /// Takes the body; a problem if it is too large, breaks off or does not fit on the disk.
    init(_ request: Request, in folder: String) async throws {
        path = "\(folder)/\(UUID().uuidString)"
        do {
            try await Self.write(request, to: path)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// Deletes the file.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func write(_ request: Request, to path: String) async throws {
        let file = try FileDescriptor.open(
            FilePath(path),
            .writeOnly,
            options: [.create, .exclusiveCreate],
            permissions: [.ownerRead, .ownerWrite]
        )
        defer { try? file.close() }
        let declared = request.headers[.contentLength].flatMap { Int($0) }
        var refusal = declared.flatMap { $0 > limit ? tooLarge : nil }
        // Nothing is on its way yet.
        if let refusal, request.expectsContinue { throw refusal }
        var count = 0
        do {
            for try await buffer in request.body {
                count += buffer.readableBytes
                // What is refused is read to its end all the same: a sender that is cut off never sees the reason.
                guard refusal == nil else {
                    guard count <= drainLimit else { break }
                    continue
                }
                refusal = count > limit ? tooLarge : try append(buffer, to: file)
            }
        } catch  where !(error is Errno) {
            throw API.Problem.brokenOff
        }
        if let refusal { throw refusal }
        guard declared == nil || declared == count else { throw API.Problem.brokenOff }
    }

    /// Appends to the file; returns why it could not, if that is for the sender to know.
    private static func append(_ buffer: ByteBuffer, to file: SystemPackage.FileDescriptor) throws -> API.Problem? {
        do {
            try file.writeAll(buffer.readableBytesView)
            return nil
        } catch Errno.noSpace {
            return API.Problem(.noSpace, "The disk is full. Free some space and try again.")
        }
    }

    private static var tooLarge: API.Problem {
        API.Problem(.tooLarge, "The file is too large. It may have up to \(limit >> 20) MiB. Trim a long video.")
    }
}
