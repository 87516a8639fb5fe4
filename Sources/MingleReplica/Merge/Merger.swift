// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
package import MingleModel
package import MingleWire
import Synchronization

/// Merges what comes, in order: one queue proves and opens runs while another stores those before them.
///
/// A transaction begins when nothing more waits to be opened or enough is open, so a single run is stored at once and a
/// stream in large transactions. Nothing here blocks but ``waitForRoom()`` and ``finish()``.
///
/// @unchecked because the condition's lock guards everything that changes.
package final class Merger<Tag: Sendable>: @unchecked Sendable {
    private let replica: Replica
    private let limits: MergeLimits
    private let report = Mutex<@Sendable (Report) -> Void>({ _ in })
    private let opening = DispatchQueue(label: "mingle.opening", qos: .userInitiated)
    private let storing = DispatchQueue(label: "mingle.storing-runs", qos: .userInitiated)
    private let condition = NSCondition()
    private var opened: [Entry] = []
    private var openedHeaders = 0
    private var unopened = 0
    private var bytes = 0
    private var isStoring = false
    private var isCancelled = false

    /// Merges into `replica`.
    package init(into replica: Replica, limits: MergeLimits = MergeLimits()) {
        (self.replica, self.limits) = (replica, limits)
    }

    /// Lets `report` be called after each transaction, on a queue of this object's own.
    package func report(to report: @escaping @Sendable (Report) -> Void) {
        self.report.withLock { $0 = report }
    }

    /// Queues a run.
    package func append(_ run: Run, as tag: Tag) {
        let weight = run.weight
        begin(weight)
        opening.async { [self] in
            let opened = isWanted ? replica.open(run) : OpenedRun(run, .held)
            end(Entry(tag: tag, content: .run(opened), weight: weight))
        }
    }

    /// Queues payloads that came after their headers.
    package func append(_ payloads: [(reference: Reference, bytes: [UInt8])], as tag: Tag) {
        let weight = payloads.reduce(0) { $0 + 64 + $1.bytes.count }
        begin(weight)
        opening.async { [self] in end(Entry(tag: tag, content: .payloads(payloads), weight: weight)) }
    }

    /// Waits while as much waits as the limits allow.
    package func waitForRoom() {
        condition.withLock {
            while bytes > limits.bytesAhead, !isCancelled { condition.wait() }
        }
    }

    /// Waits until all that was queued is merged and reported.
    package func finish() {
        opening.sync {}
        condition.withLock {
            while isStoring { condition.wait() }
        }
        storing.sync {}
    }

    /// Drops what is not merged yet.
    package func cancel() {
        condition.withLock {
            isCancelled = true
            condition.broadcast()
        }
    }
}

// MARK: - Between the queues

extension Merger {
    private var isWanted: Bool { condition.withLock { !isCancelled } }

    private func begin(_ weight: Int) {
        condition.withLock {
            unopened += 1
            bytes += weight
        }
    }

    private func end(_ entry: Entry) {
        let mustStore = condition.withLock {
            unopened -= 1
            openedHeaders += entry.headers
            opened.append(entry)
            guard !isStoring, unopened == 0 || openedHeaders >= limits.headersPerTransaction / 4 else { return false }
            isStoring = true
            return true
        }
        if mustStore { storing.async { [self] in store() } }
    }

    /// Stores what is open in one transaction, and again until too little is left.
    private func store() {
        let entries = condition.withLock {
            let entries = isCancelled ? [] : opened
            if isCancelled { (bytes, openedHeaders) = (0, 0) }
            opened = []
            return entries
        }
        let begin = ContinuousClock.now
        let (count, result) = merge(entries)
        let duration = ContinuousClock.now - begin
        if count > 0 {
            let report = report.withLock { $0 }
            report(Report(tags: entries.prefix(count).map(\.tag), result: result, duration: duration))
        }
        let goesOn = condition.withLock {
            for entry in entries.prefix(count) {
                bytes -= entry.weight
                openedHeaders -= entry.headers
            }
            opened.insert(contentsOf: entries.dropFirst(count), at: 0)
            isStoring = !opened.isEmpty && (unopened == 0 || openedHeaders >= limits.headersPerTransaction / 4)
            condition.broadcast()
            return isStoring
        }
        if goesOn { storing.async { [self] in store() } }
    }

    /// Merges entries until the transaction is large or old enough, and says how many it took.
    private func merge(
        _ entries: [Entry]
    ) -> (count: Int, result: Result<(answers: [Answer], outcome: MergeOutcome), any Error>) {
        guard !entries.isEmpty else { return (0, .success(([], MergeOutcome()))) }
        do {
            // Counted from the first entry on: waiting for another write is no part of the transaction.
            var begin: ContinuousClock.Instant?
            let merged = try replica.merge(entries) { headers in
                let now = ContinuousClock.now
                begin = begin ?? now
                return headers < limits.headersPerTransaction && now - (begin ?? now) < limits.transactionLength
            }
            return (merged.answers.count, .success(merged))
        } catch {
            return (entries.count, .failure(error))
        }
    }
}
