// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import MingleWire

extension Merger {
    /// What one thing that came turned out to be.
    package struct Answer: Sendable {
        /// What the caller called it.
        package let tag: Tag
        /// Why a run was not merged; nil if it was.
        package let refusal: MergeRefusal?
        /// What of a run was new.
        package let news: RunNews
        /// Of payloads that came, those that do not fit their headers.
        package let refusedPayloads: [Reference]
    }

    /// What one transaction did.
    package struct Report: Sendable {
        /// What was in it, in order.
        package let tags: [Tag]
        /// What became of each, and what all of it changed; or why nothing was.
        package let result: Result<(answers: [Answer], outcome: MergeOutcome), any Error>
        /// How long it took, with waiting for other writes.
        package let duration: Duration
    }

    /// What waits for the writer.
    struct Entry {
        enum Content {
            case run(OpenedRun)
            case payloads([(reference: Reference, bytes: [UInt8])])
        }

        let tag: Tag
        let content: Content
        /// About how many bytes it takes.
        let weight: Int

        var headers: Int {
            if case .run(let opened) = content { opened.run.deltas.count } else { 1 }
        }
    }
}

extension Merger.Entry {
    func merge(in transaction: Transaction) throws -> Merger.Answer {
        switch content {
        case .run(let opened):
            switch try transaction.merge(opened) {
            case .success(let news): return Merger.Answer(tag: tag, refusal: nil, news: news, refusedPayloads: [])
            case .failure(let refusal):
                return Merger.Answer(tag: tag, refusal: refusal, news: .nothing, refusedPayloads: [])
            }
        case .payloads(let payloads):
            let before = transaction.outcome.refusedPayloads.count
            for (reference, bytes) in payloads { try transaction.fill(reference, with: bytes) }
            let refused = Array(transaction.outcome.refusedPayloads[before...])
            return Merger.Answer(tag: tag, refusal: nil, news: .nothing, refusedPayloads: refused)
        }
    }
}

extension Run {
    /// About how many bytes the run takes, opened.
    var weight: Int { deltas.reduce(0) { $0 + 512 + 2 * ($1.payload?.count ?? 0) } }
}
