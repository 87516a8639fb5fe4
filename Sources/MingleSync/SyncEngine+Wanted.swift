// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// Which blobs are wanted: no more of them are kept in mind than a limit, and the rest is found again in the records.
extension SyncEngine {
    /// Takes blobs to fetch.
    mutating func want(_ wants: [BlobWant]) {
        for want in wants {
            if blobs.table[want.name] != nil {
                move(want)
                continue
            }
            let held = ChunkBits(capacity: want.chunkCount, bytes: want.held)
            guard held.count < want.chunkCount else { continue }
            blobs.table[want.name] = BlobQueue.Blob(want: want, taken: held, held: held)
            blobs.lists[want.lane.blobIndex].append(want.name)
            blobs.counts[want.lane.blobIndex] += 1
            blobs.pass.lookAtAll()
        }
        letGoOfRest()
    }

    /// Puts a wanted blob on another lane.
    private mutating func move(_ want: BlobWant) {
        guard var blob = blobs.table[want.name], blob.want.lane != want.lane else { return }
        if blob.isAwaited {
            blobs.awaitedCounts[blob.lane] -= 1
            blobs.awaitedCounts[want.lane.blobIndex] += 1
        }
        blobs.counts[blob.lane] -= 1
        blobs.counts[want.lane.blobIndex] += 1
        // Nothing else of it: whoever lists a blob that is another's may say anything about it.
        blob.want = blob.want.moved(to: want.lane)
        blobs.table[want.name] = blob
        blobs.lists[blob.lane].append(want.name)
        blobs.pass.lookAtAll()
        if blob.fetcher == nil { queue(want.name) }
    }

    /// Forgets a blob that is wanted no more.
    mutating func drop(_ name: BlobName) {
        guard let blob = blobs.table[name] else { return }
        if let fetcher = blob.fetcher { release(name, from: fetcher) }
        if blob.isAwaited { blobs.awaitedCounts[blob.lane] -= 1 }
        if !blob.sources.isEmpty { blobs.sourcedCount -= 1 }
        blobs.counts[blob.lane] -= 1
        blobs.table[name] = nil
        blobs.pass.lookAtLanes()
    }

    mutating func resumeBlobs() {
        (blobs.isPaused, blobs.pausedUntil) = (false, now)
        takeUpPutOff()
        blobs.pass.lookAtAll()
    }

    // MARK: - More than is kept in mind

    /// Lets go of what came first while too much is wanted: of the last lane that has more than its third, so that made-up
    /// thumbnails keep nobody from originals.
    private mutating func letGoOfRest() {
        while blobs.table.count > limits.wantedBlobs, let name = takeLeastWanted() {
            drop(name)
            if !blobs.overflow.isAnything { blobs.overflow.due = now + limits.digestInterval }
            (blobs.overflow.isAnything, blobs.overflow.isRecent) = (true, true)
        }
    }

    private mutating func takeLeastWanted() -> BlobName? {
        for lane in blobs.lists.indices.reversed() where blobs.counts[lane] > limits.wantedBlobs / 3 {
            while blobs.overflow.firsts[lane] < blobs.lists[lane].count {
                let name = blobs.lists[lane][blobs.overflow.firsts[lane]]
                blobs.overflow.firsts[lane] += 1
                if let blob = blobs.table[name], blob.lane == lane, blob.fetcher == nil { return name }
            }
        }
        return nil
    }

    /// Has the shell look for what was let go of, once there is room for much of it; and from time to time in any case, as
    /// nobody may have what is kept.
    mutating func findBlobs() {
        guard blobs.overflow.isAnything, now >= blobs.overflow.due || hasRoomForBlobs, now >= blobs.overflow.earliest
        else { return }
        blobs.overflow.due = now + limits.digestInterval
        blobs.overflow.earliest = now + limits.requestTimeout
        actions.append(.findBlobs(after: blobs.overflow.place, limit: limits.wantedBlobs / 2))
    }

    var hasRoomForBlobs: Bool { blobs.table.count <= limits.wantedBlobs / 2 }

    /// Takes some of what the shell found, and where it goes on; nil: it has looked through everything.
    mutating func takeFound(_ wants: [BlobWant], next: Int64?) {
        blobs.overflow.place = next ?? 0
        // Nothing is missing in the table if nothing was let go of since the looking began.
        if next == nil { (blobs.overflow.isAnything, blobs.overflow.isRecent) = (blobs.overflow.isRecent, false) }
        blobs.overflow.earliest = now
        want(wants)
    }
}
