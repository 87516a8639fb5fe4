// SPDX-License-Identifier: Apache-2.0

/// Finds the records in a stream: each is preceded by its length, two bytes, big-endian.
///
/// It keeps at most one record that is not complete, 65 537 bytes, besides what the caller just brought.
struct RecordStream: Sendable {
    /// The bytes received and not yet dropped; records are decrypted in here.
    var buffer: [UInt8] = []
    private var position = 0

    /// Whether no part of a record waits for the rest.
    var isEmpty: Bool { position == buffer.count }

    /// Bytes of a record that waits for the rest.
    var waitingBytes: Int { buffer.count - position }

    /// Adds bytes that came from the other side.
    mutating func append(_ bytes: consuming [UInt8]) {
        if isEmpty { (buffer, position) = (bytes, 0) } else { buffer += bytes }
    }

    /// The length that the next record announces; nil if its two bytes are not here yet.
    var nextLength: Int? {
        guard buffer.count - position >= 2 else { return nil }
        return Int(buffer[position]) << 8 | Int(buffer[position + 1])
    }

    /// Where in ``buffer`` the next record is, without its length; nil if it is not complete.
    mutating func next() -> Range<Int>? {
        guard let length = nextLength, buffer.count - position >= 2 + length else { return nil }
        defer { position += 2 + length }
        return (position + 2)..<(position + 2 + length)
    }

    /// Forgets the records that ``next()`` returned.
    mutating func dropFinished() {
        guard position > 0 else { return }
        buffer = isEmpty ? [] : Array(buffer[position...])
        position = 0
    }

    /// Forgets everything.
    mutating func removeAll() { (buffer, position) = ([], 0) }
}
