// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleWire

/// Merges a long stream of runs in bounded memory.
///
/// One thread fetches, decodes, proves and opens runs while the calling thread stores those before them. The calling
/// thread is blocked until the stream ends, so it must be one of its own and never a task's.
package struct MergePipeline: Sendable {
    /// Headers after which a transaction is committed.
    package var headersPerTransaction = 4096
    /// Seconds after which a transaction is committed, so that other writers get their turn.
    package var secondsPerTransaction = 0.05
    /// Bytes of opened runs that may wait for the writer, at most.
    package var bytesAhead = 4 << 20

    private typealias Queue = BoundedQueue<OpenedRun>

    /// Takes the usual limits.
    package init() {}

    /// Merges all that `next` returns until nil.
    ///
    /// What `next`, `committed` or the database throws ends the merge. All runs that came before `next` threw are merged;
    /// what was committed before stays in any case.
    ///
    /// - Parameters:
    ///   - replica: The replica to merge into.
    ///   - next: Fetches and decodes the next run; it is called on a thread of the pipeline's own.
    ///   - committed: Is told what each transaction did, on the calling thread; the indices of refused runs count from
    ///     the beginning of the stream.
    package func merge(
        into replica: Replica,
        next: @escaping @Sendable () throws -> Run?,
        committed: (MergeOutcome) throws -> Void
    ) throws {
        let queue = Queue(capacity: bytesAhead)
        // A writer that fails lets go of the other thread, too.
        defer { queue.close() }
        let opening = Thread { Self.open(next, for: replica, into: queue) }
        opening.name = "mingle.opening"
        opening.start()
        var count = 0
        while let first = queue.next() {
            try committed(try transact(in: replica, from: first, and: queue, counting: &count))
        }
        if let failure = queue.failure { throw failure }
    }

    private static func open(_ next: () throws -> Run?, for replica: Replica, into queue: Queue) {
        do {
            while let run = try next() {
                guard queue.append(replica.opener.open(run), weight: run.weight) else { break }
            }
            queue.finish()
        } catch {
            queue.finish(because: error)
        }
    }

    /// Merges what comes until the transaction is large or old enough or the stream ends.
    private func transact(
        in replica: Replica,
        from first: OpenedRun,
        and queue: Queue,
        counting index: inout Int
    ) throws -> MergeOutcome {
        let end = Date(timeIntervalSinceNow: secondsPerTransaction)
        return try replica.write(isDurable: false) { transaction in
            var headers = 0
            var following: OpenedRun? = first
            while let opened = following {
                if let reason = try transaction.merge(opened) { transaction.outcome.refused.append((index, reason)) }
                index += 1
                headers += opened.run.deltas.count
                following =
                    headers < headersPerTransaction && end.timeIntervalSinceNow > 0 ? queue.next(until: end) : nil
            }
            try transaction.settle()
            return transaction.outcome
        }
    }
}

extension Run {
    /// About how many bytes the run takes, opened.
    fileprivate var weight: Int { deltas.reduce(0) { $0 + 512 + 2 * ($1.payload?.count ?? 0) } }
}
