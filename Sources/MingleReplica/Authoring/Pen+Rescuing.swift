// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Pen {
    /// Lets more count of what a removed person shared and said: what goes on from the ends that the removals state, up to the first
    /// delta of each content journal that is dated later than `time`.
    ///
    /// What counted goes on to count, also where it is not held here. What the person said about others is not rescued: neither what
    /// stands in the fabric, nor what hides something.
    ///
    /// - Throws: `ReplicaError.notFound` for a person who was not removed, `.decidedAbove`, `.nothingToRescue` if
    ///   nothing more counts by it, and `.invalid` for a time in the future or if the ends of several removals cannot
    ///   be compared.
    mutating func rescue(_ person: PersonID, until time: Timestamp) throws -> Reference {
        try transaction.settleLevels()
        guard time <= timestamp else {
            throw ReplicaError.invalid("That time is in the future. Choose an earlier time.")
        }
        guard let standing = transaction.memory.authority.standings[person], standing.isRemoved else {
            throw ReplicaError.notFound(person.description)
        }
        let removals = standing.cuts.filter { $0.level == nil }
        let ends = try transaction.commonEnds(of: removals)
        let raised = try transaction.raisedEnds(from: ends, of: person, until: time)
        guard !raised.isEmpty else { throw ReplicaError.nothingToRescue }
        try keepDown(person, standing, past: ends, in: raised)
        let overwrites = removals.map(\.id).prefix(Limits.overwritesPerCut)
        let kept = ends.filter { end in !raised.contains { $0.replaces == end } } + raised.map(\.end)
        let terms = CutTerms(person: person, level: nil, ends: kept.sorted(), overwrites: Array(overwrites))
        let reference = try write(.fabric(.cut(terms)))
        try transaction.settleLevels()
        let now = transaction.memory.authority.standings[person]
        guard let now, now.cuts.filter({ $0.level == nil }).map(\.id) == [reference] else {
            throw ReplicaError.decidedAbove
        }
        // The person's own word about a lost device, or about leaving, may void it all the same.
        guard raised.contains(where: { transaction.memory.counts($0, under: now) }) else {
            throw ReplicaError.nothingToRescue
        }
        _ = try renewKey(of: 0)
        return reference
    }

    /// Has what is rescued count for no more than an attendee's words, where others had put the person higher.
    private mutating func keepDown(
        _ person: PersonID,
        _ standing: Standing,
        past ends: [FrontierEntry],
        in raised: [RaisedEnd]
    ) throws {
        let others = Standing(base: standing.base, cuts: standing.cuts.filter { $0.level != nil })
        let places = raised.compactMap { transaction.memory.place(branch: $0.branch, sequence: $0.first) }
        guard places.contains(where: { others.level(at: $0).map { $0 > .attendee } ?? false }) else { return }
        _ = try write(.fabric(.cut(CutTerms(person: person, level: .attendee, ends: ends))))
    }
}

/// A content journal of which more is to count.
private struct RaisedEnd {
    /// The end that a removal states; nil: nothing of this journal counted.
    let replaces: FrontierEntry?
    /// The end in its place.
    let end: FrontierEntry
    /// The branch on which that stands.
    let branch: Int64

    /// The first header that did not count.
    var first: UInt32 { (replaces?.sequence ?? 0) + 1 }
}

extension Memory {
    /// Whether something of what a journal's end was raised by counts.
    fileprivate func counts(_ raised: RaisedEnd, under standing: Standing) -> Bool {
        // What counts is a beginning of each branch.
        place(branch: raised.branch, sequence: raised.first).flatMap { standing.level(at: $0) } != nil
    }
}

extension Transaction {
    /// The ends that all of some removals leave.
    ///
    /// They are what the removals state, held here or not: who worked them out from what is held would take away what others hold.
    ///
    /// - Throws: `ReplicaError.invalid` where they name different headers of a journal that are not held, or stand on several branches.
    fileprivate func commonEnds(of removals: [Cut]) throws -> [FrontierEntry] {
        let stated = try removals.map { Set(try terms(of: $0).ends) }
        guard let first = stated.first else { return [] }
        let common = stated.dropFirst().reduce(first) { $0.intersection($1) }
        let journals = stated.map { Dictionary(grouping: $0.subtracting(common), by: \.place) }
        let disputed = journals.dropFirst().reduce(Set(journals[0].keys)) { $0.intersection($1.keys) }
        let least = try disputed.map { journal in
            let ends = journals.flatMap { $0[journal] ?? [] }
            let branches = try ends.map { try branch(of: $0)?.id }
            guard let branch = branches[0], branches.allSatisfy({ $0 == branch }) else {
                throw ReplicaError.invalid(
                    "Several people removed this person. What they have of the person's posts is not all here yet, or differs. "
                        + "Try again later."
                )
            }
            return ends.min { $0.sequence < $1.sequence } ?? ends[0]
        }
        return Array(common) + least
    }

    /// The content journals of which more is dated up to `time`, of devices that the removals knew.
    ///
    /// A device that came after them could hold anything under any date; and of a journal that forks behind its end, nobody can tell
    /// which branch is the honest one.
    fileprivate func raisedEnds(
        from ends: [FrontierEntry],
        of person: PersonID,
        until time: Timestamp
    ) throws -> [RaisedEnd] {
        let content = ends.filter { $0.journal == .content }
        var raised = try content.compactMap { end in
            try branch(of: end).flatMap { try raise($0, from: end.sequence, replacing: end, until: time) }
        }
        let rest = Set(ends.map(\.device)).subtracting(content.map(\.device)).sorted()
        for device in rest.prefix(Limits.endsPerCut - ends.count) {
            guard let row = memory.devices[device], row.owner == person,
                let branch = memory.branches(of: row.id, .content).first,
                let end = try raise(branch, from: 0, replacing: nil, until: time)
            else { continue }
            raised.append(end)
        }
        return raised
    }

    /// The last header of a branch behind `sequence` before the first that is dated later than `time`.
    private func raise(
        _ branch: BranchRow,
        from sequence: UInt32,
        replacing old: FrontierEntry?,
        until time: Timestamp
    ) throws -> RaisedEnd? {
        guard let device = memory.devices[branch.device], !isForked(branch.id, behind: sequence) else { return nil }
        // A stored header holds its time in the eight bytes behind the first.
        let sql =
            "SELECT min(sequence) AS first FROM journal WHERE branch = ? AND sequence > ? AND substr(header, 2, 8) > ?"
        let time = Data(UInt64(max(0, time.milliseconds)).bigEndianBytes)
        let later: UInt32? = try row(sql, [branch.id, Int64(sequence), time])?["first"]
        let last = later.map { $0 - 1 } ?? branch.tipSequence
        guard last > sequence else { return nil }
        let tip = try hash(branch: branch.id, sequence: last).raw.prefix
        let end = FrontierEntry(device: device.name, journal: branch.journal, sequence: last, tip: tip)
        return RaisedEnd(replaces: old, end: end, branch: branch.id)
    }

    /// The branch on which the header stands that an end names; nil while that is not held.
    private func branch(of end: FrontierEntry) throws -> BranchRow? {
        guard let device = memory.devices[end.device] else { return nil }
        return try memory.branches(of: device.id, end.journal).first { branch in
            guard end.sequence > branch.leaves, end.sequence <= branch.tipSequence else { return false }
            return try hash(branch: branch.id, sequence: end.sequence).raw.prefix == end.tip
        }
    }

    /// Whether another branch leaves this one at a header or behind it.
    private func isForked(_ branch: Int64, behind sequence: UInt32) -> Bool {
        guard let row = memory.branches[branch] else { return false }
        return memory.branches(of: row.device, row.journal).contains { other in
            other.id != branch && (other.parent == branch || other.parent == nil) && other.leaves >= sequence
        }
    }
}

extension FrontierEntry {
    /// The journal that it is about.
    fileprivate var place: Place.Journal { Place.Journal(device, journal) }
}
