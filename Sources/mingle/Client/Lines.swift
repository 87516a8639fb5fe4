// SPDX-License-Identifier: Apache-2.0

/// Splits bytes that come in parts into lines.
struct Lines {
    /// A line, without its end.
    struct Line {
        /// Its number, from 1 on.
        let number: Int
        /// Its bytes; nil where it is longer than the limit.
        let bytes: [UInt8]?
    }

    /// Bytes of a line.
    let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    private var number = 0

    init(limit: Int) { self.limit = limit }

    /// The lines that end in the next bytes.
    mutating func take(_ bytes: some Collection<UInt8>) -> [Line] {
        var (lines, part) = ([Line](), bytes[...])
        while let place = part.firstIndex(of: UInt8(ascii: "\n")) {
            keep(part[..<place])
            lines.append(end())
            part = part[part.index(after: place)...]
        }
        keep(part)
        return lines
    }

    /// The last line, where no end follows it; nil where there is none.
    mutating func last() -> Line? { rest.isEmpty && !isTooLong ? nil : end() }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        isTooLong = isTooLong || rest.count + bytes.count > limit
        if isTooLong { rest = [] } else { rest += bytes }
    }

    private mutating func end() -> Line {
        number += 1
        defer { (rest, isTooLong) = ([], false) }
        return Line(number: number, bytes: isTooLong ? nil : rest)
    }
}
