// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// A journal that peers hold further than this node, or on another branch.
struct JournalPull: Sendable {
    /// One peer's word that it holds a header.
    struct Offer: Sendable {
        let peer: PeerID
        let point: JournalPoint
        /// Whether the shell was asked if the header is held.
        var isAsked = false
        /// Whether the header is known not to be held.
        var isMissing = false
    }

    /// What one peer was asked for and has not fully delivered.
    struct Request: Sendable {
        let peer: PeerID
        /// Its place among the requests to that peer.
        let number: UInt64
        /// Bytes that were asked for.
        let byteLimit: Int
        /// The last sequence that was asked for.
        let upTo: UInt32
        /// The tips that were held at the time.
        let tips: [JournalPoint]
        /// Whether older headers than the tips were named.
        let usedLocator: Bool
        /// Since when too little has come, were it to come as slowly as it may.
        private(set) var since: Duration
        /// Bytes that came.
        var byteCount = 0
        /// Whether the peer has said that it is done.
        var isAnswered = false
        /// Whether the runs did not fit, or the peer said so.
        var needsOlder = false
        /// Whether runs were left out because too much waited to be proved.
        var wasCut = false
        /// Whether it was held against the peer that it did not deliver, once the request was given up.
        var isJudged = false

        /// Gives the peer more time, but none to come.
        mutating func extend(by time: Duration, at now: Duration) { since = min(now, since + time) }
    }

    var offers: [Offer] = []
    var request: Request?
    /// Runs that the shell is merging, from whichever peer: their last headers, and how many payloads came along.
    var merging: [(tip: JournalPoint, payloadCount: Int)] = []
    /// Whether the shell was asked which offers are missing, or for a locator.
    var isAsking = false
    /// Whether the tips are not enough to say what is held.
    var needsLocator = false
    var locator: [JournalPoint]?
    /// Whether some of it has come, and it goes on before others begin.
    var isBegun = false
    /// Whether something that has come hangs on it.
    var isAwaited = false
    /// Bytes that were asked for in all.
    var requestedBytes = 0

    /// Whether nothing is on its way that could change what is missing.
    var isIdle: Bool { request == nil && merging.isEmpty && !isAsking }
}

/// The journals that are being pulled, and those that wait for a peer to be free.
struct PullTable: Sendable {
    /// Whose turn it is: fabric journals prove content, what was begun goes on before another begins, and what others hang on
    /// comes before the rest: else nothing of a day could be shown before nearly all of it has come.
    ///
    /// What hangs on others is awaited by many in a busy event, so that it must not keep waiting what was begun: the newest
    /// journal is the first that is begun.
    enum Turn: Int, CaseIterable {
        case begunFabric, fabric, begunContent, awaitedContent, content
    }

    var table = OrderedTable<JournalKey, JournalPull>()
    /// Journals to ask for, by their turn.
    private var waiting = [OrderedTable<JournalKey, Bool>](repeating: OrderedTable(), count: Turn.allCases.count)
    /// The first eight bytes of the names of devices whose content is pulled before others'.
    private var awaited: Set<UInt64> = []
    /// How many such devices are kept in mind.
    private static let awaitedLimit = 4096
    /// What peers hold of content whose device's certificate is not here, which nobody can be asked for.
    var unproved = OrderedTable<JournalKey, [JournalPull.Offer]>()
    /// Whether certificates have come since this was looked through.
    var hasProofs = false
    /// Runs being merged, by the peer that sent them, which may be gone.
    var merging: [PeerID: Queue<Merging>] = [:]
    /// Whether a pass over what waits could find something to ask for.
    var isDirty = false
    /// Peers with room that can be asked for nothing of what waits: nothing has come to wait since that they offer.
    var exhausted: Set<PeerID> = []
    /// Whether nothing that came could be stored.
    var isPaused = false

    /// One run that the shell is merging.
    struct Merging: Sendable {
        let run: Run
        let byteCount: Int
        let isRequested: Bool
        /// When it came.
        let since: Duration
    }

    /// Bytes that one peer sent and that are not proved yet.
    func unprovedBytes(from id: PeerID) -> Int { merging[id]?.all.reduce(0) { $0 + $1.byteCount } ?? 0 }

    /// How many journals there are to ask for.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }
    /// The journals to ask for whose turn comes at the same time, in the order in which to ask.
    func keys(_ turn: Turn) -> [JournalKey] { waiting[turn.rawValue].keys }

    /// Puts a journal among those to ask for.
    mutating func wait(_ key: JournalKey) {
        waiting[turn(of: key).rawValue][key] = true
        isDirty = true
        guard !exhausted.isEmpty else { return }
        for offer in table[key]?.offers ?? [] { exhausted.remove(offer.peer) }
    }

    /// Pulls the content of devices before others', of which something is needed.
    mutating func expect(_ devices: Set<UInt64>) {
        let new = devices.subtracting(awaited)
        guard !new.isEmpty else { return }
        if awaited.count + new.count <= Self.awaitedLimit { awaited.formUnion(new) }
        for key in keys(.content) where new.contains(key.device.raw.prefix) {
            stopWaiting(key)
            table[key]?.isAwaited = true
            wait(key)
        }
    }

    /// Begins to pull a journal that somebody offers.
    func begin(_ key: JournalKey) -> JournalPull {
        var pull = JournalPull()
        pull.isAwaited = key.journal == .content && awaited.contains(key.device.raw.prefix)
        return pull
    }

    private func turn(of key: JournalKey) -> Turn {
        let pull = table[key]
        if pull?.isBegun == true { return key.journal == .fabric ? .begunFabric : .begunContent }
        guard key.journal == .content else { return .fabric }
        return pull?.isAwaited == true ? .awaitedContent : .content
    }

    /// Takes a journal from those to ask for.
    mutating func stopWaiting(_ key: JournalKey) {
        for turn in waiting.indices where !waiting[turn].isEmpty { waiting[turn][key] = nil }
    }
}
