// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import Testing

/// The two tables of kinds in `docs/protocol.md` are what the declarations say, word for word.
struct KindTableTests {
    private static let page: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/protocol.md")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }()

    /// Returns the rows of the table with a heading, without the heading.
    private func rows(under heading: String) -> [String] {
        guard let start = Self.page.firstIndex(where: { $0.hasPrefix(heading) }) else { return [] }
        return Array(Self.page[(start + 2)...].prefix { $0.hasPrefix("|") })
    }

    @Test func `the table of kinds says what is declared`() {
        let expected = Kind.all.sorted { $0.number < $1.number }.map(row)
        #expect(rows(under: "| no. | kind |") == expected, "\(expected.joined(separator: "\n"))")
    }

    @Test func `the table of fields says what is declared`() {
        let expected = Kind.all.sorted { $0.number < $1.number }.map { kind in
            "| \(kind.name) | \(kind.fields.map(cell).joined(separator: "; ")) |"
        }
        #expect(rows(under: "| kind | fields |") == expected, "\(expected.joined(separator: "\n"))")
    }

    private func row(_ kind: Kind) -> String {
        let cells = [
            "\(kind.number)", kind.name, kind.identity == .key ? "key" : "delta", target(of: kind),
            kind.traits.map(\.rawValue).sorted().joined(separator: ", "), people(kind.writers), audience(of: kind),
            conditions(of: kind).joined(separator: ", "),
        ]
        return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }

    private func target(of kind: Kind) -> String {
        let target =
            switch kind.target {
            case .nothing: "nothing"
            case .having(let trait): trait.rawValue
            case .havingOrNothing(let trait): "\(trait.rawValue) or nothing"
            case .person: "person"
            }
        return kind.subject == .person ? "\(target); about a person" : target
    }

    private func people(_ level: Level) -> String { level == .founder ? "founder" : "\(level.word)s" }

    private func audience(of kind: Kind) -> String {
        switch kind.audience {
        case .inherited: kind.target == .nothing ? "everybody" : "as its target"
        case .chosen: "everybody or guests"
        case .everybody: "everybody"
        case .own: "own devices"
        case .pair: "the two people"
        case .moderators: "moderators"
        }
    }

    private func conditions(of kind: Kind) -> [String] {
        let rules = kind.shownIf.map { rule in
            switch rule {
            case .anyOf(let fields): fields.joined(separator: " or ")
            case .span(let start, let end, let longest): "\(start) to \(end), \(longest / 86_400_000) days"
            case .creator: "creator"
            case .owner: "owner"
            case .mutual: "mutual"
            }
        }
        let joined = kind.participation == .joined ? ["taking part"] : []
        return (kind.onOff.map { [$0] } ?? []) + joined + rules + (kind.heldBack.map { ["not \($0)"] } ?? [])
    }

    private func cell(_ field: Field) -> String {
        var notes: [String] = []
        if field.needsVisibleText, !field.isRequired { notes.append("visible") }
        if field.merge == .maximum { notes.append("largest") }
        switch field.writers {
        case .author: break
        case .level(let level): notes.append(people(level))
        case .authorAnd(let level): notes.append("author, \(people(level))")
        case .makerThen(let level): notes.append("maker, \(people(level))")
        }
        let rest = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
        // A field that is called like its type says that once.
        let words = field.name == word(field.type) ? field.name : "\(field.name) \(word(field.type))"
        return "\(field.number) \(words)\(field.isRequired ? "!" : "")\(rest)"
    }

    private func word(_ type: FieldType) -> String {
        switch type {
        case .text(let limit): "T\(limit)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): "choice \(words.joined(separator: "/"))"
        case .references(let limit): "reference×\(limit)"
        case .flag: "flag"
        case .time: "time"
        case .latitude: "latitude"
        case .longitude: "longitude"
        case .metres: "metres"
        case .reference: "reference"
        case .person: "person"
        case .device: "device"
        case .ends: "ends"
        case .hours: "hours"
        case .media: "media"
        }
    }
}
