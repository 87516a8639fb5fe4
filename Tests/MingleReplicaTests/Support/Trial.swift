// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport

/// One seed's history, held against the reference replica in several orders.
struct Trial {
    let seed: UInt64
    let deltaCount: Int

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix(seed: seed)
        deltaCount = Int.random(in: 20...60, using: &random)
    }

    /// What is wrong after so many deltas, in words; nil if all agree.
    func difference(after count: Int) throws -> String? {
        let whole = try HistoryGenerator(seed: seed, deltaCount: deltaCount).history
        var random = SplitMix(seed: seed &+ 77)
        let history = whole.prefix(count).losing(using: &random)
        let expected = ReferenceReplica(history)
        // Other histories say more than other orders of one.
        for order in 0..<(seed % 4 == 0 ? 2 : 1) as Range<UInt64> {
            let replica = try Replica(path: nil, event: history.event, own: history.observer)
            try Delivery(of: history, seed: seed &* 31 &+ order).carryOut(on: replica)
            if let found = try compare(replica, with: expected, history) { return "order \(order): \(found)" }
            guard seed % 2 == 1 else { continue }
            _ = try replica.recompute { $0.shuffle(using: &random) }
            if let found = try compare(replica, with: expected, history) { return "recomputed: \(found)" }
        }
        return nil
    }

    /// The least number of deltas after which something is wrong.
    func smallestFailure() throws -> Int? {
        for count in 1...deltaCount {
            if try difference(after: count) != nil { return count }
        }
        return nil
    }

    private func compare(_ replica: Replica, with expected: ReferenceReplica, _ history: History) throws -> String? {
        let (found, wanted) = (try replica.dump(), expected.dump())
        if found != wanted {
            let missing = Set(wanted).subtracting(found).sorted().joined(separator: "\n")
            let surplus = Set(found).subtracting(wanted).sorted().joined(separator: "\n")
            return "missing:\n\(missing)\nsurplus:\n\(surplus)"
        }
        let counting = history.deltas.filter(expected.holds)
        let states = try replica.payloads(counting.map(\.reference))
        for (delta, state) in zip(counting, states) {
            let wanted: StoredPayload = expected.isErased(delta) ? .erased : delta.payload.map { .held($0) } ?? .absent
            if state != wanted { return "the payload of \(delta.reference) is \(state), not \(wanted)" }
        }
        return nil
    }
}
