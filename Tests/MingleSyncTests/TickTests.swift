// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import Testing

/// When the engine says that it need not be told the time.
struct TickTests {
    /// Lets seconds pass, and notes those in which a tick asks for something; `isLazy` leaves out those that need not be.
    private static func seconds(_ count: Int, of engine: LoneEngine, isLazy: Bool) -> [Int] {
        var engine = engine
        var (active, next) = ([Int](), Duration.zero)
        for second in 1...count {
            engine.now += .seconds(1)
            guard !isLazy || engine.now >= next else { continue }
            if !engine.tell(.tick).isEmpty { active.append(second) }
            next = engine.engine.nextTick(after: engine.now)
        }
        return active
    }

    @Test func `an engine that waits for nothing misses nothing if it ticks only when it says`() {
        var engine = LoneEngine()
        engine.admit(1, isInitiator: true)
        engine.now += .milliseconds(7300)
        engine.admit(2)
        engine.now += .milliseconds(5600)
        // One that never greets has to be given up in time.
        engine.connect(PeerID(3))
        let all = Self.seconds(200, of: engine, isLazy: false)
        #expect(all.count >= 4 && Self.seconds(200, of: engine, isLazy: true) == all)
    }

    @Test func `with nobody who has what is wanted a minute may pass`() {
        var engine = LoneEngine()
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(60))
        let blob = TestBlob(7, size: 10, chunkLength: 10, lane: .thumbnails)
        engine.tell(.blobsWanted([blob.want()]))
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(60))
        let peer = engine.admit(1)
        // Who is waited for is looked after every second.
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(1))
        engine.hear(TestBlob.states([blob]) { $0.size = 0 }, from: peer)
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(60))
    }

    @Test func `who stalled is asked again as early by an engine that ticks only when it says`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let blob = TestBlob(7, size: 10, chunkLength: 10, lane: .thumbnails)
        engine.tell(.blobsWanted([blob.want()]))
        engine.hear(TestBlob.states([blob]), from: peer)
        let all = Self.seconds(200, of: engine, isLazy: false)
        #expect(all.prefix(2) == [10, 40] && Self.seconds(200, of: engine, isLazy: true) == all)
    }
}
