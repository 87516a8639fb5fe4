// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel

/// No word of what was deleted, in the clear or sealed, is left in a database's files, even where nothing points at it.
struct RemainsChecker: Checker {
    let name = "remains"

    func findings(in world: World) throws -> [String] {
        let living = Set(world.ledger.entries.filter { !$0.isDeleted }.flatMap(Self.words))
        let deleted = world.ledger.entries.filter(\.isDeleted)
        let gone = Set(deleted.flatMap(Self.words)).subtracting(living)
        let sealed = Dictionary(
            deleted.flatMap(\.references).compactMap { reference in world.sealed[reference].map { ($0, reference) } }
        ) { first, _ in first }
        return world.nodes.flatMap { node in
            ["", "-wal"].flatMap { suffix in
                let bytes = [UInt8](FileManager.default.contents(atPath: node.path + ".sqlite" + suffix) ?? Data())
                let word = Self.words(in: bytes).intersection(gone).min().map { "“\($0)”" }
                let payload = Self.payload(of: sealed, in: bytes).map { "the payload of \($0)" }
                return [word, payload].compactMap { remains in
                    remains.map { "node \(node.number) has \($0) in its database\(suffix)" }
                }
            }
        }
    }

    /// The first delta whose payload's beginning stands anywhere.
    private static func payload(of sealed: [UInt64: Reference], in bytes: [UInt8]) -> Reference? {
        // Nearly all places are ruled out by two bytes.
        var begins = [Bool](repeating: false, count: 1 << 16)
        for word in sealed.keys { begins[Int(word >> 48)] = true }
        var word: UInt64 = 0
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            if begins[Int(word >> 48)], let reference = sealed[word] { return reference }
        }
        return nil
    }

    /// What stands in a record's texts: each says something else, by the number in it.
    private static func words(_ entry: Ledger.Entry) -> [String] {
        entry.fields.values.flatMap { $0 }.compactMap { write in
            guard case .text(let text) = write.value else { return nil }
            return text.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }

    /// All that looks like one of those words, wherever it stands in a file.
    private static func words(in bytes: [UInt8]) -> Set<String> {
        var words: Set<String> = []
        var place = 0
        while let space = bytes[place...].firstIndex(of: UInt8(ascii: " ")) {
            place = space + 1
            let digits = bytes[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, let noun = nouns.first(where: { bytes[..<space].suffix($0.count).elementsEqual($0) })
            else { continue }
            words.insert(String(decoding: noun + [UInt8(ascii: " ")] + digits, as: UTF8.self))
        }
        return words
    }

    private static let nouns = ["Comment", "Edited", "Photo", "Again", "Moment", "Place"].map { Array($0.utf8) }
}
