// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire

/// What came from elsewhere and waits to be merged.
package enum Arrival: Sendable {
    /// Consecutive headers of a journal.
    case run(Run)
    /// Payloads that came after their headers.
    case payloads([(reference: Reference, bytes: [UInt8])])
}

extension Replica {
    /// Opens and merges what came, in order and in one transaction: what a ``Merger`` does on queues of its own.
    package func merge<Tag: Sendable>(
        _ arrivals: [(tag: Tag, content: Arrival)]
    ) throws -> (answers: [Merger<Tag>.Answer], outcome: MergeOutcome) {
        let entries = arrivals.map { arrival in
            switch arrival.content {
            case .run(let run): Merger.Entry(tag: arrival.tag, content: .run(open(run)), weight: run.weight)
            case .payloads(let payloads): Merger.Entry(tag: arrival.tag, content: .payloads(payloads), weight: 0)
            }
        }
        return try merge(entries) { _ in true }
    }

    /// Merges entries in one transaction, until that has taken in all or `hasRoom` says no to the headers so far.
    func merge<Tag: Sendable>(
        _ entries: [Merger<Tag>.Entry],
        while hasRoom: (_ headers: Int) -> Bool
    ) throws -> (answers: [Merger<Tag>.Answer], outcome: MergeOutcome) {
        try write(isDurable: false) { transaction in
            var answers: [Merger<Tag>.Answer] = []
            var headers = 0
            for entry in entries {
                answers.append(try entry.merge(in: transaction))
                headers += entry.headers
                guard hasRoom(headers) else { break }
            }
            try transaction.settle()
            return (answers, transaction.outcome)
        }
    }
}
