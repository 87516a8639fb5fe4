// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleModel

extension Field {
    /// The field's member in JSON: metres say that they are metres.
    package var member: String { type == .metres ? name + "_m" : name }

    /// Whether records tell of it in JSON: seeds let people in, and ends are of the protocol.
    package var isMember: Bool { !isSeed && type != .ends }

    /// What is wrong with what somebody says of it.
    fileprivate func problem(_ words: String) -> API.Problem {
        API.Problem(.badRequest, "`\(member)` must be \(words).")
    }

    /// Reads what somebody says of it; null clears it.
    ///
    /// - Throws: ``API/Problem`` named `badRequest`, which says what it takes.
    package func value(from json: API.JSON) throws -> Value {
        if json == .null { return .cleared }
        guard let value = try type.value(from: json, in: self) else { throw problem(type.words) }
        return value
    }
}

extension FieldType {
    /// What a value is in JSON; nil for a blob, and for what no version of this field holds.
    package func json(of value: Value) -> API.JSON? {
        switch (self, value) {
        case (.text, .text(let text)): .text(text)
        case (.flag, .number(let number)): .flag(number == 1)
        case (.choice(let words), .number(let number)):
            words.indices.contains(Int(number) - 1) ? .text(words[Int(number) - 1]) : nil
        case (.time, .number(let number)): .text(API.text(of: Date(milliseconds: number)))
        case (.latitude, .number(let number)), (.longitude, .number(let number)):
            .number(Double(number) / Position.partsPerDegree)
        case (_, .number(let number)): .integer(number)
        case (.reference, .data(let bytes)): Reference(bytes: bytes).map { .text($0.description) }
        case (.references, .data(let bytes)):
            Reference.list(bytes).map { .list($0.map { .text($0.description) }) }
        case (.person, .data(let bytes)): PersonID(bytes: bytes).map { .text($0.description) }
        case (.device, .data(let bytes)): DeviceName(bytes: bytes).map { .text($0.description) }
        case (.hours, .data(let bytes)): OpeningHours(bytes: bytes)?.json
        default: nil
        }
    }

    /// Reads a value; nil for what the field cannot hold.
    fileprivate func value(from json: API.JSON, in field: Field) throws -> Value? {
        switch (self, json) {
        case (.text(let limit), .text(let text)): return try Self.text(text, limit: limit, in: field)
        case (.flag, .flag(let flag)): return .number(flag ? 1 : 0)
        case (.choice(let words), .text(let word)):
            return words.firstIndex(of: word).map { .number(Int64($0) + 1) }
        case (.time, .text(let text)): return API.date(from: text).map { .number($0.milliseconds) }.flatMap(admitted)
        case (.latitude, _), (.longitude, _):
            guard let degrees = json.double, (-180...180).contains(degrees) else { return nil }
            return admitted(.number(Int64((degrees * Position.partsPerDegree).rounded())))
        case (.number, .integer(let number)): return admitted(.number(number))
        case (.metres, _): return json.double.flatMap { Int64(exactly: $0.rounded()) }.flatMap { admitted(.number($0)) }
        case (.reference, .text(let text)): return Reference(text).map { .data($0.bytes) }
        case (.references(let limit), .list(let list)):
            let references = list.compactMap { $0.text.flatMap { Reference($0) } }
            guard references.count == list.count, list.count <= limit, Set(references).count == list.count else {
                return nil
            }
            return references.isEmpty ? .cleared : .data(references.flatMap(\.bytes))
        case (.person, .text(let text)): return PersonID(text: text).map { .data($0.bytes) }
        case (.device, .text(let text)): return DeviceName(text: text).map { .data($0.bytes) }
        case (.hours, .object): return OpeningHours(json: json).map { .data($0.bytes) }
        default: return nil
        }
    }

    private func admitted(_ value: Value) -> Value? { admits(value) ? value : nil }

    private static func text(_ text: String, limit: Int, in field: Field) throws -> Value {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // Names and titles stand beside others in one line, and nothing in them drives a terminal.
        let line = limit > 200 ? text : text.printable().trimmingCharacters(in: .whitespaces)
        if line.isEmpty { return .cleared }
        guard line.utf8.count <= limit else { throw field.problem("text of at most \(limit) bytes") }
        guard !line.utf8.contains(0) else { throw field.problem("text without a zero character") }
        guard line.hasVisibleCharacter else { throw field.problem("text with a visible character") }
        return .text(line)
    }

    /// What it takes, as a sentence goes on after "must be".
    fileprivate var words: String {
        switch self {
        case .text(let limit): "text of at most \(limit) bytes"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .choice(let words): "one of: \(words.joined(separator: ", "))"
        case .time: "a time such as 2026-06-20T18:00:00Z, from 1970 to 9999"
        case .latitude: "a latitude from -90 to 90 degrees"
        case .longitude: "a longitude from -180 to 180 degrees"
        case .metres: "metres from 0 to \(Position.metres.upperBound)"
        case .reference: "the id of a record"
        case .references(let limit): "a list of at most \(limit) different ids"
        case .person: "the id of a person"
        case .device: "the id of a device"
        case .hours: "opening hours such as {\"monday\": [[\"09:00\", \"17:00\"]]}"
        case .ends, .media: "left out"
        }
    }
}

extension API.JSON {
    /// A number, whole or not; nil for everything else.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number) where number.isFinite: number
        default: nil
        }
    }
}
