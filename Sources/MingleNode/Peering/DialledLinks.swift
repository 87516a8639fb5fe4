// SPDX-License-Identifier: Apache-2.0

import MingleSync

/// Which links this node dialled, so that their targets can be dialled again when they end.
///
/// A link may end before its dialler hears that it began, so both orders are met.
struct DialledLinks {
    /// Ends that are remembered for diallers that have not heard yet.
    private static let endedLimit = 256

    private var targets: [PeerID: DialTarget] = [:]
    private var ended: Set<PeerID> = []
    private var atRest: Set<PeerID> = []

    /// The dialler hears that its link opened.
    mutating func began(_ peer: PeerID, _ target: DialTarget, in plan: inout DialPlan, at now: Duration) {
        if ended.remove(peer) == nil {
            targets[peer] = target
        } else {
            settle(peer, target, wasUseful: false, in: &plan, at: now)
        }
    }

    /// A link leads back to this node.
    mutating func noteSelf(_ peer: PeerID) { atRest.insert(peer) }

    /// A link leads to a node that is connected otherwise.
    mutating func noteTwin(_ peer: PeerID) { atRest.insert(peer) }

    /// A link is gone.
    mutating func ended(_ peer: PeerID, wasUseful: Bool, in plan: inout DialPlan, at now: Duration) {
        if let target = targets.removeValue(forKey: peer) {
            settle(peer, target, wasUseful: wasUseful, in: &plan, at: now)
        } else {
            // Incoming links end here too; of those nobody asks again.
            if ended.count >= Self.endedLimit { ended.removeAll() }
            ended.insert(peer)
        }
    }

    private mutating func settle(
        _ peer: PeerID,
        _ target: DialTarget,
        wasUseful: Bool,
        in plan: inout DialPlan,
        at now: Duration
    ) {
        if atRest.remove(peer) != nil {
            plan.rest(target, at: now)
        } else {
            plan.ended(target, wasUseful: wasUseful, at: now)
        }
    }
}
