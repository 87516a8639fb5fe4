// SPDX-License-Identifier: Apache-2.0

import MingleReplica
import MingleSync

/// What goes wrong now and then.
package enum Fault: String, Sendable, CaseIterable {
    /// A link ends.
    case cut
    /// Paths between two groups are blocked for some minutes: both ways, one way, or around one node only.
    case block
    /// A machine sleeps.
    case sleep
    /// A node stops and is started again.
    case restart
    /// A clock is set.
    case jump
    /// The power is cut, likely in the midst of a write.
    case powerCut = "power-cut"
    /// A disk has little room for a while.
    case fullDisk = "full-disk"
}

extension World {
    /// Puts down the first fault of each kind.
    func beginFaults() {
        for fault in Fault.allCases where !options.without.contains(fault) {
            agenda.add(.fault(fault), at: now + dice.around(pause(before: fault)))
        }
    }

    private func pause(before fault: Fault) -> Duration {
        switch fault {
        case .cut: plan.pause.cut
        case .block: plan.pause.block
        case .sleep: plan.pause.sleep
        case .restart: plan.pause.restart
        case .jump: plan.pause.jump
        case .powerCut: plan.pause.powerCut
        case .fullDisk: plan.pause.fullDisk
        }
    }

    func happen(_ fault: Fault) throws {
        guard !isHealing else { return }
        agenda.add(.fault(fault), at: now + dice.around(pause(before: fault)))
        let here = nodes.filter(\.isHere)
        guard !here.isEmpty else { return }
        switch fault {
        case .cut: cut()
        case .block: block(here.map(\.number))
        case .sleep: sleep(dice.pick(here))
        case .restart: try kill(dice.pick(here))
        case .jump: jump(dice.pick(here))
        case .powerCut: endanger(dice.pick(here))
        case .fullDisk: fill(dice.pick(here))
        }
    }

    private func cut() {
        let open = links.keys.sorted()
        guard !open.isEmpty, let link = links[dice.pick(open)] else { return }
        coverage.cutLinks += 1
        trace.note(.cut, at: now, link.number)
        close(link, dice.number(0...1), isSilent: dice.chance(30))
    }

    private func block(_ here: [Int]) {
        guard here.count > 1 else { return }
        var from: Set<Int> = []
        for node in here where dice.chance(40) { from.insert(node) }
        if from.isEmpty || dice.chance(20) { from = [dice.pick(here)] }
        let to = Set(nodes.indices).subtracting(from)
        guard !to.isEmpty else { return }
        let number = makeNumber()
        blocks.append(Block(number: number, from: from, to: to))
        if dice.chance(30) {
            coverage.asymmetricCuts += 1
        } else {
            coverage.partitions += 1
            blocks.append(Block(number: number, from: to, to: from))
        }
        trace.note(.blocked, at: now, number, UInt64(from.count))
        agenda.add(.heal(block: number), at: now + .seconds(dice.number(10...1500)))
    }

    func heal(_ number: UInt64) {
        blocks.removeAll { $0.number == number }
        trace.note(.healed, at: now, number)
        unstick()
    }

    private func sleep(_ node: SimulatedNode) {
        guard node.isAwake else { return }
        node.isAwake = false
        coverage.sleeps += 1
        trace.note(.slept, at: now, UInt64(node.number))
        let length = dice.chance(20) ? dice.number(1800...7200) : dice.number(5...900)
        agenda.add(.wake(node: node.number), at: now + .seconds(length))
    }

    func wake(_ node: SimulatedNode) {
        guard node.isHere, !node.isAwake else { return }
        node.isAwake = true
        trace.note(.woke, at: now, UInt64(node.number))
        agenda.add(.feed(node: node.number, life: node.life), at: now)
        unstick()
    }

    func kill(_ node: SimulatedNode) throws {
        guard node.isAwake else { return }
        coverage.restarts += 1
        try reopen(node)
    }

    /// Stops a node, lets something be done to what it has stored, and starts it again; with a seed, the power is cut, and
    /// some of what was not synchronized is lost.
    func reopen(_ node: SimulatedNode, losing seed: UInt64? = nil, _ meanwhile: () throws -> Void = {}) throws {
        trace.note(.crashed, at: now, UInt64(node.number))
        for number in links.keys.sorted() {
            guard let link = links[number] else { continue }
            for end in 0...1 where link.ends[end].node == node.number { close(link, end, isSilent: dice.chance(40)) }
        }
        var losses = seed.map { Dice(seed: $0) }
        try node.restart(losses: &losses, meanwhile)
        if try lacksCertificate(node) { return stop(node) }
        try start(node)
        node.isRetired = false
        if try node.opened.isOwnKeyUsedElsewhere() { meetOwnKey(node) }
    }

    /// Lets the life begin that a node's engine has begun.
    func start(_ node: SimulatedNode) throws {
        node.busyUntil = node.busyUntil.map { _ in now }
        agenda.add(.feed(node: node.number, life: node.life), at: now)
        beginTicks(of: node)
        if node.departure != nil { put(.takeLeave, on: .merging, of: node) }
        if try node.replica.needsScrub() { scheduleScrub(of: node) }
        if plan.keepsLittle { scheduleQuotaReview(of: node) }
        scheduleKeys(of: node)
    }

    private func jump(_ node: SimulatedNode) {
        coverage.clockJumps += 1
        node.deviceClock.offset =
            switch dice.number(0...9) {
            case 0: -86_400_000 * dice.number(1...400)
            case 1: 86_400_000 * dice.number(1...400)
            case 2...5: node.deviceClock.offset + dice.number(-600_000...600_000)
            default: dice.number(-2000...2000)
            }
        trace.note(.jumped, at: now, UInt64(node.number), UInt64(bitPattern: Int64(node.deviceClock.offset)))
    }
}
