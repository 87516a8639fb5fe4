// SPDX-License-Identifier: Apache-2.0

extension World {
    /// How often queues are looked at while everything goes on.
    private static let inspection = Duration.seconds(60)
    /// How often it is looked whether all hold the same.
    private static let look = Duration.seconds(5)
    /// What is waited for erasures and the like once all hold the same.
    private static let aftermath = Duration.seconds(90)

    /// Lets people post and things go wrong.
    func runEvent() throws {
        let (boundedness, timeliness) = (BoundednessChecker(), TimelinessChecker())
        while now < plan.length {
            try run(until: min(plan.length, now + Self.inspection))
            try notePlaces()
            for detail in boundedness.overfull(in: self) { report(boundedness.name, detail) }
            for detail in try timeliness.late(in: self) { report(timeliness.name, detail) }
        }
    }

    /// Ends all faults, and waits until all hold the same.
    ///
    /// - Returns: how long that took; nil if it took longer than it may.
    func heal() throws -> Duration? {
        isHealing = true
        blocks = []
        for node in nodes {
            // Its power is cut already, and nobody has noticed: what it has open leads nowhere.
            if node.isHere, node.disk?.hasFailed == true { try cutPower(of: node) }
            node.isDoomed = false
            node.disk?.cutPower(after: nil)
            if node.isFilled { try makeRoom(on: node) }
        }
        for node in nodes where !node.hasStopped {
            if node.isHere { wake(node) } else { try arrive(node) }
        }
        try raiseQuotas()
        unstick()
        // As each does when it starts.
        for node in nodes where node.isHere {
            scheduleHiding(of: node)
            scheduleKeys(of: node)
        }
        introduceGuests()
        introduceWalkIns()
        introduceRelays()
        let begin = now
        var isInSync = false
        while !isInSync, now < begin + plan.healing {
            try run(until: now + Self.look)
            try admitWaiting()
            try nameEventAgain(by: nodes[0])
            if now > begin + Self.aftermath { try turnAwayStrangers() }
            // Between two goes nothing seems to be missing.
            isInSync = try !nodes.contains { $0.isHere && $0.isReviewing } && ConvergenceChecker.isInSync(self)
        }
        let healed = now - begin
        if !isInSync { report("convergence", "not all hold the same \(Int(healed / .seconds(1))) s after healing") }
        dismissHostile()
        try run(until: now + Self.aftermath)
        try notePlaces()
        return isInSync ? healed : nil
    }
}
