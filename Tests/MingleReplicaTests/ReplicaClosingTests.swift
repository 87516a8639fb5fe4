// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import Synchronization
import Testing

struct ReplicaClosingTests {
    // Once, a read that began while the pool was being closed ended the whole process.
    @Test(.timeLimit(.minutes(10)), arguments: 0..<20)
    func `closing waits for who is inside, and who comes later is told`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let replica = try TestEvent(seed: seed, path: folder.file("replica.sqlite")).founder
        let (begun, refusals) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: ReplicaError?.self))
        for _ in 0..<3 {
            // Threads of their own, since what never yields would starve a queue.
            Thread.detachNewThread {
                begun.signal()
                do {
                    while true { _ = try replica.title() }
                } catch {
                    refusals.continuation.yield(error as? ReplicaError)
                }
            }
        }
        for _ in 0..<3 { begun.wait() }
        try replica.close()
        try replica.close()
        var heard: [ReplicaError?] = []
        for await refusal in refusals.stream.prefix(3) { heard.append(refusal) }
        #expect(heard == [.closed, .closed, .closed])
        #expect(throws: ReplicaError.closed) { try replica.author([], at: .init(milliseconds: 1), randomness: .system) }
    }
}
