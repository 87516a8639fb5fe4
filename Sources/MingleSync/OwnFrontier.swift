// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// How far this node holds every journal, kept up by its commits.
struct OwnFrontier: Sendable {
    /// In order, so that they are the whole frontier as they stand.
    private var entries: [FrontierEntry] = []
    /// When the journal of each entry was last written in.
    private var lastWrites: [Timestamp] = []
    private var whole: [Scope: Frontier] = [:]
    private var digests: [Scope: Bytes32] = [:]
    /// How many journals are held.
    private(set) var count = 0

    /// Begins with what the replica holds.
    init(_ frontier: Frontier, _ lastWrites: [JournalKey: Timestamp]) {
        entries = frontier.entries
        self.lastWrites = entries.map { lastWrites[$0.key] ?? Timestamp(milliseconds: 0) }
        count = Set(entries.map(\.key)).count
    }

    /// The tips of one journal, lowest first.
    func tips(of key: JournalKey) -> [JournalPoint] { entries[range(of: key)].map(\.point) }

    /// The sequence that a journal reaches; 0 if nothing of it is held.
    func reach(of key: JournalKey) -> UInt32 { entries[range(of: key)].last?.sequence ?? 0 }

    /// Takes the tips of a journal after a commit, and returns those that are new.
    mutating func replace(_ journal: JournalTips) -> [JournalPoint] {
        let range = range(of: journal.key)
        let old = entries[range].map(\.point)
        guard journal.tips != old, !journal.tips.isEmpty else { return [] }
        (whole, digests) = ([:], [:])
        if old.isEmpty { count += 1 }
        entries.replaceSubrange(range, with: journal.tips.map { FrontierEntry(key: journal.key, point: $0) })
        lastWrites.replaceSubrange(range, with: journal.tips.map { _ in journal.lastWrite })
        return journal.tips.filter { !old.contains($0) }
    }

    /// Entries of journals that are held, those first that were last written in.
    ///
    /// So who lacks all of them sees what is going on before what was. When it was is their authors' word: who claims the
    /// future gains no more than to come first.
    func newestFirst(_ entries: [FrontierEntry]) -> [FrontierEntry] {
        let timed = entries.map { ($0, lastWrites[range(of: $0.key)].first?.milliseconds ?? 0) }
        return timed.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
    }

    /// The frontier of a scope.
    mutating func frontier(_ scope: Scope) -> Frontier {
        if let known = whole[scope] { return known }
        let frontier = Frontier(sorted: scope == .all ? entries : entries.filter { scope.includes($0.journal) })
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

    /// Where a journal's entries stand or would stand.
    private func range(of key: JournalKey) -> Range<Int> {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].key < key ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        let end = entries[range.lowerBound...].firstIndex { $0.key != key } ?? entries.count
        return range.lowerBound..<end
    }
}
