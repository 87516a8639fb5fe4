// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

extension Node {
    /// Makes a new invitation; only the founder can.
    package func invite(expires: Int?, uses: Int?, in event: String?) throws -> API.Invitation {
        let session = try session(event)
        guard try session.ownPerson().level == "founder" else {
            throw API.Problem(.notAllowed, "Only the event's founder makes invitations; pass on the one you came by.")
        }
        guard uses.map({ (1...100_000).contains($0) }) ?? true, expires.map({ (1...315_360_000).contains($0) }) ?? true
        else { throw API.Problem(.badRequest, "An invitation has 1 to 100 000 uses and lasts 1 second to 10 years.") }
        let seed = Randomness.system.secret()
        let now = clock.now()
        do {
            let authored = try session.replica.invite(
                InvitationKeys(seed: seed),
                expires: expires.map { Timestamp(milliseconds: now.milliseconds + Int64($0) * 1000) },
                uses: uses.map { UInt32($0) },
                at: now,
                randomness: .system
            )
            session.tell(authored.outcome, own: authored.runs)
            // Under the lock, since two writers would take each other's file away.
            try session.secrets.withLock { secrets in
                secrets.add(issued: seed)
                try secrets.write(to: session.path + "/secrets.json")
            }
        } catch {
            throw API.Problem(error)
        }
        return try show(seed, in: session)
    }

    /// The invitation that this node can show: the newest of its own that is open, or the one that it came by.
    package func invitation(event: String?) throws -> API.Invitation {
        let session = try session(event)
        let secrets = session.secrets.withLock { $0 }
        for seed in secrets.issued.reversed() + (secrets.cameBy.map { [$0] } ?? []) {
            let invitation = try show(seed, in: session)
            if isOpen(invitation) { return invitation }
        }
        throw API.Problem(.notFound, "This node has no open invitation to show. The event's founder can make one.")
    }

    private func isOpen(_ invitation: API.Invitation) -> Bool {
        let now = Date(milliseconds: clock.now().milliseconds)
        return (invitation.expires.map { $0 > now } ?? true) && (invitation.uses.map { invitation.used < $0 } ?? true)
    }

    private func show(_ seed: Secret, in session: EventSession) throws -> API.Invitation {
        let keys = InvitationKeys(seed: seed)
        let link = InvitationLink(
            event: session.event,
            psk: session.secrets.withLock { $0.psk },
            seed: seed,
            hints: LocalAddresses.hints(port: peerPort)
        )
        let known = try session.replica.invitation(keys.id)
        return API.Invitation(
            link: link.text,
            expires: known?.terms.expires.map { Date(milliseconds: $0.milliseconds) },
            uses: known?.terms.uses.map { Int($0) },
            used: known?.used ?? 0
        )
    }
}
