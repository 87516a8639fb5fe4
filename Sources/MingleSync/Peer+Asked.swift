// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

extension Peer {
    /// What the peer has yet to answer about journals and payloads.
    struct Asked: Sendable {
        /// Requests for runs, with those that were given up and not answered.
        private(set) var runRequests = 0
        /// Bytes that these may bring.
        private(set) var runBytes = 0
        /// When it last sent some of what it was asked for of runs, or was first asked.
        var runsSince = Duration.zero
        /// How many requests for runs it was sent.
        private(set) var runsNumber: UInt64 = 0
        /// The last of these that it answered, of fabric journals and of content journals: it answers each kind in order.
        private(set) var runsAnswered: [UInt64] = [0, 0]
        /// Requests that were given up and that it has yet to answer; of these journals it is asked nothing else.
        private(set) var givenUp: [JournalKey: JournalPull.Request] = [:]
        /// Payloads asked for and not answered.
        var payloads: Set<Reference> = []
        /// When it last answered about payloads, or was first asked.
        var payloadsSince = Duration.zero
        /// Payloads to ask for.
        var payloadQueue = Queue<Reference>()
        /// When it is to have answered for all of these, however many answers come.
        var payloadsDue = Duration.zero
        /// How often it did not answer about payloads in time since it last sent one.
        var payloadStalls = 0
        /// Runs of each journal that it advertised and did not deliver.
        private(set) var strikes: [JournalKey: Strikes] = [:]
        /// When the oldest of these was noted, or before.
        private(set) var strikesSince = Duration.zero
        /// Headers that it advertised and that are not held.
        var offers = 0
        /// The same of devices without certificate.
        var unprovedOffers = 0
        /// Whether it advertised more since frontiers were compared than is kept in mind.
        var hasOverlooked = false
    }

    /// How often a peer failed to deliver a journal, and when last.
    struct Strikes: Sendable {
        private(set) var count = 0
        private(set) var last = Duration.zero

        mutating func add(at now: Duration) { (count, last) = (count + 1, now) }
    }
}

extension Peer.Asked {
    /// Payloads that it has yet to answer for, asked for or not.
    var waitingPayloads: Int { payloads.count + payloadQueue.count }

    /// Notes that it did not deliver a journal.
    mutating func strike(_ key: JournalKey, at now: Duration) {
        if strikes.isEmpty { strikesSince = now }
        strikes[key, default: Peer.Strikes()].add(at: now)
    }

    /// Forgives it a journal that it did not deliver before.
    mutating func forgive(_ key: JournalKey) { strikes[key] = nil }

    /// Forgives it what it did not deliver at some time or before.
    mutating func forgiveStrikes(until time: Duration) {
        // Walked through only when there may be something to forgive.
        guard !strikes.isEmpty, strikesSince <= time else { return }
        strikes = strikes.filter { $0.value.last > time }
        strikesSince = strikes.values.lazy.map(\.last).min() ?? .zero
    }

    /// Whether some request for runs waits for an answer, and was not given up.
    var awaitsRuns: Bool { runRequests > givenUp.count }

    /// Counts a request for runs, and numbers it.
    mutating func noteRequest(_ byteLimit: Int, at now: Duration) -> UInt64 {
        if runRequests == 0 { runsSince = now }
        runRequests += 1
        runBytes += byteLimit
        runsNumber += 1
        return runsNumber
    }

    /// Notes that a request for runs of a kind of journal is answered.
    mutating func noteAnswer(_ number: UInt64, of journal: Journal) {
        runsAnswered[Int(journal.rawValue)] = max(runsAnswered[Int(journal.rawValue)], number)
    }

    /// Counts a request for runs no more.
    mutating func free(_ byteLimit: Int) {
        runRequests -= 1
        runBytes -= byteLimit
    }

    /// Whether a later request of the same kind was answered before.
    func hasPassedOver(_ request: JournalPull.Request, of journal: Journal) -> Bool {
        !request.isAnswered && runsAnswered[Int(journal.rawValue)] > request.number
    }

    /// Requests that were given up as others offered the same, and of which it is open whether the peer fails to deliver, in order.
    var unjudged: [(key: JournalKey, request: JournalPull.Request)] {
        guard !givenUp.isEmpty else { return [] }
        return givenUp.filter { !$0.value.isJudged }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Waits no more for an answer, which the peer still owes.
    mutating func giveUp(_ request: JournalPull.Request, for key: JournalKey, isJudged: Bool) {
        givenUp[key] = request
        givenUp[key]?.isJudged = isJudged
    }

    /// Takes an answer as one to the request for a journal that was given up; nil if none was.
    mutating func endGivenUp(_ key: JournalKey) -> JournalPull.Request? {
        guard let ended = givenUp.removeValue(forKey: key) else { return nil }
        noteAnswer(ended.number, of: key.journal)
        free(ended.byteLimit)
        return ended
    }
}
