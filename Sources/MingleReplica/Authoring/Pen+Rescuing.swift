// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Pen {
    /// Lets more count of what a removed person shared and said: of each content journal all up to the first delta that is dated
    /// later than `time`, and no less than before.
    ///
    /// What the person said about others stays as it is.
    mutating func rescue(_ person: PersonID, until time: Timestamp) throws -> Reference {
        try transaction.settleLevels()
        guard let standing = transaction.memory.authority.standings[person], standing.isRemoved else {
            throw ReplicaError.notFound(person.description)
        }
        let ends = try transaction.ends(of: person, standing, until: time)
        guard ends.rescued > 0 else {
            throw ReplicaError.invalid("Nothing more that the person wrote until then is held here.")
        }
        let removals = standing.cuts.filter { $0.level == nil }.map(\.id).prefix(Limits.overwritesPerCut)
        let entries = ends.entries.sorted().prefix(Limits.endsPerCut)
        let terms = CutTerms(person: person, level: nil, ends: Array(entries), overwrites: Array(removals))
        let reference = try write(.fabric(.cut(terms)))
        try transaction.settleLevels()
        let left = transaction.memory.authority.standings[person]?.cuts.filter { $0.level == nil }.map(\.id)
        guard left == [reference] else { throw ReplicaError.decidedAbove }
        _ = try renewKey(of: 0)
        return reference
    }
}

extension Transaction {
    /// The last header of each branch of a removed person's that is to count, and how many content headers more that are than before.
    fileprivate func ends(
        of person: PersonID,
        _ standing: Standing,
        until time: Timestamp
    ) throws -> (entries: [FrontierEntry], rescued: Int) {
        var (entries, rescued): ([FrontierEntry], Int) = ([], 0)
        let devices = memory.personIDs[person].flatMap { memory.devicesByPerson[$0] } ?? []
        for device in devices.compactMap({ memory.devicesByID[$0] }) {
            for branch in Journal.allCases.flatMap({ memory.branches(of: device.id, $0) }) {
                let old = lastCounting(branch, standing)
                let new = branch.journal == .content ? max(old, try lastDated(branch, until: time)) : old
                guard new > branch.leaves else { continue }
                rescued += Int(new - old)
                let tip = try hash(branch: branch.id, sequence: new).raw.prefix
                entries.append(FrontierEntry(device: device.name, journal: branch.journal, sequence: new, tip: tip))
            }
        }
        return (entries, rescued)
    }

    /// The last header of a branch that counts, or the one that the branch leaves.
    private func lastCounting(_ branch: BranchRow, _ standing: Standing) -> UInt32 {
        // What counts is a beginning of each branch.
        var (low, high) = (branch.leaves, branch.tipSequence)
        while low < high {
            let middle = high - (high - low) / 2
            let counts = memory.place(branch: branch.id, sequence: middle).flatMap { standing.level(at: $0) } != nil
            (low, high) = counts ? (middle, high) : (low, middle - 1)
        }
        return low
    }

    /// The last header of a branch before the first that is dated later than `time`, or the one that the branch leaves.
    private func lastDated(_ branch: BranchRow, until time: Timestamp) throws -> UInt32 {
        if let parent = branch.parent.flatMap({ memory.branches[$0] }),
            try lastDated(parent, until: time) < branch.leaves
        {
            return branch.leaves
        }
        // A stored header holds its time in the eight bytes behind the first.
        let sql = "SELECT min(sequence) AS first FROM journal WHERE branch = ? AND substr(header, 2, 8) > ?"
        let first: UInt32? = try row(sql, [branch.id, Data(UInt64(max(0, time.milliseconds)).bigEndianBytes)])?["first"]
        return first.map { $0 - 1 } ?? branch.tipSequence
    }
}
