// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MingleAPI
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension EventSession {
    /// Answers what the engine asks about what is held.
    func answer(_ action: SyncAction) {
        reading.async { [self] in
            attempt("answer a peer") {
                do {
                    if let answer = try responder.answer(action) { feed(dated(answer)) }
                } catch {
                    if let excuse = responder.excuse(for: action) { feed(excuse) }
                    throw error
                }
            }
        }
    }

    /// A greeting tells what this node's clock says.
    private func dated(_ answer: SyncInput) -> SyncInput {
        guard case .hello(let peer, var hello) = answer else { return answer }
        hello.time = clock.now()
        return .hello(peer, hello)
    }

    /// Queues what came from a peer; what comes while there is no room is asked for when there is some.
    func merge(_ merge: PendingMerge) {
        guard room.withLock({ $0.waitsSince }) == nil else { return feed(merge.failure) }
        switch merge.arrival {
        case .run(let run): merger.append(run, as: merge)
        case .payloads(let payloads): merger.append(payloads, as: merge)
        }
    }

    /// Tells the engine what became of what came.
    func tell(_ report: Merger<PendingMerge>.Report) {
        switch report.result {
        case .success(let merged):
            tally.note { tally in
                tally.merges.add(report.duration)
                tally.refusedRuns += merged.answers.count { $0.refusal != nil }
            }
            tell(merged.outcome)
            feed(merged.answers.map { $0.input(missing: merged.outcome) })
        case .failure(let error):
            // The reason is the operator's.
            pauseIfFull(error)
            feed(report.tags.map(\.failure))
        }
    }

    /// Lets everybody know what a write changed: the engine, those who look, and the blobs' queue.
    func tell(_ outcome: MergeOutcome, own: [Run] = [], greeted: [Run] = []) {
        // Tips are read and told in one go, so that those of an earlier commit never come after a later one's.
        telling.withLock { _ in
            attempt("tell peers what is new") {
                feed(try responder.news(of: outcome, own: own, greeted: greeted))
            }
        }
        noteForHandOver(outcome, isOwn: !own.isEmpty)
        tally.note { $0.mergedDeltas += outcome.newHeaders }
        if outcome.ownKeyUsedElsewhere { reportKeyUsedElsewhere() }
        want(outcome.media)
        if isRelay { takeListings(of: outcome) }
        if outcome.isRecomputed { forgetAllWanted(but: outcome.media.map(\.name) + outcome.listed.map(\.name)) }
        forget(outcome.unwantedBlobs)
        erase(outcome.erasedBlobs)
        if outcome.hasErased || !outcome.settledPayloads.isEmpty { _ = mayHaveOrphans.exchange(true) }
        if outcome.hasErased { scheduleScrub() }
        if outcome.hasRoom { scheduleQuotaReview() }
        // A relay's deltas change no kind, as it cannot read them, but how much it holds.
        if outcome.newHeaders > 0 || !outcome.changedKinds.isEmpty { counts.forget() }
        if isRelay, outcome.newHeaders > 0 { changes.publish(kinds: ["status"]) }
        if outcome.changedKinds.contains("people") { scheduleKeys() }
        if let news = DoorNews(of: outcome, at: replica.own) {
            reconsiderPeers(after: news)
            host?.doorsChanged(news, in: event)
        }
        if !outcome.changedKinds.isDisjoint(with: ["people", Kind.event.name]) { _ = openness.exchange(true) }
        if outcome.concernsReports { scheduleHiding() }
        if outcome.concernsFriendships || outcome.concernsDealUses { scheduleFollowUps() }
        guard !outcome.changedKinds.isEmpty else { return }
        // Who is not told which records they are looks at all.
        let records = try? replica.names(of: outcome.changedRecords)
        changes.publish(kinds: outcome.changedKinds.sorted(), records: records)
    }

    /// Runs `body`, and tells the operator if the replica failed.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch let error where API.Problem(error).name == .noSpace {
            pauseIfFull(error)
        } catch {
            tally.note { $0.errors += 1 }
            logger.error("could not \(what)", metadata: ["event": "\(event)", "error": "\(error)"])
        }
    }
}
