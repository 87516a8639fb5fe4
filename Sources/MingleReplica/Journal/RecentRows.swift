// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// The rows of references that came lately; of two that fall on one place the later stays.
struct RecentRows {
    private struct Entry {
        let reference: Reference
        let row: Int64
    }

    private static let limit = 65_536
    private var entries: [Entry?] = []
    private var insertions = 0

    subscript(reference: Reference) -> Int64? {
        guard !entries.isEmpty, let entry = entries[place(of: reference)], entry.reference == reference else {
            return nil
        }
        return entry.row
    }

    /// Remembers the row of a reference.
    mutating func remember(_ reference: Reference, at row: Int64) {
        if insertions >= entries.count, entries.count < Self.limit { grow() }
        insertions += 1
        entries[place(of: reference)] = Entry(reference: reference, row: row)
    }

    /// The reference holds a part of a hash already.
    private func place(of reference: Reference) -> Int { Int(truncatingIfNeeded: reference.hash) & (entries.count - 1) }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: nil, count: max(256, old.count * 4))
        for case let entry? in old { entries[place(of: entry.reference)] = entry }
    }
}
