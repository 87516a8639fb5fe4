// SPDX-License-Identifier: Apache-2.0

/// What one side of a round took.
package struct MergeMeasurement: Codable, Sendable {
    /// Photos and comments that the replica shows in the end.
    package internal(set) var visible: [Int64]
    /// Seconds to decode, prove, open and store everything.
    package internal(set) var merging: Double
    /// Seconds to bring the rest from the log to the database file, on the disk.
    package internal(set) var checkpoint: Double
    /// Resident bytes of the process at most, between the first run and the end of the checkpoint.
    package internal(set) var peakMemory: Int
    /// Seconds of processor time, over all threads, until everything was durable.
    package internal(set) var processor: Double
    /// Seconds to merge it all again, when everything is held.
    package internal(set) var again: Double
    /// Seconds to open the replica anew and read the newest 60 photos with their counts.
    package internal(set) var firstPage: Double
    /// Bytes of the database file.
    package internal(set) var fileSize: Int

    /// Seconds until everything was durable.
    package var seconds: Double { merging + checkpoint }
}

/// What the same rows took without journal, proof and decryption.
package struct PlainMeasurement: Codable, Sendable {
    /// Photos and comments in the end.
    package internal(set) var visible: [Int64]
    /// Seconds inside transactions.
    package internal(set) var inserting: Double
    /// Seconds to bring the rest from the log to the database file, on the disk.
    package internal(set) var checkpoint: Double
    /// Seconds of processor time, over all threads, until everything was durable.
    package internal(set) var processor: Double
    /// Bytes of the database file.
    package internal(set) var fileSize: Int

    /// Seconds until everything was durable.
    package var seconds: Double { inserting + checkpoint }
}

/// Both sides, once.
package struct MergeBenchmarkRound: Codable, Sendable {
    /// The merge.
    package let merge: MergeMeasurement
    /// The plain insertion.
    package let plain: PlainMeasurement

    /// The merge's speed as a part of the plain insertion's.
    package var ratio: Double { plain.seconds / merge.seconds }

    var summary: String {
        "merged in \(seconds(merge.seconds)) s, inserted plainly in \(seconds(plain.seconds)) s"
    }

    private func seconds(_ value: Double) -> String { String((value * 100).rounded() / 100) }
}

/// The figures of `mingle bench merge`; those of several rounds are medians.
package struct MergeBenchmarkResult: Codable, Sendable {
    /// Photos and comments in the foreign journal.
    package let records: Int
    /// Records merged and durable, in a second.
    package let recordsPerSecond: Double
    /// The same rows inserted plainly and durable, in a second.
    package let baselineRowsPerSecond: Double
    /// The first as a part of the second, round by round.
    package let ratio: Double
    /// Records merged in a second when all of them are held already.
    package let recordsPerSecondAgain: Double
    /// Seconds from opening the replica to the newest 60 photos with their counts.
    package let firstPage: Double
    /// Resident bytes at most while merging, in the worst round.
    package let peakMemory: Int
    /// Bytes in the database file for each record.
    package let bytesPerRecord: Int
    /// Seconds that sealing the journal took, beforehand.
    package let sealing: Double
    /// Seconds for reading, decoding, proving and opening alone, on one thread and without a database.
    package let opening: Double
    /// The rounds.
    package let rounds: [MergeBenchmarkRound]

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
