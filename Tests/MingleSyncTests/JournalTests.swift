// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import MingleWire
import Testing

struct JournalTests {
    @Test(arguments: 0..<40)
    func `a journal forked at any place ends with both branches everywhere`(seed: UInt64) {
        var world = TestWorld(nodeCount: 4, seed: seed)
        // The folder of node 0 is copied to a node of its own: both write on.
        let shared = Int.random(in: 0...130, using: &world.random)
        if shared > 0 { world.nodes[0].write([Int](repeating: 20, count: shared)) }
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        var copy = world.nodes[0].author
        copy.diverge()
        let common = world.nodes[0].store.branches[key]?.first ?? []
        let fabric = JournalKey(device: key.device, journal: .fabric)
        world.nodes[3].store.branches[fabric] = world.nodes[0].store.branches[fabric]
        let other = copy.write(
            [Int](repeating: 20, count: Int.random(in: 1...90, using: &world.random)),
            behind: common,
            in: .content
        )
        world.nodes[3].store.append(common + other, to: key)
        world.nodes[3].restart()
        world.nodes[0].write([Int](repeating: 20, count: Int.random(in: 1...90, using: &world.random)))
        world.connect(0, 1)
        world.connect(3, 2)
        world.settle()
        world.connect(1, 2)
        world.pass(seconds: 70)
        for node in world.nodes {
            #expect(node.store.branches[key]?.count == 2)
            #expect(node.store.frontier.digest == world.nodes[0].store.frontier.digest)
            #expect(node.closed.isEmpty)
        }
    }

    @Test func `who got a run by its last signature serves somebody who holds some of it`() throws {
        // Counterexample 29: signatures at 64 and 100 only; the other side holds 80.
        var world = TestWorld(nodeCount: 3, seed: 1)
        world.nodes[0].write([Int](repeating: 20, count: 80))
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        world.nodes[2].store.branches = world.nodes[0].store.branches.merging(world.nodes[2].store.branches) { $1 }
        world.nodes[2].restart()
        world.nodes[0].write([Int](repeating: 20, count: 20))
        world.connect(0, 1)
        world.settle()
        let chain = try #require(world.nodes[1].store.branches[key]?.first)
        #expect(chain.indices.filter { chain[$0].signature != nil }.map { $0 + 1 } == [64, 100])
        let link = world.connect(1, 2)
        // The link dies before the run is through, and comes back.
        world.run(steps: 30)
        world.cut(link)
        world.settle()
        world.connect(1, 2)
        world.settle()
        #expect(world.nodes[2].store.tips(of: key) == world.nodes[0].store.tips(of: key))
        #expect(world.nodes[2].store.duplicates == 0)
    }

    @Test(arguments: 0..<20)
    func `a push reaches the end of a line at once`(seed: UInt64) {
        var world = TestWorld(nodeCount: 4, seed: seed)
        for node in 1..<4 { world.connect(node - 1, node) }
        world.settle()
        let start = world.now
        world.nodes[0].write([10, 3000])
        while world.step() {}
        #expect(world.now - start < .seconds(1))
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        for node in world.nodes {
            #expect(node.store.tips(of: key) == world.nodes[0].store.tips(of: key))
            #expect(node.store.missingPayloads.isEmpty)
            #expect(node.store.duplicates == 0)
        }
    }

    @Test func `a push that leaves a gap is made good by a pull`() {
        var world = TestWorld(nodeCount: 2, seed: 4)
        world.connect(0, 1)
        world.settle()
        world.nodes[0].write([10, 10, 10])
        // What was committed is not told, so that the next push does not fit.
        world.nodes[0].inbox = []
        world.nodes[0].write([10])
        world.settle()
        #expect(world.nodes[0].store.frontier.digest == world.nodes[1].store.frontier.digest)
    }

    @Test func `a journal that is advertised and not delivered is given up, and fetched from another`() throws {
        var world = TestWorld(nodeCount: 3, seed: 5)
        world.nodes[0].write([Int](repeating: 20, count: 100))
        world.connect(0, 1)
        world.settle()
        world.cut(world.directions[0].link)
        world.nodes[1].misbehave = { _, action in
            guard case .loadRuns(let peer, let requests) = action else { return nil }
            return [.runs(peer, requests.map { RunsAnswer(key: $0.key, runs: []) })]
        }
        world.connect(1, 2)
        world.settle()
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        #expect(world.nodes[2].notes.contains { $0.1 == .gaveUp(JournalKey(device: key.device, journal: .fabric)) })
        #expect(world.nodes[2].store.branches[key] == nil)
        world.connect(0, 2)
        world.settle()
        #expect(world.nodes[2].store.tips(of: key) == world.nodes[0].store.tips(of: key))
    }

    @Test func `a peer that never answers is left for another`() {
        var world = TestWorld(nodeCount: 3, seed: 6)
        world.nodes[0].write([20, 20])
        world.connect(0, 1)
        world.settle()
        world.cut(world.directions[0].link)
        world.nodes[1].misbehave = { _, action in
            if case .loadRuns = action { return [] }
            return nil
        }
        world.connect(1, 2)
        world.settle()
        world.nodes[2].closed = []
        world.connect(0, 2)
        world.pass(seconds: 15)
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        #expect(world.nodes[2].store.tips(of: key) == world.nodes[0].store.tips(of: key))
    }

    @Test func `a withheld tail is given up and what came is kept`() {
        var world = TestWorld(nodeCount: 3, seed: 7)
        world.nodes[0].write([Int](repeating: 20, count: 200))
        world.connect(0, 1)
        world.settle()
        world.cut(world.directions[0].link)
        world.nodes[1].misbehave = { node, action in
            guard case .loadRuns(let peer, let requests) = action else { return nil }
            var answers = requests.map(node.store.runs)
            for place in answers.indices { answers[place].runs.removeAll { $0.tip.sequence > 128 } }
            return [.runs(peer, answers)]
        }
        world.connect(1, 2)
        world.settle()
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        #expect(world.nodes[2].store.tips(of: key).tips.map(\.sequence) == [128])
        #expect(world.nodes[2].notes.contains { $0.1 == .gaveUp(key) })
    }

    @Test func `a forged run ends the session`() {
        var world = TestWorld(nodeCount: 2, seed: 8)
        world.nodes[0].write([20, 20])
        world.nodes[0].misbehave = { node, action in
            guard case .loadRuns(let peer, let requests) = action, let request = requests.first,
                request.key.journal == .content
            else { return nil }
            var answer = node.store.runs(for: request)
            answer.runs = answer.runs.map { run in
                var deltas = run.deltas
                deltas[deltas.count - 1].signature = TestAuthor(99).key.sign([1])
                return Run(deltas)
            }
            return [.runs(peer, [answer])]
        }
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].closed.map(\.1.reason) == ["sent a run that its author did not sign"])
    }

    @Test func `a slow reader is pushed no more than its window and catches up`() {
        var limits = SyncLimits()
        limits.laneBytes = 20_000
        var world = TestWorld(nodeCount: 2, seed: 9, limits: limits)
        world.connect(0, 1)
        world.settle()
        for index in world.directions.indices where world.directions[index].from == 0 {
            world.directions[index].isBlocked = true
        }
        for _ in 0..<100 {
            world.nodes[0].write([900])
            world.run(steps: 10)
        }
        let waiting = world.directions.filter { $0.from == 0 }.flatMap(\.messages).reduce(0) { $0 + $1.bytes.count }
        #expect(waiting < 25_000)
        for index in world.directions.indices { world.directions[index].isBlocked = false }
        world.settle()
        #expect(world.nodes[0].store.frontier.digest == world.nodes[1].store.frontier.digest)
        #expect(world.nodes[1].store.duplicates == 0)
    }

    @Test func `an author who writes much behind a dead link is waited for no longer than another`() {
        var world = TestWorld(nodeCount: 3, seed: 31)
        let link = world.connect(0, 2)
        world.connect(0, 1)
        world.connect(1, 2)
        world.settle()
        for place in world.directions.indices where world.directions[place].link == link {
            world.directions[place].isBlocked = true
        }
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        for _ in 0..<5 {
            for _ in 0..<6 { world.nodes[0].write([20]) }
            world.pass(seconds: 1)
        }
        #expect(world.nodes[2].store.branches[key]?.first?.isEmpty == false)
    }

    @Test func `what is pushed onto a full disk is pulled once there is room`() {
        var world = TestWorld(nodeCount: 2, seed: 33)
        world.nodes[0].write([20])
        world.connect(0, 1)
        world.settle()
        world.nodes[1].inbox.append(.outOfRoom)
        world.pass(seconds: 1)
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        let held = world.nodes[1].store.branches[key]?.first?.count
        for _ in 0..<5 {
            world.nodes[0].write([20])
            world.pass(seconds: 2)
        }
        #expect(world.nodes[1].store.branches[key]?.first?.count == held)
        world.nodes[1].inbox.append(.diskRoom)
        world.settle()
        #expect(world.nodes[1].store.frontier.digest == world.nodes[0].store.frontier.digest)
    }

    @Test func `nothing is pulled onto a full disk, and everything once there is room`() {
        var world = TestWorld(nodeCount: 2, seed: 32)
        world.nodes[0].write([Int](repeating: 20, count: 100))
        world.nodes[1].inbox.append(.outOfRoom)
        let link = world.connect(0, 1)
        world.pass(seconds: 90)
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        #expect(world.nodes[1].store.branches[key] == nil)
        world.nodes[1].inbox.append(.diskRoom)
        world.cut(link)
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].store.frontier.digest == world.nodes[0].store.frontier.digest)
    }
}
