// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica

/// Something that a device does about the event's keys, unless another does it first.
package struct KeyDuty: Sendable {
    /// What is to be done.
    package let need: KeyNeed
    /// How long this device waits whether another one does it: mostly not as long as others, and hosts before others.
    package let pause: Duration

    /// The duty of a device of a person at `level`.
    init(_ need: KeyNeed, of device: DeviceName, level: Level) {
        self.need = need
        let isHost = level >= .host
        switch need {
        case .renewal(let cause):
            // Twenty seconds are long enough for the first one's key to reach everybody on the network.
            pause = isHost ? .zero : .seconds(2) + .milliseconds(Self.draw(device, cause, below: 18_000))
        case .handing(let cause):
            let turn = Self.draw(device, cause, below: isHost ? 4 : 32) + (isHost ? 0 : 4)
            pause = .milliseconds(500) * turn
        }
    }

    /// A number that every device draws for itself, the same whenever it is asked.
    private static func draw(_ device: DeviceName, _ cause: UInt64, below limit: UInt64) -> Int {
        var bytes = device.bytes
        cause.appendBigEndian(to: &bytes)
        return Int(Blake2b.hash(.turn, bytes).prefix % limit)
    }
}

extension Replica {
    /// What this device does next about the keys; nil if nothing is to be done.
    package func keyDuty(at now: Timestamp) throws -> KeyDuty? {
        guard let need = try keyNeed(at: now), let level = try level(of: own.person) else { return nil }
        return KeyDuty(need, of: own.name, level: level)
    }

    /// Does it, if it is still to be done; nil if another did.
    package func fulfil(_ duty: KeyDuty, at now: Timestamp, randomness: Randomness) throws -> Authored? {
        switch (duty.need, try keyNeed(at: now)) {
        case (.renewal, .renewal): try author([.renewKey], at: now, randomness: randomness)
        case (.handing, .handing): try handOnKeys(at: now, randomness: randomness)
        // Something else is to be done by now, and has a turn of its own.
        default: nil
        }
    }
}
