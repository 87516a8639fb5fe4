// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import TestSupport

/// All that some devices wrote, in the order in which it was written: a set of deltas for the laws of merging.
struct History {
    let event: EventID
    /// Whose replica the history is merged into.
    let observer: OwnDevice
    /// Every delta with payload and signature; each stands behind the header that it follows.
    var deltas: [Delta] = []
    /// Keys that reach the observer by themselves.
    var keys: [TestEpoch] = []

    /// The history's first deltas.
    func prefix(_ count: Int) -> History {
        var history = self
        history.deltas = Array(deltas.prefix(count))
        return history
    }

    /// A history of which a part never arrives: ends of journals, payloads, keys.
    func losing(using random: inout SplitMix) -> History {
        var history = self
        guard !random.chance(40) else { return history }
        var lost: Set<HeaderHash> = []
        history.deltas = deltas.compactMap { delta in
            let isLost = lost.contains(delta.header.previous) || random.chance(3)
            if isLost {
                lost.insert(delta.hash)
                return nil
            }
            var delta = delta
            let isCertificate = delta.header.journal == .fabric && delta.header.sequence == 1
            if delta.header.payloadLength > 0, !isCertificate, random.chance(5) { delta.payload = nil }
            return delta
        }
        history.keys = keys.filter { _ in !random.chance(15) }
        return history
    }
}

extension SplitMix {
    /// Whether something happens that does so `percent` times of a hundred.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// One of `choices`, which are not none.
    mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: Int.random(in: 0..<choices.count, using: &self))]
    }

    /// Bytes that follow from the seed.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
