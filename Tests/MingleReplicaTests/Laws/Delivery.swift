// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport

/// One way in which a history reaches a replica.
struct Delivery {
    enum Step {
        case runs([Run])
        case payloads([(reference: Reference, bytes: [UInt8])])
        case key(TestEpoch)
    }

    var steps: [Step] = []
}

extension Delivery {
    /// The keys, then delta for delta as it was written.
    static func plain(_ history: History) -> Delivery { oneByOne(history.deltas, keys: history.keys) }

    /// Delta for delta, in any order in which each stands behind the one before it in its journal.
    static func reordered(_ history: History, seed: UInt64) -> Delivery {
        oneByOne(history.reordered(seed: seed), keys: history.keys)
    }

    /// Every step twice, and then all of it again from the end to the beginning.
    static func repeated(_ history: History) -> Delivery {
        let steps = plain(history).steps
        return Delivery(steps: steps.flatMap { [$0, $0] } + steps.reversed())
    }

    /// All that there is, in one batch.
    static func atOnce(_ history: History) -> Delivery {
        Delivery(steps: history.keys.map(Step.key) + [.runs(joined(history.deltas))])
    }

    /// Some deltas at a time, those that follow each other in one run.
    static func batched(_ history: History, seed: UInt64) -> Delivery {
        var delivery = Delivery(steps: history.keys.map(Step.key))
        var batch: [Delta] = []
        for delta in history.deltas {
            batch.append(delta)
            guard delta.draw(seed) % 3 == 0 else { continue }
            delivery.steps.append(.runs(joined(batch)))
            batch = []
        }
        if !batch.isEmpty { delivery.steps.append(.runs(joined(batch))) }
        return delivery
    }

    /// Everything before the keys, or before the part of the fabric that brings and counts them.
    static func beforeKeys(_ history: History, isFabricLate: Bool) -> Delivery {
        let isLate = { (delta: Delta) in
            isFabricLate && delta.header.journal == .fabric && delta.header.sequence > 1
        }
        let deltas = history.deltas.filter { !isLate($0) } + history.deltas.filter(isLate)
        var delivery = oneByOne(deltas, keys: [])
        delivery.steps += history.keys.map(Step.key)
        return delivery
    }

    private static func oneByOne(_ deltas: [Delta], keys: [TestEpoch]) -> Delivery {
        Delivery(steps: keys.map(Step.key) + deltas.map { .runs([Run(travelling: [$0])]) })
    }

    /// Runs as long as the deltas follow each other.
    private static func joined(_ deltas: [Delta]) -> [Run] {
        var stretches: [[Delta]] = []
        for delta in deltas {
            let open = stretches.lastIndex {
                $0[$0.count - 1].hash == delta.header.previous && $0.count < Limits.runLength
            }
            if let open { stretches[open].append(delta) } else { stretches.append([delta]) }
        }
        return stretches.map { Run(travelling: $0) }
    }
}

// MARK: - Holes

extension Delivery {
    /// Headers before what they follow, payloads after, before or without them; in the end all that is there.
    static func withHoles(_ history: History, seed: UInt64) -> Delivery {
        let hollow = history.deltas.map { delta in
            var delta = delta
            if delta.canLackPayload, delta.draw(seed) % 5 < 2 { delta.payload = nil }
            return delta
        }
        let late = zip(history.deltas, hollow).compactMap { whole, hollow in
            hollow.payload == nil ? whole.payload.map { (reference: whole.reference, bytes: $0) } : nil
        }
        // What comes before the header that it follows is refused; it comes again when that is there.
        let early = hollow.sorted { $0.draw(seed) < $1.draw(seed) }
        var delivery = oneByOne(early, keys: history.keys)
        for payload in late.prefix(late.count / 2) { delivery.steps.append(.payloads([payload])) }
        delivery.steps += oneByOne(hollow, keys: []).steps
        delivery.steps.append(.payloads(late.reversed()))
        return delivery
    }
}

extension Delta {
    /// Whether it begins a fabric journal; without its payload it is nothing.
    var isCertificate: Bool { header.journal == .fabric && header.sequence == 1 }

    /// Whether its payload can come late or never; an empty one is there as soon as its header is.
    var canLackPayload: Bool { !isCertificate && header.payloadLength > 0 }

    /// A number for this delta, which stays the same whatever else its history holds.
    func draw(_ seed: UInt64) -> UInt64 {
        var random = SplitMix(seed: seed &* 0x9E37 ^ header.salt)
        return random.next()
    }
}
