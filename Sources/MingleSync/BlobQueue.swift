// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// The blobs that are wanted, by lane, and what is known of where they are.
struct BlobQueue: Sendable {
    /// Lanes that blobs take, in the order in which they are fetched.
    static let lanes: [Lane] = [.thumbnails, .previews, .originals]

    /// One wanted blob.
    struct Blob: Sendable {
        var want: BlobWant
        /// Chunks that need not be asked for: held, asked for, or being written.
        var taken: ChunkBits
        /// Chunks that are held.
        var held: ChunkBits
        /// Who holds some of it.
        var sources: [Source] = []
        /// Who is asked for it now.
        var fetcher: PeerID?
        /// Chunks that the fetcher was asked for and has not sent.
        var onWire: [UInt32] = []
        /// Until when it is left alone, as it could not be written, and how often that was so.
        var putOffUntil: Duration?
        var putOffs = 0
        /// Whether some relay has let go of it for good.
        var isEvicted = false

        /// Which list of the queue it stands in.
        var lane: Int { want.lane.blobIndex }
        /// Whether it is worth keeping later lanes waiting for.
        var isAwaited: Bool { putOffUntil == nil && sources.contains(where: \.isPrompt) }
    }

    /// One peer's word that it holds some of a blob.
    struct Source: Sendable {
        let peer: PeerID
        let root: Bytes32
        let person: PersonID
        /// Chunks that it holds; nil: all.
        let chunks: ChunkBits?
        /// Whether it had not stalled lately when it said so.
        let isPrompt: Bool
    }

    var table = OrderedTable<BlobName, Blob>()
    /// The names of each lane in the order in which they were wanted, with some that are wanted no more; the last go first.
    var lists: [[BlobName]] = [[], [], []]
    /// How many blobs of each lane are in the table.
    var counts = [0, 0, 0]
    /// How many blobs of each lane are awaited.
    var awaitedCounts = [0, 0, 0]
    /// How many blobs somebody holds some of.
    var sourcedCount = 0
    /// The last lane of which the last pass asked for blobs.
    var openLane = 0
    /// Whether the disk is full.
    var isPaused = false
    /// When blobs are fetched again after one could not be written.
    var pausedUntil = Duration.zero
    /// Blobs that are left alone, with some that are wanted no more, and when the first of them is not any more.
    var putOff: [BlobName] = []
    var putOffEnd: Duration?
    /// What the next pass over the peers is to look at.
    var pass = BlobPass()
    /// When the last pass over all of them was: a pause that ends later calls for another.
    var lookedAt = Duration.zero
    /// Blobs that have come to be held and that peers are yet to be told of.
    var announcements: [BlobName] = []
    /// Blobs of which the shell wants to know who else holds them.
    var watched: [BlobName] = []
    /// What is wanted besides.
    var overflow = BlobOverflow()
}

/// Wanted blobs that were let go of, as there were too many to keep in mind.
struct BlobOverflow: Sendable {
    /// Whether there may be any.
    var isAnything = false
    /// Whether one was let go of since the records were looked through from the beginning.
    var isRecent = false
    /// Where the records are looked through next.
    var place: Int64 = 0
    /// When they are, whether there is room or not, and when at the earliest.
    var due = Duration.zero
    var earliest = Duration.zero
    /// The places in each lane's list before which there is nothing to let go of.
    var firsts = [0, 0, 0]
}

/// What a peer is asked for and offers of blobs; part of ``Peer``.
struct BlobSource: Sendable {
    /// The places of each lane's list that it was asked about.
    var asked = [AskedPlaces(), AskedPlaces(), AskedPlaces()]
    /// How many of the watched blobs it was asked about.
    var watchedCount = 0
    /// Names of the question that it has yet to answer, and their lanes.
    var question: Set<BlobName> = []
    var questionLanes: [Int] = []
    var questionSince = Duration.zero
    /// Whether it reads too slowly to be asked about more.
    var isHeldUp = false
    /// Blobs of each lane that it holds and that may be fetched from it.
    var queues: [UniqueQueue<BlobName>] = [UniqueQueue(), UniqueQueue(), UniqueQueue()]
    /// Blobs that are being fetched from it.
    var fetching: [BlobName] = []
    /// Those of them that have chunks left to ask for.
    var active: [BlobName] = []
    /// Chunks that it was asked for and has not sent.
    var wireCount = 0
    /// Chunks that it was asked for and that are not written, and their bytes.
    var chunkCount = 0
    var byteCount = 0
    /// Chunks that it sent and that the shell is writing.
    var writing: [Writing] = []
    /// When something last came, or a chunk was first asked for.
    var since = Duration.zero
    /// Whether it has ever said what it holds: until it has, nobody waits for it.
    var hasAnswered = false
    /// How often it has stalled, and when last.
    var stalls = 0
    var stalledAt: Duration?
    /// When it may be asked for blobs again after a stall.
    var pausedUntil = Duration.zero
    /// Chunks that it sent unasked.
    var strays = 0

    /// Whether it was asked for something that it has not sent.
    var owesAnything: Bool { wireCount > 0 || !question.isEmpty }

    /// Whether nobody has to fear that it keeps everything else waiting.
    func isPrompt(at now: Duration, _ limits: SyncLimits) -> Bool {
        stalledAt.map { now - $0 >= limits.stallMemory } ?? true
    }

    /// Whether it is being asked which of a lane's blobs it holds, or was not asked about all of them.
    func mayName(more count: Int, on lane: Int) -> Bool {
        (!question.isEmpty && questionLanes.contains(lane)) || asked[lane].latestGap(before: count, most: 1) != nil
    }

    /// Whether it owes an answer to a question that is older than that.
    func hasBeenAsked(before time: Duration) -> Bool { !question.isEmpty && questionSince <= time }

    /// How many blobs wait to be fetched from it.
    var waitingCount: Int { queues.reduce(0) { $0 + $1.count } }

    /// One chunk that the shell is writing.
    struct Writing: Sendable {
        let name: BlobName
        let index: UInt32
        let length: Int
    }
}

extension Lane {
    /// The lane's place among those that blobs take.
    var blobIndex: Int { Int(rawValue) - Int(Lane.thumbnails.rawValue) }
}

/// Which chunks of one blob: a bitmap, the first chunk in the lowest bit of the first byte.
struct ChunkBits: Sendable, Equatable {
    let capacity: Int
    private(set) var bytes: [UInt8]
    private(set) var count = 0

    /// No chunk of `capacity`.
    init(capacity: Int) {
        self.capacity = capacity
        bytes = [UInt8](repeating: 0, count: (capacity + 7) / 8)
    }

    /// Reads a bitmap; bits beyond the capacity are ignored, missing bytes are zero.
    init(capacity: Int, bytes other: some Sequence<UInt8>) {
        self.init(capacity: capacity)
        for (place, byte) in other.prefix(bytes.count).enumerated() {
            for bit in 0..<8 where byte & (1 << bit) != 0 { insert(place * 8 + bit) }
        }
    }

    func contains(_ index: Int) -> Bool { index < capacity && bytes[index / 8] & (1 << (index % 8)) != 0 }

    mutating func insert(_ index: Int) {
        guard index < capacity, !contains(index) else { return }
        bytes[index / 8] |= 1 << (index % 8)
        count += 1
    }

    mutating func remove(_ index: Int) {
        guard contains(index) else { return }
        bytes[index / 8] &= ~(1 << (index % 8))
        count -= 1
    }

    /// The lowest index, not below `start`, that is not here but is in `other`, or anywhere if that is nil.
    func firstGap(from start: Int, in other: ChunkBits?) -> Int? {
        var index = start
        while index < capacity {
            if index % 8 == 0, bytes[index / 8] == 0xff {
                index += 8
            } else if !contains(index), other?.contains(index) ?? true {
                return index
            } else {
                index += 1
            }
        }
        return nil
    }
}
