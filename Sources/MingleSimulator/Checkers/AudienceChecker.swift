// SPDX-License-Identifier: Apache-2.0

import MingleWire

/// Nobody can read what it has no key for: no word of anybody's travels unsealed, and none is on the disk of who was never
/// let in.
struct AudienceChecker: Checker {
    let name = "audience"
    /// What stands before the number of every word, and never by chance in what is sealed.
    private static let mark = Array(" \(Ledger.mark)".utf8)

    func findings(in world: World) -> [String] {
        let words = world.ledger.entries.reduce(into: Set<UInt64>()) { $0.formUnion($1.words) }
        return world.nodes.filter { $0.hostility?.isStranger == true }.compactMap { node in
            let word = node.disk?.numbers(behind: String(Ledger.mark)).intersection(words).min()
            guard let word else { return nil }
            return "node \(node.number), which nobody let in, has the word \(word) on its disk"
        }
    }

    /// Whether a message, of which the lane says that it may hold words, holds one that anybody could read.
    static func canRead(_ message: [UInt8], on lane: Lane) -> Bool {
        // Chunks are of pictures made up, and most of all bytes.
        guard lane == .control || lane == .deltas, message.count > mark.count else { return false }
        return message.indices.dropLast(mark.count).contains { place in
            message[place + 1] == mark[1] && message[place...].starts(with: mark)
                && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(message[place + mark.count])
        }
    }
}
