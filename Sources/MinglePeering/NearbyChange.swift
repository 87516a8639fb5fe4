// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
import MingleWire

/// What opens an event to anyone nearby, or closes it to them.
package struct NearbyChange: Sendable {
    /// What whoever does it writes.
    package let drafts: [Draft]
    /// What the event's record is to say with that; nil: what it says already, as for hosts, since the founder alone writes it.
    package let named: Value?
}

extension NearbyOpening {
    /// How long an event stays open to those nearby: an evening and its night.
    package static let span = Duration.seconds(12 * 3600)
    /// How long nothing is made anew after that was said.
    private static let rest = Duration.seconds(3600)

    /// Whether it has been open for so short a time that it is not renewed.
    fileprivate func isNew(at now: Timestamp) -> Bool {
        ends.map { $0 >= now.later(by: Self.span - Self.rest) } ?? false
    }
}

extension Replica {
    /// What opens the event to anyone nearby, and what its record is then to say; nothing where it has been open for less than an hour,
    /// so that impatience makes no keys.
    ///
    /// It is by an invitation of its own, which ends by itself: links that people passed on stay good when it is closed. So does the one
    /// before it until its time has come; closing it would hold back whoever came by it, of whom this node has not heard.
    package func openingToNearby(at now: Timestamp, randomness: Randomness) throws -> NearbyChange {
        if let present = try nearbyOpening(at: now), present.isNew(at: now) {
            return NearbyChange(drafts: [], named: nil)
        }
        let seed = randomness.secret()
        let keys = InvitationKeys(seed: seed)
        let terms = InvitationTerms(
            id: keys.id,
            agreementKey: keys.agreement.publicKey,
            level: .attendee,
            expires: now.later(by: NearbyOpening.span),
            uses: nil
        )
        return NearbyChange(drafts: [.open(terms)], named: .text(Base32.encode(seed.exposed())))
    }

    /// What closes all that was ever open to those nearby, as far as is known, and makes a new key; who came by it stays.
    ///
    /// Another device of the founder's may have opened it, of which this one has not heard: so the record is told in any case.
    package func closingToNearby(at now: Timestamp) throws -> NearbyChange {
        // One that is not known yet is closed all the same; one whose time has come lets nobody in, and needs no new key.
        let open = try namedOpenings().sorted().filter { try invitation($0)?.isOpen(at: now) ?? true }
        let drafts = open.isEmpty ? [] : open.map { Draft.close($0) } + [.renewKey]
        return NearbyChange(drafts: drafts, named: try level(of: own.person) == .founder ? .cleared : nil)
    }
}

extension Timestamp {
    fileprivate func later(by span: Duration) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(span / .milliseconds(1)))
    }
}
