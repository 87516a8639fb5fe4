// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What becomes of requests for journals that are answered late or not at all.
struct RequestTests {
    private static func key(_ device: Int) -> JournalKey {
        JournalKey(device: TestAuthor(device).device, journal: .fabric)
    }

    private static func offer(_ devices: ClosedRange<Int>) -> ProtoMessage.OneOf_Content {
        let entries = devices.map {
            FrontierEntry(device: key($0).device, journal: .fabric, sequence: 1, tip: 1)
        }
        return .entries(.with { $0.entries = entries.map { Data($0.bytes) } })
    }

    /// One that holds a journal of the device 5 as far as a point.
    private static func offer(_ point: JournalPoint) -> ProtoMessage.OneOf_Content {
        let (device, sequence) = (key(5).device, point.sequence)
        let entry = FrontierEntry(device: device, journal: .fabric, sequence: sequence, tip: point.hash)
        return .entries(.with { $0.entries = [Data(entry.bytes)] })
    }

    private static func end(_ device: Int) -> ProtoMessage.OneOf_Content {
        .runsEnd(.with { $0.device = Data(key(device).device.bytes) })
    }

    private static func devices(_ asked: [SyncAction]) -> [DeviceName] { asked.wantedRuns.map(\.device) }

    @Test func `who answers one request after the other is given time for all of them`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(Self.devices(engine.hear(Self.offer(5...9), from: peer)).count == 5)
        for device in 5...8 {
            #expect(engine.wait(.seconds(9)).notes.isEmpty)
            #expect(engine.hear(Self.end(device), from: peer).notes == [.gaveUp(Self.key(device))])
        }
        #expect(engine.wait(.seconds(9)).notes.isEmpty)
        #expect(engine.wait(.seconds(1)).notes == [.gaveUp(Self.key(9))])
    }

    @Test func `what a peer passes over is asked of another, though it goes on answering`() {
        var engine = LoneEngine()
        let (liar, other) = (engine.admit(1), engine.admit(2))
        #expect(engine.hear(Self.offer(5...9), from: liar).wantedRuns.count == 5)
        engine.hear(Self.offer(5...5), from: other)
        for device in 6...9 {
            #expect(engine.wait(.seconds(2)).isEmpty)
            engine.hear(Self.end(device), from: liar)
        }
        let actions = engine.wait(.seconds(2))
        #expect(actions.notes == [.gaveUp(Self.key(5))])
        #expect(actions.wantedRuns.map(\.peer) == [other])
    }

    @Test func `what a silent peer holds up is asked of another that offers it, after three seconds`() {
        var engine = LoneEngine()
        let (slow, other) = (engine.admit(1), engine.admit(2))
        #expect(engine.hear(Self.offer(5...9), from: slow).wantedRuns.count == 5)
        #expect(engine.hear(Self.offer(5...6), from: other).wantedRuns.isEmpty)
        #expect(engine.wait(.seconds(2)).isEmpty)
        let actions = engine.wait(.seconds(1))
        #expect(actions.wantedRuns.map(\.peer) == [other, other])
        #expect(Self.devices(actions) == [Self.key(5).device, Self.key(6).device])
        // That it was slow is nothing that it failed in: what it is asked for alone is waited for as long as ever.
        #expect(actions.notes.isEmpty)
        #expect(engine.wait(.seconds(6)).notes.isEmpty)
        #expect(engine.wait(.seconds(1)).notes.contains(.gaveUp(Self.key(9))))
    }

    @Test func `who is slow and ends with nothing is given up, so that two of those hold nothing up in turns`() {
        var engine = LoneEngine()
        let (first, second, honest) = (engine.admit(1), engine.admit(2), engine.admit(3))
        for liar in [first, second] { engine.hear(Self.offer(JournalPoint(sequence: 6, hash: 1)), from: liar) }
        engine.hear(Self.offer(JournalPoint(sequence: 5, hash: 1)), from: honest)
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [second])
        #expect(engine.hear(Self.end(5), from: first).notes == [.gaveUp(Self.key(5))])
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [honest])
        #expect(engine.hear(Self.end(5), from: second).notes == [.gaveUp(Self.key(5))])
    }

    @Test
    func `who was turned away from and stays silent is given up after ten seconds, once the other has delivered, too`()
    {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        var author = TestAuthor(5)
        let run = Run(author.write([20, 20], behind: [], in: .fabric))
        engine.hear(Self.offer(JournalPoint(sequence: 999, hash: 1)), from: liar)
        engine.hear(Self.offer(run.tip), from: honest)
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [honest])
        engine.hear(.run(Data(run.encoded())), from: honest)
        engine.tell(.committed(Commit(journals: [JournalTips(key: Self.key(5), tips: [run.tip])])))
        engine.tell(.merged(honest, MergeAnswer(.merged)))
        engine.hear(Self.end(5), from: honest)
        #expect(engine.wait(.seconds(6)).notes.isEmpty)
        #expect(engine.wait(.seconds(1)).notes == [.gaveUp(Self.key(5))])
        #expect(engine.wait(.seconds(20)).notes.isEmpty)
    }

    @Test func `where all are slow no more than two are asked for one journal`() {
        var engine = LoneEngine()
        let peers = (1...5).map { engine.admit($0) }
        for peer in peers { engine.hear(Self.offer(5...5), from: peer) }
        var asked = 1
        for _ in 1...9 { asked += engine.wait(.seconds(1)).wantedRuns.count }
        #expect(asked == 2)
    }

    @Test func `no more is turned to another than that one has room for`() {
        var engine = LoneEngine { $0.runRequests = 4 }
        let (slow, other) = (engine.admit(1), engine.admit(2))
        engine.hear(Self.offer(5...8), from: slow)
        engine.hear(Self.offer(5...7), from: other)
        engine.hear(Self.offer(20...21), from: other)
        // Of four places two are taken: the third journal stays where it was asked for.
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [other, other])
        #expect(engine.wait(.seconds(7)).notes.count == 6)
    }

    @Test func `what comes late of what was asked of another as well is declined to nobody`() {
        var engine = LoneEngine()
        let (slow, other) = (engine.admit(1), engine.admit(2))
        var author = TestAuthor(5)
        let run = Run(author.write([20], behind: [], in: .fabric))
        for peer in [slow, other] { engine.hear(Self.offer(run.tip), from: peer) }
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [other])
        engine.hear(.run(Data(run.encoded())), from: other)
        engine.tell(.committed(Commit(journals: [JournalTips(key: Self.key(5), tips: [run.tip])])))
        engine.tell(.merged(other, MergeAnswer(.merged)))
        #expect(engine.hear(.run(Data(run.encoded())), from: slow).told.isEmpty)
        #expect(engine.hear(Self.end(5), from: slow).notes.isEmpty)
    }

    @Test func `who is slow may answer late, and is asked for nothing twice meanwhile`() {
        var engine = LoneEngine()
        let (slow, other) = (engine.admit(1), engine.admit(2))
        engine.hear(Self.offer(5...5), from: slow)
        engine.hear(Self.offer(5...5), from: other)
        #expect(engine.wait(.seconds(3)).wantedRuns.map(\.peer) == [other])
        // Both are silent, and there is nobody else.
        #expect(engine.wait(.seconds(4)).wantedRuns.isEmpty)
        var author = TestAuthor(5)
        let run = Run(author.write([20], behind: [], in: .fabric))
        let actions = engine.hear(.run(Data(run.encoded())), from: slow)
        #expect(actions.contains { if case .merge(slow, _) = $0 { true } else { false } })
        #expect(engine.hear(Self.end(5), from: slow).notes.isEmpty)
    }

    @Test func `who answers little by little keeps nobody waiting for ever`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.offer(5...30), from: peer)
        for device in 5...10 {
            #expect(engine.wait(.seconds(9)).notes.isEmpty)
            #expect(engine.hear(Self.end(device), from: peer).notes.count == 1)
        }
        #expect(engine.wait(.seconds(5)).notes.isEmpty)
        #expect(engine.wait(.seconds(1)).notes.count == 20)
    }

    @Test(arguments: [false, true])
    func `who sends one delta every two seconds holds a journal up for a minute, not for hours`(isKnown: Bool) {
        var engine = LoneEngine()
        let (liar, other) = (engine.admit(1), engine.admit(2))
        var author = TestAuthor(5)
        let chain = author.write([Int](repeating: 20, count: 40), behind: [], in: .fabric)
        let runs = chain.map { Run([$0]) }
        for peer in [liar, other] { engine.hear(Self.offer(runs[39].tip), from: peer) }
        for (sent, run) in runs.enumerated() {
            let actions = engine.wait(.seconds(2))
            guard actions.notes.isEmpty else {
                #expect(actions.notes == [.gaveUp(Self.key(5))] && actions.wantedRuns.map(\.peer) == [other])
                #expect(sent * 2 <= 72)
                return
            }
            #expect(engine.hear(.run(Data(run.encoded())), from: liar).merges.count == 1)
            engine.tell(.committed(Commit(journals: [JournalTips(key: Self.key(5), tips: [run.tip])])))
            engine.tell(.merged(liar, MergeAnswer(isKnown ? .known : .merged)))
        }
        Issue.record("nobody else is asked")
    }

    @Test func `who sends slowly and all the time is not given up`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        let chain = author.write([Int](repeating: 1000, count: 640), behind: [], in: .fabric)
        let runs = (0..<40).map { Run(Array(chain[($0 * 16)..<($0 * 16 + 16)])) }
        engine.hear(Self.offer(runs[39].tip), from: peer)
        for run in runs {
            // Half of the time the disk takes.
            #expect(engine.wait(.seconds(2)).notes.isEmpty)
            #expect(engine.hear(.run(Data(run.encoded())), from: peer).merges.count == 1)
            #expect(engine.wait(.seconds(2)).notes.isEmpty)
            engine.tell(.committed(Commit(journals: [JournalTips(key: Self.key(5), tips: [run.tip])])))
            engine.tell(.merged(peer, MergeAnswer(.merged)))
        }
    }

    @Test func `what a peer has yet to answer counts, though it was given up`() {
        var engine = LoneEngine { $0.runRequests = 2 }
        let peer = engine.admit(1)
        #expect(engine.hear(Self.offer(5...6), from: peer).wantedRuns.count == 2)
        #expect(engine.wait(.seconds(10)).notes.count == 2)
        #expect(engine.hear(Self.offer(7...9), from: peer).wantedRuns.isEmpty)
        #expect(Self.devices(engine.hear(Self.end(5), from: peer)) == [Self.key(7).device])
        #expect(Self.devices(engine.hear(Self.end(6), from: peer)) == [Self.key(8).device])
        #expect(engine.gauge("requests for runs made") == 2)
    }

    @Test func `what was given up is asked of the same peer again once it has answered, and of others meanwhile`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        engine.hear(Self.offer(5...5), from: peer)
        #expect(engine.wait(.seconds(10)).notes == [.gaveUp(Self.key(5))])
        #expect(engine.hear(Self.offer(5...5), from: peer).wantedRuns.isEmpty)
        #expect(engine.hear(Self.offer(5...5), from: other).wantedRuns.map(\.peer) == [other])
        engine.hear(Self.end(5), from: other)
        #expect(Self.devices(engine.hear(Self.end(5), from: peer)) == [Self.key(5).device])
        #expect(engine.hear(Self.end(5), from: peer).notes == [.gaveUp(Self.key(5))])
        #expect(engine.gauge("requests for runs made") == 0 && engine.gauge("bytes of runs asked for") == 0)
    }

    @Test func `who still sends what was given up is not silent, and what it sends is taken`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        engine.hear(Self.offer(5...5), from: peer)
        #expect(engine.wait(.seconds(10)).notes.count == 1)
        #expect(engine.hear(Self.offer(6...6), from: peer).wantedRuns.count == 1)
        #expect(engine.wait(.seconds(9)).notes.isEmpty)
        let run = Run(author.write([20], behind: [], in: .fabric))
        #expect(engine.hear(.run(Data(run.encoded())), from: peer).merges.count == 1)
        #expect(engine.wait(.seconds(9)).notes.isEmpty)
        #expect(engine.wait(.seconds(1)).notes == [.gaveUp(Self.key(6))])
    }

    @Test func `ends that nobody asked for are no answers`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.offer(5...5), from: peer)
        #expect(engine.wait(.seconds(9)).notes.isEmpty)
        for device in [6, 6, 7] { #expect(engine.hear(Self.end(device), from: peer).isEmpty) }
        #expect(engine.wait(.seconds(1)).notes == [.gaveUp(Self.key(5))])
    }

    @Test func `a crowd that asks a slow relay for everything is turned away by nobody`() {
        // As many requests as the relay lets wait, none of which it gets to for a minute.
        var newcomer = LoneEngine()
        let relay = newcomer.admit(1)
        var waiting = newcomer.hear(Self.offer(5...200), from: relay).wantedRuns.count
        for _ in 0..<12 {
            waiting += newcomer.wait(.seconds(10)).wantedRuns.count
            waiting += newcomer.hear(Self.offer(5...200), from: relay).wantedRuns.count
        }
        #expect(waiting <= SyncLimits().waitingRequests)
    }
}
