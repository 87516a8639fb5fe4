// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync

/// Where a node of an event may be reached.
struct DialTarget: Hashable, Comparable, Sendable {
    let event: EventID
    let host: String
    let port: Int

    static func < (left: DialTarget, right: DialTarget) -> Bool {
        (left.event, left.host, left.port) < (right.event, right.host, right.port)
    }
}

/// Decides whom to dial and when; what carries it out is the node.
///
/// Every target is tried at once when it is heard of, and then ever less often while nobody answers.
struct DialPlan {
    /// How sure it is that somebody is there.
    enum Origin: Int, Comparable {
        /// A peer said so, or an invitation.
        case hint = 0
        /// The operator said so.
        case configured = 1
        /// Seen on the LAN just now.
        case discovered = 2

        static func < (left: Origin, right: Origin) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Entry {
        var origin: Origin
        var failures = 0
        var next: Duration
        var isBusy = false
        /// The link by which whoever is there is connected.
        var twin: PeerID?
        /// How loaded the relay is that is there, as far as it says; nil: no relay, as far as is known.
        var relayLoad: Int?
        /// Who did not let the other in the last time, if one did not.
        var refusal: Refusal?
        /// Whether nobody names it any more, so that it goes with its link.
        var isForgotten = false
        /// Whether a relay was met there, which its word alone does not say.
        var isRelay = false
    }

    /// Targets that are remembered for each event.
    static let targetsPerEvent = 256
    /// Connections of an event that this node dials.
    static let dialledPerEvent = 32
    /// The same besides those to relays, while there is a link to one: enough to go on with when that one fails.
    static let dialledBesideRelays = 3
    /// Relays of an event that this node dials.
    static let dialledRelays = 2
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(30)
    /// The longest pause where this node is not let in, which its coming back changes little about.
    private static let whileRefused = Duration.seconds(256)
    /// How long a target rests whose node is connected otherwise or not let in here: another node may have come to its
    /// address.
    private static let whileUseless = Duration.seconds(600)

    private var entries: [DialTarget: Entry] = [:]
    /// How many of these there are of each event.
    private var counts: [EventID: Int] = [:]
    /// The links to relays, whoever dialled them.
    private var relayLinks: [EventID: Set<PeerID>] = [:]
    /// The addresses from which relays came.
    private var relayHosts: [EventID: Set<String>] = [:]
    private static let rememberedHosts = 16
    /// Which nodes are dialled besides relays is drawn from it, so that not all dial the same.
    private let seed: UInt64

    /// Knows nobody yet; with a seed of 0 whom it dials besides relays goes by address.
    init(seed: UInt64 = 0) { self.seed = seed }

    /// Hears of a target; what is heard of anew is dialled at once.
    ///
    /// - Parameter relayLoad: how loaded a relay says it is; nil: it does not say that it is one.
    mutating func learn(_ target: DialTarget, _ origin: Origin, relayLoad: Int? = nil, at now: Duration) {
        defer {
            if let relayLoad {
                entries[target]?.relayLoad = relayLoad
                noteRelay(at: target)
            }
        }
        if var entry = entries[target] {
            if origin == .discovered { (entry.failures, entry.next) = (0, min(entry.next, now)) }
            (entry.origin, entry.isForgotten) = (entry.isForgotten ? origin : max(entry.origin, origin), false)
            entries[target] = entry
        } else if hasRoom(for: target, origin) {
            entries[target] = Entry(origin: origin, next: now)
            counts[target.event, default: 0] += 1
        }
    }

    /// Forgets that the operator named targets: those that nobody is connected by go, the others once their links end.
    mutating func forgetConfigured() {
        for (target, entry) in entries where entry.origin == .configured {
            if entry.isBusy { entries[target]?.isForgotten = true } else { remove(target) }
        }
    }

    private mutating func remove(_ target: DialTarget) {
        guard entries.removeValue(forKey: target) != nil else { return }
        let left = counts[target.event, default: 0] - 1
        counts[target.event] = left > 0 ? left : nil
    }

    /// Whether a target can be remembered; a hint that leads nowhere so far gives way to what is surer.
    private mutating func hasRoom(for target: DialTarget, _ origin: Origin) -> Bool {
        guard counts[target.event, default: 0] >= Self.targetsPerEvent else { return true }
        // Most are hints, of which peers send many; nobody is looked for to give way to one.
        guard origin > .hint else { return false }
        let hints = entries.filter { key, entry in
            key.event == target.event && entry.origin == .hint && !entry.isBusy
        }
        let worst = hints.max { ($0.value.failures, $0.key) < ($1.value.failures, $1.key) }
        guard let worst else { return false }
        remove(worst.key)
        return true
    }

    /// The targets whose time has come, the surest first; each is busy until it failed or ended.
    mutating func due(at now: Duration) -> [DialTarget] {
        let ready = entries.filter { !$0.value.isBusy && $0.value.next <= now }
            .sorted { comesBefore($0, $1) }
            .map(\.key)
        var chosen: [DialTarget] = []
        for target in ready where mayDial(target) {
            entries[target]?.isBusy = true
            chosen.append(target)
        }
        return chosen
    }

    /// Notes that a link is gone, or that nobody answered.
    ///
    /// - Parameters:
    ///   - wasUseful: whether the link had opened; then the next try comes soon.
    ///   - refusal: who did not let the other in, if one did not.
    mutating func ended(_ target: DialTarget, wasUseful: Bool, refusal: Refusal? = nil, at now: Duration) {
        guard var entry = entries[target] else { return }
        (entry.isBusy, entry.refusal) = (false, refusal)
        entry.failures = wasUseful ? 0 : min(entry.failures + 1, 10)
        entry.next = now + pause(of: entry)
        // A hint that never led anywhere makes room for better ones.
        let isOver = entry.isForgotten || (entry.origin == .hint && entry.failures >= 10)
        if isOver { remove(target) } else { entries[target] = entry }
    }

    private func pause(of entry: Entry) -> Duration {
        let pause = Self.shortest * (1 << entry.failures)
        return switch entry.refusal {
        case .here: Self.whileUseless
        case .there: min(Self.whileRefused, pause)
        case nil: min(Self.longest, pause)
        }
    }

    /// Leaves a target alone for a while: it is this node itself, or a node that is connected otherwise.
    ///
    /// - Parameter twin: the link by which it is connected, where that is known: nothing is gained by dialling until
    ///   ``linkEnded(_:at:)`` says that it is gone.
    mutating func rest(_ target: DialTarget, while twin: PeerID? = nil, at now: Duration) {
        if entries[target]?.isForgotten == true { return remove(target) }
        entries[target]?.isBusy = false
        // Somebody is there.
        entries[target]?.failures = 0
        entries[target]?.twin = twin
        entries[target]?.next = now + (twin == nil ? Self.longest : Self.whileUseless)
        guard let twin else { return }
        // Somebody else may have come to a relay's address.
        if relayLinks[target.event]?.contains(twin) == true {
            noteRelayMet(at: target)
        } else {
            entries[target]?.isRelay = false
        }
    }

    /// Dials soon what rested because of a link that is gone.
    mutating func linkEnded(_ link: PeerID, at now: Duration) {
        for event in relayLinks.keys { relayLinks[event]?.remove(link) }
        for (target, entry) in entries where entry.twin == link {
            entries[target]?.twin = nil
            entries[target]?.next = min(entry.next, now + Self.shortest)
        }
    }

    /// Dials soon where somebody was not let in whom it concerns that other people take part in the event now.
    mutating func doorsChanged(_ news: DoorNews, in event: EventID, at now: Duration) {
        for (target, entry) in entries where target.event == event {
            guard let refusal = entry.refusal, news.concern(refusal) else { continue }
            entries[target]?.failures = 0
            entries[target]?.next = min(entry.next, now + Self.shortest)
        }
    }

    /// Forgets all targets of an event, and its relays.
    mutating func forget(_ event: EventID) {
        entries = entries.filter { $0.key.event != event }
        (counts[event], relayLinks[event], relayHosts[event]) = (nil, nil, nil)
    }

    /// How many nodes of an event are seen on the LAN and have not answered three times or more.
    func silentCount(of event: EventID) -> Int {
        entries.count { $0.key.event == event && $0.value.origin == .discovered && $0.value.failures >= 3 }
    }

    /// When something is due next.
    var nextTime: Duration? { entries.values.lazy.filter { !$0.isBusy }.map(\.next).min() }

    // MARK: - Relays

    /// A link leads to a relay of an event; `target` is what it was dialled for, if this node dialled it, and `host` the
    /// other end's address.
    mutating func meetRelay(by link: PeerID, of event: EventID, at target: DialTarget?, host: String? = nil) {
        relayLinks[event, default: []].insert(link)
        if let target { noteRelayMet(at: target) }
        for (target, entry) in entries where entry.twin == link { noteRelayMet(at: target) }
        guard let host, (relayHosts[event]?.count ?? 0) < Self.rememberedHosts else { return }
        relayHosts[event, default: []].insert(host)
        for target in entries.keys where target.event == event { noteRelay(at: target) }
    }

    /// Notes that a target leads to a relay, as it was dialled for it or is where a relay is that is connected otherwise.
    private mutating func noteRelayMet(at target: DialTarget) {
        entries[target]?.isRelay = true
        if entries[target]?.relayLoad == nil { entries[target]?.relayLoad = 0 }
    }

    /// Notes that a relay is at a target that says so, if one came from that machine.
    private mutating func noteRelay(at target: DialTarget) {
        guard entries[target]?.relayLoad != nil, relayHosts[target.event]?.contains(target.host) == true else { return }
        entries[target]?.isRelay = true
    }

    /// Where relays of an event were met, as `host:port`; not what only this machine can reach.
    func relays(of event: EventID) -> [String] {
        entries.filter { $0.key.event == event && $0.value.isRelay && $0.value.failures == 0 }.keys.sorted()
            .filter { !$0.host.contains("%") && !$0.host.hasPrefix("127.") }
            .map { $0.host.contains(":") ? "[\($0.host)]:\($0.port)" : "\($0.host):\($0.port)" }
    }

    private func mayDial(_ target: DialTarget) -> Bool {
        let isRelay = entries[target]?.relayLoad != nil
        let count = entries.count { key, entry in
            key.event == target.event && entry.isBusy && (entry.relayLoad != nil) == isRelay
        }
        if isRelay { return count < Self.dialledRelays }
        let hasRelay = relayLinks[target.event].map { !$0.isEmpty } ?? false
        return count < (hasRelay ? Self.dialledBesideRelays : Self.dialledPerEvent)
    }

    /// Relays come first, the least loaded of them before others, then what is surer.
    private func comesBefore(_ left: (key: DialTarget, value: Entry), _ right: (key: DialTarget, value: Entry)) -> Bool
    {
        let loads = (left.value.relayLoad ?? .max, right.value.relayLoad ?? .max)
        if loads.0 != loads.1 { return loads.0 < loads.1 }
        return (right.value.origin, place(of: left.key), left.key) < (
            left.value.origin, place(of: right.key), right.key
        )
    }

    /// Where the seed puts a target.
    private func place(of target: DialTarget) -> UInt64 {
        guard seed != 0 else { return 0 }
        // FNV-1a: nothing secret hangs on it.
        return "\(target.host):\(target.port)".utf8.reduce(seed ^ 0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
    }
}
