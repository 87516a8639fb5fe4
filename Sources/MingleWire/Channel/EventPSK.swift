// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel

/// An event and the psk that its members hold, ready for handshakes.
package struct EventPSK: Sendable {
    /// The event.
    package let event: EventID
    let preshared: PresharedState

    /// Prepares a psk of 32 bytes.
    package init(event: EventID, psk: Secret) {
        self.event = event
        preshared = PresharedState(psk: psk)
    }
}
