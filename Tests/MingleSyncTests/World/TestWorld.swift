// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import MingleWire
import TestSupport

/// Nodes and the links between them; which message or answer comes next is drawn from a seed.
struct TestWorld {
    /// What waits to be delivered in one direction of a link.
    struct Direction {
        let link: Int
        let from: Int
        let to: Int
        let sender: PeerID
        let receiver: PeerID
        var messages: [(lane: Lane, bytes: [UInt8])] = []
        /// Whether the receiver reads nothing for now.
        var isBlocked = false
        var messageCount = 0
        var byteCount = 0
    }

    var nodes: [TestNode]
    var directions: [Direction] = []
    var random: SplitMix
    var now = Duration.zero
    private var nextTick = Duration.seconds(1)
    private var nextPeer: UInt64 = 1
    private var nextLink = 0

    init(nodeCount: Int, seed: UInt64, limits: SyncLimits = SyncLimits()) {
        var keys: [DeviceName: Bytes32] = [:]
        for number in 0..<nodeCount {
            let author = TestAuthor(number)
            keys[author.device] = author.key.publicKey
        }
        nodes = (0..<nodeCount).map { TestNode($0, keys: keys, limits: limits) }
        random = SplitMix(seed: seed)
    }

    /// Connects two nodes; the first dials.
    @discardableResult
    mutating func connect(_ left: Int, _ right: Int) -> Int {
        let (leftPeer, rightPeer) = (PeerID(nextPeer), PeerID(nextPeer + 1))
        nextPeer += 2
        nextLink += 1
        directions.append(Direction(link: nextLink, from: left, to: right, sender: leftPeer, receiver: rightPeer))
        directions.append(Direction(link: nextLink, from: right, to: left, sender: rightPeer, receiver: leftPeer))
        let hash = Blake2b.hash(.session, [UInt8(nextLink & 255)])
        tell(left, .opened(leftPeer, Session(handshakeHash: hash, isInitiator: true)))
        tell(right, .opened(rightPeer, Session(handshakeHash: hash, isInitiator: false)))
        return nextLink
    }

    /// Pulls the cable: what is on its way is lost.
    mutating func cut(_ link: Int) {
        for direction in directions where direction.link == link {
            nodes[direction.from].inbox.append(.closed(direction.sender))
        }
        directions.removeAll { $0.link == link }
    }

    /// The peer number by which the first node knows the second, over their latest link.
    func peer(of second: Int, at first: Int) -> PeerID? {
        directions.last { $0.from == first && $0.to == second }?.sender
    }

    /// Delivers in random order until nothing has been left to do for some seconds, fewer than frontiers are compared in.
    mutating func settle(idleTicks: Int = 4) {
        var idle = 0
        for _ in 0..<200_000 where idle <= idleTicks { if advance() { idle = 0 } else { idle += 1 } }
    }

    /// Lets seconds pass, delivering all that can be.
    mutating func pass(seconds: Int) {
        let end = now + .seconds(seconds)
        while now < end { advance() }
    }

    /// Takes a step or lets time pass until the next tick; false if it was time.
    @discardableResult
    private mutating func advance() -> Bool {
        let isBusy = step()
        if !isBusy { now = max(now, nextTick) }
        if now >= nextTick {
            nextTick = now + .seconds(1)
            for index in nodes.indices { tell(index, .tick) }
        }
        return isBusy
    }

    /// Takes a number of steps, fewer if nothing is left to do.
    mutating func run(steps: Int) {
        for _ in 0..<steps where !step() { return }
    }

    /// Does one thing that can be done; false if there is none.
    mutating func step() -> Bool {
        let busyNodes = nodes.indices.filter { !nodes[$0].inbox.isEmpty }
        let busyLinks = directions.indices.filter { !directions[$0].messages.isEmpty && !directions[$0].isBlocked }
        guard !busyNodes.isEmpty || !busyLinks.isEmpty else { return false }
        now += .microseconds(Int.random(in: 0...2000, using: &random))
        let choice = Int.random(in: 0..<(busyNodes.count + busyLinks.count), using: &random)
        if choice < busyNodes.count {
            tell(busyNodes[choice], nodes[busyNodes[choice]].inbox.removeFirst())
        } else {
            deliver(busyLinks[choice - busyNodes.count])
        }
        return true
    }

    /// Delivers one message; none overtakes an earlier one of a lane that goes first.
    private mutating func deliver(_ place: Int) {
        var candidates: [Int] = []
        var lowest = UInt8.max
        for (index, message) in directions[place].messages.enumerated() where message.lane.rawValue < lowest {
            candidates.append(index)
            lowest = message.lane.rawValue
            if lowest == 0 { break }
        }
        guard let index = candidates.randomElement(using: &random) else { return }
        let message = directions[place].messages.remove(at: index)
        let direction = directions[place]
        directions[place].messageCount += 1
        directions[place].byteCount += message.bytes.count
        tell(direction.to, .received(direction.receiver, message.lane, message.bytes))
        guard directions.contains(where: { $0.sender == direction.sender }) else { return }
        if !direction.messages.contains(where: { $0.lane == message.lane }) {
            nodes[direction.from].inbox.append(.drained(direction.sender, message.lane))
        }
    }

    /// Gives one node's engine an input and carries out what it asks for.
    mutating func tell(_ index: Int, _ input: SyncInput) {
        for action in nodes[index].engine.receive(input, at: now) {
            nodes[index].perform(action)
            switch action {
            case .send(let peer, let lane, let bytes):
                guard let place = directions.firstIndex(where: { $0.sender == peer }) else { continue }
                directions[place].messages.append((lane, bytes))
            case .close(let peer, _):
                guard let direction = directions.first(where: { $0.sender == peer }) else { continue }
                nodes[direction.to].inbox.append(.closed(direction.receiver))
                directions.removeAll { $0.link == direction.link }
            default: break
            }
        }
    }
}
