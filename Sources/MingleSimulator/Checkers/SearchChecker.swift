// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

/// Who looks for words finds every record that has them and that the person sees, and no other one.
struct SearchChecker: Checker {
    let name = "search"
    /// The kinds that are found by their words.
    private static let kinds = World.deltaKinds.filter { !$0.searchedFields.isEmpty }
    /// Nodes that look.
    private let seekers = 3
    /// Words that each of them looks for: those that all know, and as many of private moments.
    private let sample = 16

    func findings(in world: World) throws -> [String] {
        var dice = Dice(seed: world.options.seed)
        let nodes = world.honest.shuffled(using: &dice).prefix(seekers)
        // What hostile peers wrote into a record of somebody else stands in no ledger.
        let doubtful = world.ledger.doubtful
        let entries = world.ledger.entries.filter { entry in
            Self.kinds.contains(entry.kind) && !entry.words.isEmpty
                && !(entry.reference.map(doubtful.contains) ?? false)
        }
        let known = entries.shuffled(using: &dice).prefix(sample)
        let secret = world.privacy.moments.flatMap(\.words).sorted().shuffled(using: &dice).prefix(sample)
        let words = known.flatMap(\.words).sorted() + secret
        return try nodes.flatMap { node in
            try words.flatMap { try strays(of: $0, at: node) }.prefix(1) + misses(Array(known), at: node).prefix(1)
        }
    }

    /// Records that a search finds and that the person does not see.
    private func strays(of number: UInt64, at node: SimulatedNode) throws -> [String] {
        try Self.kinds.flatMap { kind in
            try find(number, kind, at: node).filter { !node.shows(kind, $0) }
                .map { "node \(node.number) finds the \(kind.name) \($0), which its person does not see" }
        }
    }

    /// Records that the person sees and that a search for a word in them does not find.
    private func misses(_ entries: [Ledger.Entry], at node: SimulatedNode) throws -> [String] {
        try entries.filter { node.shows($0.kind, $0.reference) }.flatMap { entry in
            let texts = entry.kind.searchedFields.map { entry.value(entry.kind.fields[$0].name) }
            let numbers = texts.compactMap { text -> UInt64? in
                if case .text(let text)? = text { Ledger.number(in: text) } else { nil }
            }
            return try numbers.filter { number in
                try !find(number, entry.kind, at: node).contains { $0 == entry.reference }
            }
            .map { "node \(node.number) does not find \(Ledger.head(of: entry)) by its word \($0)" }
        }
    }

    private func find(_ number: UInt64, _ kind: Kind, at node: SimulatedNode) throws -> [Reference] {
        var query = RecordQuery()
        query.words = "\(Ledger.mark)\(number)"
        query.limit = RecordQuery.searchLimit
        return try node.replica.records(of: kind, query).items.compactMap(\.id)
    }
}
