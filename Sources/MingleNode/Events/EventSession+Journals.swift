// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MingleModel
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension EventSession {
    func findMissing(_ points: [JournalPoint], of key: JournalKey) {
        let entries = points.map { FrontierEntry(key: key, sequence: $0.sequence, tip: $0.hash) }
        attempt("find headers") {
            let held = try replica.holds(entries)
            feed(.missing(key, zip(points, held).compactMap { $1 ? nil : $0 }))
        }
    }

    func loadLocator(of key: JournalKey) {
        attempt("find headers") {
            let points = try replica.locator(of: key.device, key.journal)
            feed(.locator(key, points.map { JournalPoint(sequence: $0.sequence, hash: $0.hash) }))
        }
    }

    func loadRuns(for peer: PeerID, _ key: JournalKey, held: [JournalPoint], byteLimit: Int) {
        attempt("read a journal") {
            let headers = held.map { HeldHeader(sequence: $0.sequence, hash: $0.hash) }
            let served = try replica.serve(key.device, key.journal, after: headers, byteLimit: byteLimit)
            feed(.runs(peer, RunsAnswer(key: key, runs: served.runs, needsOlder: served.needsOlder)))
        }
    }

    func loadPayloads(for peer: PeerID, _ references: [Reference]) {
        attempt("read payloads") {
            let answers = zip(references, try replica.payloads(references)).map { reference, payload in
                switch payload {
                case .held(let bytes): PayloadAnswer(reference: reference, content: .payload(bytes))
                case .absent: PayloadAnswer(reference: reference, content: .absent)
                case .erased: PayloadAnswer(reference: reference, content: .erased)
                }
            }
            feed(.payloads(peer, answers))
        }
    }

    /// Queues what came from a peer.
    func merge(_ merge: PendingMerge) {
        switch merge.content {
        case .run(let run): merger.append(run, as: merge)
        case .payloads(let payloads): merger.append(payloads.map { ($0.reference, $0.bytes) }, as: merge)
        }
    }

    /// Tells the engine what became of what came.
    func tell(_ report: Merger<PendingMerge>.Report) {
        switch report.result {
        case .success(let merged):
            tell(merged.outcome)
            for answer in merged.answers { feed(answer.input(missing: merged.outcome)) }
        case .failure(let error):
            pauseIfFull(error)
            for merge in report.tags { feed(merge.failure) }
        }
    }

    /// Lets everybody know what a write changed: the engine, those who look, and the blobs' queue.
    func tell(_ outcome: MergeOutcome, own: [Run] = []) {
        if !outcome.advanced.isEmpty || !own.isEmpty {
            // Tips are read and told in one go, so that those of an earlier commit never come after a later one's.
            telling.withLock { _ in feed(.committed(Commit(journals: journals(outcome.advanced), own: own))) }
        }
        if outcome.ownKeyUsedElsewhere { reportKeyUsedElsewhere() }
        want(outcome.media)
        erase(outcome.erasedBlobs)
        if outcome.hasErased { scheduleScrub() }
        if !outcome.changedKinds.isEmpty { counts.forget() }
        if outcome.changedKinds.contains("people") { reconsiderPeers() }
        if !outcome.changedKinds.isEmpty { changes.publish(kinds: outcome.changedKinds.sorted()) }
    }

    private func journals(_ advanced: [FrontierEntry]) -> [JournalTips] {
        var keys: [JournalKey] = []
        for entry in advanced {
            let key = JournalKey(device: entry.device, journal: entry.journal)
            if !keys.contains(key) { keys.append(key) }
        }
        guard let entries = try? replica.frontier().entries else { return [] }
        return keys.map { key in
            let tips = entries.filter { $0.device == key.device && $0.journal == key.journal }
            return JournalTips(key: key, tips: tips.map { JournalPoint(sequence: $0.sequence, hash: $0.tip) })
        }
    }

    /// Runs `body`, and tells the operator if the replica failed.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.error("could not \(what)", metadata: ["event": "\(event)", "error": "\(error)"])
        }
    }
}

extension FrontierEntry {
    fileprivate init(key: JournalKey, sequence: UInt32, tip: UInt64) {
        self.init(device: key.device, journal: key.journal, sequence: sequence, tip: tip)
    }
}

extension PendingMerge {
    /// What was not merged is asked for again when the peers compare anew; the reason is the operator's.
    fileprivate var failure: SyncInput {
        switch content {
        case .run: .merged(peer, MergeAnswer(.gap))
        case .payloads(let payloads): .payloadsNotMerged(peer, payloads.map(\.reference))
        }
    }
}

extension Merger<PendingMerge>.Answer {
    fileprivate func input(missing outcome: MergeOutcome) -> SyncInput {
        switch tag.content {
        case .run(let run): return .merged(tag.peer, MergeAnswer(refusal, missing: outcome.missing(in: run)))
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

extension MergeAnswer {
    fileprivate init(_ refusal: MergeRefusal?, missing: [PayloadWant]) {
        switch refusal {
        case nil: self.init(.merged, missing: missing)
        case .forged: self.init(.forged)
        case .unknownDevice: self.init(.unknownDevice)
        case .gap: self.init(.gap)
        case .tooManyBranches: self.init(.tooManyBranches)
        }
    }
}

extension MergeOutcome {
    fileprivate func missing(in run: Run) -> [PayloadWant] {
        guard !missingPayloads.isEmpty else { return [] }
        let references = Set(run.deltas.map(\.reference))
        return missingPayloads.filter { references.contains($0.reference) }
            .map { PayloadWant(reference: $0.reference, length: $0.length) }
    }
}
