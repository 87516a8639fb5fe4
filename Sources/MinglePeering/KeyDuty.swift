// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
import MingleWire

/// Something that a device does about an audience's keys, unless another does it first.
package struct KeyDuty: Sendable {
    /// What is to be done.
    package let need: KeyNeed
    /// How long this device waits whether another one does it: mostly not as long as others, and hosts before others; not at all
    /// where another device of the same person waits for a key, and a minute where a key may still be on its way.
    package let pause: Duration

    /// The duty of a person's device; who leads an audience comes first: hosts in the event, elsewhere the owner.
    init(_ need: KeyNeed, of device: DeviceName, leads: Bool) {
        self.need = need
        switch need {
        case .renewal(_, let cause):
            // Twenty seconds are long enough for the first one's key to reach everybody on the network.
            pause = leads ? .zero : .seconds(2) + .milliseconds(device.draw(cause, below: 18_000))
        case .beginning: pause = .seconds(60)
        case .handing(_, _, isForOwn: true), .reporting: pause = .zero
        case .handing(_, let cause, _):
            let turn = device.draw(cause, below: leads ? 4 : 32) + (leads ? 0 : 4)
            pause = .milliseconds(500) * turn
        }
    }
}

extension DeviceName {
    /// A number that every device draws for itself, the same whenever it is asked.
    func draw(_ cause: UInt64, below limit: UInt64) -> Int {
        var bytes = bytes
        cause.appendBigEndian(to: &bytes)
        return Int(Blake2b.hash(.turn, bytes).prefix % limit)
    }
}

extension Replica {
    /// What this device does next about the keys; nil if nothing is to be done.
    package func keyDuty(at now: Timestamp) throws -> KeyDuty? {
        guard let need = try keyNeed(at: now), let level = try level(of: own.person) else { return nil }
        // Moderators see to each other's keys, as who reported something may be gone for long.
        let leads =
            need.audience == .event
            ? level >= .host : need.audience.hasOwnKeys || need.audience.founders.contains(own.person)
        return KeyDuty(need, of: own.name, leads: leads)
    }

    /// Does it, if it is still to be done; nil if another did.
    package func fulfil(_ duty: KeyDuty, at now: Timestamp, randomness: Randomness) throws -> Authored? {
        let audience = duty.need.audience
        // Else something else is to be done by now, and has a turn of its own: whoever does what is due looks again.
        guard let need = try keyNeed(at: now), need.audience == audience else { return nil }
        return switch (duty.need, need) {
        case (.renewal, .renewal), (.beginning, .beginning):
            try author([.renew(audience)], at: now, randomness: randomness)
        case (.reporting, .reporting(let author)):
            try self.author([.fabric(.wrongSlots(by: author))], at: now, randomness: randomness)
        case (.handing, .handing): try handOnKeys(of: audience, at: now, randomness: randomness)
        default: nil
        }
    }
}
