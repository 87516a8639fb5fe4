// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

extension Audience {
    /// The audience's id in an event, to which the ids of its epochs commit.
    package func id(in event: EventID) -> Bytes32 {
        if self == .event { return EpochSlots.eventAudience(event) }
        return Blake2b.hash(.audience, Array("private".utf8) + event.bytes + bytes)
    }
}
