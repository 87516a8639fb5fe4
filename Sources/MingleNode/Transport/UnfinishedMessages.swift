// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What connections hold of messages that have not come whole, and who pays for it: a value without clocks.
///
/// Until somebody is let in, the address pays; afterwards the person. What those hold together who are not let in is
/// bounded, what one payer holds, and what all do. Where a bound is passed, the payer goes first that has held most for
/// longest, bytes times seconds: a photo that is on its way ends within seconds, and what is only held does not.
struct UnfinishedMessages: Sendable {
    /// Who pays.
    private enum Payer: Hashable {
        case address(String)
        case person(PersonID)
    }

    /// What one connection holds.
    struct Load: Sendable {
        private(set) var byteCount = 0
        /// Bytes times the milliseconds at which their message began.
        private var moment = 0

        /// Adds bytes of a message that began then.
        mutating func add(_ byteCount: Int, since time: Duration) {
            self.byteCount += byteCount
            moment += byteCount * Self.milliseconds(time)
        }

        /// Bytes times milliseconds; what has just begun counts as held for a second.
        func weight(at now: Duration) -> Int { max(byteCount * (1000 + Self.milliseconds(now)) - moment, byteCount) }

        /// At most 34 years, so that a product with bytes of one connection is a number.
        private static func milliseconds(_ time: Duration) -> Int { Int(min(max(time / .milliseconds(1), 0), 0x1p40)) }
    }

    private struct Holding {
        var payer: Payer
        var isLetIn = false
        var load = Load()
        /// Since when nothing is read from it.
        var pausedAt: Duration?

        var byteCount: Int { load.byteCount }

        func weight(at now: Duration) -> Int { load.weight(at: min(pausedAt ?? now, now)) }
    }

    private let limits: Limits
    private var holdings: [ConnectionID: Holding] = [:]
    private var payers: [Payer: Int] = [:]
    private var strangers = 0
    /// Bytes that all connections hold.
    private(set) var byteCount = 0

    init(_ limits: Limits) { self.limits = limits }

    /// A connection comes into being.
    mutating func open(_ id: ConnectionID, from address: String) {
        holdings[id] = Holding(payer: .address(address))
    }

    /// The other side was let in; its person pays from now on, or the address if none is known.
    mutating func admit(_ id: ConnectionID, as person: PersonID?) {
        change(id) { holding in
            holding.isLetIn = true
            if let person { holding.payer = .person(person) }
        }
    }

    /// Notes what a connection holds now, and returns the connections that have to be closed for that.
    mutating func hold(_ load: Load, on id: ConnectionID, at now: Duration) -> [ConnectionID] {
        guard let old = holdings[id] else { return [] }
        change(id) { ($0.load, $0.pausedAt) = (load, nil) }
        guard load.byteCount > old.byteCount else { return [] }
        var closed: [ConnectionID] = []
        while let offender = offender(beside: id, at: now) {
            leave(offender)
            closed.append(offender)
        }
        return closed
    }

    /// Nothing is read from a connection for a while, which makes it no heavier.
    mutating func pause(_ id: ConnectionID, at now: Duration) { change(id) { $0.pausedAt = now } }

    /// The connection is gone, or about to be.
    mutating func leave(_ id: ConnectionID) {
        change(id) { $0.load = Load() }
        holdings[id] = nil
    }

    /// Changes what is noted of a connection and keeps the sums.
    private mutating func change(_ id: ConnectionID, _ change: (inout Holding) -> Void) {
        guard var holding = holdings[id] else { return }
        count(holding, times: -1)
        change(&holding)
        count(holding, times: 1)
        holdings[id] = holding
    }

    private mutating func count(_ holding: Holding, times sign: Int) {
        byteCount += sign * holding.byteCount
        if !holding.isLetIn { strangers += sign * holding.byteCount }
        let paid = payers[holding.payer, default: 0] + sign * holding.byteCount
        payers[holding.payer] = paid == 0 ? nil : paid
    }

    /// The connection to close while a bound is passed to which `id` adds; nil if none is.
    private func offender(beside id: ConnectionID, at now: Duration) -> ConnectionID? {
        guard let holding = holdings[id] else { return byteCount > limits.all ? heaviest(at: now) { _ in true } : nil }
        if payers[holding.payer, default: 0] > limits.payer { return heaviest(at: now) { $0.payer == holding.payer } }
        if !holding.isLetIn, strangers > limits.strangers { return heaviest(at: now) { !$0.isLetIn } }
        return byteCount > limits.all ? heaviest(at: now) { _ in true } : nil
    }

    /// Of the payers that are meant the heaviest, and of that one's connections the heaviest.
    private func heaviest(at now: Duration, among isMeant: (Holding) -> Bool) -> ConnectionID? {
        let meant = holdings.filter { isMeant($0.value) && $0.value.byteCount > 0 }
        let weights = Dictionary(grouping: meant, by: \.value.payer).mapValues { held in
            held.reduce(0) { $0 + $1.value.weight(at: now) }
        }
        guard let payer = weights.max(by: { $0.value < $1.value })?.key else { return nil }
        let own = meant.filter { $0.value.payer == payer }
        return own.max { ($0.value.weight(at: now), $0.key) < ($1.value.weight(at: now), $1.key) }?.key
    }

    /// Bytes that may be held.
    struct Limits: Sendable {
        /// By all together who are not let in.
        var strangers = 8 << 20
        /// By one payer: what one connection may have on all lanes, and a little more.
        var payer = 24 << 20
        /// By all.
        var all = 64 << 20
    }
}
