// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// How what is new gets to everybody: pushed along a tree, told of besides.
struct SpreadingTests {
    /// A world in which everybody is linked to everybody, and all hold the same.
    private static func mesh(_ count: Int, seed: UInt64, _ limits: SyncLimits = SyncLimits()) -> TestWorld {
        var world = TestWorld(nodeCount: count, seed: seed, limits: limits)
        for right in 1..<count { for left in 0..<right { world.connect(left, right) } }
        world.settle()
        return world
    }

    @Test(arguments: 0..<20)
    func `links that bring what is held already carry no more pushes`(seed: UInt64) {
        var world = Self.mesh(6, seed: seed)
        // The first words find the tree; what crosses on its way is sent in vain once more.
        for _ in 0..<4 {
            world.nodes[0].write([20])
            world.settle()
        }
        let before = world.directions.reduce(0) { $0 + $1.byteCount }
        for _ in 0..<10 {
            world.nodes[0].write([900])
            world.settle()
        }
        let bytes = world.directions.reduce(0) { $0 + $1.byteCount } - before
        // Of each delta five copies of some 1200 bytes, and a word of it over each of the other ten links at most twice.
        #expect(bytes < 10 * (5 * 1400 + 20 * 120) + 15 * 2 * 200)
        for node in world.nodes { #expect(node.store.frontier.digest == world.nodes[0].store.frontier.digest) }
    }

    @Test(arguments: 0..<20)
    func `whoever writes along the tree that another has found is heard at once or a few seconds later`(seed: UInt64) {
        var world = Self.mesh(6, seed: seed)
        for _ in 0..<3 {
            world.nodes[0].write([20])
            world.settle()
        }
        for author in 1..<6 {
            world.nodes[author].write([20])
            world.pass(seconds: 4)
            let key = JournalKey(device: world.nodes[author].device, journal: .content)
            for node in world.nodes { #expect(node.store.tips(of: key) == world.nodes[author].store.tips(of: key)) }
        }
    }

    @Test(arguments: 0..<20)
    func `a tree whose trunk is cut is mended within seconds by those who were only told`(seed: UInt64) throws {
        var world = Self.mesh(5, seed: seed)
        for _ in 0..<3 {
            world.nodes[0].write([20])
            world.settle()
        }
        // Only one link of the author's is left.
        let links = Set(world.directions.filter { $0.from == 0 || $0.to == 0 }.map(\.link)).sorted()
        let kept = try #require(links.randomElement(using: &world.random))
        for link in links where link != kept { world.cut(link) }
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        for _ in 0..<3 {
            world.nodes[0].write([20])
            world.pass(seconds: 8)
            for node in world.nodes { #expect(node.store.tips(of: key) == world.nodes[0].store.tips(of: key)) }
        }
    }

    @Test func `what goes on is pushed through many hands without one question`() {
        var world = TestWorld(nodeCount: 6, seed: 3)
        for node in 1..<6 { world.connect(node - 1, node) }
        world.settle()
        let answers = Answers()
        for index in world.nodes.indices {
            world.nodes[index].misbehave = { _, action in
                if case .loadRuns = action { answers.count += 1 }
                return nil
            }
        }
        for _ in 0..<5 { world.nodes[0].write([20]) }
        while world.step() {}
        let key = JournalKey(device: world.nodes[0].device, journal: .content)
        for node in world.nodes { #expect(node.store.tips(of: key) == world.nodes[0].store.tips(of: key)) }
        #expect(answers.count == 0)
    }

    @Test func `a run of which something was erased is told of, not passed on`() {
        for isKept in [true, false] {
            var engine = LoneEngine()
            let (sender, other) = (engine.admit(1), engine.admit(2))
            let actions = engine.merge(Run(Self.deltas(1)), from: sender, mayBePassedOn: isKept)
            #expect(actions.pushed == (isKept ? [other] : []))
            #expect(engine.wait(.seconds(1)).told == (isKept ? [] : [other]))
        }
    }

    @Test func `a large run is told of, not passed on`() {
        for (limit, isPassedOn) in [(100, false), (100_000, true)] {
            var engine = LoneEngine { $0.pushedBytes = limit }
            let (sender, other) = (engine.admit(1), engine.admit(2))
            #expect(engine.merge(Run(Self.deltas(3)), from: sender).pushed == (isPassedOn ? [other] : []))
            #expect(engine.wait(.seconds(1)).told == (isPassedOn ? [] : [other]))
        }
    }

    @Test(arguments: 0..<20)
    func `links that are slower than people write carry no more pushes either`(seed: UInt64) {
        var world = Self.mesh(6, seed: seed)
        for _ in 0..<10 {
            world.nodes[0].write([20])
            world.run(steps: 6)
        }
        world.settle()
        let before = world.directions.reduce(0) { $0 + $1.byteCount }
        for _ in 0..<40 {
            world.nodes[0].write([900])
            world.run(steps: 6)
        }
        world.settle()
        let bytes = world.directions.reduce(0) { $0 + $1.byteCount } - before
        // Thirty directions would carry 48 kB each; five have to.
        #expect(bytes < 40 * (8 * 1400 + 20 * 120) + 15 * 2 * 200)
        for node in world.nodes { #expect(node.store.frontier.digest == world.nodes[0].store.frontier.digest) }
    }

    @Test func `a run is not pushed back, and what was asked for is told of instead`() {
        var engine = LoneEngine()
        let (first, second) = (engine.admit(1), engine.admit(2))
        let deltas = Self.deltas(3)
        #expect(engine.merge(Run([deltas[0]]), from: first).pushed == [second])
        // The first says that there is more, and is asked for it.
        #expect(!engine.hear(.entries(.with { $0.entries = [deltas[2].entry] }), from: first).wantedRuns.isEmpty)
        #expect(engine.merge(Run(Array(deltas[1...])), from: first).pushed.isEmpty)
        #expect(engine.wait(.seconds(1)).told == [second])
    }

    @Test func `what is pushed beyond what was asked for, and does not fit, is asked for as well`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let deltas = Self.deltas(4)
        let key = JournalKey(device: deltas[0].header.device, journal: .fabric)
        engine.hear(.entries(.with { $0.entries = [deltas[1].entry] }), from: peer)
        engine.hear(.run(Data(Run([deltas[3]]).encoded())), from: peer)
        engine.tell(.merged(peer, MergeAnswer(.gap)))
        engine.merge(Run(Array(deltas[...1])), from: peer)
        let end = ProtoMessage.OneOf_Content.runsEnd(.with { $0.device = Data(key.device.bytes) })
        #expect(engine.hear(end, from: peer).wantedRuns.map(\.device) == [key.device])
    }

    @Test func `a run that brings payloads which are missing is merged, not declined`() {
        var engine = LoneEngine()
        let (liar, author) = (engine.admit(1), engine.admit(2))
        let delta = Self.deltas(1)[0]
        var stripped = delta
        stripped.payload = nil
        let whole = ProtoMessage.OneOf_Content.run(Data(Run([delta]).encoded()))
        engine.hear(.run(Data(Run([stripped]).encoded())), from: liar)
        // While the other is merged, and once it is.
        #expect(engine.hear(whole, from: author).merges.count == 1)
        engine.commit(stripped)
        let want = PayloadWant(reference: delta.reference, length: Int(delta.header.payloadLength))
        engine.tell(.merged(liar, MergeAnswer(.merged, missing: [want], mayBePassedOn: false)))
        #expect(engine.hear(whole, from: author).merges.count == 1)
    }

    @Test(arguments: [0, 5])
    func `somebody to be told of more journals than fit in a message compares instead`(agreements: Int) {
        var engine = LoneEngine { $0.entriesPerMessage = 4 }
        let peer = engine.admit(1)
        for _ in 0..<agreements {
            engine.agree(to: engine.wait(.seconds(480)), from: peer)
        }
        for number in 10..<15 {
            let key = JournalKey(device: TestAuthor(number).device, journal: .fabric)
            let tips = [JournalPoint(sequence: 1, hash: UInt64(number))]
            engine.tell(.committed(Commit(journals: [JournalTips(key: key, tips: tips)])))
        }
        #expect(engine.gauge("journals to tell of") == 0)
        let actions = engine.wait(.seconds(1))
        #expect(actions.told.isEmpty)
        guard case (peer, .digest)? = actions.first?.sent else {
            Issue.record("frontiers are not compared")
            return
        }
    }

    @Test func `who is pushed what is held or being merged says so, and is pushed nothing more until it asks`() {
        var engine = LoneEngine()
        let (first, second) = (engine.admit(1), engine.admit(2))
        let deltas = Self.deltas(3)
        // The second brings what is still being merged, and what is held.
        let run = ProtoMessage.OneOf_Content.run(Data(Run([deltas[0]]).encoded()))
        engine.hear(run, from: first)
        #expect(engine.hear(run, from: second).declined == [second])
        engine.commit(deltas[0])
        engine.tell(.merged(first, MergeAnswer(.merged)))
        #expect(engine.hear(run, from: second).declined == [second])
        // What comes from the first is not pushed to the second, which is told a second later.
        #expect(engine.merge(Run([deltas[1]]), from: first).pushed.isEmpty)
        #expect(engine.wait(.milliseconds(500)).told.isEmpty)
        #expect(engine.wait(.milliseconds(500)).told == [second])
        // Once it has asked, it is pushed what comes.
        engine.hear(.wantRuns(.with { $0.device = Data(deltas[0].header.device.bytes) }), from: second)
        #expect(engine.merge(Run([deltas[2]]), from: first).pushed == [second])
    }

    @Test func `who says that it was pushed in vain is told from then on, unless it says first that it holds it`() {
        var engine = LoneEngine()
        let (first, second) = (engine.admit(1), engine.admit(2))
        let deltas = Self.deltas(3)
        #expect(engine.merge(Run([deltas[0]]), from: first).pushed == [second])
        engine.hear(.entries(.with { ($0.entries, $0.werePushed) = ([deltas[0].entry], true) }), from: second)
        #expect(engine.merge(Run([deltas[1]]), from: first).pushed.isEmpty)
        #expect(engine.wait(.seconds(1)).told == [second])
        #expect(engine.merge(Run([deltas[2]]), from: first).pushed.isEmpty)
        engine.hear(.entries(.with { $0.entries = [deltas[2].entry] }), from: second)
        #expect(engine.wait(.seconds(1)).told.isEmpty)
    }

    @Test func `words of what is held do not make a link slow that were no answer to a push`() {
        var engine = LoneEngine()
        let (first, second) = (engine.admit(1), engine.admit(2))
        let deltas = Self.deltas(2)
        engine.merge(Run([deltas[0]]), from: first)
        engine.hear(.entries(.with { $0.entries = [deltas[0].entry] }), from: second)
        #expect(engine.merge(Run([deltas[1]]), from: first).pushed == [second])
    }

    @Test func `what a newcomer's greeting brought is pushed, and told of if it is large`() throws {
        for isSmall in [true, false] {
            var engine = LoneEngine { if !isSmall { $0.pushedBytes = 100 } }
            let peers = [engine.admit(1), engine.admit(2)]
            let deltas = Self.deltas(2)
            let tip = try #require(deltas.last)
            let point = JournalPoint(sequence: tip.header.sequence, hash: tip.hash.raw.prefix)
            let key = JournalKey(device: tip.header.device, journal: .fabric)
            let commit = Commit(journals: [JournalTips(key: key, tips: [point])], greeted: [Run(deltas)])
            #expect(engine.tell(.committed(commit)).pushed == (isSmall ? peers : []))
            #expect(engine.wait(.seconds(2)).told == (isSmall ? [] : peers))
        }
    }

    /// The first deltas of somebody's fabric journal.
    private static func deltas(_ count: Int) -> [Delta] {
        var author = TestAuthor(5)
        return (0..<count).reduce(into: []) { deltas, _ in deltas += author.write([20], behind: deltas, in: .fabric) }
    }

    /// Counts what tests' nodes are asked, from within them.
    private final class Answers { var count = 0 }
}

extension LoneEngine {
    /// Lets a peer push a run that is merged, and returns what the engine asks for then.
    @discardableResult
    fileprivate mutating func merge(_ run: Run, from peer: PeerID, mayBePassedOn isKept: Bool = true) -> [SyncAction] {
        hear(.run(Data(run.encoded())), from: peer)
        commit(run.last)
        return tell(.merged(peer, MergeAnswer(.merged, mayBePassedOn: isKept)))
    }

    fileprivate mutating func commit(_ tip: Delta) {
        let key = JournalKey(device: tip.header.device, journal: tip.header.journal)
        let point = JournalPoint(sequence: tip.header.sequence, hash: tip.hash.raw.prefix)
        tell(.committed(Commit(journals: [JournalTips(key: key, tips: [point])])))
    }
}

extension Delta {
    fileprivate var entry: Data {
        let entry = FrontierEntry(
            device: header.device,
            journal: header.journal,
            sequence: header.sequence,
            tip: hash.raw.prefix
        )
        return Data(entry.bytes)
    }
}

extension [SyncAction] {
    /// Who is pushed a run.
    fileprivate var pushed: [PeerID] {
        compactMap { action in
            guard case (let peer, .run)? = action.sent else { return nil }
            return peer
        }
    }

    /// Whose push is declined.
    fileprivate var declined: [PeerID] {
        compactMap { action in
            guard case (let peer, .entries(let message))? = action.sent, message.werePushed else { return nil }
            return peer
        }
    }
}
