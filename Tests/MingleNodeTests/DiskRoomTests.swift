// SPDX-License-Identifier: Apache-2.0

import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

struct DiskRoomTests {
    private static let (none, little, plenty) = (1 << 10, 2 << 20, 1 << 30)

    @Test func `fetching stops below the reserve and goes on above it, each told once`() {
        var room = DiskRoom()
        #expect(room.look(freeBytes: Self.plenty, at: .zero) == nil)
        #expect(room.look(freeBytes: Self.little, at: .seconds(1)) == .becameFull)
        #expect(room.look(freeBytes: Self.little, at: .seconds(2)) == nil)
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(3)) == .hasRoom(isFull: false))
        #expect(room.look(freeBytes: Self.plenty, at: .seconds(4)) == nil)
    }

    @Test func `after a write that failed, words wait for a megabyte and photos for sixteen`() {
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
