// SPDX-License-Identifier: Apache-2.0

package import MingleWire
import Synchronization

/// How much is merged at a time.
package struct MergeLimits: Sendable {
    /// Headers after which a transaction is committed.
    package var headersPerTransaction = 4096
    /// How long a transaction takes on new runs, so that other writers get their turn.
    package var transactionLength = Duration.milliseconds(50)
    /// Bytes of runs that may wait for the writer before the stream is held up.
    package var bytesAhead = 4 << 20

    /// Takes the usual limits.
    package init() {}
}

/// Merges a long stream of runs in bounded memory, with a ``Merger`` behind it.
///
/// The calling thread fetches and decodes, and is blocked until the stream ends, so it must never be a task's.
package struct MergePipeline: Sendable {
    /// How much is merged at a time.
    package var limits = MergeLimits()

    /// Takes the usual limits.
    package init() {}

    /// Merges all that `next` returns until nil.
    ///
    /// What `next`, `committed` or the database throws ends the merge. All runs that came before `next` threw are merged;
    /// what was committed before stays in any case.
    ///
    /// - Parameters:
    ///   - replica: The replica to merge into.
    ///   - next: Fetches and decodes the next run.
    ///   - committed: Is told what each transaction did; the indices of refused runs count from the beginning of the
    ///     stream.
    package func merge(
        into replica: Replica,
        next: () throws -> Run?,
        committed: (MergeOutcome) throws -> Void
    ) throws {
        let merger = Merger<Int>(into: replica, limits: limits)
        let reports = Reports()
        merger.report { reports.add($0) }
        // Nothing goes on behind the caller's back, however this ends.
        defer {
            merger.cancel()
            merger.finish()
        }
        var count = 0
        var failure: (any Error)?
        func fetch() -> Run? {
            do {
                return try next()
            } catch {
                failure = error
                return nil
            }
        }
        while let run = fetch() {
            merger.append(run, as: count)
            count += 1
            merger.waitForRoom()
            for report in reports.take() { try committed(report.outcome()) }
        }
        merger.finish()
        for report in reports.take() { try committed(report.outcome()) }
        if let failure { throw failure }
    }
}

/// What transactions did that the caller has not been told yet.
private final class Reports: Sendable {
    private let reports = Mutex<[Merger<Int>.Report]>([])

    func add(_ report: Merger<Int>.Report) { reports.withLock { $0.append(report) } }

    func take() -> [Merger<Int>.Report] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}

extension Merger<Int>.Report {
    /// What the transaction did, with refused runs by their place in the stream.
    fileprivate func outcome() throws -> MergeOutcome {
        var (answers, outcome) = try result.get()
        outcome.refused = answers.compactMap { answer in answer.refusal.map { (answer.tag, $0) } }
        return outcome
    }
}
