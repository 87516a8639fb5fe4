// SPDX-License-Identifier: Apache-2.0

/// How often things happened without which a run proves nothing.
package struct Coverage: Codable, Hashable, Sendable {
    /// Paths between groups of peers that were cut for a while.
    package var partitions = 0
    /// Cuts in one direction only.
    package var asymmetricCuts = 0
    /// Links that ended at once.
    package var cutLinks = 0
    /// Engines that began anew from what the replica held.
    package var restarts = 0
    /// Peers that slept.
    package var sleeps = 0
    /// Clocks that were set.
    package var clockJumps = 0
    /// Peers that a member let in.
    package var admissions = 0
    /// Newcomers that a member refused for a while.
    package var refusals = 0
    /// Fields of which two devices of a person wrote values without knowing of each other's.
    package var conflicts = 0
    /// Edits of what another device had deleted already, and deletions of what another had edited, unknowingly.
    package var editsOfDeleted = 0
    /// Deletions.
    package var deletions = 0
    /// Things said about what was deleted already, elsewhere.
    package var orphans = 0
    /// Writes by people, all told.
    package var writes = 0
    /// Merges of what others wrote, in transactions.
    package var merges = 0
    /// Chunks of blobs that were stored.
    package var chunks = 0
    /// Messages that arrived.
    package var messages = 0
    /// Links that opened.
    package var links = 0
    /// Links that ended because the two had another one.
    package var duplicateLinks = 0
    /// Journals or blobs that a peer was given up on for.
    package var abandonments = 0

    /// Keys that the founder drew anew.
    package var renewals = 0
    /// Writes that were refused as a whole.
    package var slips = 0

    /// Counts from zero.
    package init() {}

    /// What did not happen at all, though a run is worth little without it.
    package var absent: [String] {
        let needed: [(String, Int)] = [
            ("partitions", partitions), ("asymmetric cuts", asymmetricCuts), ("cut links", cutLinks),
            ("restarts", restarts), ("sleeps", sleeps), ("clock jumps", clockJumps), ("conflicting edits", conflicts),
            ("deletions", deletions), ("deletions that met edits", editsOfDeleted),
            ("words about what was deleted", orphans), ("chunks", chunks),
        ]
        return needed.filter { $0.1 == 0 }.map(\.0)
    }

    /// Adds what another run showed.
    package mutating func add(_ other: Coverage) {
        for counter in Self.counters { self[keyPath: counter] += other[keyPath: counter] }
    }

    private static var counters: [WritableKeyPath<Coverage, Int>] {
        [
            \.partitions, \.asymmetricCuts, \.cutLinks, \.restarts, \.sleeps, \.clockJumps, \.admissions, \.refusals,
            \.conflicts, \.editsOfDeleted, \.deletions, \.orphans, \.writes, \.merges, \.chunks, \.messages, \.links,
            \.duplicateLinks, \.abandonments, \.renewals, \.slips,
        ]
    }
}
