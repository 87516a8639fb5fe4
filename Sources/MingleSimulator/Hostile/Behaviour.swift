// SPDX-License-Identifier: Apache-2.0

/// One way in which a hostile peer does harm.
package enum Behaviour: String, Sendable, CaseIterable {
    /// Alters headers, payloads and signatures of runs, and writes runs in others' names.
    case forging
    /// Signs different deltas of one sequence and shows each to some peers only.
    case equivocation
    /// Writes with clocks years ahead and behind.
    case wrongClocks = "wrong-clocks"
    /// Speaks of sequences that no journal reaches.
    case hugeSequences = "huge-sequences"
    /// Writes about records that never come, and sends runs whose beginning never comes.
    case orphans
    /// Sends chunks that are not the author's.
    case badChunks = "bad-chunks"
    /// Claims headers that it does not hold, and denies those that it holds.
    case lyingFrontiers = "lying-frontiers"
    /// Leaves runs, payloads and chunks out of its answers.
    case withholding
    /// Says again and again that it holds pictures which others want, and sends none.
    case promising
    /// Never says which pictures it holds.
    case silence
    /// Greets with what others, or itself, said in other sessions.
    case replays
    /// Takes what it is sent at a crawl.
    case slowReading = "slow-reading"
    /// Opens links faster than anybody needs, and drops them.
    case storms
    /// Sends random and truncated messages.
    case garbage
    /// Asks for everything, all the time.
    case greed
    /// Edits and deletes what others made, lets people in, makes epochs and titles.
    case usurping

    /// Whether who is not let in can behave so.
    var needsNoAdmission: Bool {
        switch self {
        case .forging, .replays, .slowReading, .storms, .garbage: true
        default: false
        }
    }

    /// Whether it does something of its own from time to time, besides altering what it says anyhow.
    var hasDeeds: Bool {
        switch self {
        case .replays, .slowReading, .silence: false
        default: true
        }
    }
}
