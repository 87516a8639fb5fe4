// SPDX-License-Identifier: Apache-2.0

/// The records of a CSV file (RFC 4180), with commas or semicolons between fields, in UTF-8.
///
/// A record that breaks the rules ends with its first line, and the next line is read as usual.
struct CSVRows {
    /// A record.
    struct Row {
        /// The line at which it begins, from 1 on.
        let line: Int
        /// Its fields.
        let fields: Result<[String], Broken>
    }

    /// What is wrong with a record.
    struct Broken: Error {
        let text: String
    }

    /// Bytes of a field: a longer one means that its quote is not closed.
    private static let fieldLimit = 64 << 10
    private static let (quote, newline, carriage) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private let bytes: [UInt8]
    private let separator: UInt8
    private var place = 0
    private var line = 1

    /// Begins behind a byte order mark; the separator is what the first line has more of.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let head = bytes[place...].prefix { $0 != Self.newline }
        let semicolons = head.count { $0 == UInt8(ascii: ";") }
        separator = semicolons > head.count { $0 == UInt8(ascii: ",") } ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    /// The next record that is not an empty line; nil behind the last.
    mutating func next() -> Row? {
        while place < bytes.count {
            let (start, first) = (place, line)
            var fields: [String] = []
            do throws(Broken) {
                repeat { fields.append(try field()) } while take(separator)
                _ = take(Self.carriage)
                guard take(Self.newline) || place == bytes.count else {
                    throw Broken(text: "text behind a closed quote")
                }
                line += 1
            } catch {
                (place, line) = (start, first)
                skipLine()
                return Row(line: first, fields: .failure(error))
            }
            if fields != [""] { return Row(line: first, fields: .success(fields)) }
        }
        return nil
    }

    private mutating func field() throws(Broken) -> String {
        guard take(Self.quote) else {
            let start = place
            while place < bytes.count, ![separator, Self.newline, Self.carriage].contains(bytes[place]) { place += 1 }
            return try Self.text(bytes[start..<place])
        }
        var text: [UInt8] = []
        while place < bytes.count, text.count <= Self.fieldLimit {
            let byte = bytes[place]
            place += 1
            if byte == Self.newline { line += 1 }
            // Two quotes are one; one ends the field.
            if byte == Self.quote, !take(Self.quote) { return try Self.text(text[...]) }
            text.append(byte)
        }
        throw Broken(text: "a quote is not closed")
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipLine() {
        while place < bytes.count, !take(Self.newline) { place += 1 }
        line += 1
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(Broken) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Broken(text: "not UTF-8") }
        return text
    }
}
