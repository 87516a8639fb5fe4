// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire

/// A replica that a history is delivered to; where a defect is planted, it takes things in or passes them on wrongly.
final class Observer {
    let replica: Replica
    private let defect: Defect?
    private var newest = Timestamp(milliseconds: .min)
    private var contentCount = 0
    private var secondhand: Set<Reference> = []

    init(of history: History, defect: Defect? = nil) throws {
        replica = try Replica(path: nil, event: history.event, own: history.observer)
        self.defect = defect
    }

    /// Takes in everything, in order.
    func take(_ delivery: Delivery) throws {
        for step in delivery.steps {
            switch step {
            case .runs(let runs): _ = try replica.merge(spoil(runs))
            case .payloads where defect == .losesLatePayloads: break
            case .payloads(let payloads): _ = try replica.merge(payloads: payloads)
            case .key where defect == .forgetsLateKeys && contentCount > 0: break
            case .key(let epoch): _ = try replica.hold(epoch.key, of: epoch.id, for: epoch.audience)
            }
        }
    }

    /// Takes in all that another holds.
    func takeAll(from other: Observer) throws {
        let known = Set(try other.heldReferences()).subtracting(try heldReferences())
        try replica.receiveAll(from: other.replica) { other.defect == .keepsHearsay && other.secondhand.contains($0) }
        secondhand.formUnion(known)
    }

    private func heldReferences() throws -> [Reference] {
        try replica.frontier().entries.flatMap { entry in
            try replica.runs(of: entry.device, entry.journal, after: [], byteLimit: .max)
                .flatMap { $0.deltas.map(\.reference) }
        }
    }

    private func spoil(_ runs: [Run]) -> [Run] {
        guard defect != nil else { return runs }
        var contentOfBatch = 0
        return runs.map { run in
            run.withoutPayloads { delta in
                guard delta.header.journal == .content else { return false }
                contentCount += 1
                contentOfBatch += 1
                let isOld = delta.header.timestamp < newest
                newest = max(newest, delta.header.timestamp)
                return defect == .ignoresOlder && isOld || defect == .takesOneOfABatch && contentOfBatch > 1
            }
        }
    }
}

// MARK: - What it looks like afterwards

extension Observer {
    /// All that a person, and a peer, gets to see of a replica, on lines: records, tips and payloads.
    func picture(_ history: History) throws -> [String] {
        let tips = try replica.frontier().entries.map { entry in
            "tip \(entry.device) \(entry.journal) \(entry.sequence) \(entry.tip)"
        }
        let counted = defect == .countsRepeats ? ["\(contentCount) deltas"] : []
        return try replica.dump() + people() + devices(of: history) + tips.sorted() + payloads(of: history.deltas)
            + counted
    }

    /// Who is at which level, on lines.
    func people() throws -> [String] {
        try (replica.people() + replica.relays())
            .compactMap { person in person.level.map { "\(person.id) is a \($0.word)" } }.sorted()
    }

    /// Which devices are let in, on lines.
    func devices(of history: History) throws -> [String] {
        try Set(history.deltas.map(\.header.device)).compactMap { device in
            try replica.admittedPerson(of: device).map { "\(device) of \($0) is let in" }
        }
        .sorted()
    }

    /// What has become of the payload of each delta.
    func payloads(of deltas: [Delta]) throws -> [String] {
        let sent = Dictionary(deltas.map { ($0.reference, $0.payload) }) { $0 ?? $1 }
        let names = sent.keys.sorted { $0.description < $1.description }
        return zip(names, try replica.payloads(names)).map { name, state in
            let word =
                switch state {
                case .held(let bytes): bytes == sent[name] ? "held" : "held, and another"
                case .absent: "absent"
                case .erased: "erased"
                case .evicted: "evicted"
                }
            return "payload of \(name): \(word)"
        }
    }
}

/// What two observers of one history show differently.
struct Difference {
    let words: String
    /// Whether a record is shown differently, and not only a payload or a tip held.
    let isOfRecords: Bool

    init(_ found: [String], than expected: [String], _ way: String) {
        let missing = Set(expected).subtracting(found).sorted()
        let surplus = Set(found).subtracting(expected).sorted()
        let lines = missing.map { "  - \($0)" } + surplus.map { "  + \($0)" }
        words = "What came \(way) gives less (-) or more (+):\n" + lines.joined(separator: "\n")
        // Only records stand in columns.
        isOfRecords = (missing + surplus).contains { $0.contains("\t") }
    }
}

/// A fault that a law has to find: one for each law.
enum Defect: CaseIterable {
    /// Takes what is older than what it holds for outdated.
    case ignoresOlder
    /// Does not pass on the payloads that it has from others.
    case keepsHearsay
    /// Counts again what comes again.
    case countsRepeats
    /// Reads one delta of each batch.
    case takesOneOfABatch
    /// Has no use for payloads that come after their headers.
    case losesLatePayloads
    /// Has no use for keys that come after what they open.
    case forgetsLateKeys
}
