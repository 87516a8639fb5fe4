// SPDX-License-Identifier: Apache-2.0

import MingleModel
package import MingleWire
import Synchronization

extension Replica {
    /// Proves and decrypts a run, unless it is held already; needs no write and takes any thread.
    package func open(_ run: Run) -> OpenedRun {
        // If the look fails, the writer looks again.
        if heights.reach(run.last), (try? holds(run)) == true { return OpenedRun(run, .held) }
        return opener.open(run)
    }

    /// Whether all headers of a run are held, each with its payload unless that was erased.
    private func holds(_ run: Run) throws -> Bool {
        let (first, last) = (run.first.header, run.last)
        return try read { db in
            try db.first(
                """
                SELECT 1 FROM branch AS way JOIN device ON device.id = way.device
                WHERE device.name = ?1 AND way.journal = ?2 AND leaves < ?3 AND tip_sequence >= ?4
                    AND (SELECT hash FROM journal WHERE branch = way.id AND sequence = ?4) = ?5
                    AND (
                        SELECT count(*) FROM journal
                        WHERE branch = way.id AND sequence BETWEEN ?3 AND ?4 AND (payload IS NOT NULL OR erased <> 0)
                    ) = ?6
                """
            ) { row in
                row.add(first.device.raw)
                row.add(Int64(first.journal.rawValue))
                row.add(Int64(first.sequence))
                row.add(Int64(last.header.sequence))
                row.add(last.hash.raw)
                row.add(Int64(run.deltas.count))
            } read: { _ in
                true
            } ?? false
        }
    }
}

/// How far each journal may be held, which spares looking for what is new; a transaction that fails leaves it too high.
final class Heights: Sendable {
    private typealias Pair = InlineArray<2, UInt32>

    /// Of a device's two journals, by what its name begins with: of two that begin alike the greater height is good enough.
    private let heights = Mutex<[UInt64: Pair]>([:])

    /// Notes that a journal is held as far as this header.
    func raise(_ journal: Journal, of device: DeviceName, to sequence: UInt32) {
        heights.withLock { heights in
            var pair = heights[device.raw.prefix] ?? Pair(repeating: 0)
            pair[Int(journal.rawValue)] = max(pair[Int(journal.rawValue)], sequence)
            heights[device.raw.prefix] = pair
        }
    }

    /// Whether a delta may be held.
    func reach(_ delta: Delta) -> Bool {
        let header = delta.header
        let pair = heights.withLock { $0[header.device.raw.prefix] } ?? Pair(repeating: 0)
        return pair[Int(header.journal.rawValue)] >= header.sequence
    }
}
