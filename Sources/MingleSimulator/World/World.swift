// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// Everything that can happen, and to whom.
indirect enum Occurrence {
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
    case powerCut(node: Int, life: Int)
    case room(node: Int)
    case wake(node: Int)
    /// A hostile peer does something of its own.
    case mischief(node: Int)
    case storm(from: Int, to: Int, left: Int)
    case drop(link: UInt64)
    case copy(Int)
    case useCopy(Int)
    case renew(node: Int, life: Int)
    /// Bits flip on a node's disk.
    case flip(Int)
    /// Nobody has certified a device that came by a link.
    case giveUp(node: Int, life: Int)
    /// A machine begins anew in the midst of something.
    case stumble(node: Int)
    /// A person links another device in the place of one that is none any more.
    case linkAgain(person: Int)
    /// The next step of a scenario.
    case step
}

/// A piece of work of one of a node's queues.
enum Work {
    case answer(SyncAction)
    case judge(PeerID, Hello, Session)
    case greet(PeerID, Session)
    case certify(PeerID, DeviceRequest, Session)
    case takeCertificate(PeerID, DeviceCertified)
    case merge
    case store(PeerID, ReceivedChunk)
    case erase([BlobName])
    case eraseOrphans
    case scrub
    case reviewQuota
    case lookAtKeys
    case fulfil(KeyDuty)
    case takeLeave
    case lookAtReports
    case hide(HidingDuty)
}

/// Nodes, the links between them, what people do and what goes wrong: one thread, and time that passes by itself.
final class World {
    let options: SimulationOptions
    let plan: WorldPlan
    var agenda = Agenda<Occurrence>()
    var now = Duration.zero { didSet { time.now = now } }
    let time = VirtualTime()
    var trace: Trace
    var coverage = Coverage()
    var findings: [Finding] = []
    var ledger = Ledger()
    var traffic = Traffic()
    var births = Births()
    var guestList = GuestList()
    var removals = Removals()
    var privacy = Privacy()
    var openings = Openings()
    /// How devices came that another one of their person's certifies, by their numbers.
    var linkings: [Int: Linking] = [:]
    /// How every payload begins as it was sealed.
    var sealed: [Reference: UInt64] = [:]

    var nodes: [SimulatedNode] = []
    var links: [UInt64: Link] = [:]
    /// A disk with a replica that nothing was written to yet.
    var blank: SimulatedDisk?
    var targets: [Target] = []
    var blocks: [Block] = []
    /// Invitations that the founder opened, oldest first.
    var invitations: [Secret] = []
    var nextNumber = Ledger.numbers.lowerBound
    /// What one node has checked need not be checked by the others.
    let knownSignatures = KnownSignatures()
    /// Whether nothing goes wrong any more and nobody posts.
    var isHealing = false

    /// What the world does by itself: delays and faults.
    var dice: Dice
    /// What people do.
    var whims: Dice

    /// Every delta that an honest device wrote, also those that it has forgotten.
    var authored: Set<Reference> = []
    /// The blobs that these list.
    var listedBlobs: [Reference: [BlobName]] = [:]
    /// The devices that wrote them.
    var authors: Set<DeviceName> = []
    /// The scenario that is played, if one is.
    var stage: Stage?
    /// The phones at doors.
    var phones: [Phone] = []
    /// Copies of nodes' files, by their place in the plan.
    var copies: [Int: Copy] = [:]
    /// Devices of which the files were used twice.
    var copied: Set<DeviceName> = []
    /// What restored nodes had written and nobody else held, and blobs of the like.
    var forgotten: Set<Reference> = []
    var forgottenBlobs: Set<BlobName> = []
    /// What some disk has lost, and keys of epochs; others may hold it.
    var endangered: Set<Reference> = []
    var endangeredKeys: Set<EpochID> = []
    /// Epochs whose keys nobody held any more at some time, as disks had lost them.
    var lostKeys: Set<EpochID> = []
    /// What was said under those of which none came back.
    var lockedForEver: Set<Reference> = []
    /// What nodes show while they are checked, by their numbers: it does not change meanwhile, and many checkers look at it.
    var dumps: [Int: DumpedLines]?
    /// What the event is called.
    let title = "Party"

    init(_ options: SimulationOptions) throws(SimulationError) {
        self.options = options
        var dice = Dice(seed: options.seed)
        var plan = WorldPlan(options, &dice)
        if let scenario = options.scenario { plan.adopt(scenario) }
        self.plan = plan
        whims = dice.fork()
        self.dice = dice
        trace = try Trace(path: options.trace)
        stage = options.scenario.map { Stage($0, in: self) }
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
            if nodes[node].life == life { try attempt(nodes[node]) { try carryOut(work, on: nodes[node]) } }
        case .feed(let node, let life): if nodes[node].life == life { feed(nodes[node]) }
        case .tick(let node, let life): if nodes[node].life == life { try tick(nodes[node]) }
        case .transmit(let link, let end): transmit(link, end)
        case .arrive(let link, let end, let fragment): arrive(fragment, link, end)
        case .lapse(let link, let end): lapse(link, end)
        case .dial(let target): dial(target)
        case .open(let target): open(target)
        case .deed(let node): try attempt(nodes[node]) { try act(nodes[node]) }
        case .remark(let node): try attempt(nodes[node]) { try remark(nodes[node]) }
        case .regret(let node, let record): try attempt(nodes[node]) { try regret(record, by: nodes[node]) }
        case .arrival(let node): try arrive(nodes[node])
        case .fault(let fault): try happen(fault)
        case .heal(let block): heal(block)
        case .wake(let node): wake(nodes[node])
        case .powerCut(let node, let life):
            if nodes[node].life == life, nodes[node].isDoomed { try cutPower(of: nodes[node]) }
        case .room(let node): try makeRoom(on: nodes[node])
        case .mischief(let node): try attempt(nodes[node]) { try mischief(nodes[node]) }
        case .storm(let from, let to, let left): storm(from, to, left)
        case .drop(let link): drop(link)
        case .copy(let place): try attempt(nodes[plan.copies[place].node]) { try makeCopy(place) }
        case .useCopy(let place): try useCopy(place)
        case .flip(let place): try flip(place)
        case .giveUp(let node, let life): if nodes[node].life == life { giveUp(nodes[node]) }
        case .stumble(let node): if nodes[node].isHere { try kill(nodes[node]) }
        case .linkAgain(let person): try linkAgain(person)
        case .step: try stage?.play()
        case .renew(let node, let life):
            if nodes[node].life == life { try attempt(nodes[node]) { try renew(nodes[node]) } }
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
