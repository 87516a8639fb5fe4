// SPDX-License-Identifier: Apache-2.0

import Logging
import MingleModel
import MingleReplica
import MingleWire
import Synchronization

/// Who was hung up on for what it sent, for the log and for whoever keeps the node: a value without clocks.
struct HungUp: Sendable {
    /// Who did it: a person who was let in, or else an address.
    enum Offender: Hashable, Sendable {
        /// A person of an event.
        case person(PersonID, EventID)
        /// Whoever speaks from an IP address.
        case address(String)

        /// Whether it was not let in.
        var isStranger: Bool { if case .address = self { true } else { false } }
    }

    /// Whoever speaks from an IP address; of IPv6 a network of 64 bits is one, as any machine has all its addresses.
    static func stranger(from host: String) -> Offender {
        let groups = host.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false).prefix(4)
        return .address(host.contains(":") ? groups.joined(separator: ":") : host)
    }

    /// What is known of one of them.
    struct Record: Sendable {
        /// The reason of the last time.
        var reason: CloseReason
        /// The IP address of the last time.
        var host: String
        var count = 0
        var last = Duration.zero
        /// When it was told last.
        fileprivate var toldAt: Duration?
    }

    private static let limit = 64
    /// How long people are told of it.
    static let memory = Duration.seconds(600)
    /// How often the log tells of one of them.
    private static let pause = Duration.seconds(60)

    private var records: [Offender: Record] = [:]
    private var toldOfStrangersAt: Duration?
    /// How often somebody was hung up on, since the start.
    private(set) var count = 0

    /// Notes that somebody was; returns what the log is to tell, or nil where it told of that offender a moment ago.
    mutating func note(_ offender: Offender, from host: String, _ reason: CloseReason, at now: Duration) -> Record? {
        count += 1
        if records[offender] == nil, records.count >= Self.limit { forgetOne() }
        var record = records[offender] ?? Record(reason: reason, host: host)
        if now - record.last > Self.memory { record.count = 0 }
        (record.reason, record.host, record.last) = (reason, host, now)
        record.count += 1
        // Strangers share one turn, as they may have any number of addresses.
        let toldAt = offender.isStranger ? toldOfStrangersAt : record.toldAt
        let isDue = toldAt.map { now - $0 >= Self.pause } ?? true
        if isDue { record.toldAt = now }
        if isDue, offender.isStranger { toldOfStrangersAt = now }
        records[offender] = record
        return isDue ? record : nil
    }

    /// Forgets the one that was hung up on longest ago: a stranger, if there is one.
    private mutating func forgetOne() {
        let oldest = records.min { one, other in
            let (first, second) = (one.key.isStranger ? 0 : 1, other.key.isStranger ? 0 : 1)
            return (first, one.value.last) < (second, other.value.last)
        }
        if let oldest { records[oldest.key] = nil }
    }

    /// Those of the last ten minutes, the most frequent first.
    func recent(at now: Duration) -> [(Offender, Record)] {
        records.filter { now - $0.value.last <= Self.memory }
            .sorted { ($1.value.count, $0.value.host) < ($0.value.count, $1.value.host) }
            .map { ($0.key, $0.value) }
    }
}

extension CloseReason {
    /// What the other side did, for people.
    fileprivate var misdeed: String {
        switch self {
        case .violation: "it sent what no node of this version sends"
        default: description
        }
    }

    /// Whether the other side is to blame for the end.
    var isMisconduct: Bool {
        switch self {
        case .violation(let error): error != .truncated && error != .exhausted
        case .overloaded, .tooSlow: true
        case .byUs, .byPeer, .lost, .handshakeTimedOut, .displaced, .crowdedOut: false
        }
    }
}

extension Node {
    /// Offenders that are named in one answer.
    private static let namedOffenders = 5

    /// Remembers who was hung up on, and tells the log.
    func noteEnd(of link: Link, _ reason: CloseReason, _ person: PersonID?) {
        guard reason.isMisconduct else { return }
        let offender = person.map { HungUp.Offender.person($0, link.event) } ?? HungUp.stranger(from: link.address.host)
        let told = state.withLock { $0.hungUp.note(offender, from: link.address.host, reason, at: clock.uptime()) }
        guard let told else { return }
        logger.warning(
            "hung up on a peer",
            metadata: [
                "who": "\(name(of: offender))", "address": "\(link.address)", "reason": "\(reason)",
                "times": "\(told.count)",
            ]
        )
    }

    /// What is to be said of those who were hung up on lately.
    var hungUpWarnings: [String] {
        let recent = state.withLock { $0.hungUp }.recent(at: clock.uptime())
        var warnings = recent.prefix(Self.namedOffenders).map { offender, record in
            "This node hung up on \(name(of: offender)) (\(record.host)) \(record.count.counted("time")) lately: "
                + "\(record.reason.misdeed)."
        }
        let others = recent.count - warnings.count
        if others > 0 { warnings.append("It also hung up on \(others.counted("other")) lately.") }
        return warnings
    }

    private func name(of offender: HungUp.Offender) -> String {
        guard case .person(let person, let event) = offender else { return "somebody who was not let in" }
        let session = state.withLock { $0.sessions[event] }
        return (try? session?.replica.person(person).name).map { "“\($0.onTerminal())”" } ?? "somebody"
    }
}
