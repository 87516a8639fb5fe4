// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import Synchronization

/// The blobs that are yet to come, for the status: the engine keeps its own queue.
final class WantedBlobs: Sendable {
    private let bytes = Mutex<[BlobName: Int]>([:])

    /// How many blobs are waited for, and how many bytes of them.
    var totals: (count: Int, bytes: Int) { bytes.withLock { ($0.count, $0.values.reduce(0, +)) } }

    /// What is waited for.
    var names: Set<BlobName> { bytes.withLock { Set($0.keys) } }

    func contains(_ name: BlobName) -> Bool { bytes.withLock { $0[name] != nil } }

    func add(_ wants: [BlobWant]) {
        bytes.withLock { bytes in
            for want in wants where bytes[want.name] == nil { bytes[want.name] = Int(want.size) }
        }
    }

    func remove(_ names: [BlobName]) {
        bytes.withLock { bytes in
            for name in names { bytes[name] = nil }
        }
    }

    /// Notes that a chunk came; false if nobody waited for it.
    func noteStored(_ name: BlobName, byteCount: Int, isComplete: Bool) -> Bool {
        bytes.withLock { bytes in
            guard let left = bytes[name] else { return false }
            bytes[name] = isComplete ? nil : max(left - byteCount, 0)
            return true
        }
    }
}
