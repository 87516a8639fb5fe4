// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Logging
import MingleAPI
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

/// The shell of one event's ``SyncEngine``: it carries out the engine's actions on replica, blobs and links.
///
/// The engine runs on one queue, which never blocks; reading, merging and writing chunks each have a queue of their own
/// and answer by further inputs. So a large merge does not hold up a greeting, and a slow disk does not hold up either.
final class EventSession: Sendable {
    let event: EventID
    let replica: Replica
    let blobs: BlobStore
    let responder: Responder
    let secrets: Mutex<Secrets>
    let files: EventFiles
    let changes: ChangeFeed
    let logger: Logger
    let clock: NodeClock
    let roster = Roster()
    let wanted = WantedBlobs()
    /// Uploaded pictures that wait for their records.
    let shelf = PictureShelf()
    let counts = CountCache()
    private let shortages = ShortageCache()
    let tally = Tally()
    let room = Mutex(DiskRoom())
    let scrubbing = Flag()
    /// Whether a quota review is already scheduled.
    let reviewing = Flag()
    /// Whether a check of the keys is already scheduled.
    let keeping = Flag()
    /// What is due about keys, each need once, until its time has come.
    let dueKeys = Mutex<Set<KeyNeed>>([])
    /// Whether looking for pictures that two devices of this person shared is already scheduled.
    let comparing = Flag()
    /// Whether a check of the reports is already scheduled.
    let moderating = Flag()
    /// Whether a check of the reports is scheduled for the next hour.
    let moderatesLater = Flag()
    /// Whether a look at what this person's node has to answer is already scheduled.
    let followingUp = Flag()
    /// Whether it may have changed that the event is open to anyone nearby.
    let openness = Flag()
    /// When that was looked at last.
    let opennessLooked = Mutex(Duration.zero)
    /// Whether it was open then.
    let isOpenToNearby = Flag()
    let isStopped = Flag()
    /// Whether this person has yet to say a name here: not let in so far, or without a key to say it under.
    let isEntering = Flag()
    /// Whether a member has told this node of all that it knows of people, as it does with nobody whom it refuses.
    let wasHeard = Flag()
    /// The open link for a further device of this person's, which goes with the process; nil: none.
    let offer = Mutex<DeviceOffer?>(nil)
    /// The open links of a door's guests for nodes of their own, with the keys that certify these, in memory alone.
    let guestOffers = Mutex<[PersonID: GuestOffer]>([:])
    /// The open codes by which a door's guests take part with a further phone, in memory alone, too.
    let signInCodes = Mutex(SignInCodes())
    /// Where this device waits for a certificate; nil: it came otherwise.
    let arrival = Mutex<DeviceArrival?>(nil)
    /// Why the certificate could not be stored, for the person who waits.
    let linkingFailure = Mutex<API.Problem?>(nil)
    /// What is kept of leaving the event; nil for a person who does not.
    let farewell: Mutex<Farewell?>
    /// What nobody else is known to hold, where this person leaves.
    let handOver = Mutex(HandOver())
    /// Serializes changes of `farewell` and writing them to disk.
    let keepingFarewell = Mutex(())
    /// Decides the next step of leaving.
    let departure: Mutex<Departure>
    /// Why the last step of leaving failed, for the person; nil if it did not.
    let leavingFailure = Mutex<String?>(nil)
    /// Whether the folder can go.
    let isDeparted = Flag()
    /// What this person deleted last before leaving.
    let lastErased = Mutex<[Reference]>([])
    /// Bytes that this relay holds of one person; nil without a limit.
    let authorQuota: Int?
    /// Whether blobs of somebody's were not asked for because of that.
    let hasDeferred = Flag()
    /// How long the next scrub waits.
    let scrubPause = Mutex(Duration.seconds(20))
    /// What the last peer said that refused this node; nil once another person's node has let this node in.
    let refusal = Mutex<Goodbye?>(nil)
    let telling = Mutex(())
    /// Serializes sharing, so that one picture is not shared twice at once.
    let sharing = Mutex(())
    /// Blobs that an earlier run left and that may be nobody's.
    let inherited: Mutex<[BlobName]>
    /// Whether some of them may be nobody's by now.
    let mayHaveOrphans = Flag()
    /// When all members were asked whether they hold no more, for those of which no record speaks.
    let reassurance = Mutex(Reassurance())

    weak let host: (any SessionHost)?
    private let engine: Mutex<SyncEngine>
    let loop: DispatchQueue
    let reading: DispatchQueue
    let merging: DispatchQueue
    let storing: DispatchQueue
    let merger: Merger<PendingMerge>

    init(
        replica: Replica,
        blobs: BlobStore,
        secrets: Secrets,
        files: EventFiles,
        host: any SessionHost,
        changes: ChangeFeed,
        clock: NodeClock,
        logger: Logger,
        retention: RetentionPolicy? = nil
    ) throws {
        authorQuota = retention?.authorBytes
        if let retention { try replica.begin(policy: retention.description) }
        event = replica.event
        (self.replica, self.blobs, self.files, self.host) = (replica, blobs, files, host)
        inherited = Mutex(blobs.list().map(\.name))
        responder = Responder(replica: replica, blobs: blobs, issued: secrets.issued)
        (self.changes, self.clock, self.logger) = (changes, clock, logger)
        self.secrets = Mutex(secrets)
        farewell = Mutex(try Farewell(in: files.folder))
        departure = Mutex(Departure(isSaid: try replica.hasLeft(replica.own.person), at: clock.uptime()))
        engine = Mutex(try Self.engine(of: replica))
        loop = DispatchQueue(label: "mingle.sync", qos: .userInitiated)
        reading = DispatchQueue(label: "mingle.reading", qos: .userInitiated)
        merging = DispatchQueue(label: "mingle.merging", qos: .userInitiated)
        storing = DispatchQueue(label: "mingle.storing", qos: .utility)
        merger = Merger(into: replica)
        merger.report { [weak self] in self?.tell($0) }
        if FileManager.default.fileExists(atPath: files.heard) { _ = wasHeard.exchange(true) }
    }

    /// Begins anew with what the replica holds; only before ``start()``.
    func refreshFrontier() throws {
        let fresh = try Self.engine(of: replica)
        engine.withLock { $0 = fresh }
    }

    private static func engine(of replica: Replica) throws -> SyncEngine {
        try SyncEngine(of: replica, limits: replica.own.isRelay ? .relay : SyncLimits())
    }

    /// Begins to look for what was left to fetch.
    func start() {
        reading.async { [self] in findUnfinished() }
        eraseOrphans()
        // An earlier run may have ended between an erasing and its scrub.
        attempt("check whether a scrub is due") { if try replica.needsScrub() { scheduleScrub() } }
        scheduleKeys()
        scheduleHiding()
        scheduleFollowUps()
    }

    /// What is lacking, as far as peers have told.
    var lag: SyncLag { engine.withLock { $0.lag } }

    /// Ends the session; files are closed when work that was begun is done.
    func stop() {
        _ = isStopped.exchange(true)
        loop.sync {}
        merger.finish()
        merging.sync {}
        storing.sync {}
        reading.sync {}
        shelf.clear()
        try? blobs.flush()
        try? replica.close()
    }

    /// What is wanted and nobody who is connected holds.
    var shortage: Shortage { shortages.shortage { engine.withLock { $0.shortage } } }

    /// Marks every peer as no longer in sync, once the engine has taken in all that it was told so far.
    func forgetSyncStates() { loop.async { [self] in roster.forgetSyncStates() } }

    /// Whether something is on its way to a peer.
    func isAwaited(by peer: PeerID) -> Bool {
        engine.withLock { $0.owesSomething(to: peer) } || host?.isSending(to: peer) ?? false
    }

    /// Tells the engine what happened; `done` is called once it has heard it.
    func feed(_ input: SyncInput, done: @escaping @Sendable () -> Void = {}) { feed([input], done: done) }

    /// Tells the engine several things that happened.
    func feed(_ inputs: [SyncInput], done: @escaping @Sendable () -> Void = {}) {
        guard !inputs.isEmpty else { return done() }
        loop.async { [self] in
            let inputs = inputs.map(withoutForgotten)
            let actions = engine.withLock { $0.receive(inputs, at: clock.uptime()) }
            for action in actions { perform(action) }
            done()
        }
    }

    /// What was found to be fetched, less what was erased or put off meanwhile.
    private func withoutForgotten(_ input: SyncInput) -> SyncInput {
        guard case .blobsFound(let wants, let next) = input else { return input }
        return .blobsFound(wants.filter { wanted.contains($0.name) }, next: next)
    }

    /// About a second has passed.
    func tick() {
        feed(.tick)
        forgetGuestsKeys()
        checkDisk()
        storing.async { [self] in attempt("write chunks to the disk") { try blobs.flush() } }
    }

    /// Carries out one action; what blocks goes to its queue.
    private func perform(_ action: SyncAction) {
        switch action {
        case .send(let peer, let lane, let bytes): host?.send(bytes, on: lane, to: peer)
        case .close(let peer, let goodbye): close(peer, goodbye)
        case .note(let peer, let state): note(state, of: peer)
        case .learn(_, let addresses): host?.learn(addresses, of: event)
        case .authenticate(let peer, let hello, let session):
            noteClock(of: peer, hello)
            merging.async { [self] in authenticate(peer, hello, session) }
        case .makeHello(let peer, let session): greet(peer, in: session)
        case .certify(let peer, let request, let session):
            merging.async { [self] in certify(peer, request, session) }
        case .takeCertificate(let peer, let certified):
            merging.async { [self] in takeCertificate(certified, from: peer) }
        case .findMissing, .loadLocator, .loadRuns, .loadPayloads, .findBlobs, .loadBlobStates, .loadChunk:
            if action.serves(replica.own.name) { departure.withLock { $0.noteServing(at: clock.uptime()) } }
            answer(action)
        case .merge(let peer, let run): merge(PendingMerge(peer: peer, content: .run(run)))
        case .mergePayloads(let peer, let payloads):
            merge(PendingMerge(peer: peer, content: .payloads(payloads)))
        case .noteHolding(let peer, let names): noteHolding(names, by: peer)
        case .storeChunk(let peer, let chunk): storing.async { [self] in store(chunk, from: peer) }
        }
    }

    private func close(_ peer: PeerID, _ goodbye: Goodbye) {
        if goodbye.isFromPeer, goodbye.cause == .left { departure.withLock { $0.hear(peer) } }
        if goodbye.isFromPeer, goodbye.isRefusal {
            let former = refusal.withLock { refusal in
                defer { refusal = goodbye }
                return refusal
            }
            if former?.reason != goodbye.reason {
                let metadata: Logger.Metadata = ["event": "\(event)", "peer": "\(peer)", "reason": "\(goodbye.reason)"]
                logger.warning("a peer refused this node", metadata: metadata)
            }
            changes.publish(kinds: ["peers"])
        }
        host?.close(peer, goodbye)
    }

    /// Lets the node around know that this device's key was used on a copy of its folder.
    func reportKeyUsedElsewhere() { host?.keyUsedElsewhere(of: replica.own.name, in: event) }

    /// Remembers, also for later runs, that a member told this node of all people.
    private func noteHeard() {
        guard !wasHeard.exchange(true) else { return }
        attempt("save that a member knows of this person") {
            if try replica.isWaitingUnknown(replica.own.person) { try SafeFile.write([], to: files.heard) }
        }
    }

    private func note(_ state: PeerState, of peer: PeerID) {
        logger.debug("peer", metadata: ["peer": "\(peer)", "state": "\(state)"])
        if case .admitted(_, let scope) = state { host?.admitted(peer, as: roster.claimant(of: peer), to: scope) }
        roster.note(state, of: peer)
        if case .inSync = state, roster.isOther(peer, than: replica.own.person) { noteHeard() }
        if case .inSync(.all) = state {
            // It has let this node in, whatever another one said before; this person's own devices are out as well.
            if roster.isOther(peer, than: replica.own.person) { refusal.withLock { $0 = nil } }
            let isNews = mayHaveOrphans.exchange(false) || roster.holdNoMore
            if isNews, inherited.withLock({ !$0.isEmpty }) { eraseOrphans() }
        }
        // Of each word that is pushed both are noted, and nobody is shown them.
        if state == .ahead || state == .caughtUp { return }
        changes.publish(kinds: ["peers"])
    }
}
