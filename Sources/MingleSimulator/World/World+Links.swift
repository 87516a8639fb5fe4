// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MinglePeering
import MingleSync
import MingleWire

extension World {
    /// How long a silent peer is waited for.
    private static let patience = 20_000...45_000

    /// Whether nothing gets from one node to another.
    func isBlocked(_ from: Int, _ to: Int) -> Bool {
        !nodes[from].isAwake || !nodes[to].isAwake || blocks.contains { $0.stops(from, to) }
    }

    // MARK: - Opening

    func dial(_ place: Int) {
        let target = targets[place]
        guard !target.isBusy, target.due == nil || target.due == now else { return }
        guard nodes[target.from].isHere, nodes[target.from].isAwake else {
            return schedule(dialling: place, at: now + .seconds(10))
        }
        targets[place].isBusy = true
        guard !isBlocked(target.from, target.to), !isBlocked(target.to, target.from) else { return retry(place, false) }
        agenda.add(.open(target: place), at: now + plan.latency * 3)
    }

    /// Dials again later: soon if the link was of use, ever less often while nobody answers or somebody is not let in.
    func retry(_ place: Int, _ wasUseful: Bool, wasRefused: Bool = false) {
        targets[place].isBusy = false
        targets[place].failures = wasUseful ? 0 : min(targets[place].failures + 1, 10)
        let longest = Duration.seconds(wasRefused ? 256 : 30)
        let pause = min(longest, .milliseconds(500) * (1 << targets[place].failures))
        schedule(dialling: place, at: now + dice.around(pause))
    }

    /// Leaves a target alone that its own node does not let in, of which only what that node learns can change anything, or whose node
    /// is connected otherwise.
    private func rest(_ place: Int, for pause: Duration = .seconds(600)) {
        targets[place].isBusy = false
        schedule(dialling: place, at: now + pause)
    }

    /// Lets a target rest while another link connects the two nodes, and for half a minute if that is gone by now.
    private func restBesideTwin(_ place: Int) {
        let pair = targets[place].nodes
        (targets[place].failures, targets[place].hasTwin) = (0, links.values.contains { $0.nodes == pair })
        rest(place, for: targets[place].hasTwin ? .seconds(600) : dice.around(.seconds(30)))
    }

    /// Dials soon what rested because of a link that is gone.
    private func wakeTwins(of link: Link) {
        for place in targets.indices where targets[place].hasTwin && targets[place].nodes == link.nodes {
            targets[place].hasTwin = false
            if !targets[place].isBusy { schedule(dialling: place, at: now + .milliseconds(500)) }
        }
    }

    private func schedule(dialling place: Int, at time: Duration) {
        targets[place].due = time
        agenda.add(.dial(target: place), at: time)
    }

    /// Dials soon where somebody was not let in whom it concerns that other people take part now.
    func dialAgain(after news: DoorNews, from node: SimulatedNode) {
        for place in node.refusals.filter({ news.concern($0.value) }).keys.sorted() where !targets[place].isBusy {
            targets[place].failures = 0
            schedule(dialling: place, at: min(targets[place].due ?? now, now + .milliseconds(500)))
            node.refusals[place] = nil
        }
    }

    func open(_ place: Int) {
        let target = targets[place]
        guard !isBlocked(target.from, target.to), !isBlocked(target.to, target.from) else { return retry(place, false) }
        link(target.from, target.to, for: place)
    }

    /// Opens a link; a dialler that says nothing does not even tell its engine.
    @discardableResult
    func link(_ from: Int, _ to: Int, for target: Int?, isMute: Bool = false) -> UInt64 {
        let number = makeNumber()
        let sides = [nodes[from], nodes[to]]
        let ends = sides.map { Link.End(node: $0.number, life: $0.life, peer: $0.makePeer()) }
        links[number] = Link(number, target: target, opened: now, ends: ends)
        coverage.links += 1
        trace.note(.opened, at: now, number, UInt64(from), UInt64(to))
        let hash = Blake2b.hash(.session, options.seed.bytes + number.bytes)
        for (side, end) in zip(sides, ends) {
            side.links[end.peer] = number
            let isInitiator = side.number == from
            if isMute, isInitiator { continue }
            tell(side, [.opened(end.peer, Session(handshakeHash: hash, isInitiator: isInitiator))])
            remarkSoon(side)
        }
        return number
    }

    // MARK: - Sending

    func send(_ bytes: [UInt8], on lane: Lane, to peer: PeerID, from node: SimulatedNode) {
        guard node.hostility != nil else { return hand(bytes, to: lane, of: peer, from: node) }
        let altered = node.hostility?.tamper(bytes, on: lane, event: node.event)
        if let altered, !altered.isEmpty { hand(altered, to: lane, of: peer, from: node) }
    }

    /// Gives a message to a link as it is.
    func hand(_ bytes: [UInt8], to lane: Lane, of peer: PeerID, from node: SimulatedNode) {
        guard let number = node.links[peer], let link = links[number] else { return }
        let end = link.ends[0].node == node.number ? 0 : 1
        guard link.ends[end].isOpen, !link.ends[end].isFinishing else { return }
        if node.hostility == nil { note(bytes, on: lane, from: node) }
        trace.note(.sent, at: now, number, UInt64(end), UInt64(lane.rawValue), Trace.digest(bytes))
        if link.ends[end].outbox.enqueue(bytes, on: lane) != .accepted, node.hostility == nil {
            report("boundedness", "node \(node.number) gave more to lane \(lane) than fits")
        }
        transmit(number, end, isNew: true)
    }

    /// Looks at what an honest node says.
    private func note(_ message: [UInt8], on lane: Lane, from node: SimulatedNode) {
        if AudienceChecker.canRead(message, on: lane) {
            report("audience", "node \(node.number) says on the lane \(lane) what anybody could read")
        }
    }

    /// Sends the next fragment, unless one is leaving or nothing gets through.
    func transmit(_ number: UInt64, _ end: Int, isNew: Bool = false) {
        guard let link = links[number], link.ends[end].isOpen else { return }
        if isNew, link.ends[end].isSending || link.ends[end].isStuck { return }
        link.ends[end].isSending = false
        let (from, to) = (link.ends[end].node, link.ends[1 - end].node)
        if isBlocked(from, to) { return stick(link, end) }
        guard let fragment = link.ends[end].outbox.next(upTo: 32 << 10) else {
            if link.ends[end].isFinishing { close(link, end) }
            return
        }
        link.ends[end].isSending = true
        if nodes[from].hostility == nil { traffic.send(fragment.bytes.count) }
        let left = now + .microseconds((fragment.bytes.count + 40) * 1_000_000 / bandwidth(to: to))
        link.ends[end].arrival = max(link.ends[end].arrival, left + plan.latency + dice.milliseconds(0...20))
        agenda.add(.arrive(link: number, end: 1 - end, fragment), at: link.ends[end].arrival)
        agenda.add(.transmit(link: number, end: end), at: left)
        let lanes = link.ends[end].outbox.takeLanesWithRoom()
        tell(nodes[from], lanes.map { .drained(link.ends[end].peer, $0) })
    }

    /// Waits for the path to be free, but not for ever.
    private func stick(_ link: Link, _ end: Int) {
        guard !link.ends[end].isStuck else { return }
        link.ends[end].isStuck = true
        agenda.add(.lapse(link: link.number, end: end), at: now + dice.milliseconds(Self.patience))
    }

    func arrive(_ fragment: Outbox.Fragment, _ number: UInt64, _ end: Int) {
        guard let link = links[number], link.ends[end].isOpen else { return }
        let lane = fragment.head.lane
        // Nearly all messages come in one piece.
        let begun = link.ends[end].partial[lane]
        let message = begun.isEmpty ? Array(fragment.bytes) : begun + fragment.bytes
        guard fragment.head.isLast else {
            link.ends[end].partial[lane] = message
            return
        }
        if !begun.isEmpty { link.ends[end].partial[lane] = [] }
        coverage.messages += 1
        trace.note(.heard, at: now, number, UInt64(end), UInt64(lane.rawValue), UInt64(message.count))
        nodes[link.ends[end].node].hostility?.hear(message)
        tell(nodes[link.ends[end].node], [.received(link.ends[end].peer, lane, message)])
    }

    // MARK: - Closing

    /// Closes a link once what was sent is gone, as an engine asks.
    func finish(_ peer: PeerID, _ goodbye: Goodbye, of node: SimulatedNode) {
        // The link may be gone by then, as the last words and its end come at once.
        if goodbye.isFromPeer, goodbye.cause == .left { node.departure?.hear(peer) }
        guard let number = node.links[peer], let link = links[number] else { return }
        let end = link.ends[0].node == node.number ? 0 : 1
        if goodbye.cause == .linkedAlready { link.isDuplicate = true }
        if goodbye.isRefusal { note(refusalBy: goodbye.isFromPeer ? 1 - end : end, of: link) }
        judge(goodbye, of: node, to: nodes[link.ends[1 - end].node])
        trace.note(.closed, at: now, number, UInt64(end), Trace.digest(Array(goodbye.reason.utf8)))
        link.ends[end].isFinishing = true
        transmit(number, end, isNew: true)
    }

    /// Ends one side of a link; the other side hears of it, at once or when it has waited long enough.
    func close(_ link: Link, _ end: Int, isSilent: Bool = false) {
        guard link.ends[end].isOpen else { return }
        link.ends[end].isOpen = false
        let node = nodes[link.ends[end].node]
        if node.life == link.ends[end].life {
            node.links[link.ends[end].peer] = nil
            node.greeted[link.ends[end].peer] = nil
            node.claimants[link.ends[end].peer] = nil
            node.accords[link.ends[end].peer] = nil
            tell(node, [.closed(link.ends[end].peer)])
        }
        if link.ends[1 - end].isOpen {
            let isSilent = isSilent || isBlocked(link.ends[end].node, link.ends[1 - end].node)
            let pause = isSilent ? dice.milliseconds(Self.patience) : plan.latency
            agenda.add(.lapse(link: link.number, end: 1 - end), at: max(now + pause, link.ends[end].arrival))
        }
        guard link.isGone else { return }
        links[link.number] = nil
        if link.isDuplicate { coverage.duplicateLinks += 1 } else { wakeTwins(of: link) }
        guard let target = link.target else { return }
        if link.isDuplicate { return restBesideTwin(target) }
        nodes[targets[target].from].refusals[target] = link.refusal
        if case .here? = link.refusal { return rest(target) }
        let wasUseful = now - link.opened > .seconds(5)
        retry(target, wasUseful, wasRefused: link.refusal != nil)
    }

    /// Remembers for whoever dialled that one end of a link does not let the other in.
    private func note(refusalBy end: Int, of link: Link) {
        let dialler = nodes[link.ends[0].node]
        link.refusal = end == 0 ? .here(dialler.claimants[link.ends[0].peer]) : .there
    }

    /// Ends a side of a link whose other side is gone or has been out of reach for too long.
    func lapse(_ number: UInt64, _ end: Int) {
        guard let link = links[number], link.ends[end].isStuck || !link.ends[1 - end].isOpen else { return }
        // A machine that sleeps finds out when it wakes.
        guard nodes[link.ends[end].node].isAwake else {
            return agenda.add(.lapse(link: number, end: end), at: now + .seconds(10))
        }
        close(link, end)
    }

    /// Sends what could not leave while paths were blocked.
    func unstick() {
        for number in links.keys.sorted() {
            guard let link = links[number] else { continue }
            for end in 0...1 where link.ends[end].isStuck && !isBlocked(link.ends[end].node, link.ends[1 - end].node) {
                link.ends[end].isStuck = false
                transmit(number, end, isNew: true)
            }
        }
    }
}

extension UInt64 {
    /// The eight bytes, the highest first.
    var bytes: [UInt8] { stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) } }
}
