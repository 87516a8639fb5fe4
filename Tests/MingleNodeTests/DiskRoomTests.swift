// SPDX-License-Identifier: Apache-2.0

import Glibc
import MingleCrypto
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

struct DiskRoomTests {
    private static let (none, little, plenty) = (1 << 10, 9 << 20, 1 << 30)

    @Test func `fetching stops below the reserve and goes on above it, each told once`() {
        var room = DiskRoom()
        #expect(room.look(freeBytes: Self.plenty, at: .zero) == nil)
        #expect(room.look(freeBytes: Self.little, at: .seconds(1)) == .becameFull)
        #expect(room.look(freeBytes: Self.little, at: .seconds(2)) == nil)
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(3)) == .hasRoom(isFull: false))
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(4)) == nil)
    }

    @Test func `below half of the reserve nothing of others is taken in, so that one's own words find the rest`() {
        var room = DiskRoom()
        #expect(room.look(freeBytes: Self.little, at: .zero) == .becameFull && room.waitsSince == nil)
        #expect(room.look(freeBytes: (8 << 20) - 1, at: .seconds(1)) == .ranOut && room.waitsSince == .seconds(1))
        #expect(room.look(freeBytes: Self.none, at: .seconds(2)) == nil)
        #expect(room.look(freeBytes: Self.little, at: .seconds(3)) == nil)
        #expect(room.look(freeBytes: Self.little, at: .seconds(4)) == .hasRoom(isFull: true))
        // Straight from plenty, and each time it is waited for longer.
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(5)) == .hasRoom(isFull: false))
        #expect(room.look(freeBytes: Self.none, at: .seconds(6)) == .ranOut && room.isFull)
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(11)) == nil)
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(12)) == .hasRoom(isFull: false))
    }

    @Test func `after a write that failed, words wait for eight megabytes and photos for sixteen`() {
        var room = DiskRoom()
        let news = [room.fail(at: .zero), room.fail(at: .seconds(1))]
        #expect(news == [true, false])
        #expect(room.waitsSince == .zero && room.isFull)
        #expect(room.look(freeBytes: Self.none, at: .seconds(10)) == nil)
        #expect(room.look(freeBytes: Self.little, at: .seconds(11)) == .hasRoom(isFull: true))
        #expect(room.waitsSince == nil && room.isFull)
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(12)) == .hasRoom(isFull: false))
    }

    @Test func `a disk that is full in a way of its own is tried ever less often, and once in a minute at last`() {
        var room = DiskRoom()
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<7 {
            let begin = now
            let isNews = room.fail(at: now)
            #expect(isNews)
            while room.look(freeBytes: Self.plenty, at: now) == nil { now += .seconds(1) }
            pauses.append(now - begin)
            now += .seconds(1)
        }
        #expect(pauses == [3, 6, 12, 24, 48, 60, 60].map { .seconds($0) })
        // Once it has worked for long enough, it is trusted again.
        now += .seconds(180)
        _ = room.fail(at: now)
        #expect(room.look(freeBytes: Self.plenty, at: now + .seconds(3)) == .hasRoom(isFull: false))
    }

    @Test func `a blob that cannot be written says nothing of words, nor of other blobs where the fault is its own`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            _ = try await node.createEvent(title: "Party")
            let session = try node.session(nil)
            let name = BlobName(root: .zero, size: 1, person: PersonID(.zero))
            #expect(session.outcome(of: BlobStoreError.noRoom(for: name)) == .putOff)
            #expect(session.outcome(of: BlobStoreError.system(operation: "read", path: folder, code: EIO)) == .putOff)
            #expect(session.outcome(of: BlobStoreError.noSpace(path: folder)) == .notWritten)
            session.pauseIfFull(BlobStoreError.noSpace(path: folder))
            #expect(session.room.withLock { $0.waitsSince == nil && !$0.isFull })
            session.pauseIfFull(ReplicaError.noSpace(path: folder))
            #expect(session.room.withLock { $0.waitsSince != nil && $0.isFull })
        }
    }

    /// Found by the simulator, seed 10 with `--peers 6`: a key was to be handed on while the disk was full, and nobody looked again.
    @Test func `what was due while the disk was full is looked at again when there is room`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in
                _ = try await node.createEvent(title: "Party")
                let session = try node.session(nil)
                for flag in [session.keeping, session.moderating] { _ = flag.exchange(false) }
                // So long ago that it is tried again at once.
                _ = session.room.withLock { $0.fail(at: session.clock.uptime() - .seconds(120)) }
                session.checkDisk()
                #expect(session.keeping.isSet && session.moderating.isSet)
            }
        }
    }
}
