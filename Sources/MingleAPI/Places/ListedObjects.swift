// SPDX-License-Identifier: Apache-2.0

/// Finds the objects in the lists of a JSON object, without reading all of it into values.
struct ListedObjects {
    /// An object.
    struct Found {
        /// The line at which it begins, from 1 on.
        let line: Int
        let bytes: ArraySlice<UInt8>
    }

    /// Lists and objects within each other.
    private static let depthLimit = 100

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1
    /// What is open: true for a list.
    private var open: [Bool] = []
    private var isText = false
    /// The line at which an object or a list begins that the file does not end; nil: none.
    private(set) var brokenLine: Int?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next object; nil behind the last.
    mutating func next() -> Found? {
        var start: (place: Int, line: Int)?
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isText {
                if byte == UInt8(ascii: "\\") { place += 1 } else if byte == UInt8(ascii: "\"") { isText = false }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if byte == UInt8(ascii: "{"), open == [false, true] { start = (place - 1, line) }
                open.append(byte == UInt8(ascii: "["))
                if open.count > Self.depthLimit { return end(at: start?.line) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                if let start, open == [false, true] {
                    return Found(line: start.line, bytes: bytes[start.place..<place])
                }
            default: break
            }
        }
        return open.isEmpty ? nil : end(at: start?.line)
    }

    private mutating func end(at start: Int?) -> Found? {
        (brokenLine, place, open) = (start ?? line, bytes.count, [])
        return nil
    }
}
