// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension RecordPayload {
    /// Reads a payload in the form that this program writes; nil for any other, valid or not.
    ///
    /// SwiftProtobuf takes longer than all cryptography of a delta together. So the plain form, in which every field is
    /// a known one of its declared type and no field of a oneof comes twice, is read by hand here, and whatever differs
    /// is left to the library: what a payload says never depends on which of the two read it.
    package init?(plain bytes: [UInt8]) {
        var reader = PlainReader(bytes)
        self.init(kind: 0, target: .nothing, changes: [])
        while let tag = reader.tag() {
            switch tag {
            case .varint(1):
                guard let kind = reader.varint().flatMap({ UInt32(exactly: $0) }) else { return nil }
                self.kind = kind
            case .bytes(2):
                guard let range = reader.range(), let target = try? Target(bytes: Array(bytes[range])) else {
                    return nil
                }
                self.target = target
            case .bytes(3):
                guard var message = reader.message(), let change = Change(plain: &message) else { return nil }
                changes.append(change)
            case .bytes(4):
                guard let range = reader.range(), let subject = try? Target(bytes: Array(bytes[range])) else {
                    return nil
                }
                self.subject = subject
            default: return nil
            }
        }
        guard reader.isAtEnd, changes.count <= Limits.changesPerPayload else { return nil }
    }
}

extension Change {
    fileprivate init?(plain reader: inout PlainReader) {
        var field: UInt32 = 0
        var value: Value?
        var overwrites: [Reference] = []
        var namedCount = 0
        var isPinned = false
        while let tag = reader.tag() {
            switch tag {
            case .varint(1):
                guard let number = reader.varint().flatMap({ UInt32(exactly: $0) }) else { return nil }
                field = number
            case .varint(7):
                guard let number = reader.varint() else { return nil }
                isPinned = number != 0
            case .bytes(8):
                guard let range = reader.range() else { return nil }
                namedCount += 1
                if let reference = Reference(bytes: Array(reader.bytes[range])) { overwrites.append(reference) }
            default:
                guard value == nil, let read = Value(plain: &reader, tag: tag) else { return nil }
                value = read
            }
        }
        guard reader.isAtEnd, namedCount <= Limits.overwritesPerChange else { return nil }
        self.init(field: field, value: value ?? .cleared, overwrites: overwrites, isPinned: isPinned)
    }
}

extension Value {
    fileprivate init?(plain reader: inout PlainReader, tag: PlainReader.Tag) {
        switch tag {
        case .bytes(2):
            guard let text = reader.text() else { return nil }
            self = .text(text)
        case .varint(3):
            guard let zigzag = reader.varint() else { return nil }
            self = .number(Int64(zigzag >> 1) ^ -Int64(zigzag & 1))
        case .bytes(4):
            guard let range = reader.range() else { return nil }
            self = .data(Array(reader.bytes[range]))
        case .bytes(5):
            guard var message = reader.message(), let media = Media(plain: &message) else { return nil }
            self = .media(media)
        case .varint(6):
            guard reader.varint() != nil else { return nil }
            self = .cleared
        default: return nil
        }
    }
}

extension Media {
    fileprivate init?(plain reader: inout PlainReader) {
        var root: Bytes32?
        var size: UInt64 = 0
        var key: [UInt8] = []
        var type = ""
        while let tag = reader.tag() {
            switch tag {
            case .bytes(1):
                guard let range = reader.range(), range.count == 32 else { return nil }
                root = Bytes32(at: range.lowerBound, of: reader.bytes.span)
            case .varint(2):
                guard let number = reader.varint() else { return nil }
                size = number
            case .bytes(3):
                guard let range = reader.range() else { return nil }
                key = Array(reader.bytes[range])
            case .bytes(4):
                guard let text = reader.text() else { return nil }
                type = text
            default: return nil
            }
        }
        guard reader.isAtEnd, let root, Media.isAllowed(size: size, key: key, type: type) else { return nil }
        self.init(root: root, size: size, key: key, type: type)
    }

    /// Whether a descriptor's parts are within the limits.
    static func isAllowed(size: UInt64, key: [UInt8], type: String) -> Bool {
        key.count == 32 && type.utf8.count <= 100 && (1...Limits.blobLength).contains(size)
    }
}

/// Reads the protocol buffer encoding of one message.
private struct PlainReader {
    /// A field's number and how its value is encoded, where that is one of the two ways that payloads use.
    enum Tag: Equatable {
        case varint(UInt8)
        case bytes(UInt8)
    }

    let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { (self.bytes, position, end) = (bytes, 0, bytes.count) }

    private init(_ bytes: [UInt8], in range: Range<Int>) {
        (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { position == end }

    /// The next field's tag; nil at the end, and before a tag of any other form, where it stays.
    mutating func tag() -> Tag? {
        guard position < end, bytes[position] < 128 else { return nil }
        let (field, encoding) = (bytes[position] >> 3, bytes[position] & 7)
        guard encoding == 0 || encoding == 2 else { return nil }
        position += 1
        return encoding == 0 ? .varint(field) : .bytes(field)
    }

    /// A number of at most 63 bits.
    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 127) << shift
            if byte & 128 == 0 { return value }
        }
        return nil
    }

    /// Where the bytes behind a length lie.
    mutating func range() -> Range<Int>? {
        guard let length = varint(), length <= UInt64(end - position) else { return nil }
        defer { position += Int(length) }
        return position..<(position + Int(length))
    }

    mutating func message() -> PlainReader? { range().map { PlainReader(bytes, in: $0) } }

    mutating func text() -> String? { range().flatMap { String(validating: bytes[$0], as: UTF8.self) } }
}
