// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel

/// What a door keeps of a guest: who it is, and the guest's keys, which only the guest's browser opens.
package struct StoredGuest: Codable, Sendable {
    /// The person, as ``PersonID/description``.
    package let person: String
    /// The guest's device here.
    package let device: String
    /// The door's own device when the guest's was made: a door that is a new device makes a new one for the guest, too.
    package let door: String
    /// Identity, signing key and agreement key, sealed; base32.
    private let keys: String
    /// What they were sealed with, once.
    private let nonce: String

    /// The person; nil where somebody changed what is kept.
    package var personID: PersonID? { PersonID(text: person) }
    /// The device; nil where somebody changed what is kept.
    package var deviceName: DeviceName? { DeviceName(text: device) }

    /// Seals a guest's keys under what the browser keeps.
    package init(
        _ keys: GuestKeys,
        _ device: DeviceName,
        of browser: Browser,
        at door: DeviceName,
        _ randomness: Randomness
    ) {
        (person, self.device, self.door) = (keys.person.description, device.description, door.description)
        let nonce = randomness.bytes(Sealing.nonceLength)
        let sealed = Sealing.seal(
            keys.bytes,
            key: browser.key,
            nonce: nonce,
            associatedData: Array((person + self.device + self.door).utf8)
        )
        (self.keys, self.nonce) = (Base32.encode(sealed), Base32.encode(nonce))
    }

    /// Opens the keys.
    ///
    /// - Throws: `CryptoError` for another browser, and where somebody changed what is kept.
    package func open(by browser: Browser) throws -> GuestKeys {
        guard let sealed = Base32.decode(keys), let nonce = Base32.decode(nonce) else { throw CryptoError.wrongLength }
        let bytes = try Sealing.open(
            sealed,
            key: browser.key,
            nonce: nonce,
            associatedData: Array((person + device + door).utf8)
        )
        guard let keys = GuestKeys(bytes: bytes), keys.person.description == person else {
            throw CryptoError.notAuthentic
        }
        return keys
    }
}
