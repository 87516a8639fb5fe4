// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// No payload of what was deleted is left in a database's files, even where nothing points at it.
struct RemainsChecker: Checker {
    let name = "remains"

    func findings(in world: World) throws -> [String] {
        let deleted = world.ledger.entries.filter(\.isDeleted)
        let sealed = Dictionary(
            deleted.flatMap(\.references).compactMap { reference in world.sealed[reference].map { ($0, reference) } }
        ) { first, _ in first }
        return world.loyal.flatMap { node in
            (node.disk?.contents ?? []).compactMap { bytes in
                Self.payload(of: sealed, in: bytes).map { "node \(node.number) has the payload of \($0) on its disk" }
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
}
