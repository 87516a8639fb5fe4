// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica
import MingleSync
import Synchronization

/// How this machine's clock stands to those of the nodes that are connected.
///
/// What the others say is a claim, and nothing follows from it but words for whoever keeps a node: with two clocks alone nobody can
/// tell which of them is wrong, and of several the most agree about one that is right.
struct ClockComparison {
    /// Seconds by which two clocks may differ: greetings wait for each other, and nobody minds a minute.
    static let tolerance: Int64 = 120

    /// A clock that is not as this one is.
    struct Other: Equatable {
        /// Whose.
        let name: String
        /// Seconds by which it is ahead of this one; less than zero: behind it.
        let ahead: Int64

        var isOff: Bool { ahead.magnitude > ClockComparison.tolerance.magnitude }

        /// Whether both may be one.
        func goesLike(_ other: Other) -> Bool { abs(ahead - other.ahead) <= ClockComparison.tolerance }
    }

    let others: [Other]

    /// Compares with what the others said.
    init(_ others: [Other]) { self.others = others.sorted { ($0.ahead, $0.name) < ($1.ahead, $1.name) } }

    /// Compares with what the devices of several events said.
    ///
    /// A machine is another device in each of its events, and nothing says which of them are on one; but it has one clock. So of clocks that
    /// go alike as many count as there are in a single event.
    init(inEvents events: [[Other]]) {
        var machines: [Other] = []
        for event in events {
            var known = Self(machines).others
            for other in Self(event).others {
                if let place = known.firstIndex(where: other.goesLike) {
                    known.remove(at: place)
                } else {
                    machines.append(other)
                }
            }
        }
        self.init(machines)
    }

    /// Seconds by which this clock is ahead of most others; nil where nobody is, or none is far from it.
    var ahead: Int64? {
        guard others.count > 1, let middle, against.count * 2 > others.count else { return nil }
        return -middle.ahead
    }

    private var middle: Other? { others.isEmpty ? nil : others[others.count / 2] }

    /// Those that differ as the one in the middle does.
    private var against: [Other] {
        guard let middle, middle.isOff else { return [] }
        return others.filter { $0.isOff && ($0.ahead < 0) == (middle.ahead < 0) }
    }

    /// What is to be said of this machine's clock, if most others say otherwise.
    var complaint: String? {
        ahead.map { ahead in
            "The clock of this machine is \(Self.phrase(ahead)) the clocks of \(against.count) of the \(others.count) connected "
                + "nodes."
        }
    }

    /// What the doctor says; nil where nobody has told the time.
    var check: API.Check? {
        guard !others.isEmpty else { return nil }
        if let complaint {
            return API.Check(id: Self.id, status: "warn", detail: complaint + " " + Self.harm, fix: Self.fix)
        }
        guard let worst = others.filter(\.isOff).max(by: { $0.ahead.magnitude < $1.ahead.magnitude }) else {
            return API.Check(
                id: Self.id,
                status: "pass",
                detail: "The clock agrees with the clocks of the connected nodes."
            )
        }
        let doubt = others.count == 1 ? "One of the two is wrong." : "The other nodes agree with this machine."
        return API.Check(
            id: Self.id,
            status: "warn",
            detail:
                "The clock of \(worst.name) is \(Self.phrase(worst.ahead)) this machine's clock. \(doubt) \(Self.harm)",
            fix: others.count == 1 ? Self.fix : "Ask the person who runs that machine to set its clock."
        )
    }

    private static let id = "clock.others"
    private static let harm =
        "With a wrong clock, posts show the wrong time and invitations expire too early or too late."
    private static let fix =
        "Set the wrong clock: timedatectl set-ntp true. Without network time: timedatectl set-ntp false, then timedatectl "
        + "set-time 'YYYY-MM-DD HH:MM'"

    /// "2 hours ahead of", for people.
    private static func phrase(_ ahead: Int64) -> String {
        let units: [(UInt64, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        let seconds = ahead.magnitude
        // Two at the least, so that none is "1 days".
        let (length, unit) = units.first { seconds >= $0.0 * 2 } ?? (60, "minutes")
        return "\(seconds / length) \(unit) \(ahead > 0 ? "ahead of" : "behind")"
    }
}

extension Node {
    /// How the clock stands to those of others, in all events.
    var clocks: ClockComparison {
        let sessions = state.withLock { $0.sessions }.sorted { $0.key < $1.key }
        return ClockComparison(inEvents: sessions.map { $1.clocks })
    }
}

extension EventSession {
    /// What the devices that were let in said of the time when they greeted.
    fileprivate var clocks: [ClockComparison.Other] {
        var devices: Set<DeviceName> = []
        return roster.all.compactMap { _, entry in
            guard let person = entry.person, let beginning = entry.clockBeginning else { return nil }
            // It may be linked twice for a moment.
            guard let device = entry.device, devices.insert(device).inserted else { return nil }
            let name = (try? replica.person(person).name) ?? "somebody"
            let ahead = beginning + clock.uptime().milliseconds - clock.now().milliseconds
            return ClockComparison.Other(name: "\(name) (\(entry.address))", ahead: ahead / 1000)
        }
    }

    /// Remembers what a peer's clock says.
    func noteClock(of peer: PeerID, _ hello: Hello) {
        guard let time = hello.time else { return }
        roster.noteClock(of: peer, beginning: time.milliseconds - clock.uptime().milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
