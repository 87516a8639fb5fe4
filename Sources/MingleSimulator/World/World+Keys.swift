// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleReplica

// What `EventSession+Keys` does, in virtual time.
extension World {
    func scheduleKeys(of node: SimulatedNode) {
        guard !node.isKeeping, node.hostility == nil else { return }
        node.isKeeping = true
        put(.lookAtKeys, on: .judging, of: node, after: .seconds(1))
    }

    func lookAtKeys(of node: SimulatedNode) throws {
        node.isKeeping = false
        guard node.canTend, let duty = try node.replica.keyDuty(at: node.clock(at: now)),
            node.dueKeys.insert(duty.need).inserted
        else { return }
        put(.fulfil(duty), on: .judging, of: node, after: max(duty.pause, .milliseconds(1)))
    }

    func fulfil(_ duty: KeyDuty, by node: SimulatedNode) throws {
        node.dueKeys.remove(duty.need)
        guard node.canTend else { return }
        let time = node.clock(at: now)
        let authored = try node.replica.fulfil(duty, at: time, randomness: node.randomness)
        scheduleKeys(of: node)
        guard let authored else { return }
        note(authored.runs, by: node)
        coverage.keysTended += 1
        try tell(node, authored.outcome, own: authored.runs)
        guard duty.need == .beginning else { return }
        coverage.freshBeginnings += 1
        // In a scenario people do nothing that it does not say.
        if stage == nil { try nameEventAgain(by: node) }
    }
}
