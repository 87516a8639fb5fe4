// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleWire

/// Writes encoded runs to a file, each behind its length.
struct RunFileWriter: ~Copyable {
    private let file: FileHandle
    private var buffer: [UInt8] = []

    init(path: String) throws {
        let url = URL(fileURLWithPath: path)
        try Data().write(to: url)
        file = try FileHandle(forWritingTo: url)
    }

    mutating func append(_ run: Run) throws {
        let bytes = run.encoded()
        UInt32(bytes.count).appendBigEndian(to: &buffer)
        buffer.append(contentsOf: bytes)
        if buffer.count > 1 << 20 { try flush() }
    }

    consuming func close() throws {
        try flush()
        try file.synchronize()
        try file.close()
    }

    private mutating func flush() throws {
        try file.write(contentsOf: Data(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads encoded runs from a file, a part of it at a time.
///
/// @unchecked because one thread at a time uses it: the first runs are read before the pipeline gets it.
final class RunFileReader: @unchecked Sendable {
    private let file: FileHandle
    private let event: EventID
    private var buffer: [UInt8] = []
    private var position = 0

    init(path: String, event: EventID) throws {
        file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        self.event = event
    }

    deinit { try? file.close() }

    /// Decodes the next run; nil at the end.
    func next() throws -> Run? {
        guard try fill(4) else { return nil }
        let length = Int(UInt32(bigEndianAt: position, of: buffer.span))
        guard try fill(4 + length) else { throw WireError.truncated }
        defer { position += 4 + length }
        return try Run(decoding: buffer[(position + 4)..<(position + 4 + length)], event: event)
    }

    /// Makes sure that so many bytes lie ahead; false if the file ends before them.
    private func fill(_ count: Int) throws -> Bool {
        if buffer.count - position >= count { return true }
        buffer.removeFirst(position)
        position = 0
        while buffer.count < count {
            guard let data = try file.read(upToCount: max(1 << 18, count)), !data.isEmpty else { return false }
            buffer.append(contentsOf: data)
        }
        return true
    }
}
