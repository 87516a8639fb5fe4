// SPDX-License-Identifier: Apache-2.0

/// Whether there is room on the disk, as a session learns it: from the bytes that are free, and from writes that fail
/// though some are, as under a quota.
struct DiskRoom: Sendable {
    /// What changes when the session looks.
    enum Change: Equatable, Sendable {
        /// Too little is left for blobs of others.
        case becameFull
        /// Too little is left for their words as well.
        case ranOut
        /// What waited may go on; `isFull` says whether only for words.
        case hasRoom(isFull: Bool)
    }

    /// Free bytes below which no blob is fetched, so that words still find room.
    static let reserve = 16 << 20
    /// Free bytes below which nothing of others is merged, so that people's own words still find room.
    static let wordRoom = 8 << 20
    /// How long nothing is merged after that, or after a write that failed: the first time and at most.
    private static let patience = Duration.seconds(3)...Duration.seconds(60)

    /// Whether no blob is fetched.
    private(set) var isFull = false
    /// Since when nothing is merged either, if so.
    private(set) var waitsSince: Duration?
    private var patience = Self.patience.lowerBound
    private var wentOnAt: Duration?

    /// Begins with a disk that has room.
    init() {}

    /// Takes that a write found no room, and returns whether that is news to people.
    mutating func fail(at now: Duration) -> Bool {
        if waitsSince == nil {
            waitsSince = now
            // Where going on has helped for a moment only, it is tried ever less often.
            let hasHelped = wentOnAt.map { now - $0 > patience * 2 } ?? true
            patience = hasHelped ? Self.patience.lowerBound : min(patience * 2, Self.patience.upperBound)
        }
        defer { isFull = true }
        return !isFull
    }

    /// Takes how many bytes are free.
    mutating func look(freeBytes: Int, at now: Duration) -> Change? {
        let lacksRoom = freeBytes < Self.reserve
        if let since = waitsSince {
            guard freeBytes >= Self.wordRoom, now - since >= patience else { return nil }
            (waitsSince, wentOnAt, isFull) = (nil, now, lacksRoom)
            return .hasRoom(isFull: lacksRoom)
        }
        if freeBytes < Self.wordRoom {
            _ = fail(at: now)
            return .ranOut
        }
        guard lacksRoom != isFull else { return nil }
        isFull = lacksRoom
        return lacksRoom ? .becameFull : .hasRoom(isFull: false)
    }
}
