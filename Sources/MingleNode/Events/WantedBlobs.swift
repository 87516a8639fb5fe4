// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import Synchronization

/// The blobs that are yet to come, for the status: the engine keeps its own queue.
final class WantedBlobs: Sendable {
    /// The bytes of each blob that are yet to come, in several tables: one that grows takes its memory twice meanwhile.
    private let tables = Mutex<[[BlobName: Int]]>(Array(repeating: [:], count: 16))

    /// How many blobs are waited for, and how many bytes of them.
    var totals: (count: Int, bytes: Int) {
        tables.withLock { tables in
            tables.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.values.reduce(0, +)) }
        }
    }

    /// What is waited for.
    var names: Set<BlobName> { tables.withLock { Set($0.flatMap(\.keys)) } }

    func contains(_ name: BlobName) -> Bool { tables.withLock { $0[Self.place(of: name)][name] != nil } }

    func add(_ wants: [BlobWant]) {
        tables.withLock { tables in
            for want in wants {
                let place = Self.place(of: want.name)
                if tables[place][want.name] == nil { tables[place][want.name] = Int(want.size) }
            }
        }
    }

    func remove(_ names: [BlobName]) {
        tables.withLock { tables in
            for name in names { tables[Self.place(of: name)][name] = nil }
        }
    }

    /// Notes that a chunk came; false if nobody waited for it.
    func noteStored(_ name: BlobName, byteCount: Int, isComplete: Bool) -> Bool {
        tables.withLock { tables in
            let place = Self.place(of: name)
            guard let left = tables[place][name] else { return false }
            tables[place][name] = isComplete ? nil : max(left - byteCount, 0)
            return true
        }
    }

    private static func place(of name: BlobName) -> Int { Int(name.raw.prefix & 15) }
}
