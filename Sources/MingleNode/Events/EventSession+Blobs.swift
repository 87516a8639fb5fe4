// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleEvent
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension EventSession {
    /// Deletes what an earlier run left and nobody will miss; once all members agree nothing more can be found.
    func eraseOrphans() {
        reading.async { [self] in
            attempt("delete files that an earlier run left") {
                let orphans = try responder.orphans(among: inherited.withLock(\.self))
                erase(orphans)
                let gone = Set(orphans)
                inherited.withLock { left in left.removeAll(where: gone.contains) }
                if roster.holdNoMore { try eraseUnspoken() }
            }
        }
    }

    /// Deletes what this node's person put and said nothing of, as all members agree once they were asked anew.
    private func eraseUnspoken() throws {
        let unspoken = try responder.unspoken(among: inherited.withLock(\.self))
        guard unspoken.isEmpty || reassurance.withLock({ $0.holds(at: clock.uptime()) }) else {
            // After all that the engine has told so far. A look that comes before that has nobody's new word, either.
            loop.async { [self] in
                roster.forgetSyncStates()
                reassurance.withLock { $0.ask(at: clock.uptime()) }
            }
            return feed(.reconcile)
        }
        // Only what they have told since they were asked is left now.
        guard roster.holdNoMore else { return }
        erase(unspoken)
        inherited.withLock { $0 = [] }
    }

    /// Finds what an earlier run of this node left to fetch.
    func findUnfinished() {
        attempt("find what is still missing") {
            guard !isRelay else { return try findUnfinishedListings() }
            scheduleQuotaReview()
            scheduleDoubles()
            try responder.missingPayloads { feed($0) }
            try responder.mentions { want($0) }
        }
    }

    /// Asks for those blobs that are not here.
    func want(_ mentions: [MediaMention]) {
        let wants = responder.wants(mentions)
        guard !wants.isEmpty else { return }
        wanted.add(wants)
        feed(.blobsWanted(wants))
    }

    /// Waits no more for what a fork has made nobody speak of; a record may speak of it again, so what is here stays.
    func forgetAllWanted(but names: [BlobName]) { forget(wanted.names.subtracting(names).sorted()) }

    /// Waits no more for blobs, and keeps what is here of them.
    func forget(_ names: [BlobName]) {
        guard !names.isEmpty else { return }
        // Before the engine hears of it, so that nothing is found again that is on its way to be forgotten.
        wanted.remove(names)
        feed(.blobsUnwanted(names))
    }

    /// Forgets blobs that no record speaks of any more.
    func erase(_ names: [BlobName]) {
        guard !names.isEmpty else { return }
        forget(names)
        storing.async { [self] in
            for name in names { attempt("delete a blob") { try blobs.delete(name) } }
            changes.publish(kinds: ["media"])
        }
    }

    /// Stores blobs and writes the records of their owner that refer to them; deletes the blobs again if writing fails.
    @discardableResult
    func speak<Written>(for owner: PersonID, _ body: (_ put: inout PutBlobs) throws -> Written) throws -> Written {
        var put = PutBlobs(owner: owner)
        do {
            let written = try body(&put)
            announce(put.names)
            return written
        } catch {
            erase(put.names)
            throw error
        }
    }

    /// Tells peers of blobs that somebody just shared here.
    private func announce(_ names: [BlobName]) { feed(.blobsHeld(names)) }

    func store(_ chunk: ReceivedChunk, from peer: PeerID) {
        let outcome = write(chunk)
        feed(.chunkStored(peer, chunk.name, index: chunk.index, outcome))
        guard case .stored = outcome else { return }
        let isComplete = blobs.isComplete(chunk.name)
        if wanted.noteStored(chunk.name, byteCount: chunk.data.bytes.count, isComplete: isComplete), isComplete {
            changes.publish(kinds: ["media"])
            if chunk.person == replica.own.person { scheduleDoubles() }
        }
    }

    /// Looks within a second whether this device and another one of this person shared the same picture.
    private func scheduleDoubles() {
        guard !isRelay, comparing.exchange(true) == false else { return }
        merging.asyncAfter(deadline: .now() + 1) { [self] in
            _ = comparing.exchange(false)
            guard !isStopped.isSet else { return }
            attempt("delete a picture that was shared twice") { try service.deleteDoubles() }
        }
    }

    private func write(_ chunk: ReceivedChunk) -> ChunkOutcome {
        // It may have been erased since it was asked for.
        guard wanted.contains(chunk.name), isListed(chunk) else { return .unwanted }
        do {
            return try responder.store(chunk) ? .stored : .rejected
        } catch {
            return outcome(of: error)
        }
    }
}
