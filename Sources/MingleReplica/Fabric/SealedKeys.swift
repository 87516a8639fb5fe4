// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// That every key of the event at hand was sealed to everybody when that was looked at last, and who may lack one since.
///
/// It is looked at each time that somebody comes, and most often nobody lacks anything: of a thousand devices only those are looked at
/// again of whose persons something changed.
struct SealedKeys {
    /// Who may lack a key.
    enum Suspects {
        /// Anybody.
        case anybody
        /// Devices of these persons, by row, and whoever comes by an invitation if one came or counts otherwise.
        case some(persons: Set<Int64>, invitations: Bool)

        /// The persons; nil: all.
        var persons: Set<Int64>? {
            if case .some(let persons, _) = self { persons } else { nil }
        }

        /// Whether invitations have to be looked at.
        var includeInvitations: Bool {
            if case .some(_, let invitations) = self { invitations } else { true }
        }
    }

    /// The epochs whose keys everybody had, by row, and when: an invitation that has ended by then is open again where the clock is set back.
    private var settled: (epochs: [Int64], time: Timestamp)?
    private var persons: Set<Int64> = []
    private var haveInvitationsChanged = false

    /// Who may lack a key of these epochs.
    func suspects(lacking epochs: [Int64], at now: Timestamp) -> Suspects {
        guard let settled, settled.epochs == epochs, settled.time <= now else { return .anybody }
        return .some(persons: persons, invitations: haveInvitationsChanged)
    }

    /// Notes that nobody lacks a key of these epochs.
    mutating func settle(_ epochs: [Int64], at now: Timestamp) {
        self = SealedKeys()
        settled = (epochs, now)
    }

    /// Notes that a person's level or devices changed, or what is known of them.
    mutating func note(_ person: Int64) {
        if settled != nil { persons.insert(person) }
    }

    /// Notes that other invitations than before may be open.
    mutating func noteInvitations() { haveInvitationsChanged = true }

    /// Notes that anything may have changed.
    mutating func forget() { self = SealedKeys() }
}
