// SPDX-License-Identifier: Apache-2.0

import MingleReplica

extension OwnDevice {
    /// The same as a device of a door.
    var asDoor: OwnDevice {
        OwnDevice(
            person: person,
            name: name,
            signing: signing,
            agreement: agreement,
            invitation: invitation,
            isDoor: true
        )
    }
}
