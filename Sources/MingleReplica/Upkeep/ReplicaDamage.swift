// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Something in a replica's file that is not as it was written, or not as it follows from the rest.
package struct ReplicaDamage: Hashable, Sendable {
    /// What is concerned.
    package enum Place: Hashable, Sendable {
        /// The file as SQLite keeps it.
        case database
        /// A journal from a header on.
        case journal(DeviceName, Journal, from: UInt32)
        /// Whose a device is, and its keys.
        case device(DeviceName)
        /// The key of an epoch.
        case key(EpochID)
        /// What is worked out from the journals.
        case derived
    }

    /// What is concerned.
    package let place: Place
    /// What is wrong with it, for people.
    package let detail: String

    /// Notes a damage.
    package init(_ place: Place, _ detail: String) { (self.place, self.detail) = (place, detail) }
}

/// What a look at a whole replica found.
package struct ReplicaInspection: Sendable {
    /// What is wrong; at most 100 of each place are listed.
    package internal(set) var damages: [ReplicaDamage] = []
    /// Headers that were hashed.
    package internal(set) var headers = 0
    /// Signatures that were checked.
    package internal(set) var signatures = 0

    /// Whether nothing is wrong.
    package var isSound: Bool { damages.isEmpty }
}
