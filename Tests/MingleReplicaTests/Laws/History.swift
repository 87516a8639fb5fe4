// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// All that reaches an observer of what some devices wrote, in the order in which it was written.
struct History {
    let event: EventID
    /// Whose replica the history is merged into.
    let observer: OwnDevice
    /// Deltas with signature, and with payload unless that is lost; each stands behind the header that it follows.
    var deltas: [Delta] = []
    /// Keys that reach the observer by themselves.
    var keys: [TestEpoch] = []
}

extension History {
    /// The deltas in another order, in which each still stands behind the one before it and its device's certificate.
    func reordered(seed: UInt64) -> [Delta] {
        var rest = deltas.sorted { $0.draw(seed) < $1.draw(seed) }
        var placed: Set<HeaderHash> = [.none]
        var known: Set<DeviceName> = []
        var order: [Delta] = []
        while let next = rest.firstIndex(where: {
            placed.contains($0.header.previous) && ($0.isCertificate || known.contains($0.header.device))
        }) {
            let delta = rest.remove(at: next)
            placed.insert(delta.hash)
            known.insert(delta.header.device)
            order.append(delta)
        }
        return order
    }

    /// Three parts, one of which has each journal whole; the others lack ends of branches, and payloads.
    func parts(seed: UInt64) -> [History] {
        (0..<3 as Range<UInt64>).map { part in
            var history = self
            var lacking: Set<HeaderHash> = []
            history.deltas = deltas.compactMap { delta in
                let isWhole = delta.header.device.raw.prefix % 3 == part
                let draw = delta.draw(seed &+ part) % 100
                if lacking.contains(delta.header.previous) || !isWhole && !delta.isCertificate && draw < 15 {
                    lacking.insert(delta.hash)
                    return nil
                }
                var delta = delta
                if !isWhole, delta.canLackPayload, draw > 80 { delta.payload = nil }
                return delta
            }
            return history
        }
    }
}
