// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// How far this node holds every journal, kept up by its commits.
struct OwnFrontier: Sendable {
    private var journals: [JournalTips] = []
    private var whole: [Scope: Frontier] = [:]
    private var digests: [Scope: Bytes32] = [:]

    /// Begins with what the replica holds.
    init(_ frontier: Frontier) {
        for entry in frontier.entries {
            if let last = journals.last, last.key == entry.key {
                journals[journals.count - 1] = JournalTips(key: entry.key, tips: last.tips + [entry.point])
            } else {
                journals.append(JournalTips(key: entry.key, tips: [entry.point]))
            }
        }
    }

    /// How many journals are held.
    var count: Int { journals.count }

    /// The tips of one journal, lowest first.
    func tips(of key: JournalKey) -> [JournalPoint] {
        let place = place(of: key)
        return place < journals.count && journals[place].key == key ? journals[place].tips : []
    }

    /// The sequence that a journal reaches; 0 if nothing of it is held.
    func reach(of key: JournalKey) -> UInt32 { tips(of: key).last?.sequence ?? 0 }

    /// Takes the tips of a journal after a commit, and returns those that are new.
    mutating func replace(_ journal: JournalTips) -> [JournalPoint] {
        let old = tips(of: journal.key)
        guard journal.tips != old, !journal.tips.isEmpty else { return [] }
        let place = place(of: journal.key)
        if old.isEmpty { journals.insert(journal, at: place) } else { journals[place] = journal }
        (whole, digests) = ([:], [:])
        return journal.tips.filter { !old.contains($0) }
    }

    /// The frontier of a scope.
    mutating func frontier(_ scope: Scope) -> Frontier {
        if let known = whole[scope] { return known }
        var entries: [FrontierEntry] = []
        entries.reserveCapacity(journals.count)
        for journal in journals where scope.includes(journal.key.journal) {
            for tip in journal.tips { entries.append(FrontierEntry(key: journal.key, point: tip)) }
        }
        let frontier = Frontier(sorted: entries)
        whole[scope] = frontier
        return frontier
    }

    /// The digest of a scope's frontier.
    mutating func digest(_ scope: Scope) -> Bytes32 {
        if let known = digests[scope] { return known }
        let digest = frontier(scope).digest
        digests[scope] = digest
        return digest
    }

    /// Where a journal stands or would stand.
    private func place(of key: JournalKey) -> Int {
        var range = 0..<journals.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = journals[middle].key < key ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
