// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

extension SimulatedNode {
    /// Whether it lets phones take part.
    var isDoor: Bool { secrets.isDoor }

    /// What a door decides about its guests, by the code that is shipped.
    var access: GuestAccess { GuestAccess(opened, ownSecrets, terms) }

    /// The devices that write here: its own, and those of a door's guests.
    var devicesHere: [DeviceName] { [opened.own.name] + guests.values.compactMap(\.deviceName).sorted() }

    /// Whether peers refuse it, and none that it is linked with lets it in: what its guests say would go nowhere.
    var isShutOut: Bool { refusals.values.contains(.there) && !greeted.values.contains { $0.person != nil } }

    /// Keeps a guest, as a file that is on the disk before anything is written with its keys.
    func keep(_ guest: StoredGuest, of browser: Browser) {
        guests[browser.name] = guest
        opened.note(devicesHere: [guest.deviceName].compactMap(\.self))
    }

    /// Forgets all that is kept of a person, on whichever browser.
    func forget(guest person: PersonID) { guests = guests.filter { $0.value.personID != person } }
}
