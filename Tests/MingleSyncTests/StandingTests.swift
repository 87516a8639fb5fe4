// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What is noted of a peer that held the same and tells of more.
struct StandingTests {
    private static let author = TestAuthor(5).device
    private static let key = JournalKey(device: author, journal: .fabric)

    private static let end = ProtoMessage.OneOf_Content.runsEnd(.with { $0.device = .init(author.bytes) })

    private static func entry(_ sequence: UInt32) -> ProtoMessage.OneOf_Content {
        let entry = FrontierEntry(device: author, journal: .fabric, sequence: sequence, tip: UInt64(sequence))
        return .entries(.with { $0.entries = [Data(entry.bytes)] })
    }

    private static func commit(_ sequence: UInt32) -> SyncInput {
        let tip = JournalPoint(sequence: sequence, hash: UInt64(sequence))
        return .committed(Commit(journals: [JournalTips(key: key, tips: [tip])]))
    }

    @Test func `who tells of more holds more until all of that is here`() {
        var engine = LoneEngine()
        let (teller, other) = (engine.admit(1), engine.admit(2))
        #expect(engine.hear(Self.entry(3), from: teller).notes == [.ahead])
        // It is noted once.
        #expect(engine.hear(Self.entry(4), from: teller).notes.isEmpty)
        #expect(engine.hear(Self.entry(4), from: other).notes == [.ahead])
        #expect(engine.tell(Self.commit(3)).notes.isEmpty)
        #expect(engine.tell(Self.commit(4)).notes.isEmpty)
        // It was asked, and says now that this was all; of the first word the replica says whether it is held.
        #expect(engine.hear(Self.end, from: teller).notes == [.caughtUp])
        #expect(engine.tell(.missing(Self.key, [])).notes == [.caughtUp])
        #expect(engine.hear(Self.entry(4), from: teller).notes.isEmpty)
    }

    @Test func `who pushes something holds more until that is merged`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        let run = Run(author.write([20], behind: [], in: .fabric))
        let push = ProtoMessage.OneOf_Content.run(.init(run.encoded()))
        #expect(engine.hear(push, from: peer).notes == [.ahead])
        engine.tell(.committed(Commit(journals: [JournalTips(key: run.key, tips: [run.tip])])))
        #expect(engine.tell(.merged(peer, MergeAnswer(.merged))).notes == [.caughtUp])
    }

    @Test func `who does not deliver what it told of is in sync only once it says so`() {
        var engine = LoneEngine { $0.strikes = 1 }
        let peer = engine.admit(1)
        #expect(engine.hear(Self.entry(3), from: peer).notes == [.ahead])
        #expect(engine.hear(Self.end, from: peer).notes == [.gaveUp(Self.key)])
        let isInSync = ProtoMessage.OneOf_Content.digest(
            .with {
                $0.whole = .init(Frontier([]).digest.bytes)
                $0.isAnswer = true
            }
        )
        #expect(engine.hear(isInSync, from: peer).notes == [.inSync(.all)])
        // It is not asked again for a while, so nobody will know when that is here.
        #expect(engine.hear(Self.entry(4), from: peer).notes == [.ahead])
        #expect(engine.wait(.seconds(1)).notes.isEmpty)
    }
}
