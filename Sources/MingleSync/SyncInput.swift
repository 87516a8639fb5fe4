// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire

/// What the shell tells the engine of one event.
///
/// Answers to an action about a peer are ignored once the peer has closed, except ``merged(_:_:)``. A commit is told
/// before the merges that made it are answered.
package enum SyncInput: Sendable {
    // MARK: Links
    /// A handshake has ended; nothing was sent inside the channel yet.
    case opened(PeerID, Session)
    /// A message came.
    case received(PeerID, Lane, [UInt8])
    /// Little of what was given to a lane is left to send.
    case drained(PeerID, Lane)
    /// A link is gone.
    case closed(PeerID)
    /// About a second has passed.
    case tick
    /// What peers hold is to be compared with what is held here now, not only when that is due.
    case reconcile
    /// Where this node and others can be reached: what peers are told, at most 32.
    case addresses([String])

    // MARK: Greeting
    /// Answers ``SyncAction/makeHello(_:_:)``.
    case hello(PeerID, Hello)
    /// Answers ``SyncAction/authenticate(_:_:_:)``, and comes again whenever the answer changes.
    case verdict(PeerID, Verdict)
    /// Answers ``SyncAction/makeHello(_:_:)`` where this device has no certificate yet: it asks for one, and greets once it has it.
    case deviceRequest(PeerID, DeviceRequest)
    /// Answers ``SyncAction/certify(_:_:_:)`` and ``SyncAction/takeCertificate(_:_:)``.
    case deviceVerdict(PeerID, DeviceVerdict)
    /// A peer is a relay: what it holds is fetched from it before all others.
    case relay(PeerID)
    /// A peer that was let in is a device of this person's.
    case person(PeerID, PersonID)

    // MARK: Journals
    /// Journals grew, by own writes or by merging, and are durable enough to be spoken of.
    case committed(Commit)
    /// Answers ``SyncAction/findMissing(_:_:)``: those of the points that are not held.
    case missing(JournalKey, [JournalPoint])
    /// Answers ``SyncAction/loadLocator(_:)``: tips, then ever sparser older headers of each branch, back to the first.
    case locator(JournalKey, [JournalPoint])
    /// Answers ``SyncAction/loadRuns(_:_:)``: each of the requests, in their order.
    case runs(PeerID, [RunsAnswer])
    /// Answers ``SyncAction/merge(_:_:)``; the answers of one peer come in the order of its merges.
    case merged(PeerID, MergeAnswer)

    // MARK: Payloads
    /// Payloads are missing, as found when the node starts or later.
    case payloadsWanted([PayloadWant])
    /// Payloads are missing no more: they came in a run, or were erased, or are void.
    case payloadsSettled([Reference])
    /// Answers ``SyncAction/loadPayloads(_:_:)``.
    case payloads(PeerID, [PayloadAnswer])
    /// Answers ``SyncAction/mergePayloads(_:_:)``: what was stored and what does not fit its header.
    case payloadsMerged(PeerID, stored: [Reference], refused: [Reference])
    /// Answers ``SyncAction/mergePayloads(_:_:)`` where nothing could be stored: it is asked for again after a while.
    case payloadsNotMerged(PeerID, [Reference])

    // MARK: Blobs
    /// Blobs are to be fetched; naming one again changes its lane.
    case blobsWanted([BlobWant])
    /// Answers ``SyncAction/findBlobs(after:limit:)``, with the place from which to go on; nil: that was all.
    case blobsFound([BlobWant], next: Int64?)
    /// Blobs are wanted no more.
    case blobsUnwanted([BlobName])
    /// Blobs are held whole that the engine did not fetch.
    case blobsHeld([BlobName])
    /// Each peer is asked which of these blobs it holds, as long as it is linked; those of an earlier input are forgotten.
    case blobsWatched([BlobName])
    /// Answers ``SyncAction/loadBlobStates(_:_:)``, all names at once; nothing is said of what is not held.
    case blobStates(PeerID, [BlobStatus])
    /// Answers ``SyncAction/loadChunk(_:_:index:)``; nil if the chunk is not held.
    case chunk(PeerID, BlobName, index: UInt32, ChunkData?)
    /// Answers ``SyncAction/storeChunk(_:_:)``.
    case chunkStored(PeerID, BlobName, index: UInt32, ChunkOutcome)
    /// There is little room on the disk: no blob is fetched until ``diskRoom``.
    case diskFull
    /// There is no room even for words: no journal is pulled until ``diskRoom``.
    case outOfRoom
    /// The disk has room again.
    case diskRoom
}

/// Journals that grew together.
package struct Commit: Sendable {
    /// The journals, each with all its tips.
    package var journals: [JournalTips]
    /// This device's new deltas, to be pushed.
    package var own: [Run]
    /// What a newcomer's greeting brought and was merged whole, to be pushed as far as it is small.
    package var greeted: [Run]
    /// The first eight bytes of the names of devices of which something is needed that has not come.
    package var awaited: Set<UInt64>

    /// Tells of a commit.
    package init(journals: [JournalTips], own: [Run] = [], greeted: [Run] = [], awaited: Set<UInt64> = []) {
        (self.journals, self.own, self.greeted, self.awaited) = (journals, own, greeted, awaited)
    }
}

/// What to serve to a peer that asked for runs.
package struct RunsAnswer: Sendable {
    /// The journal.
    package var key: JournalKey
    /// Runs, each behind a header that the peer holds or that comes before, each ending in a kept signature.
    package var runs: [Run]
    /// Whether some branch has none of the headers that the peer named, and these did not go back to the first.
    package var needsOlder: Bool

    /// Answers a request for runs.
    package init(key: JournalKey, runs: [Run], needsOlder: Bool = false) {
        (self.key, self.runs, self.needsOlder) = (key, runs, needsOlder)
    }
}

/// What became of a run.
package struct MergeAnswer: Sendable {
    /// How merging went.
    package enum Outcome: Sendable {
        /// All of the run is held, and some of it is new.
        case merged
        /// All of the run was held before.
        case known
        /// The header before the first is not held.
        case gap
        /// The device's certificate is not held.
        case unknownDevice
        /// The journal has as many branches as count.
        case tooManyBranches
        /// The signature is not the device's.
        case forged
    }

    /// How merging went.
    package var outcome: Outcome
    /// Payloads of the run that are yet to be fetched.
    package var missing: [PayloadWant]
    /// Whether the run may be passed on as it came: it was merged and proved, all its headers are new, no payload of it was erased, and
    /// none is missing but large ones, which follow by themselves.
    package var mayBePassedOn: Bool

    /// Answers a merge.
    package init(_ outcome: Outcome, missing: [PayloadWant] = [], mayBePassedOn: Bool = true) {
        (self.outcome, self.missing) = (outcome, missing)
        self.mayBePassedOn = mayBePassedOn && outcome == .merged
    }
}
