// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleReplica

/// A link by which a node of a guest's own becomes a device of the guest: it holds the guest's keys while it is good.
struct GuestOffer: Sendable {
    var offer: DeviceOffer
    var secrets: Secrets
    /// The replica as the guest's device here faces it.
    let replica: Replica
}
