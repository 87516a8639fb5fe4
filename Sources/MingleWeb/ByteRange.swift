// SPDX-License-Identifier: Apache-2.0

/// What part of a representation a request asks for (RFC 9110, section 14.2).
enum ByteRange: Equatable {
    /// All of it: nothing was asked, or what this server does not understand and so ignores.
    case whole
    /// These bytes, within the size.
    case part(Range<Int64>)
    /// Bytes of which there are none.
    case unsatisfiable

    /// Reads a `Range` header; several ranges at once are ignored, as the RFC allows.
    init(_ header: String?, size: Int64) {
        self = header.flatMap { Self.read($0, size: size) } ?? .whole
    }

    private static func read(_ header: String, size: Int64) -> ByteRange? {
        let unit = "bytes="
        guard header.lowercased().hasPrefix(unit) else { return nil }
        let parts = header.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Bound(parts[0]), let last = Bound(parts[1]) else { return nil }
        switch (first, last) {
        case (.at(let start), .at(let last)):
            guard start <= last else { return nil }
            return start < size ? .part(start..<(min(last, size - 1) + 1)) : .unsatisfiable
        case (.at(let start), .open): return start < size ? .part(start..<size) : .unsatisfiable
        case (.open, .at(let count)):
            return count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (.open, .open): return nil
        }
    }

    private enum Bound {
        case open
        case at(Int64)

        /// Reads digits or nothing; more than any file has counts as the most.
        init?(_ text: Substring) {
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            self = text.isEmpty ? .open : .at(Int64(text) ?? .max)
        }
    }
}
