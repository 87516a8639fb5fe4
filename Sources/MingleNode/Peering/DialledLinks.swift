// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleSync

/// Which links this node dialled, so that their targets can be dialled again when they end.
///
/// That a link opened and ended comes from the transport, in order; which target it leads to comes from the dialler, at
/// any time before, between or after. Incoming links are never noted here.
struct DialledLinks {
    private struct Link {
        var target: DialTarget?
        /// Whether it leads to this node itself, or to one that is connected otherwise.
        var rests = false
        /// The link by which that node is connected, while it lasts.
        var twin: PeerID?
        /// Who did not let the other in, if one did not.
        var refusal: Refusal?
        /// Once it has ended: whether it was of use.
        var wasUseful: Bool?
    }

    private var links: [PeerID: Link] = [:]

    /// A link that this node dialled has opened.
    mutating func opened(_ peer: PeerID, isSelf: Bool) { links[peer, default: Link()].rests = isSelf }

    /// The dialler hears that its link opened.
    mutating func began(_ peer: PeerID, _ target: DialTarget, in plan: inout DialPlan, at now: Duration) {
        links[peer, default: Link()].target = target
        settle(peer, in: &plan, at: now)
    }

    /// The target that a link was dialled for, if this node dialled it.
    func target(of peer: PeerID) -> DialTarget? { links[peer]?.target }

    /// A link leads to a node that is connected otherwise, by `twin` if that is known.
    mutating func rest(_ peer: PeerID, while twin: PeerID? = nil) {
        links[peer]?.rests = true
        links[peer]?.twin = twin
    }

    /// One end of a link does not let the other in.
    mutating func refuse(_ peer: PeerID, _ refusal: Refusal) { links[peer]?.refusal = refusal }

    /// A link is gone, whichever side dialled it.
    mutating func ended(_ peer: PeerID, wasUseful: Bool, in plan: inout DialPlan, at now: Duration) {
        for (other, link) in links where link.twin == peer { links[other]?.twin = nil }
        plan.linkEnded(peer, at: now)
        links[peer]?.wasUseful = wasUseful
        settle(peer, in: &plan, at: now)
    }

    private mutating func settle(_ peer: PeerID, in plan: inout DialPlan, at now: Duration) {
        guard let link = links[peer], let target = link.target, let wasUseful = link.wasUseful else { return }
        links[peer] = nil
        if link.rests {
            plan.rest(target, while: link.twin, at: now)
        } else {
            plan.ended(target, wasUseful: wasUseful, refusal: link.refusal, at: now)
        }
    }
}
