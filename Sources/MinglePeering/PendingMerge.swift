// SPDX-License-Identifier: Apache-2.0

import MingleModel
package import MingleReplica
package import MingleSync
package import MingleWire

/// What a peer sent and what waits to be merged.
package struct PendingMerge: Sendable {
    /// A run, or payloads that came after their headers.
    package enum Content: Sendable {
        /// Consecutive headers of a journal.
        case run(Run)
        /// Payloads that are not checked against their headers yet.
        case payloads([ReceivedPayload])
    }

    /// Who sent it.
    package let peer: PeerID
    /// What was sent.
    package let content: Content

    /// Takes what a peer sent.
    package init(peer: PeerID, content: Content) { (self.peer, self.content) = (peer, content) }

    /// The same as the replica takes it.
    package var arrival: Arrival {
        switch content {
        case .run(let run): .run(run)
        case .payloads(let payloads): .payloads(payloads.map { ($0.reference, $0.bytes) })
        }
    }

    /// What the engine is told if it could not be merged: it is asked for again when the peers compare anew.
    package var failure: SyncInput {
        switch content {
        case .run: .merged(peer, MergeAnswer(.gap))
        case .payloads(let payloads): .payloadsNotMerged(peer, payloads.map(\.reference))
        }
    }
}

extension Merger<PendingMerge>.Answer {
    /// What the engine is told of one merge among those that gave `outcome`.
    package func input(missing outcome: MergeOutcome) -> SyncInput {
        switch tag.content {
        case .run(let run): return .merged(tag.peer, MergeAnswer(refusal, news, outcome, of: run))
        case .payloads(let payloads):
            let refused = Set(refusedPayloads)
            return .payloadsMerged(
                tag.peer,
                stored: payloads.map(\.reference).filter { !refused.contains($0) },
                refused: refusedPayloads
            )
        }
    }
}

extension Merger<Run>.Answer {
    /// The run that was merged, if it is of a device's fabric journal, nothing of it was held before, and all of it is kept.
    ///
    /// What does not hold is charged to whoever hands it on: a forged signature, a gap, a payload that was erased.
    func passedOn(by device: DeviceName, _ outcome: MergeOutcome) -> Run? {
        let isOwn = tag.key == JournalKey(device: device, journal: .fabric)
        return isOwn && MergeAnswer(refusal, news, outcome, of: tag).mayBePassedOn ? tag : nil
    }
}

extension MergeAnswer {
    fileprivate init(_ refusal: MergeRefusal?, _ news: RunNews, _ outcome: MergeOutcome, of run: Run) {
        switch refusal {
        case nil where news == .nothing: self.init(.known)
        case nil:
            let missing = outcome.missing(in: run)
            // Which payloads were erased is not said: where any were, those who ask get what is left.
            let isErased = outcome.hasErased && !run.deltas.allSatisfy { $0.payload?.isEmpty ?? true }
            let isKept = !isErased && outcome.keepsAll(of: run)
            // What was held before may have been erased before, and comes with a signature that nobody has looked at.
            let mayBePassedOn = news == .all && isKept && missing.allSatisfy { run.travelsWithout($0) }
            self.init(.merged, missing: missing, mayBePassedOn: mayBePassedOn)
        case .forged: self.init(.forged)
        case .unknownDevice: self.init(.unknownDevice)
        case .gap: self.init(.gap)
        case .tooManyBranches: self.init(.tooManyBranches)
        }
    }
}

extension Run {
    /// Whether a payload follows by itself, as it is large.
    fileprivate func travelsWithout(_ payload: PayloadWant) -> Bool {
        first.header.journal == .content && payload.length > Limits.inlinePayloadLength
    }
}

extension MergeOutcome {
    /// Whether none of a run's payloads was let go of.
    fileprivate func keepsAll(of run: Run) -> Bool {
        letGo.isEmpty || !run.deltas.contains { letGo.contains($0.reference) }
    }

    fileprivate func missing(in run: Run) -> [PayloadWant] {
        guard !missingPayloads.isEmpty else { return [] }
        // What was erased by something else that was merged with it need not be fetched.
        let references = Set(run.deltas.map(\.reference)).subtracting(settledPayloads)
        return missingPayloads.filter { references.contains($0.reference) }
            .map { PayloadWant(reference: $0.reference, length: $0.length) }
    }
}
