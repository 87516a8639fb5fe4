// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleReplica

// Nodes that hold little of each other person's words until all is healed, and then as much as ever: so what they let go of comes
// back, and in the end all hold the same.
extension World {
    /// Looks soon whether what was let go of fits again, as `EventSession+Quota` does.
    func scheduleQuotaReview(of node: SimulatedNode) {
        guard !node.isReviewing, !node.isRelay else { return }
        node.isReviewing = true
        put(.reviewQuota, on: .judging, of: node, after: .seconds(2))
    }

    func reviewQuota(of node: SimulatedNode) throws {
        node.isReviewing = false
        // Some at a time, so that it takes several goes; more of them the more people write.
        let review = try node.replica.reviewQuota(atMost: max(32, nodes.count * 4))
        if !review.missing.isEmpty { tell(node, [.payloadsWanted(of: review.missing)]) }
        if !review.isDone { scheduleQuotaReview(of: node) }
    }

    /// Has every node keep as much of everybody as nodes do.
    func raiseQuotas() throws {
        guard plan.keepsLittle else { return }
        for node in nodes {
            node.quota = .customary
            if node.isHere, !node.isRelay { try reopen(node) }
        }
    }
}

/// What nodes counted of everybody is what their journals hold.
struct UsageChecker: Checker {
    let name = "usage"

    func findings(in world: World) throws -> [String] {
        try world.loyal.compactMap { node in
            guard try node.replica.isUsageCounted() else {
                return "node \(node.number) counts other bytes than it holds"
            }
            guard !node.isRelay, let beyond = try node.replica.beyondQuota().first else { return nil }
            return "node \(node.number) has not asked again for \(beyond.count) payloads"
        }
    }
}
