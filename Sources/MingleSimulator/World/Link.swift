// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync
import MingleWire

/// A connection of two nodes: what each end has yet to send, lane by lane, and what is on its way.
final class Link {
    /// One end.
    struct End {
        let node: Int
        /// Which life of the node it belongs to: a node that began anew has nothing to do with it any more.
        let life: Int
        /// How that node's engine calls the other.
        let peer: PeerID
        var outbox = Outbox(limits: ChannelLimits())
        /// The pieces of messages that came, by lane.
        var partial = PerLane<[UInt8]> { _ in [] }
        var isOpen = true
        /// Whether a fragment is leaving.
        var isSending = false
        /// Whether nothing gets through for now.
        var isStuck = false
        /// Whether it closes once everything has left.
        var isFinishing = false
        /// Until when what was sent earlier takes to arrive; nothing overtakes it.
        var arrival = Duration.zero
    }

    let number: UInt64
    /// The target that it was dialled for, if any.
    let target: Int?
    let opened: Duration
    /// The dialler's and the other's.
    var ends: [End]
    /// Whether the two have another link.
    var isDuplicate = false
    /// Which end did not let the other in, as the dialler sees it, if one did not.
    var refusal: Refusal?

    init(_ number: UInt64, target: Int?, opened: Duration, ends: [End]) {
        (self.number, self.target, self.opened, self.ends) = (number, target, opened, ends)
    }

    /// The numbers of the two nodes.
    var nodes: Set<Int> { [ends[0].node, ends[1].node] }

    /// Whether neither end knows of it any more.
    var isGone: Bool { !ends[0].isOpen && !ends[1].isOpen }
}

/// A node that another one dials whenever it has no link to it.
struct Target {
    let from: Int
    let to: Int
    var failures = 0
    var isBusy = false
    /// Whether the two are connected otherwise, so that nothing is gained by dialling while they are.
    var hasTwin = false
    /// When it is dialled next, if that was decided; an earlier decision is void.
    var due: Duration?

    /// The numbers of the two nodes.
    var nodes: Set<Int> { [from, to] }
}

/// Paths that are blocked for a while, from some nodes to some others.
struct Block {
    let number: UInt64
    let from: Set<Int>
    let to: Set<Int>

    func stops(_ source: Int, _ destination: Int) -> Bool { from.contains(source) && to.contains(destination) }
}
