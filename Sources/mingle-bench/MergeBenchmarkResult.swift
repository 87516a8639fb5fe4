// SPDX-License-Identifier: Apache-2.0

/// What one side of a round took.
struct MergeMeasurement: Codable, Sendable {
    /// Photos and comments that the replica shows in the end.
    var visible: [Int64]
    /// Seconds to decode, prove, open and store everything.
    var merging: Double
    /// Seconds to bring the rest from the log to the database file, on the disk.
    var checkpoint: Double
    /// Resident bytes of the process at most, between the first run and the end of the checkpoint.
    var peakMemory: Int
    /// Seconds of processor time, over all threads, until everything was durable.
    var processor: Double
    /// Seconds to merge it all again, when everything is held.
    var again: Double
    /// Seconds to open the replica anew and read the newest 60 photos with their counts.
    var firstPage: Double
    /// Bytes of the database file.
    var fileSize: Int

    /// Seconds until everything was durable.
    var seconds: Double { merging + checkpoint }
}

/// What the same rows took without journal, proof and decryption.
struct PlainMeasurement: Codable, Sendable {
    /// Photos and comments in the end.
    var visible: [Int64]
    /// Seconds inside transactions.
    var inserting: Double
    /// Seconds to bring the rest from the log to the database file, on the disk.
    var checkpoint: Double
    /// Seconds of processor time, over all threads, until everything was durable.
    var processor: Double
    /// Bytes of the database file.
    var fileSize: Int

    /// Seconds until everything was durable.
    var seconds: Double { inserting + checkpoint }
}

/// Both sides, once.
struct MergeBenchmarkRound: Codable, Sendable {
    /// The merge.
    let merge: MergeMeasurement
    /// The plain insertion.
    let plain: PlainMeasurement

    /// The merge's speed as a part of the plain insertion's.
    var ratio: Double { plain.seconds / merge.seconds }

    var summary: String {
        "merged in \(seconds(merge.seconds)) s, inserted plainly in \(seconds(plain.seconds)) s"
    }

    private func seconds(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}

/// The figures of `mingle-bench merge`; those of several rounds are medians.
struct MergeBenchmarkResult: Codable, Sendable {
    /// Photos and comments in the foreign journal.
    let records: Int
    /// Records merged and durable, in a second.
    let recordsPerSecond: Double
    /// The same rows inserted plainly and durable, in a second.
    let baselineRowsPerSecond: Double
    /// The first as a part of the second, round by round.
    let ratio: Double
    /// Records merged in a second when all of them are held already.
    let recordsPerSecondAgain: Double
    /// Seconds from opening the replica to the newest 60 photos with their counts.
    let firstPage: Double
    /// Resident bytes at most while merging, in the worst round.
    let peakMemory: Int
    /// Bytes in the database file for each record.
    let bytesPerRecord: Int
    /// Seconds that sealing the journal took, beforehand.
    let sealing: Double
    /// Seconds for reading, decoding, proving and opening alone, on one thread and without a database.
    let opening: Double
    /// The rounds.
    let rounds: [MergeBenchmarkRound]

    init(records: Int, sealing: Double, opening: Double, rounds: [MergeBenchmarkRound]) {
        self.records = records
        (self.sealing, self.opening, self.rounds) = (sealing, opening, rounds)
        let count = Double(records)
        recordsPerSecond = median(rounds.map { count / $0.merge.seconds })
        baselineRowsPerSecond = median(rounds.map { count / $0.plain.seconds })
        ratio = median(rounds.map(\.ratio))
        recordsPerSecondAgain = median(rounds.map { count / $0.merge.again })
        firstPage = median(rounds.map(\.merge.firstPage))
        peakMemory = rounds.map(\.merge.peakMemory).max() ?? 0
        bytesPerRecord = (rounds.map(\.merge.fileSize).max() ?? 0) / max(1, records)
    }
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return 0 }
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
}
