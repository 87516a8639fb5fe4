// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica
import MingleSync
import Synchronization

/// How this machine's clock stands to those of the nodes that are connected.
///
/// What the others say is a claim, and nothing follows from it but words for whoever keeps a node.
struct ClockComparison {
    /// Seconds by which two clocks may differ.
    static let tolerance: Int64 = 60
    /// Persons whose clocks it takes to tell which clock is wrong.
    private static let leastPersons = 3
    /// Clocks that are named in one answer.
    private static let named = 5

    /// The clock of another machine.
    struct Other: Equatable {
        /// Whose.
        let name: String
        /// Seconds by which it is ahead of this one; less than zero: behind it.
        let ahead: Int64
        /// The person whose device it is; nil for a relay, whose word counts for nothing.
        var person: PersonID?
        /// Whether the person is a host of the event.
        var isHost = false

        var isOff: Bool { ahead.magnitude > ClockComparison.tolerance.magnitude }

        /// Whether both may be one.
        func goesLike(_ other: Other) -> Bool { abs(ahead - other.ahead) <= ClockComparison.tolerance }
    }

    let others: [Other]

    /// Compares with what the others said.
    init(_ others: [Other]) { self.others = others.sorted { ($0.ahead, $0.name) < ($1.ahead, $1.name) } }

    /// Compares with what the devices of several events said.
    ///
    /// A machine is another device in each of its events, and nothing says which of them are on one; but it has one
    /// clock. So of clocks that go alike as many count as there are in a single event.
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

    /// Seconds by which the middle of the persons' clocks is ahead of this one.
    ///
    /// It is nil where they are too few, or no host is among them.
    var middle: Int64? {
        guard others.contains(where: \.isHost) else { return nil }
        var seen: Set<PersonID> = []
        // Each person counts once, however many devices there are.
        let clocks = others.filter { $0.person.map { seen.insert($0).inserted } ?? false }.map(\.ahead)
        guard clocks.count >= Self.leastPersons else { return nil }
        let (low, high) = (clocks[(clocks.count - 1) / 2], clocks[clocks.count / 2])
        return low / 2 + high / 2
    }

    /// Seconds by which this clock is ahead of that; nil where they agree or nothing can be told.
    var ahead: Int64? { middle.flatMap { $0.magnitude > Self.tolerance.magnitude ? -$0 : nil } }

    /// What is to be said of this machine's clock, if it is the one that is wrong.
    var complaint: String? {
        ahead.map { "The clock of this machine is \(Self.phrase($0)) \($0 > 0 ? "of " : "")most others here." }
    }

    /// What the doctor says; nil where nobody has told the time.
    var check: API.Check? {
        guard !others.isEmpty else { return nil }
        let off = others.filter(\.isOff).sorted { $0.ahead.magnitude > $1.ahead.magnitude }
        guard !off.isEmpty else {
            return API.Check(
                id: Self.id,
                status: "pass",
                detail: "The clock agrees with the clocks of the connected nodes."
            )
        }
        let detail = ["Compared with this machine's clock, \(Self.list(off)).", verdict, Self.harm]
        return API.Check(
            id: Self.id,
            status: "warn",
            detail: detail.joined(separator: " "),
            fix: ahead == nil && middle != nil ? "Ask whoever runs those machines to set their clocks." : Self.fix
        )
    }

    /// Which clock is wrong, as far as that can be told.
    private var verdict: String {
        if let complaint { return complaint }
        if middle != nil { return "Most others agree with this machine." }
        return others.count == 1 ? "One of the two is wrong." : "Which of them is right cannot be told."
    }

    /// "the clock of A is 2 hours ahead, that of B 3 days behind".
    private static func list(_ off: [Other]) -> String {
        let phrases = off.prefix(named).map { "the clock of \($0.name) is \(phrase($0.ahead))" }
        let more = off.count - phrases.count
        return (phrases + (more > 0 ? ["and \(more.counted("other")) differ as well"] : [])).joined(separator: ", ")
    }

    private static let id = "clock.others"
    private static let harm =
        "With a wrong clock, posts show the wrong time and invitations expire too early or too late."
    private static let fix =
        "Set the wrong clock: timedatectl set-ntp true. Without network time: timedatectl set-ntp false, then timedatectl "
        + "set-time 'YYYY-MM-DD HH:MM'"

    /// "2 hours ahead", for people.
    private static func phrase(_ ahead: Int64) -> String {
        let units: [(UInt64, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        let seconds = ahead.magnitude
        // Two at the least, so that none is "1 days".
        let (length, unit) = units.first { seconds >= $0.0 * 2 } ?? (60, "minutes")
        return "\(seconds / length) \(unit) \(ahead > 0 ? "ahead" : "behind")"
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
            return ClockComparison.Other(
                name: "“\(name.onTerminal())” (\(entry.address))",
                ahead: ahead / 1000,
                person: entry.isRelay ? nil : person,
                isHost: !entry.isRelay && ((try? replica.level(of: person)) ?? nil).map { $0 >= .host } ?? false
            )
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
