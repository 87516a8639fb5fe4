// SPDX-License-Identifier: Apache-2.0

import MingleModel
package import MingleReplica
package import MingleSync
package import MingleWire

extension Responder {
    /// Those of the points that are not held.
    func missing(_ points: [JournalPoint], of key: JournalKey) throws -> [JournalPoint] {
        let entries = points.map { FrontierEntry(key: key, sequence: $0.sequence, tip: $0.hash) }
        let held = try replica.holds(entries)
        return zip(points, held).compactMap { $1 ? nil : $0 }
    }

    func locator(of key: JournalKey) throws -> [JournalPoint] {
        try replica.locator(of: key.device, key.journal).map { JournalPoint(sequence: $0.sequence, hash: $0.hash) }
    }

    func runs(for request: RunsRequest) throws -> RunsAnswer {
        let headers = request.held.map { HeldHeader(sequence: $0.sequence, hash: $0.hash) }
        let (device, journal) = (request.key.device, request.key.journal)
        let served = try replica.serve(device, journal, after: headers, byteLimit: request.byteLimit)
        return RunsAnswer(key: request.key, runs: served.runs, needsOlder: served.needsOlder)
    }

    func payloads(_ references: [Reference]) throws -> [PayloadAnswer] {
        zip(references, try replica.payloads(references)).map { reference, payload in
            switch payload {
            case .held(let bytes): PayloadAnswer(reference: reference, content: .payload(bytes))
            case .absent: PayloadAnswer(reference: reference, content: .absent)
            case .erased: PayloadAnswer(reference: reference, content: .erased)
            case .evicted: PayloadAnswer(reference: reference, content: .evicted)
            }
        }
    }

    /// What the engine is told of a write's effect on journals and payloads.
    ///
    /// - Parameters:
    ///   - own: Own deltas that it wrote.
    ///   - greeted: The newcomer's journal that it merged.
    package func news(of outcome: MergeOutcome, own: [Run] = [], greeted: [Run] = []) throws -> [SyncInput] {
        var news: [SyncInput] = []
        if !outcome.advanced.isEmpty || !own.isEmpty {
            news.append(
                .committed(
                    Commit(
                        journals: try journals(outcome.advanced, outcome.lastWrites),
                        own: own,
                        greeted: greeted,
                        awaited: outcome.awaited
                    )
                )
            )
        }
        if !outcome.settledPayloads.isEmpty { news.append(.payloadsSettled(outcome.settledPayloads)) }
        return news
    }

    private func journals(
        _ advanced: [FrontierEntry],
        _ lastWrites: [Place.Journal: Timestamp]
    ) throws -> [JournalTips] {
        let keys = Set(advanced.map { JournalKey(device: $0.device, journal: $0.journal) }).sorted()
        let tips = try replica.tips(of: keys.map { ($0.device, $0.journal) })
        return zip(keys, tips).map { key, tips in
            JournalTips(
                key: key,
                tips: tips.map { JournalPoint(sequence: $0.sequence, hash: $0.tip) },
                lastWrite: lastWrites[Place.Journal(key.device, key.journal)] ?? Timestamp(milliseconds: 0)
            )
        }
    }
}

extension SyncEngine {
    /// Begins with what a replica holds.
    package init(of replica: Replica, limits: SyncLimits = SyncLimits()) throws {
        let lastWrites = try replica.lastWrites().map { (JournalKey(device: $0.device, journal: $0.journal), $1) }
        self.init(
            event: replica.event,
            device: replica.own.name,
            frontier: try replica.frontier(),
            lastWrites: Dictionary(lastWrites) { first, _ in first },
            limits: limits
        )
    }
}

extension FrontierEntry {
    fileprivate init(key: JournalKey, sequence: UInt32, tip: UInt64) {
        self.init(device: key.device, journal: key.journal, sequence: sequence, tip: tip)
    }
}
