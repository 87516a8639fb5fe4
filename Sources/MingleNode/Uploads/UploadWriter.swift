// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import SystemPackage

/// A request wants to append at another place than where the file ends.
package struct WrongOffset: Error, Hashable {
    /// Where the file ends, in bytes.
    package let offset: Int
}

/// Appends to one upload until somebody else does.
package final class UploadWriter {
    private let upload: KeptUpload
    private let file: FileDescriptor?
    private let turn: Int
    /// Where the next byte goes.
    package private(set) var offset: Int

    init(_ upload: KeptUpload, _ file: FileDescriptor?, turn: Int, at offset: Int) {
        (self.upload, self.file, self.turn, self.offset) = (upload, file, turn, offset)
    }

    /// Writes bytes to the disk.
    ///
    /// - Throws: `API.Problem` named `conflict` after another request went on with the upload, `badRequest` for more
    ///   bytes than were announced, `noSpace` for a full disk. What was written stays.
    package func append(_ bytes: some Collection<UInt8>, at now: Int64) throws {
        guard !bytes.isEmpty else { return }
        do {
            guard let file else { throw API.Problem(.badRequest, "This upload is complete. Begin a new one.") }
            try upload.write(bytes, to: file, turn: turn, at: offset, now: now)
            offset += bytes.count
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem.uploadHasNoRoom
        }
    }

    /// Whether the file is whole.
    package var isComplete: Bool { offset == upload.record.length }

    deinit { try? file?.close() }
}

extension API.Problem {
    /// The disk is full, and what came is kept.
    static let uploadHasNoRoom = Self(
        .noSpace,
        "The disk of the node is full. What was sent is kept for a day. Free some space, and the upload goes on."
    )
}
