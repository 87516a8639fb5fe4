// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// No payload and no searched word of what was deleted is left in a database's files, even where nothing points at it.
struct RemainsChecker: Checker {
    let name = "remains"

    func findings(in world: World) throws -> [String] {
        let deleted = world.ledger.entries.filter(\.isDeleted)
        let sealed = Dictionary(
            deleted.flatMap(\.references).compactMap { reference in world.sealed[reference].map { ($0, reference) } }
        ) { first, _ in first }
        let words = deleted.reduce(into: Set<UInt64>()) { $0.formUnion($1.words) }
        return world.loyal.flatMap { node in
            (node.disk?.contents ?? []).flatMap { bytes in
                let payload = Self.payload(of: sealed, in: bytes).map { "the payload of \($0)" }
                let word = Self.searchedWord(of: words, in: bytes).map { "the deleted word \($0) in its index" }
                return [payload, word].compactMap(\.self).map { "node \(node.number) has \($0) on its disk" }
            }
        }
    }

    /// The first number of a deleted word that stands somewhere as words are searched: folded, between a mark and no
    /// semicolon.
    private static func searchedWord(of numbers: Set<UInt64>, in bytes: [UInt8]) -> UInt64? {
        let mark = FoldedWords.words(of: String(Ledger.mark)).first.map { Array($0.utf8) } ?? []
        let length = String(Ledger.numbers.lowerBound).utf8.count
        guard let first = mark.first, bytes.count >= mark.count + length else { return nil }
        for place in 0...(bytes.count - mark.count - length) where bytes[place] == first {
            guard bytes[place...].starts(with: mark) else { continue }
            let digits = bytes[(place + mark.count)...].prefix(length)
            if let number = UInt64(String(decoding: digits, as: UTF8.self)), numbers.contains(number) { return number }
        }
        return nil
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
}
