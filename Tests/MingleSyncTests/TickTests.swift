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

    @Test func `with nobody there a minute may pass, and with something to fetch one second`() {
        var engine = LoneEngine()
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(60))
        let name = BlobName(Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span))
        engine.tell(
            .blobsWanted([BlobWant(name: name, size: 10, chunkLength: 10, root: nil, lane: .thumbnails)])
        )
        #expect(engine.engine.nextTick(after: engine.now) == .seconds(1))
    }
}
