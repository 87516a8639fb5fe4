// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import TestSupport

/// In which respect the way in which a history arrives must not matter.
enum Law: CaseIterable {
    case commutative, associative, idempotent, batching, holes, lateKeys
    /// What every one of them gives is what the reference replica says, and what recomputing gives.
    case reference

    /// What is wrong with a story; nil if the law holds.
    func difference(_ story: Story, defect: Defect? = nil) throws -> Difference? {
        let history = try story.history()
        if self == .reference { return try referenceDifference(history, story, defect) }
        let plain = try Observer(of: history, defect: defect)
        try plain.take(.plain(history))
        let expected = try plain.picture(history)
        for (name, observer) in try others(history, seed: story.seed, defect) {
            let found = try observer.picture(history)
            if found != expected { return Difference(found, than: expected, name) }
        }
        return nil
    }

    /// Observers to whom the history came in other ways.
    private func others(_ history: History, seed: UInt64, _ defect: Defect?) throws -> [(String, Observer)] {
        let ways: [(String, Delivery)] =
            switch self {
            case .commutative:
                [
                    ("in one other order", .reordered(history, seed: seed)),
                    ("in another order", .reordered(history, seed: ~seed)),
                ]
            case .idempotent: [("with everything twice and again", .repeated(history))]
            case .batching:
                [("all at once", .atOnce(history)), ("in batches", .batched(history, seed: seed))]
            case .holes: [("with holes that were filled", .withHoles(history, seed: seed))]
            case .lateKeys:
                [
                    ("with the keys last", .beforeKeys(history, isFabricLate: false)),
                    ("with the fabric and the keys last", .beforeKeys(history, isFabricLate: true)),
                ]
            case .associative, .reference: []
            }
        if self == .associative { return try merged(history, seed: seed, defect) }
        return try ways.map { name, delivery in
            let observer = try Observer(of: history, defect: defect)
            try observer.take(delivery)
            return (name, observer)
        }
    }

    /// Three parts of the history, put together by way of replicas: the first two first, and the last two first.
    private func merged(_ history: History, seed: UInt64, _ defect: Defect?) throws -> [(String, Observer)] {
        func observers() throws -> [Observer] {
            try history.parts(seed: seed).enumerated().map { index, part in
                let observer = try Observer(of: history, defect: defect)
                // Who has no key passes on what it cannot read.
                if index == 1 { try observer.take(Delivery(steps: history.keys.map(Delivery.Step.key))) }
                try observer.take(Delivery(steps: Delivery.plain(part).steps.filter { !$0.isKey }))
                return observer
            }
        }
        let (left, right) = (try observers(), try observers())
        try left[0].takeAll(from: left[1])
        try left[0].takeAll(from: left[2])
        try right[1].takeAll(from: right[2])
        try right[0].takeAll(from: right[1])
        for whole in [left[0], right[0]] { try whole.take(Delivery(steps: history.keys.map(Delivery.Step.key))) }
        return [("as (a + b) + c", left[0]), ("as a + (b + c)", right[0])]
    }
}

extension Delivery.Step {
    /// Whether it brings a key.
    var isKey: Bool { if case .key = self { true } else { false } }
}

// MARK: - Against the reference replica

extension Law {
    private func referenceDifference(_ history: History, _ story: Story, _ defect: Defect?) throws -> Difference? {
        let expected = ReferenceReplica(history)
        let observer = try Observer(of: history, defect: defect)
        try observer.take(.anyhow(history, seed: story.seed &* 31))
        if let found = try compare(observer, with: expected, history, "in disorder") { return found }
        guard story.seed % 2 == 1 else { return nil }
        var random = SplitMix(seed: story.seed)
        _ = try observer.replica.recompute { $0.shuffle(using: &random) }
        return try compare(observer, with: expected, history, "in disorder and recomputed")
    }

    private func compare(
        _ observer: Observer,
        with expected: ReferenceReplica,
        _ history: History,
        _ way: String
    ) throws -> Difference? {
        let counting = history.deltas.filter(expected.holds)
        let found =
            try observer.replica.dump() + observer.people() + observer.devices(of: history)
            + observer.payloads(of: counting)
        let wanted =
            expected.dump() + expected.people() + expected.admittedDevices() + expected.payloads(of: counting)
        return found == wanted ? nil : Difference(found, than: wanted, way)
    }
}

extension ReferenceReplica {
    /// What has become of the payload of each delta, in the words of ``Observer/payloads(of:)``.
    fileprivate func payloads(of deltas: [Delta]) -> [String] {
        deltas.sorted { $0.reference.description < $1.reference.description }.map { delta in
            let word = isErased(delta) ? "erased" : delta.payload == nil ? "absent" : "held"
            return "payload of \(delta.reference): \(word)"
        }
    }
}
