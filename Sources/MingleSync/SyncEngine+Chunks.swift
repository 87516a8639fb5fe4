// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

extension SyncEngine {
    /// Asks free peers about blobs and for chunks.
    mutating func requestBlobs() {
        guard blobs.pass.isDue else { return }
        let isWhole = blobs.pass.isWhole
        if isWhole { blobs.lookedAt = now }
        let ids = blobs.pass.begin()
        guard !blobs.table.isEmpty || !blobs.watched.isEmpty else { return }
        for id in isWhole ? peers.keys : ids where mayBeAsked(id) { askAboutBlobs(id) }
        guard !blobs.isPaused, now >= blobs.pausedUntil, blobs.sourcedCount > 0 else { return }
        let lane = lastOpenLane()
        let hasOpened = lane > blobs.openLane
        blobs.openLane = lane
        for id in isWhole || hasOpened ? peers.keys : ids where mayBeAsked(id) && fill(id, through: lane) {
            askAboutBlobs(id)
        }
    }

    /// Whether a peer may be asked about blobs now.
    private func mayBeAsked(_ id: PeerID) -> Bool {
        guard peers[id]?.ready == .all, let pausedUntil = peers[id]?.blobs.pausedUntil else { return false }
        return pausedUntil <= now
    }

    /// The last lane that blobs are fetched of: one is open once nothing before it can be fetched or might turn out so.
    ///
    /// Peers that have stalled lately keep nobody waiting: else one that never sends its thumbnail would hold up everybody's
    /// previews and originals.
    private func lastOpenLane() -> Int {
        for lane in blobs.lists.indices {
            if blobs.awaitedCounts[lane] > 0 { return lane }
            let count = blobs.lists[lane].count
            // Looked at in place: of a thousand peers none is copied.
            let mayBeNamed = peers.keys.contains { id in
                mayBeAsked(id) && peers[id]?.blobs.hasAnswered == true && isWaitedFor(id, for: count, on: lane)
            }
            if mayBeNamed { return lane }
        }
        return blobs.lists.count - 1
    }

    /// Whether a peer may yet name blobs of a lane, and is quick enough to be waited for.
    func isWaitedFor(_ id: PeerID, for count: Int, on lane: Int) -> Bool {
        peers[id]?.blobs.isPrompt(at: now, limits) == true
            && peers[id]?.blobs.hasBeenAsked(before: now - limits.blobSilence) == false
            && peers[id]?.blobs.mayName(more: count, on: lane) == true
    }

    /// Asks one peer for as many chunks as may be on their way; true if it may be asked about more blobs for that.
    private mutating func fill(_ id: PeerID, through lane: Int) -> Bool {
        let waiting = peers[id]?.blobs.waitingCount ?? 0
        while canTakeMore(id), let name = nextBlob(of: id, through: lane) {
            guard let blob = blobs.table[name] else { continue }
            let chunks = blob.sources.first { $0.peer == id }?.chunks
            if peers[id]?.blobs.wireCount == 0 { peers[id]?.blobs.since = now }
            var indexes: [UInt32] = []
            var next = blob.taken.firstGap(from: 0, in: chunks)
            while let index = next, canTakeMore(id) {
                indexes.append(UInt32(index))
                blobs.table[name]?.taken.insert(index)
                peers[id]?.blobs.wireCount += 1
                peers[id]?.blobs.chunkCount += 1
                peers[id]?.blobs.byteCount += blob.want.length(of: index)
                next = blob.taken.firstGap(from: index + 1, in: chunks)
            }
            if next == nil { peers[id]?.blobs.active.removeAll { $0 == name } }
            if indexes.isEmpty { endFetch(of: name, from: id) } else { request(indexes, of: blob, from: id) }
        }
        return (peers[id]?.blobs.waitingCount ?? 0) < waiting
    }

    /// Reads the counters in place: a copy of the source would have to be made anew whenever it changes.
    private func canTakeMore(_ id: PeerID) -> Bool {
        guard let count = peers[id]?.blobs.chunkCount, let bytes = peers[id]?.blobs.byteCount else { return false }
        return count < 2 || (count < limits.chunksOnWire && bytes < limits.chunkBytesOnWire)
    }

    private mutating func request(_ indexes: [UInt32], of blob: BlobQueue.Blob, from id: PeerID) {
        let name = blob.want.name
        blobs.table[name]?.onWire += indexes
        var message = ProtoWantChunks()
        message.name = .init(name.bytes)
        message.indexes = indexes
        message.lane = UInt32(blob.want.lane.rawValue)
        send(.wantChunks(message), to: id, on: .control)
    }

    /// The blob to ask a peer for: one that is being fetched from it, or the next that nobody is asked for.
    private mutating func nextBlob(of id: PeerID, through lastLane: Int) -> BlobName? {
        if let name = peers[id]?.blobs.active.first { return name }
        for lane in 0...lastLane where !isRelayDue(on: lane, asking: id) {
            while let name = peers[id]?.blobs.queues[lane].popFirst() {
                guard let blob = blobs.table[name], blob.lane == lane, blob.fetcher == nil, blob.putOffUntil == nil,
                    let source = blob.sources.first(where: { $0.peer == id })
                else { continue }
                // Who has stalled lately is asked for what nobody else has.
                guard source.isPrompt || !blob.isAwaited, !isLeftToRelay(blob, asking: id) else { continue }
                blobs.table[name]?.fetcher = id
                peers[id]?.blobs.fetching.append(name)
                peers[id]?.blobs.active.append(name)
                return name
            }
        }
        return nil
    }

    /// Leaves a peer that has sent all that it holds of a blob, if that was not the whole.
    private mutating func endFetch(of name: BlobName, from id: PeerID) {
        guard let blob = blobs.table[name], blob.fetcher == id, blob.onWire.isEmpty,
            blob.taken.count == blob.held.count, peers[id]?.blobs.active.contains(name) == false
        else { return }
        removeSource(id, of: name)
    }

    mutating func receive(_ message: ProtoChunk, from id: PeerID) {
        guard let name = BlobName(bytes: message.name), message.proof.count <= 32 else {
            return close(id, "malformed chunk")
        }
        guard let blob = blobs.table[name], blob.fetcher == id,
            let place = blob.onWire.firstIndex(of: message.index),
            let source = blob.sources.first(where: { $0.peer == id })
        else {
            // It may have been asked for before the peer was given up.
            peers[id]?.blobs.strays += 1
            if let strays = peers[id]?.blobs.strays, strays > limits.strayChunks {
                close(id, "sends chunks that were not requested")
            }
            return
        }
        let length = blob.want.length(of: Int(message.index))
        guard !message.data.isEmpty else { return removeSource(id, of: name) }
        let proof = message.proof.compactMap { Bytes32($0) }
        guard message.data.count == length, proof.count == message.proof.count else {
            return close(id, "malformed chunk")
        }
        blobs.table[name]?.onWire.remove(at: place)
        peers[id]?.blobs.wireCount -= 1
        // Who is quick again has what others have.
        if let since = peers[id]?.blobs.since, now - since < limits.requestTimeout / 2 { peers[id]?.blobs.stalls = 0 }
        peers[id]?.blobs.since = now
        peers[id]?.blobs.writing.append(BlobSource.Writing(name: name, index: message.index, length: length))
        let chunk = ReceivedChunk(
            name: name,
            size: blob.want.size,
            root: source.root,
            person: source.person,
            index: message.index,
            data: ChunkData(proof: proof, bytes: [UInt8](message.data))
        )
        actions.append(.storeChunk(id, chunk))
    }

    /// Takes the shell's word of what became of a chunk.
    mutating func finishChunk(_ name: BlobName, _ index: UInt32, from id: PeerID, _ outcome: ChunkOutcome) {
        lookAt(id)
        if let writing = peers[id]?.blobs.writing,
            let place = writing.firstIndex(where: { $0.name == name && $0.index == index })
        {
            peers[id]?.blobs.writing.remove(at: place)
            peers[id]?.blobs.chunkCount -= 1
            peers[id]?.blobs.byteCount -= writing[place].length
        }
        if outcome != .stored {
            blobs.table[name]?.taken.remove(Int(index))
            blobs.pass.lookAtAll()
        }
        if outcome == .rejected {
            // Whoever the blob is fetched from by now was not asked for this chunk.
            if let fetcher = blobs.table[name]?.fetcher { release(name, from: fetcher) }
            return close(id, "sent a chunk that does not fit its blob")
        }
        if outcome == .stored { blobs.table[name]?.held.insert(Int(index)) }
        // It may have been erased meanwhile, or erased and wanted anew.
        guard let blob = blobs.table[name] else { return }
        if outcome == .notWritten { blobs.pausedUntil = now + limits.stallPause }
        if outcome == .putOff { putOff(name) }
        if blob.held.count == blob.want.chunkCount {
            drop(name)
            announce([name])
        } else if outcome != .stored, let fetcher = blob.fetcher {
            release(name, from: fetcher)
        } else if let fetcher = blob.fetcher {
            endFetch(of: name, from: fetcher)
        }
    }
}
