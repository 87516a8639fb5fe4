// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import MingleWire

/// Journals in memory: every branch from its first delta, with those signatures that every node keeps.
struct TestStore {
    var branches: [JournalKey: [[Delta]]] = [:]
    /// Deltas that came more than once.
    var duplicates = 0
    /// Payloads that came more than once.
    var duplicatePayloads = 0

    var frontier: Frontier {
        Frontier(
            branches.flatMap { key, chains in
                chains.compactMap { chain in
                    chain.last.map { delta in
                        FrontierEntry(
                            device: key.device,
                            journal: key.journal,
                            sequence: delta.header.sequence,
                            tip: delta.hash.raw.prefix
                        )
                    }
                }
            }
        )
    }

    /// Every payload that is held, in a fixed order.
    var payloads: [Reference: [UInt8]] {
        var result: [Reference: [UInt8]] = [:]
        for delta in branches.values.joined().joined() { result[delta.reference] = delta.payload }
        return result
    }

    var missingPayloads: [PayloadWant] {
        branches.values.joined().joined().filter { $0.payload == nil }
            .map { PayloadWant(reference: $0.reference, length: Int($0.header.payloadLength)) }
            .sorted { $0.reference < $1.reference }
    }

    func tips(of key: JournalKey) -> JournalTips {
        JournalTips(key: key, tips: (branches[key] ?? []).compactMap { $0.last?.point })
    }

    func holds(_ point: JournalPoint, of key: JournalKey) -> Bool {
        (branches[key] ?? []).contains { chain in
            point.sequence <= chain.count && chain[Int(point.sequence) - 1].point == point
        }
    }

    /// Whether a delta is held with its payload.
    private func holdsWhole(_ delta: Delta, of key: JournalKey) -> Bool {
        (branches[key] ?? []).contains { chain in
            let place = Int(delta.point.sequence) - 1
            return place < chain.count && chain[place].point == delta.point && chain[place].payload != nil
        }
    }

    /// Appends to the journal's first branch.
    mutating func append(_ deltas: [Delta], to key: JournalKey) {
        if branches[key] == nil { branches[key] = [[]] }
        branches[key]?[0] += deltas
        forgetSignatures(of: key)
    }

    mutating func merge(_ run: Run, key signingKey: Bytes32?) -> MergeAnswer {
        let key = run.key
        // As a replica does: what is held is not proved again.
        if run.deltas.allSatisfy({ holdsWhole($0, of: key) }) {
            duplicates += run.deltas.count
            return MergeAnswer(.known)
        }
        guard let signingKey else { return MergeAnswer(.unknownDevice) }
        guard run.isProved(by: signingKey) else { return MergeAnswer(.forged) }
        let fabric = JournalKey(device: key.device, journal: .fabric)
        guard key.journal == .fabric || branches[fabric] != nil else { return MergeAnswer(.unknownDevice) }
        var deltas = run.deltas[...]
        while let delta = deltas.first, holds(delta.point, of: key) {
            duplicates += 1
            deltas.removeFirst()
        }
        guard let first = deltas.first else { return MergeAnswer(.merged) }
        let before = Int(first.header.sequence) - 1
        let chains = branches[key] ?? []
        let parent = chains.firstIndex { chain in
            before == 0 || (before <= chain.count && chain[before - 1].hash == first.header.previous)
        }
        guard before == 0 || parent != nil else { return MergeAnswer(.gap) }
        let tip = chains.firstIndex { $0.count == before && ($0.last?.hash ?? .none) == first.header.previous }
        if let tip {
            branches[key]?[tip] += deltas
        } else {
            guard chains.count < Limits.branchesPerJournal else { return MergeAnswer(.tooManyBranches) }
            let prefix = parent.map { Array(chains[$0].prefix(before)) } ?? []
            branches[key, default: []].append(prefix + deltas)
        }
        forgetSignatures(of: key)
        let missing = deltas.filter { $0.payload == nil }
        return MergeAnswer(
            .merged,
            missing: missing.map { PayloadWant(reference: $0.reference, length: Int($0.header.payloadLength)) },
            mayBePassedOn: deltas.count == run.deltas.count
                && missing.allSatisfy { $0.header.payloadLength > Limits.inlinePayloadLength }
        )
    }

    mutating func fill(_ payload: ReceivedPayload) -> Bool {
        for (key, chains) in branches {
            for (place, chain) in chains.enumerated() {
                guard let index = chain.firstIndex(where: { $0.reference == payload.reference }) else { continue }
                guard Blake2b.hash(.payload, payload.bytes) == chain[index].header.payloadHash else { return false }
                if chain[index].payload != nil { duplicatePayloads += 1 }
                branches[key]?[place][index].payload = payload.bytes
            }
        }
        return true
    }

    func runs(for request: RunsRequest) -> RunsAnswer {
        let (key, held, byteLimit) = (request.key, request.held, request.byteLimit)
        var answer = RunsAnswer(key: key, runs: [])
        var served: Set<HeaderHash> = []
        var byteCount = 0
        for chain in branches[key] ?? [] {
            let common = held.filter { $0.sequence <= chain.count && chain[Int($0.sequence) - 1].point == $0 }
            var start = Int(common.map(\.sequence).max() ?? 0)
            if start == 0, !held.isEmpty, !held.contains(where: { $0.sequence == 1 }) {
                answer.needsOlder = true
                continue
            }
            while start < chain.count, served.contains(chain[start].hash) { start += 1 }
            while start < chain.count, byteCount == 0 || byteCount < byteLimit {
                let window = chain[start..<min(start + Limits.runLength, chain.count)]
                guard let end = window.lastIndex(where: { $0.signature != nil }) else { break }
                let run = Run(Array(chain[start...end]))
                served.formUnion(run.deltas.map(\.hash))
                byteCount += run.encoded().count
                answer.runs.append(run)
                start = end + 1
            }
        }
        return answer
    }

    func locator(of key: JournalKey) -> [JournalPoint] {
        var points: [JournalPoint] = []
        for chain in branches[key] ?? [] {
            var step = 1
            var sequence = chain.count
            while sequence > 0 {
                if !points.contains(chain[sequence - 1].point) { points.append(chain[sequence - 1].point) }
                if sequence == 1 { break }
                sequence = max(1, sequence - step)
                step *= 2
            }
        }
        return points
    }

    /// Keeps what every node keeps: the signature of every 64th header, of tips and of fabric deltas.
    private mutating func forgetSignatures(of key: JournalKey) {
        guard key.journal == .content, let chains = branches[key] else { return }
        for (place, chain) in chains.enumerated() {
            for index in chain.indices.dropLast() where (index + 1) % Limits.runLength != 0 {
                if chain[index].signature != nil { branches[key]?[place][index].signature = nil }
            }
        }
    }
}

extension Delta {
    var point: JournalPoint { JournalPoint(sequence: header.sequence, hash: hash.raw.prefix) }
}
