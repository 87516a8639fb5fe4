// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a contact file of version 3.0 (RFC 2426) or 4.0 (RFC 6350) says of one person, as far as a profile needs it.
///
/// Everything else in the file is passed over. Nothing is fetched: a picture that is a web address is none.
package struct VCard: Equatable, Sendable {
    /// Bytes of a file.
    package static let sizeLimit = 2 << 20
    /// Bytes of the picture in it.
    package static let pictureLimit = 1 << 20
    /// Characters of a name or an address.
    package static let textLimit = 100

    /// What the person is called: the given name, else the whole name.
    package private(set) var name: String?
    /// The family name, where the file tells it apart.
    package private(set) var lastName: String?
    /// The preferred address, else the first.
    package private(set) var email: String?
    /// The bytes of the picture, of whatever format.
    package private(set) var picture: [UInt8]?

    /// Why a file cannot be read.
    package enum Failure: Error, Equatable {
        /// It is larger than ``VCard/sizeLimit``.
        case tooLarge
        /// It is no contact file, or none in UTF-8.
        case notCard
        /// Its version is another one, as 2.1; an empty word where it says none.
        case version(String)
        /// It has several contacts.
        case several
        /// The picture is no base64, or larger than ``VCard/pictureLimit``.
        case picture
        /// It has neither a name, an address nor a picture.
        case empty
    }

    /// Reads a file.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
        let lines = try VCardLines.unfolded(bytes)
        guard lines.first?.isNamed("BEGIN", with: "VCARD") == true else { throw .notCard }
        guard lines.dropFirst().first(where: { $0.isNamed("BEGIN", with: "VCARD") }) == nil else { throw .several }
        guard let end = lines.firstIndex(where: { $0.isNamed("END", with: "VCARD") }) else { throw .notCard }
        let properties = lines[1..<end]
        let version = properties.first { $0.name == "VERSION" }?.text ?? ""
        guard ["3.0", "4.0"].contains(version) else { throw .version(String(version.prefix(20))) }
        takeNames(properties)
        email = Self.email(properties)
        picture = try Self.picture(properties)
        guard name != nil || lastName != nil || email != nil || picture != nil else { throw .empty }
    }

    private mutating func takeNames(_ properties: ArraySlice<VCardLine>) {
        let parts = properties.first { $0.name == "N" }?.components ?? []
        let whole = properties.first { $0.name == "FN" }.flatMap { Self.line($0.unescaped) }
        lastName = parts.first.flatMap(Self.line)
        let given = parts.dropFirst().first.flatMap(Self.line)
        // Without a given name the whole one would have the family name in it twice.
        if given == nil, whole != nil { lastName = nil }
        name = given ?? whole
    }

    private static func email(_ properties: ArraySlice<VCardLine>) -> String? {
        let found = properties.filter { $0.name == "EMAIL" && line($0.unescaped)?.contains("@") == true }
        return (found.first(where: \.isPreferred) ?? found.first).flatMap { line($0.unescaped) }
    }

    private static func picture(_ properties: ArraySlice<VCardLine>) throws(Failure) -> [UInt8]? {
        for property in properties where property.name == "PHOTO" {
            guard let coded = property.base64 else { continue }
            // Four letters have three bytes.
            guard coded.utf8.count <= pictureLimit / 3 * 4 + 4 else { throw .picture }
            // Some programs indent folded lines by more than the one space that folding takes.
            guard let bytes = Data(base64Encoded: String(coded.filter { $0 != " " && $0 != "\t" })), !bytes.isEmpty,
                bytes.count <= pictureLimit
            else {
                throw .picture
            }
            return [UInt8](bytes)
        }
        return nil
    }

    /// A text as one line within the limit; nil where nothing of it is left.
    private static func line(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(textLimit))
    }
}

/// One line of a contact file, after folded ones were joined.
struct VCardLine {
    /// In capitals, without the group before it.
    let name: String
    /// In capitals, as `TYPE=HOME`.
    private let parameters: [Substring]
    /// What stands behind the colon.
    let text: Substring

    /// Reads a line; nil where it has no colon behind a name.
    init?(_ line: Substring) {
        guard let colon = Self.colon(in: line) else { return nil }
        // A head is short; what is not is no property of those that are read.
        guard line.utf8.distance(from: line.startIndex, to: colon) <= 1000 else { return nil }
        let head = line[..<colon].split(separator: ";", omittingEmptySubsequences: false)
        guard let whole = head.first, !whole.isEmpty else { return nil }
        name = whole[(whole.lastIndex(of: ".").map(whole.index(after:)) ?? whole.startIndex)...].uppercased()
        parameters = head.dropFirst().map { Substring($0.uppercased()) }
        text = line[line.index(after: colon)...]
    }

    func isNamed(_ name: String, with text: String) -> Bool {
        self.name == name && self.text.trimmingCharacters(in: .whitespaces).uppercased() == text
    }

    /// Whether the person prefers it: `PREF=1`, or `TYPE=PREF` in version 3.0.
    var isPreferred: Bool {
        parameters.contains { parameter in
            parameter == "PREF=1" || parameter == "PREF"
                || parameter.hasPrefix("TYPE=") && parameter.dropFirst(5).split(separator: ",").contains("PREF")
        }
    }

    /// The text without its escapes.
    var unescaped: String { components(of: text, at: nil)[0] }

    /// The parts of a structured text without their escapes.
    var components: [String] { components(of: text, at: ";") }

    /// The letters of what is coded here, be it as such or in a `data:` address; nil for anything else.
    var base64: Substring? {
        if text.prefix(5).lowercased() == "data:" {
            guard let comma = text.prefix(200).firstIndex(of: ","),
                text[..<comma].lowercased().hasSuffix(";base64")
            else { return nil }
            return text[text.index(after: comma)...]
        }
        return parameters.contains { ["ENCODING=B", "ENCODING=BASE64"].contains($0) } ? text : nil
    }

    /// The first colon outside of quotes.
    private static func colon(in line: Substring) -> Substring.Index? {
        var isQuoted = false
        for index in line.utf8.indices {
            switch line.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return index
            default: break
            }
        }
        return nil
    }

    private func components(of text: Substring, at separator: Character?) -> [String] {
        // Of names and addresses only the beginning counts.
        var (parts, isEscaped) = ([""], false)
        for character in text.prefix(1000) {
            if isEscaped {
                parts[parts.count - 1].append(character == "n" || character == "N" ? " " : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == separator {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}

/// The lines of a contact file.
enum VCardLines {
    /// Lines that are read at most.
    private static let limit = 100_000

    /// Joins folded lines (RFC 6350, section 3.2), whether they end with CR LF or LF alone.
    static func unfolded(_ bytes: [UInt8]) throws(VCard.Failure) -> [VCardLine] {
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count)
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        for index in bytes.indices.dropFirst(start) {
            let (byte, isFold) = (bytes[index], [0x20, 0x09].contains(bytes[index]) && joined.last == 0x0a)
            if isFold { joined.removeLast() } else if byte != 0x0d { joined.append(byte) }
        }
        guard let text = String(validating: joined, as: UTF8.self) else { throw .notCard }
        return text.split(separator: "\n", maxSplits: limit).prefix(limit).compactMap(VCardLine.init)
    }
}
