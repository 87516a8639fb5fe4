// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleReplica

/// Which end of a link did not let the other in.
package enum Refusal: Hashable, Sendable {
    /// This node, whoever proved to be there; nil: nobody proved to be anybody.
    case here(PersonID?)
    /// Whoever is there.
    case there
}

/// For whom doors may open or close, as it changed who takes part in an event.
package enum DoorNews: Hashable, Sendable {
    /// For anybody: this node's own person is somebody else now, or there is another invitation.
    case anybody
    /// For some persons.
    case some(Set<PersonID>)

    /// What a write changed for this device and others; nil: nothing.
    package init?(of outcome: MergeOutcome, at own: OwnDevice) {
        if outcome.hasNewInvitation || outcome.changedStandings.contains(own.person) {
            self = .anybody
        } else if !outcome.changedStandings.isEmpty {
            self = .some(outcome.changedStandings)
        } else {
            return nil
        }
    }

    /// Whether a refusal may be none any more.
    ///
    /// What only the other end learns is not known here: it dials as soon as it knows, if it can.
    package func concern(_ refusal: Refusal) -> Bool {
        switch refusal {
        case .here(let person): concern(person)
        case .there: self == .anybody
        }
    }

    /// Whether it may be judged otherwise than before who came as somebody; nil: as nobody who could prove it.
    package func concern(_ person: PersonID?) -> Bool {
        switch self {
        case .anybody: true
        case .some(let persons): person.map(persons.contains) ?? false
        }
    }
}
