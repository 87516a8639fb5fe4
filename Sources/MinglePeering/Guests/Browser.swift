// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
import MingleModel

/// The secret that one browser keeps, and nobody else has.
///
/// By it a door finds what it keeps of a guest, and opens the guest's keys. It is drawn when somebody scans the code.
/// Nothing is kept of a person who only looks.
package struct Browser: Sendable {
    private static let length = 32

    /// What is in the cookie, and on no disk of the door.
    package let secret: Secret

    /// Draws the secret of a browser that has none.
    package init(_ randomness: Randomness) { secret = randomness.secret(Self.length) }

    /// Reads what a browser keeps; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let bytes = Base32.decode(text), bytes.count == Self.length else { return nil }
        secret = Secret(bytes)
    }

    /// What the browser keeps.
    package var text: String { Base32.encode(secret.exposed()) }

    /// What the guest's file is called: it tells nothing of the secret.
    package var name: String { Base32.encode(derived("name")) }

    /// What seals the guest's keys.
    var key: Secret { Secret(derived("keys")) }

    private func derived(_ use: String) -> [UInt8] {
        var hash = Blake2b(.browser, key: secret)
        hash.update(Array(use.utf8))
        return hash.finalize()
    }
}
