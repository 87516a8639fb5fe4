// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Synchronization

/// The true time of a world, for whoever has to tell it by itself.
final class VirtualTime: Sendable {
    private let elapsed = Mutex(Duration.zero)

    /// What has passed since the event was founded.
    var now: Duration {
        get { elapsed.withLock { $0 } }
        set { elapsed.withLock { $0 = newValue } }
    }
}

/// The clock of one device, which may be wrong.
final class SimulatedClock: Sendable {
    /// What a clock that is right says when the event is founded, in milliseconds since 1970.
    private static let founding: Int64 = 1_781_971_200_000

    private struct Setting {
        var offset = 0
        var step: Int64 = 1
    }

    private let setting = Mutex(Setting())
    private let time: VirtualTime

    /// A clock that is right.
    init(_ time: VirtualTime) { self.time = time }

    /// What it is ahead of the true time, in milliseconds.
    var offset: Int {
        get { setting.withLock { $0.offset } }
        set { setting.withLock { $0.offset = newValue } }
    }

    /// The milliseconds in which it goes on; where they are many, things that differ have the same time.
    var step: Int64 {
        get { setting.withLock { $0.step } }
        set { setting.withLock { $0.step = newValue } }
    }

    /// What it says now.
    func read() -> Timestamp { read(at: time.now) }

    /// What it says at a true time.
    func read(at now: Duration) -> Timestamp {
        let (offset, step) = setting.withLock { ($0.offset, $0.step) }
        let time = Self.founding + Int64(now / .milliseconds(1)) + Int64(offset)
        return Timestamp(milliseconds: time - time % step)
    }
}
