// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

extension World {
    /// Lets count what the removed person of a node wrote and dated up to a time, by that node's clock.
    func rescue(_ node: SimulatedNode, until time: Timestamp, by host: SimulatedNode) throws {
        let person = node.secrets.person
        let rescue = try host.replica.rescue(
            person,
            until: time,
            isPreview: false,
            at: host.clock(at: now),
            randomness: host.randomness
        )
        noteCuts(rescue.authored)
        coverage.rescues += 1
        coverage.rescued += rescue.records.values.reduce(0, +)
        try publish(rescue.authored, by: host)
    }

    /// The founder lets more count of what somebody had shared who was removed, or finds that there is nothing.
    func rescueSomebody() throws {
        let removed = removals.removed
        let candidates = nodes.filter { removed.contains($0.secrets.person) }
        guard mayInvite, !candidates.isEmpty else { return }
        let present = nodes[0].clock(at: now).milliseconds
        let time = Timestamp(milliseconds: present - (whims.chance(50) ? 0 : Int64(whims.number(0...1_800_000))))
        do {
            try rescue(whims.pick(candidates), until: time, by: nodes[0])
        } catch ReplicaError.nothingToRescue, ReplicaError.invalid {
            // Nothing more has come.
            coverage.vainRescues += 1
        }
    }
}
