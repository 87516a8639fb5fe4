// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Settings in a file, one `key = value` per line.
///
/// A line that begins with `#` is a comment. A key is the name of an option without its hyphens. A key with several
/// values stands on several lines. A line `[command]` begins the section of a command; keys before the first section
/// are for every command.
package struct ConfigurationFile: Sendable {
    /// One setting.
    package struct Entry: Hashable, Sendable {
        /// The option's name, without its hyphens.
        package let key: String
        package let value: String
        package let line: Int
        /// The section's name; nil before the first section.
        package let section: String?
    }

    /// The first line of a section.
    package struct Section: Hashable, Sendable {
        package let name: String
        package let line: Int
    }

    /// Bytes that a file may have.
    private static let limit = 64 << 10

    package let path: String
    package private(set) var entries: [Entry] = []
    package private(set) var sections: [Section] = []

    /// Reads a file.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read and for a line that is not a setting.
    package init(contentsOf path: String) throws(ConfigurationError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(path, nil, "The file cannot be read. Check its name and permissions")
        }
        guard data.count <= Self.limit, let text = String(bytes: data, encoding: .utf8) else {
            throw ConfigurationError(path, nil, "The file is not a text of at most \(Self.limit >> 10) KiB")
        }
        self.path = path
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                sections.append(try section(line, at: index + 1))
            } else {
                entries.append(try entry(line, at: index + 1))
            }
        }
    }

    private func section(_ line: String, at number: Int) throws(ConfigurationError) -> Section {
        let name = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
        guard line.hasSuffix("]"), Self.isKey(name) else {
            throw ConfigurationError(path, number, "Not a section. Write the name of a command in brackets: [run]")
        }
        return Section(name: name, line: number)
    }

    private func entry(_ line: String, at number: Int) throws(ConfigurationError) -> Entry {
        let mistake = ConfigurationError(path, number, "Not a setting. Write KEY = VALUE, and a link as link = LINK")
        guard let parting = line.firstIndex(of: "=") else { throw mistake }
        let key = line[..<parting].trimmingCharacters(in: .whitespaces)
        let value = line[line.index(after: parting)...].trimmingCharacters(in: .whitespaces)
        guard Self.isKey(key), !value.isEmpty else { throw mistake }
        return Entry(key: key, value: value, line: number, section: sections.last?.name)
    }

    /// The settings of a command: those before the first section, then those of the command's sections.
    ///
    /// A key in a section replaces the same key before the first section, unless it may have several values.
    package func entries(of command: String, repeatable: Set<String>) -> [Entry] {
        let own = entries.filter { $0.section == command }
        let replaced = Set(own.map(\.key)).subtracting(repeatable)
        return entries.filter { $0.section == nil && !replaced.contains($0.key) } + own
    }

    /// Refuses a key that is set twice in a section, unless it may have several values.
    ///
    /// - Throws: `ConfigurationError`, because nobody can tell which value is meant.
    package func requireOnce(but repeatable: Set<String>) throws(ConfigurationError) {
        var lines: [String?: [String: Int]] = [:]
        for entry in entries where !repeatable.contains(entry.key) {
            if let line = lines[entry.section]?[entry.key] {
                throw ConfigurationError(
                    path,
                    entry.line,
                    "'\(entry.key)' is set on line \(line) already. Remove one of the two lines"
                )
            }
            lines[entry.section, default: [:]][entry.key] = entry.line
        }
    }

    private static func isKey(_ key: String) -> Bool {
        guard let first = key.utf8.first, first != UInt8(ascii: "-") else { return false }
        return key.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// A value as a message repeats it: not if a link may stand in it, which is a secret.
    package static func quoted(_ value: String) -> String {
        value.contains("mingle:") || value.utf8.count > 60 ? "the given value" : "'\(value)'"
    }

    /// The word of `known` that is most like `word`; nil if none is like it.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let ranked = known.map { ($0, distance(Array(word.utf8), Array($0.utf8))) }.min { $0.1 < $1.1 }
        guard let (name, distance) = ranked, distance <= max(2, word.utf8.count / 3) else { return nil }
        return name
    }

    /// How many letters differ, are missing or too many.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in right.indices {
                let above = row[place + 1]
                row[place + 1] = min(above + 1, row[place] + 1, diagonal + (letter == right[place] ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

/// What is wrong with a setting, and where it stands.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String

    /// States what is wrong.
    package init(_ path: String, _ line: Int?, _ what: String) {
        let end = what.hasSuffix(".") || what.hasSuffix("?") ? "" : "."
        description = "\(path)\(line.map { ", line \($0)" } ?? ""): \(what)\(end)"
    }
}
