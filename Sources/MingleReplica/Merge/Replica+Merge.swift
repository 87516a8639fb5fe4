// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
package import MingleModel
package import MingleWire

extension Replica {
    /// Merges runs from elsewhere in one transaction.
    ///
    /// Whatever cannot be merged is refused by itself; the rest is merged. The disk holds it at the latest when the next
    /// own write is durable.
    package func merge(_ runs: [Run]) throws -> MergeOutcome {
        let runs = runs.map { open($0) }
        return try write(isDurable: false) { transaction in
            for (index, opened) in runs.enumerated() {
                guard case .failure(let reason) = try transaction.merge(opened) else { continue }
                transaction.outcome.refused.append((index, reason))
            }
            try transaction.settle()
            return transaction.outcome
        }
    }

    /// Takes payloads that came after their headers; what does not fit its header's hash is ignored.
    package func merge(payloads: [(reference: Reference, bytes: [UInt8])]) throws -> MergeOutcome {
        try write(isDurable: false) { transaction in
            for (reference, bytes) in payloads { try transaction.fill(reference, with: bytes) }
            try transaction.settle()
            return transaction.outcome
        }
    }
}

extension Transaction {
    /// Merges one run, unless it is refused.
    func merge(_ opened: OpenedRun) throws -> Result<RunNews, MergeRefusal> {
        var opened = opened
        if opened.proof == .unknownDevice { opened = opener.open(opened.run) }
        switch opened.proof {
        case .held: return .success(.nothing)
        case .forged: return .failure(.forged)
        case .unknownDevice: return .failure(.unknownDevice)
        case .proved: break
        }
        guard let device = try device(of: opened) else { return .failure(.unknownDevice) }
        if opened.run.first.header.journal == .content { try settleLevels() }
        // A key that came with an earlier run of this merge may open what was locked when this one was opened.
        guard opened.contents.contains(where: \.isLocked) else { return try append(opened, of: device) }
        let contents = zip(opened.run.deltas, opened.contents).map { delta, content in
            guard content.isLocked, memory.epochKeys[delta.header.epoch] != nil,
                let person = memory.persons[device.person]
            else { return content }
            return opener.content(of: delta, by: person.name)
        }
        return try append(OpenedRun(opened, contents: contents), of: device)
    }

    /// Adds a payload to a delta whose header is held, unless it was erased or its author is beyond the quota.
    func fill(_ row: Int64, from delta: Delta, content: Content, device: DeviceRow) throws {
        guard let payload = delta.payload, try !letGoBeyondQuota(row, delta, of: device) else { return }
        try run(
            "UPDATE journal SET payload = ? WHERE id = ? AND payload IS NULL AND erased = 0",
            [Data(payload), row]
        )
        if db.changesCount > 0 { try applyAgain(row) }
    }

    /// Takes a payload that came after its header, if it fits that.
    func fill(_ reference: Reference, with bytes: [UInt8]) throws {
        guard let row = try resolve(reference), let stored = try stored(row),
            bytes.count == Int(stored.delta.header.payloadLength),
            Blake2b.hash(.payload, bytes) == stored.delta.header.payloadHash
        else { return outcome.refusedPayloads.append(reference) }
        var delta = stored.delta
        delta.payload = bytes
        try fill(row, from: delta, content: .absent, device: stored.device)
    }
}
