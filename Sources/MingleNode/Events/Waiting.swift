// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica
import MingleWire

/// How somebody waits who has come to an event and is not in yet: for whose word.
enum Waiting: Hashable {
    /// The invitation asks for a host's word; once it is closed, a host can still give it.
    case forHost(isClosed: Bool)
    /// A member heard this person and knew no more of the invitation than this node: every disk may have lost it, and the founder can let
    /// this person in all the same.
    case forFounder
    /// Nobody was met so far who could know the invitation.
    case unheard

    /// Whether it is worth waiting for: a closed invitation is seldom followed by a word.
    var mayEnd: Bool {
        switch self {
        case .forHost(let isClosed): !isClosed
        case .forFounder: true
        case .unheard: false
        }
    }

    /// Who can let this person in, as a sentence begins; nil while that is not known.
    var doorkeeper: String? {
        switch self {
        case .forHost: "A host"
        case .forFounder: "The founder"
        case .unheard: nil
        }
    }
}

extension EventSession {
    /// How this node's person waits to be let in; nil: in, or kept out as whose invitation asks for nobody's word.
    func waiting() throws -> Waiting? {
        let me = replica.own.person
        if try replica.isWaitingUnknown(me) { return wasHeard.isSet ? .forFounder : .unheard }
        guard try replica.isWaiting(me), let id = replica.own.invitation?.id,
            let invitation = try replica.invitation(id), invitation.terms.asks
        else { return nil }
        return .forHost(isClosed: invitation.isClosed)
    }

    /// Whether this node's person waits to be let in, or was declined, which a host may take back.
    func mayYetBeLetIn() throws -> Bool { try waiting() != nil || ownPerson().level == API.Person.declined }
}
