// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleSync

/// Where a scenario is played: the world, in the words in which scenarios are written.
final class Stage {
    /// How often it is looked whether something has happened.
    private static let look = Duration.milliseconds(50)
    /// More nodes than any scenario has.
    private static let most = 64

    unowned let world: World
    let scenario: Scenario
    /// What was made, by the name that the scenario has for it.
    var marks: [String: Reference] = [:]
    private var next = 0
    private var waitsSince: Duration?
    /// How many messages there had been when a step began to count.
    var messagesBefore = 0
    /// When something began that is to be over soon, and how often it was not.
    var timeBefore = Duration.zero
    var lateCount = 0

    init(_ scenario: Scenario, in world: World) { (self.scenario, self.world) = (scenario, world) }

    /// Plays the next step, or looks again later.
    func play() throws {
        guard next < scenario.steps.count else { return }
        let step = scenario.steps[next]
        let since = waitsSince ?? world.now
        waitsSince = since
        guard try step.act(self) else {
            guard world.now - since < step.patience else {
                return world.report("scenario", "step \(next + 1) never came about: \(step.name)")
            }
            return world.agenda.add(.step, at: world.now + Self.look)
        }
        (next, waitsSince) = (next + 1, nil)
        guard next < scenario.steps.count else { return }
        world.agenda.add(.step, at: world.now + scenario.steps[next].pause)
    }

    /// What must not be at the end.
    func findings() throws -> [String] {
        let left = scenario.steps.dropFirst(next).map(\.name)
        return try scenario.findings(self) + left.map { "it did not come to this: \($0)" }
    }

    // MARK: - What people do

    func promote(_ node: Int, to level: Level, by host: Int) throws {
        try world.grant(level, to: world.nodes[node], by: world.nodes[host])
    }

    /// Puts somebody lower, whatever the person may have been.
    func demote(_ node: Int, to level: Level, by host: Int) throws {
        try promote(node, to: level, by: host)
        world.guestList.levels[world.nodes[node].secrets.person] = level
    }

    func decline(_ node: Int, by host: Int) throws { try world.decline(world.nodes[node], by: world.nodes[host]) }

    func remove(_ node: Int, by host: Int) throws { try world.remove(world.nodes[node], by: world.nodes[host]) }

    /// Lets count what somebody who was removed wrote so long ago, by the person's own clock.
    func rescue(_ node: Int, until age: Duration, by host: Int) throws {
        let time = world.nodes[node].clock(at: world.now - age)
        try world.rescue(world.nodes[node], until: time, by: world.nodes[host])
    }

    /// Somebody leaves the event as a node does: hands everything over, and then says so.
    func beginToLeave(_ node: Int) { world.beginToLeave(world.nodes[node]) }

    /// Whether that is done.
    func isGone(_ node: Int) -> Bool { world.nodes[node].departure == nil }

    /// Somebody leaves the event for good.
    func depart(_ node: Int) throws { try world.depart(world.nodes[node]) }

    /// A person retires one device on another.
    func retire(_ lost: Int, by node: Int) throws { try world.retire(world.nodes[lost], by: world.nodes[node]) }

    /// Shows somebody who is yet to come an invitation of one's own, and not the one on the wall.
    ///
    /// - Parameter asks: Whether it lets nobody in without a host's word.
    func invite(_ newcomer: Int, by host: Int, asks: Bool = false) throws {
        try world.invite(by: world.nodes[host], asks: asks)
        try world.showLastInvitation(to: world.nodes[newcomer])
    }

    /// The founder makes an invitation that expires after a while.
    func invite(for length: Duration) throws {
        let expires = world.nodes[0].clock(at: world.now).milliseconds + Int64(length / .milliseconds(1))
        try world.limitInvitation(expires: Timestamp(milliseconds: expires), uses: nil)
    }

    /// The founder makes an invitation for so many.
    func invite(uses: UInt32) throws { try world.limitInvitation(expires: nil, uses: uses) }

    /// The founder closes the last of these to everybody.
    func closeLastLimited() throws {
        guard let last = world.guestList.limited.last else { return }
        try world.close(last.seed, by: world.nodes[0])
    }

    /// Somebody who is no node knocks at one, by the last of these.
    func knock(at node: Int) throws { try world.knockByLastLimited(at: world.nodes[node]) }

    /// Somebody does who does not hold it and has seen another prove to hold it.
    func knockWithProofOfAnotherSession(at node: Int) throws {
        try world.knockByLastLimited(at: world.nodes[node], isProofBorrowed: true)
    }

    /// Closes the invitation on the wall, to all but those of whom a host knows.
    func closeWall(by host: Int) throws { try world.close(world.invitations[0], by: world.nodes[host]) }

    func arrive(_ node: Int) throws { try world.arrive(world.nodes[node]) }

    // MARK: - What goes wrong

    /// Nothing is left of what a node held; its person's key stands elsewhere.
    func loseDisk(of node: Int) throws { try world.loseDisk(of: world.nodes[node]) }

    /// Blocks all paths between two groups of nodes.
    func part(_ left: Set<Int>, _ right: Set<Int>) {
        block(left, right)
        block(right, left)
    }

    /// Blocks all paths from some nodes to others, and not back.
    func block(_ from: Set<Int>, _ to: Set<Int>) {
        world.blocks.append(Block(number: world.makeNumber(), from: from, to: to))
    }

    /// Blocks all paths of some nodes, also to those that come later.
    func isolate(_ nodes: Set<Int>) { part(nodes, Set(0..<Self.most).subtracting(nodes)) }

    /// A node goes where it reaches nobody, and all find out at once.
    func leave(_ node: Int) {
        cutLinks(of: node)
        isolate([node])
    }

    /// Frees all paths.
    func meet() {
        world.blocks = []
        world.unstick()
    }

    /// Lets all find each other, however few were to.
    func acquaintAll() {
        for from in world.nodes.indices {
            for to in 0..<from { world.acquaint(from, to) }
        }
    }

    /// Links two nodes at once, of which one would dial the other sooner or later.
    func link(_ from: Int, _ to: Int) {
        let place = world.targets.firstIndex { Set([$0.from, $0.to]) == [from, to] }
        guard let place, !world.targets[place].isBusy else { return }
        world.targets[place].isBusy = true
        world.open(place)
    }

    /// Ends every link of a node.
    func cutLinks(of node: Int) {
        for number in world.links.keys.sorted() {
            guard let link = world.links[number], link.ends.contains(where: { $0.node == node }) else { continue }
            world.close(link, 0)
        }
    }

    /// A machine sleeps until it is woken.
    func sleep(_ node: Int) { world.nodes[node].isAwake = false }

    func wake(_ node: Int) { world.wake(world.nodes[node]) }

    /// Cuts the power of every node in the midst of what it writes next, or a little later.
    func cutPower() {
        for node in world.honest { node.disk?.cutPower(after: world.dice.number(1...150)) }
    }

    /// Leaves no room on a node's disk, until there is some again.
    func fill(_ node: Int) {
        world.nodes[node].isFilled = true
        world.nodes[node].disk?.leaveRoom(0)
    }

    func setClock(of node: Int, ahead: Duration) {
        world.nodes[node].deviceClock.offset = Int(ahead / .milliseconds(1))
    }

    /// Brings a node what another one wrote, and nothing that this depends on.
    func carry(_ author: Int, to node: Int) throws {
        let (name, node) = (world.nodes[author].replica.own.name, world.nodes[node])
        let runs = try world.nodes[author].replica.runs(of: name, .content, after: [], byteLimit: .max)
        try world.tell(node, node.replica.merge(runs))
    }

    /// Lets a node's engine hear that another's pictures are wanted no more, that they are wanted anew, and only then
    /// that a chunk of each came in between.
    func wantAnew(_ node: Int, of author: Int) throws {
        let (node, names) = (world.nodes[node], try pictures(of: author))
        world.tell(node, [.blobsUnwanted(names)])
        world.tell(node, try node.unfinished())
        for peer in node.links.keys.sorted() {
            world.tell(node, names.map { .chunkStored(peer, $0, index: 3, .unwanted) })
        }
    }
}
