// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
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

    /// Takes the body; a problem if it is too large, empty or does not fit on the disk.
    init(_ request: Request, in folder: String) async throws {
        path = "\(folder)/\(UUID().uuidString)"
        do {
            try await Self.write(request.body, to: path)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// Deletes the file.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func write(_ body: RequestBody, to path: String) async throws {
        let file = try FileDescriptor.open(
            FilePath(path),
            .writeOnly,
            options: [.create, .exclusiveCreate],
            permissions: [.ownerRead, .ownerWrite]
        )
        defer { try? file.close() }
        var count = 0
        var refusal: API.Problem?
        for try await buffer in body {
            count += buffer.readableBytes
            // What is refused is read to its end all the same: a sender that is cut off never sees the reason.
            guard refusal == nil else {
                guard count <= drainLimit else { break }
                continue
            }
            if count > limit {
                refusal = API.Problem(
                    .tooLarge,
                    "The file is too large: pictures of up to \(limit >> 20) MiB can be shared."
                )
                continue
            }
            do {
                try file.writeAll(buffer.readableBytesView)
            } catch Errno.noSpace {
                refusal = API.Problem(.noSpace, "The disk is full. Free some space and try again.")
            }
        }
        if let refusal { throw refusal }
        guard count > 0 else { throw API.Problem(.badRequest, "The file is empty.") }
    }
}
