// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Counts the uses of a database, so that it is closed when nobody is inside.
///
/// GRDB 7 crashes where a read begins while the pool is being closed. @unchecked because the condition's lock guards
/// everything that changes.
final class OpenUses: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0
    private var isClosed = false

    /// Runs `body`, unless it is closed.
    ///
    /// - Throws: `ReplicaError.closed`, and what `body` throws.
    func use<Result>(_ body: () throws -> Result) throws -> Result {
        try condition.withLock {
            guard !isClosed else { throw ReplicaError.closed }
            count += 1
        }
        defer {
            condition.withLock {
                count -= 1
                if count == 0 { condition.broadcast() }
            }
        }
        return try body()
    }

    /// Lets nobody in any more and waits for those inside; false if it was closed before.
    func close() -> Bool {
        condition.withLock {
            guard !isClosed else { return false }
            isClosed = true
            while count > 0 { condition.wait() }
            return true
        }
    }
}
