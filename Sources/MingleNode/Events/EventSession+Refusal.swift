// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleSync
import Synchronization

/// Whether others let this node in, and what to do where they do not.
extension EventSession {
    /// Whether the event can be read and no connected member knows its title: its founder has begun anew and has not
    /// named it since.
    func isNameless() throws -> Bool {
        try roster.hasInSyncReader && replica.hasKey() && replica.title() == nil
    }

    /// Whether this person founded the event and has to name it again, as it began anew.
    func waitsForName() throws -> Bool {
        guard try replica.title() == nil, try replica.hasKey(), try ownLevel() == .founder else { return false }
        return try !roster.hasReader || isNameless()
    }

    /// Why the last peer that refused this node did so; nil once another person's node has let this node in.
    var refusalReason: String? { refusal.withLock { $0?.reason } }

    /// Why peers refuse this node; nil while it is connected to another member that lets it in.
    var shutOut: String? { refusalNow?.reason }

    /// What a peer says of a host's decision to decline this person, without a proof; nil while no peer says so.
    var declination: String? { refusalNow.flatMap { $0.cause == .declined ? $0.reason : nil } }

    /// Whether another member that is linked has let this node in.
    var isLetIn: Bool { roster.isLetIn(byOthersThan: replica.own.person) }

    private var refusalNow: Goodbye? {
        isLetIn ? nil : refusal.withLock { $0 }
    }

    /// The same, also where this device knows by itself that its person retired it.
    var reasonToStayOut: String? { shutOut ?? (isKnownToBeRetired ? Goodbye.retirement : nil) }

    private var isKnownToBeRetired: Bool { (try? replica.isRetired(replica.own.name)) == true }

    /// What to do about that.
    var wayBackIn: String {
        if isRelay {
            return
                "Ask a host for a relay's link (mingle invite --level relay), and restart the relay with it. If a host let the "
                + "relay in before, leave the event first: mingle event leave \(event) --now"
        }
        if refusalNow?.cause == .retired || isKnownToBeRetired {
            return
                "No host can change that. To take part on this device again, leave the event here (mingle event leave \(event) "
                + "--now), and join by a link from another device of yours: mingle devices link"
        }
        return
            "Ask a host to let you in again. If no host does, leave the event (mingle event leave \(event) --now), and join by "
            + "a link as a new person."
    }
}
