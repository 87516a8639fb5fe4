// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import Synchronization

/// The blobs that are yet to come, for the status: the engine keeps its own queue.
final class WantedBlobs: Sendable {
    private struct State {
        /// The bytes of each blob that are yet to come, in several tables: one that grows takes its memory twice
        /// meanwhile.
        var tables: [[BlobName: Int]] = Array(repeating: [:], count: 16)
        /// The sum of all that is in them.
        var bytes = 0

        subscript(name: BlobName) -> Int? {
            get { tables[Int(name.raw.prefix & 15)][name] }
            set {
                let place = Int(name.raw.prefix & 15)
                bytes &+= (newValue ?? 0) &- (tables[place][name] ?? 0)
                tables[place][name] = newValue
            }
        }
    }

    private let state = Mutex(State())

    /// How many blobs are waited for, and how many bytes of them.
    var totals: (count: Int, bytes: Int) {
        state.withLock { state in (state.tables.reduce(0) { $0 + $1.count }, state.bytes) }
    }

    /// What is waited for.
    var names: Set<BlobName> { state.withLock { Set($0.tables.flatMap(\.keys)) } }

    func contains(_ name: BlobName) -> Bool { state.withLock { $0[name] != nil } }

    func add(_ wants: [BlobWant]) {
        state.withLock { state in
            for want in wants where state[want.name] == nil { state[want.name] = Int(want.size) }
        }
    }

    func remove(_ names: [BlobName]) {
        state.withLock { state in for name in names { state[name] = nil } }
    }

    /// Notes that a chunk came; false if nobody waited for it.
    func noteStored(_ name: BlobName, byteCount: Int, isComplete: Bool) -> Bool {
        state.withLock { state in
            guard let left = state[name] else { return false }
            state[name] = isComplete ? nil : max(left - byteCount, 0)
            return true
        }
    }
}
