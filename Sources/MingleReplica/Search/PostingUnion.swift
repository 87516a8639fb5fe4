// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What a search may still read; at the end it answers with what it has found.
struct ReadingAllowance {
    /// Postings; a look-up counts as 16, as it takes as long.
    private var left: Int

    init(_ postings: Int) { left = postings }

    var isUsedUp: Bool { left <= 0 }

    mutating func use(lookups: Int = 0, postings: Int) { left -= 16 * lookups + postings }
}

/// The records that have any of some words, from the newest to the oldest.
struct PostingUnion {
    /// A record that has one of the words.
    struct Match {
        let kind: UInt32
        let fit: WordFit
    }

    private var lists: [PostingList] = []
    /// The newest record of each list.
    private var heads: [Int64] = []

    /// - Parameter words: rows of words, and how they fit.
    init(
        of words: some Sequence<(word: Int64, fit: WordFit)>,
        kinds: [UInt32],
        _ db: Database,
        _ allowance: inout ReadingAllowance
    ) throws {
        for (word, fit) in words {
            for kind in kinds where !allowance.isUsedUp {
                var list = PostingList(word: word, kind: kind, fit: fit)
                guard let head = try list.move(to: .max, db, &allowance) else { continue }
                lists.append(list)
                heads.append(head)
            }
        }
    }

    /// The newest record; nil at the end.
    var newest: Int64? { heads.max() }

    /// Goes on to the records that are not newer than one.
    mutating func move(to record: Int64, _ db: Database, _ allowance: inout ReadingAllowance) throws {
        allowance.use(postings: heads.count / 64)
        // From the last to the first, so that the last can take the place of one that is at its end.
        for index in heads.indices.reversed() where heads[index] > record {
            if let head = try lists[index].move(to: record, db, &allowance) {
                heads[index] = head
            } else {
                lists.swapAt(index, lists.count - 1)
                heads.swapAt(index, heads.count - 1)
                lists.removeLast()
                heads.removeLast()
            }
        }
    }

    /// The words of a record that is the newest.
    func matches(_ record: Int64) -> [Match] {
        heads.indices.filter { heads[$0] == record }.map { Match(kind: lists[$0].kind, fit: lists[$0].fit) }
    }
}

/// The records of one kind that have a word, from the newest to the oldest, read in batches.
private struct PostingList {
    private static let batchLengths = 4...256

    let word: Int64
    let kind: UInt32
    let fit: WordFit
    /// Records that were read, and the place in them.
    private var batch: ArraySlice<Int64> = []
    private var batchLength = Self.batchLengths.lowerBound
    private var isAtEnd = false

    init(word: Int64, kind: UInt32, fit: WordFit) { (self.word, self.kind, self.fit) = (word, kind, fit) }

    /// Goes on to the newest record that is not newer than one; nil at the end.
    mutating func move(to record: Int64, _ db: Database, _ allowance: inout ReadingAllowance) throws -> Int64? {
        let passed = batch.prefix { $0 > record }.count
        batch = batch.dropFirst(passed)
        if let head = batch.first { return head }
        guard !isAtEnd, !allowance.isUsedUp else { return nil }
        // Longer batches where record after record is wanted, shorter ones where many are passed over.
        let length = passed > 1 ? max(batchLength / 2, Self.batchLengths.lowerBound) : batchLength
        batch = try db.all(
            "SELECT record FROM posting WHERE word = ? AND kind = ? AND record <= ? ORDER BY record DESC LIMIT ?"
        ) {
            $0.add(word)
            $0.add(Int64(kind))
            $0.add(record)
            $0.add(Int64(length))
        } read: {
            $0.integer(0)
        }[...]
        allowance.use(lookups: 1, postings: batch.count)
        isAtEnd = batch.count < length
        batchLength = min(2 * length, Self.batchLengths.upperBound)
        return batch.first
    }
}
