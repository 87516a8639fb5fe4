// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleWire

extension SyncEngine {
    // MARK: - Who holds what

    /// Asks a peer about blobs that it was not asked about yet: watched ones, then wanted ones, thumbnails first, and of those
    /// what came last.
    ///
    /// It is asked about more of a lane only once what it has is nearly fetched: what comes meanwhile then waits for little
    /// else.
    mutating func askAboutBlobs(_ id: PeerID) {
        guard peers[id]?.blobs.question.isEmpty == true else { return }
        guard hasRoom(id, on: .control) else {
            peers[id]?.blobs.isHeldUp = true
            return
        }
        let watched = takeUnwatched(of: id)
        peers[id]?.blobs.question.formUnion(watched)
        var message = ProtoWantBlobs()
        message.names = watched.map { .init($0.bytes) }
        var lanes: [Int] = []
        for lane in blobs.lists.indices {
            guard let waiting = peers[id]?.blobs.queues[lane].count, waiting < limits.blobsPerQuestion else { continue }
            let names = takeUnasked(of: id, lane, most: limits.blobsPerQuestion - message.names.count)
            guard !names.isEmpty else { continue }
            lanes.append(lane)
            peers[id]?.blobs.question.formUnion(names)
            message.names += names.map { .init($0.bytes) }
        }
        guard !message.names.isEmpty else { return }
        peers[id]?.blobs.questionLanes = lanes
        peers[id]?.blobs.questionSince = now
        send(.wantBlobs(message), to: id, on: .control)
    }

    /// Wanted blobs of a lane that a peer was not asked about, what came last first; it counts as asked about them now.
    private mutating func takeUnasked(of id: PeerID, _ lane: Int, most: Int) -> [BlobName] {
        let list = blobs.lists[lane]
        // Most have been asked about all, and nothing is copied for them.
        guard peers[id]?.blobs.asked[lane].latestGap(before: list.count, most: 1) != nil,
            var asked = peers[id]?.blobs.asked[lane]
        else { return [] }
        var names: [BlobName] = []
        while names.count < most, let places = asked.latestGap(before: list.count, most: most - names.count) {
            asked.insert(places)
            for name in list[places].reversed() {
                guard let blob = blobs.table[name], blob.lane == lane else { continue }
                // A watched one may be in the same question.
                let isAsked = peers[id]?.blobs.question.contains(name) ?? false
                if !isAsked, !blob.sources.contains(where: { $0.peer == id }) { names.append(name) }
            }
        }
        if names.isEmpty, asked != peers[id]?.blobs.asked[lane] {
            // The lane, or what a relay holds of it, may have been waited for.
            lookAt(id)
        }
        peers[id]?.blobs.asked[lane] = asked
        return names
    }

    mutating func receive(_ message: ProtoBlobStatus, from id: PeerID) {
        guard message.states.count <= limits.blobsPerQuestion else { return close(id, "too many blobs") }
        lookAt(id)
        let names = message.states.compactMap { BlobName(bytes: $0.name) }
        guard names.count == message.states.count else { return close(id, "malformed blob") }
        let unasked = names.count { peers[id]?.blobs.question.remove($0) == nil }
        if unasked < names.count { peers[id]?.blobs.hasAnswered = true }
        if unasked > 0 || names.isEmpty { spend(id, items: unasked) }
        noteHolding(message.states, by: id)
        // Of the source only this is kept: a copy of it would make each change below copy what is changed.
        guard let pausedUntil = peers[id]?.blobs.pausedUntil else { return }
        let isPrompt = peers[id]?.blobs.isPrompt(at: now, limits) ?? false
        for (name, state) in zip(names, message.states) {
            if state.evicted { blobs.table[name]?.isEvicted = true }
            // Who is in a pause is asked about everything again after it.
            guard state.size > 0, pausedUntil <= now, blobs.table[name] != nil else { continue }
            guard let root = Bytes32(state.root), let person = PersonID(bytes: state.person) else {
                return close(id, "malformed blob")
            }
            prove(name, root, size: state.size, of: person)
            // What does not agree with the payload or the name is a lie that no chunk could be proved by.
            guard let blob = blobs.table[name], state.size == blob.want.size, blob.want.root == root else { continue }
            let chunks = state.chunks.isEmpty ? nil : ChunkBits(capacity: blob.want.chunkCount, bytes: state.chunks)
            add(BlobQueue.Source(peer: id, root: root, person: person, chunks: chunks, isPrompt: isPrompt), to: name)
        }
    }

    /// Takes what a peer says of a blob of which only a listing is known, if it hashes to the name: then it is so.
    private mutating func prove(_ name: BlobName, _ root: Bytes32, size: UInt64, of person: PersonID) {
        guard var blob = blobs.table[name], blob.want.root == nil, size <= Limits.blobLength,
            BlobName(root: root, size: size, person: person) == name
        else { return }
        blob.want = blob.want.proved(size: size, root: root)
        blob.held = ChunkBits(capacity: blob.want.chunkCount, bytes: blob.want.held)
        blob.taken = blob.held
        blobs.table[name] = blob
    }

    private mutating func add(_ source: BlobQueue.Source, to name: BlobName) {
        change(name) { blob in
            blob.sources.removeAll { $0.peer == source.peer }
            blob.sources.append(source)
        }
        guard let blob = blobs.table[name] else { return }
        // Who stalled lately may be keeping this one too.
        let isFetchedPromptly = blob.sources.contains { $0.peer == blob.fetcher && $0.isPrompt }
        if source.isPrompt, let fetcher = blob.fetcher, !isFetchedPromptly { return release(name, from: fetcher) }
        if blob.fetcher == nil {
            if blob.putOffUntil == nil { peers[source.peer]?.blobs.queues[blob.lane].append(name) }
        } else if blob.fetcher == source.peer, peers[source.peer]?.blobs.active.contains(name) == false {
            peers[source.peer]?.blobs.active.append(name)
        }
    }

    /// Changes who holds a blob, or whether it is left alone, and keeps count of those that are awaited.
    mutating func change(_ name: BlobName, _ change: (inout BlobQueue.Blob) -> Void) {
        guard var blob = blobs.table[name] else { return }
        let (wasAwaited, wasWithout) = (blob.isAwaited, blob.sources.isEmpty)
        change(&blob)
        blobs.table[name] = blob
        if blob.sources.isEmpty != wasWithout { blobs.sourcedCount += wasWithout ? 1 : -1 }
        guard blob.isAwaited != wasAwaited else { return }
        blobs.awaitedCounts[blob.lane] += wasAwaited ? -1 : 1
    }

    /// Puts a blob into the queues of all that hold it, unless it is left alone.
    mutating func queue(_ name: BlobName) {
        guard let blob = blobs.table[name], blob.putOffUntil == nil else { return }
        for source in blob.sources {
            peers[source.peer]?.blobs.queues[blob.lane].append(name)
            lookAt(source.peer)
        }
    }

    /// Forgets that a peer holds a blob.
    mutating func removeSource(_ id: PeerID, of name: BlobName) {
        guard let blob = blobs.table[name], blob.sources.contains(where: { $0.peer == id }) else { return }
        change(name) { $0.sources.removeAll { $0.peer == id } }
        if blob.fetcher == id { release(name, from: id) } else if blob.fetcher == nil { queue(name) }
        lookAt(id)
    }

    /// Stops fetching a blob from a peer; what it has not sent is asked of another.
    mutating func release(_ name: BlobName, from id: PeerID) {
        guard let blob = blobs.table[name], blob.fetcher == id else { return }
        for index in blob.onWire {
            blobs.table[name]?.taken.remove(Int(index))
            peers[id]?.blobs.wireCount -= 1
            peers[id]?.blobs.chunkCount -= 1
            peers[id]?.blobs.byteCount -= blob.want.length(of: Int(index))
        }
        // What was asked for may come yet.
        peers[id]?.blobs.strays -= blob.onWire.count
        blobs.table[name]?.onWire = []
        blobs.table[name]?.fetcher = nil
        peers[id]?.blobs.fetching.removeAll { $0 == name }
        peers[id]?.blobs.active.removeAll { $0 == name }
        queue(name)
        lookAt(id)
    }

    /// Turns to others for everything that a peer holds or was to send.
    mutating func forgetBlobs(of id: PeerID) {
        for name in blobs.table.keys { removeSource(id, of: name) }
    }

    /// Turns from peers that send no chunks or do not say what they hold.
    mutating func endStaleBlobs() {
        if peers.keys.contains(where: { peers[$0]?.blobs.hasBeenAsked(before: now - limits.blobSilence) == true }) {
            blobs.pass.lookAtLanes()
        }
        for id in peers.keys {
            // Asked before it is copied, as most peers owe nothing.
            guard peers[id]?.blobs.owesAnything == true, let source = peers[id]?.blobs else { continue }
            let isStalled = source.wireCount > 0 && now - source.since >= patience(with: source)
            let isSilent = !source.question.isEmpty && now - source.questionSince >= limits.requestTimeout
            if isStalled || isSilent { pause(id, source) }
        }
        compactBlobLists()
        if let end = blobs.putOffEnd, now >= end { takeUpPutOff(until: now) }
        if let end = endOfPause, now >= end { blobs.pass.lookAtAll() }
    }

    /// When the first pause ends that the last pass over the peers has met.
    private var endOfPause: Duration? {
        let ends = peers.keys.compactMap { peers[$0]?.blobs.pausedUntil } + [blobs.pausedUntil]
        return ends.filter { $0 > blobs.lookedAt }.min()
    }

    /// When time alone gives something to do about blobs; nil if something else has to happen first.
    var nextBlobDuty: Duration? {
        if blobs.pass.isDue || !blobs.announcements.isEmpty { return .zero }
        var pause: Duration?
        if !blobs.table.isEmpty || !blobs.watched.isEmpty {
            pause = [endOfPause, blobs.putOffEnd].compactMap(\.self).min()
        }
        guard blobs.overflow.isAnything else { return pause }
        let looking = max(blobs.overflow.earliest, hasRoomForBlobs ? .zero : blobs.overflow.due)
        return min(looking, pause ?? looking)
    }

    /// How long a peer may take for a chunk: twice as long each time that it took too long, so that a slow link gets
    /// something across in the end.
    private func patience(with source: BlobSource) -> Duration {
        let longest = source.fetching.compactMap { blobs.table[$0]?.want.chunkLength }.max() ?? 0
        let patience = limits.requestTimeout + .seconds(longest / limits.slowestChunk)
        return patience * (1 << min(source.stalls, limits.stallDoublings))
    }

    /// Turns to others for what a peer does not send, and to itself again only after a while: ever longer, as it may be
    /// in need of room, and not for ever, as it may be the only one that holds something.
    private mutating func pause(_ id: PeerID, _ source: BlobSource) {
        noteFailing(id, .stalled)
        forgetBlobs(of: id)
        lookAt(id)
        peers[id]?.blobs.question = []
        peers[id]?.blobs.asked = BlobSource().asked
        peers[id]?.blobs.watchedCount = 0
        peers[id]?.blobs.stalls += 1
        noteStall(of: id)
        peers[id]?.blobs.pausedUntil = now + limits.stallPause * (1 << min(source.stalls, limits.stallDoublings))
    }

    /// Takes names that are wanted no more from the lists, once they are the most.
    private mutating func compactBlobLists() {
        guard blobs.table.count < blobs.lists.reduce(0, { $0 + $1.count }) / 2 else { return }
        for lane in blobs.lists.indices where blobs.lists[lane].count > 256 {
            let list = blobs.lists[lane]
            let isLive = list.map { blobs.table[$0]?.lane == lane }
            let live = isLive.count { $0 }
            guard live < list.count / 2 else { continue }
            var remaining = [0]
            for isLive in isLive { remaining.append(remaining[remaining.count - 1] + (isLive ? 1 : 0)) }
            for id in peers.keys { peers[id]?.blobs.asked[lane].compact(remaining) }
            blobs.overflow.firsts[lane] = 0
            blobs.lists[lane] = zip(list, isLive).filter(\.1).map(\.0)
        }
    }
}
