// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleReplica

/// How fast a foreign journal becomes visible rows, beside the same rows inserted straight into SQLite.
///
/// Both sides run in this process, in alternating order, on new databases in one folder with the same settings and
/// transactions of the same size, and both end with a checkpoint that is on the disk. The merge starts from encoded runs
/// in a file and ends with journal, records and indexes. The other side starts from values in memory, prepared while no
/// clock runs, which go through prepared statements into tables with the same columns and indexes, but random 16-byte
/// keys.
struct MergeBenchmark {
    private let records: Int
    private let texts: RecordPlan.Texts
    private let rounds: Int
    private let folder: URL

    /// Prepares a benchmark that writes its files to `folder`, which is made if need be, and removes them in the end.
    init(records: Int, texts: RecordPlan.Texts, folder: String, rounds: Int = 3) {
        (self.records, self.texts, self.rounds) = (records, texts, max(1, rounds))
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    }

    /// Measures, and tells `report` how it goes.
    func run(report: (String) -> Void) throws -> MergeBenchmarkResult {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let plan = RecordPlan(count: records, texts: texts)
        let journal = ForeignJournal(plan: plan, path: path("journal.runs"))
        report("Sealing \(records) records of \(plan.authors) devices …")
        let sealing = try Stopwatch.seconds { try journal.seal() }
        defer { remove("journal.runs") }
        var results: [MergeBenchmarkRound] = []
        for round in 1...rounds {
            let result = try measure(round, journal: journal, plan: plan)
            report("Round \(round) of \(rounds): \(result.summary)")
            results.append(result)
        }
        let opening = try Stopwatch.seconds { try journal.openAll() }
        return MergeBenchmarkResult(records: records, sealing: sealing, opening: opening, rounds: results)
    }

    /// One round: each side once, and the other one first every other time.
    private func measure(_ round: Int, journal: ForeignJournal, plan: RecordPlan) throws -> MergeBenchmarkRound {
        let isMergeFirst = !round.isMultiple(of: 2)
        var merge: MergeMeasurement?
        if isMergeFirst { merge = try measureMerge(of: journal) }
        let plain = try measurePlainInsertion(of: plan)
        let merged = try merge ?? measureMerge(of: journal)
        guard merged.visible == plain.visible else { throw MergeBenchmarkError.differentRows }
        return MergeBenchmarkRound(merge: merged, plain: plain)
    }

    private func measureMerge(of journal: ForeignJournal) throws -> MergeMeasurement {
        defer { remove("merge.sqlite") }
        return try journal.merge(into: path("merge.sqlite"))
    }

    private func measurePlainInsertion(of plan: RecordPlan) throws -> PlainMeasurement {
        defer { remove("plain.sqlite") }
        return try PlainTables(path: path("plain.sqlite")).insert(plan)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func remove(_ name: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path(name + suffix)) }
    }
}

/// Why a benchmark's figures would mean nothing.
enum MergeBenchmarkError: Error, CustomStringConvertible {
    /// The two sides do not show the same number of rows.
    case differentRows
    /// The replica refused a run.
    case refused(MergeRefusal)

    var description: String {
        switch self {
        case .differentRows: "The merged replica and the plain tables do not show the same rows."
        case .refused(let reason): "The replica refused a run of the foreign journal: \(reason)."
        }
    }
}
