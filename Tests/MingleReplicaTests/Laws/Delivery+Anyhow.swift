// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import TestSupport

extension Delivery {
    /// Everything at once: runs split anyhow, in batches, some of them twice, payloads and keys late.
    static func anyhow(_ history: History, seed: UInt64) -> Delivery {
        Delivery(steps: Disorder(of: history, seed: seed).steps)
    }
}

/// Draws how a history arrives; its deltas stand behind those that they follow.
private struct Disorder {
    private(set) var steps: [Delivery.Step] = []
    private var random: SplitMix
    private let deltas: [Delta]
    private var pending: Set<Int>
    /// Positions of the deltas that have been delivered, by hash.
    private var delivered: [HeaderHash: Int] = [:]
    private var followers: [HeaderHash: [Int]] = [:]
    private var certificates: [DeviceName: HeaderHash] = [:]
    private var late: [(reference: Reference, bytes: [UInt8])] = []

    init(of history: History, seed: UInt64) {
        random = SplitMix(seed: seed)
        deltas = history.deltas
        pending = Set(deltas.indices)
        for (index, delta) in deltas.enumerated() {
            followers[delta.header.previous, default: []].append(index)
            if delta.isCertificate, certificates[delta.header.device] == nil {
                certificates[delta.header.device] = delta.hash
            }
        }
        var keys = history.keys.shuffled(using: &random)
        var batch: [Run] = []
        while !pending.isEmpty || !late.isEmpty || !keys.isEmpty {
            if random.chance(25) { flush(&batch) }
            if !keys.isEmpty, random.chance(5) || pending.isEmpty {
                steps.append(.key(keys.removeLast()))
            } else if !late.isEmpty, random.chance(20) || pending.isEmpty {
                flush(&batch)
                deliverPayloads()
            } else if let run = nextRun() {
                batch.append(run)
                if random.chance(10) { batch.append(run) }
            }
        }
        flush(&batch)
    }

    private mutating func flush(_ batch: inout [Run]) {
        guard !batch.isEmpty else { return }
        if random.chance(10) {
            // Through the wire's form and back.
            batch = batch.map { run in
                guard let copy = try? Run(decoding: run.encoded()[...], event: run.first.header.event) else {
                    return run
                }
                return copy
            }
        }
        steps.append(.runs(batch))
        batch = []
    }

    private mutating func deliverPayloads() {
        late.shuffle(using: &random)
        let count = Int.random(in: 1...late.count, using: &random)
        let payloads = Array(late.suffix(count))
        if !random.chance(10) { late.removeLast(count) }
        steps.append(.payloads(payloads))
    }

    /// A stretch of one branch that begins where the replica can attach it, or before.
    private mutating func nextRun() -> Run? {
        let ready = pending.sorted().filter { index in
            let header = deltas[index].header
            guard header.sequence > 1 else {
                return header.journal == .content ? isKnown(header.device) : isCertified(header, deltas[index].hash)
            }
            return delivered[header.previous] != nil
        }
        guard !ready.isEmpty else {
            // What follows nothing that is delivered can never attach; the rest of the history stands without it.
            pending = []
            return nil
        }
        var path = [random.pick(ready)]
        while random.chance(60), let next = followers[deltas[path[path.count - 1]].hash]?.randomElement(using: &random)
        {
            path.append(next)
        }
        while random.chance(10), let before = delivered[deltas[path[0]].header.previous] { path.insert(before, at: 0) }
        return Run(travelling: path.map { deliver($0) })
    }

    private func isKnown(_ device: DeviceName) -> Bool {
        certificates[device].map { delivered[$0] != nil } ?? false
    }

    private func isCertified(_ header: Header, _ hash: HeaderHash) -> Bool {
        isKnown(header.device) || certificates[header.device] == hash
    }

    /// Marks a delta as delivered; large payloads, and some others, follow later.
    private mutating func deliver(_ index: Int) -> Delta {
        var delta = deltas[index]
        let isNew = pending.remove(index) != nil
        delivered[delta.hash] = index
        guard let payload = delta.payload, !payload.isEmpty, !delta.isCertificate else { return delta }
        if payload.count > Limits.inlinePayloadLength || random.chance(12) {
            delta.payload = nil
            if isNew { late.append((delta.reference, payload)) }
        }
        return delta
    }
}
