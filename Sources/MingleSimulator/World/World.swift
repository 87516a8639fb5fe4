// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Everything that can happen, and to whom.
enum Occurrence {
    /// A queue of a node gets to a piece of work.
    case work(node: Int, life: Int, Work)
    /// A node's engine hears what its shell has to tell.
    case feed(node: Int, life: Int)
    case tick(node: Int, life: Int)
    /// One end of a link may send its next fragment.
    case transmit(link: UInt64, end: Int)
    case arrive(link: UInt64, end: Int, Outbox.Fragment)
    /// One end of a link finds out that the other is gone.
    case lapse(link: UInt64, end: Int)
    case dial(target: Int)
    case open(target: Int)
    case deed(node: Int)
    /// Something is said just as a link has opened.
    case remark(node: Int)
    /// Somebody takes back what was said a moment ago.
    case regret(node: Int, Reference)
    case arrival(node: Int)
    case fault(Fault)
    case heal(block: UInt64)
    case wake(node: Int)
}

/// A piece of work of one of a node's queues.
enum Work {
    case answer(SyncAction)
    case judge(PeerID, Hello, Session)
    case merge
    case store(PeerID, ReceivedChunk)
    case erase([BlobName])
    case scrub
}

/// Nodes, the links between them, what people do and what goes wrong: one thread, and time that passes by itself.
final class World {
    let options: SimulationOptions
    let plan: WorldPlan
    var agenda = Agenda<Occurrence>()
    var now = Duration.zero
    var trace: Trace
    var coverage = Coverage()
    var findings: [Finding] = []
    var ledger = Ledger()
    var guestList = GuestList()
    /// How every payload begins as it was sealed.
    var sealed: [Reference: UInt64] = [:]

    var nodes: [SimulatedNode] = []
    var links: [UInt64: Link] = [:]
    var targets: [Target] = []
    var blocks: [Block] = []
    /// Invitations that the founder opened, oldest first.
    var invitations: [Secret] = []
    var nextNumber: UInt64 = 0
    /// Whether nothing goes wrong any more and nobody posts.
    var isHealing = false

    /// What the world does by itself: delays and faults.
    var dice: Dice
    /// What people do.
    var whims: Dice

    init(_ options: SimulationOptions) throws {
        self.options = options
        var dice = Dice(seed: options.seed)
        plan = WorldPlan(options, &dice)
        whims = dice.fork()
        self.dice = dice
        trace = try Trace(path: options.trace)
    }

    /// Lets time pass until `end`, or until nothing is left to happen.
    func run(until end: Duration) throws {
        while let time = agenda.nextTime, time <= end {
            guard let next = agenda.popFirst() else { break }
            now = next.time
            try carryOut(next.occurrence)
        }
        now = end
    }

    private func carryOut(_ occurrence: Occurrence) throws {
        switch occurrence {
        case .work(let node, let life, let work):
            if nodes[node].life == life { try carryOut(work, on: nodes[node]) }
        case .feed(let node, let life): if nodes[node].life == life { feed(nodes[node]) }
        case .tick(let node, let life): if nodes[node].life == life { try tick(nodes[node]) }
        case .transmit(let link, let end): transmit(link, end)
        case .arrive(let link, let end, let fragment): arrive(fragment, link, end)
        case .lapse(let link, let end): lapse(link, end)
        case .dial(let target): dial(target)
        case .open(let target): open(target)
        case .deed(let node): try act(nodes[node])
        case .remark(let node): try remark(nodes[node])
        case .regret(let node, let record): try regret(record, by: nodes[node])
        case .arrival(let node): try arrive(nodes[node])
        case .fault(let fault): try happen(fault)
        case .heal(let block): heal(block)
        case .wake(let node): wake(nodes[node])
        }
    }

    /// A number that nothing else has.
    func makeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }

    /// Notes something that must not be; of one kind only the first few.
    func report(_ checker: String, _ detail: String) {
        guard findings.count(where: { $0.checker == checker }) < 5 else { return }
        findings.append(Finding(checker: checker, detail: detail, seconds: Int(now / .seconds(1))))
    }
}
