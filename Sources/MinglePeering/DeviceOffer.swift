// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleSync

/// A device link, as the device that made it keeps it: in memory alone, for ten minutes, for one further device.
///
/// It is a value without a clock; times are those of any clock that never goes back.
package struct DeviceOffer: Sendable {
    /// What a request comes to, as far as the link goes.
    package enum Outcome: Hashable, Sendable {
        /// Whoever asks knows the link.
        case proved
        /// Whoever asks does not, or comes too late; the reason is for people.
        case refused(String)
    }

    /// How long a link is good.
    package static let lifetime = Duration.seconds(600)
    /// Devices that a person may have, retired ones included, before no further one is linked.
    package static let devices = 16

    /// What who asks has to know.
    package let seed: Secret
    /// When it ends.
    package let end: Duration
    /// The device that came by it.
    package private(set) var used: DeviceName?

    /// Begins with a seed that was drawn for it.
    package init(seed: Secret, at now: Duration) {
        (self.seed, end) = (seed, now + Self.lifetime)
    }

    /// What the link is called, which says nothing of the seed.
    package var id: String {
        var hash = Blake2b(.linking, key: seed)
        hash.update(Array("id".utf8))
        return Base32.encode(hash.finalize().prefix(10))
    }

    /// Whether a device may come by it.
    package func isOpen(at now: Duration) -> Bool { used == nil && now < end }

    /// Looks at a request for `device`, which came in a session.
    ///
    /// Who was certified by the link may ask again, as the answer may have been lost. Whoever guesses is not counted: the seed has 256
    /// bits, a look costs less than the handshake before it, and a limit would keep out the right device.
    package func look(at request: DeviceRequest, for device: DeviceName, in session: Session, at now: Duration)
        -> Outcome
    {
        guard now < end else { return .refused("the link has expired: make another one (mingle devices link)") }
        let expected = DeviceRequest.proof(of: seed, for: device, in: session, isInitiator: !session.isInitiator)
        guard request.proof == expected else {
            return .refused("that is not the link that this device shows now: use the newest one")
        }
        guard used == nil || used == device else {
            return .refused(
                "another device used the link, or this one did in an earlier try: make another one (mingle devices link)"
            )
        }
        return .proved
    }

    /// Notes which device came by it: no other one may.
    package mutating func use(for device: DeviceName) { used = device }
}

extension DeviceRequest {
    /// What shows that somebody at one end of a session knows a device link's seed, for one device.
    ///
    /// The session is new each time, so it says nothing in another one; the device's name has event, person and keys in it.
    package static func proof(
        of seed: Secret,
        for device: DeviceName,
        in session: Session,
        isInitiator: Bool
    ) -> Bytes32 {
        var hash = Blake2b(.linking, key: seed)
        hash.update(session.handshakeHash)
        hash.update([isInitiator ? 1 : 0])
        hash.update(device.raw)
        return hash.finalize32()
    }
}
