// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// How far this node holds every journal, kept up by its commits.
struct OwnFrontier: Sendable {
    private var journals: [JournalTips] = []
    private var whole: [Scope: Frontier] = [:]
    private var digests: [Scope: Bytes32] = [:]

    /// Begins with what the replica holds.
    init(_ frontier: Frontier, _ lastWrites: [JournalKey: Timestamp]) {
        for entry in frontier.entries {
            var tips = [entry.point]
            if let last = journals.last, last.key == entry.key { tips += journals.removeLast().tips }
            let lastWrite = lastWrites[entry.key] ?? Timestamp(milliseconds: 0)
            journals.append(JournalTips(key: entry.key, tips: tips, lastWrite: lastWrite))
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

    /// Entries of journals that are held, those first that were last written in.
    ///
    /// So who lacks all of them sees what is going on before what was. When it was is their authors' word: who claims the
    /// future gains no more than to come first.
    func newestFirst(_ entries: [FrontierEntry]) -> [FrontierEntry] {
        let timed = entries.map { entry in
            let place = place(of: entry.key)
            let isHeld = place < journals.count && journals[place].key == entry.key
            return (entry, isHeld ? journals[place].lastWrite.milliseconds : 0)
        }
        return timed.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
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
