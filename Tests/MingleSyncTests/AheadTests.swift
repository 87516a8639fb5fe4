// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What is remembered of how far peers hold journals.
struct AheadTests {
    private static let key = JournalKey(device: TestAuthor(5).device, journal: .fabric)

    private static func commit(_ point: JournalPoint) -> SyncInput {
        .committed(Commit(journals: [JournalTips(key: key, tips: [point])]))
    }

    @Test func `who said how far it holds a journal is not told the same, and nothing is kept of what both hold`() {
        var engine = LoneEngine()
        let (teller, other) = (engine.admit(1), engine.admit(2))
        let (told, later) = (JournalPoint(sequence: 3, hash: 7), JournalPoint(sequence: 4, hash: 8))
        let entry = FrontierEntry(device: Self.key.device, journal: .fabric, sequence: told.sequence, tip: told.hash)
        engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: teller)
        #expect(engine.gauge("journals held further") == 1)
        #expect(engine.toldOf(Self.commit(told)) == [other])
        // A relay has a thousand peers, and each of them as many journals.
        #expect(engine.gauge("journals held further") == 0)
        #expect(engine.toldOf(Self.commit(later)) == [teller, other])
        #expect(engine.gauge("journals held further") == 0)
    }

    @Test func `who holds more of a journal than came is told nothing of it until that has come`() {
        var engine = LoneEngine()
        let (teller, other) = (engine.admit(1), engine.admit(2))
        let entry = FrontierEntry(device: Self.key.device, journal: .fabric, sequence: 9, tip: 9)
        engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: teller)
        #expect(engine.toldOf(Self.commit(JournalPoint(sequence: 3, hash: 7))) == [other])
        #expect(engine.gauge("journals held further") == 1)
        #expect(engine.toldOf(Self.commit(JournalPoint(sequence: 9, hash: 9))) == [other])
        #expect(engine.gauge("journals held further") == 0)
    }

    @Test func `who holds less of a journal than it said is told again what comes of it`() {
        var engine = LoneEngine()
        let (teller, other) = (engine.admit(1), engine.admit(2))
        #expect(engine.toldOf(Self.commit(JournalPoint(sequence: 3, hash: 7))) == [teller, other])
        for (sequence, tip) in [(UInt32(9), UInt64(9)), (2, 2)] {
            let entry = FrontierEntry(device: Self.key.device, journal: .fabric, sequence: sequence, tip: tip)
            engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: teller)
        }
        #expect(engine.gauge("journals held further") == 0)
        #expect(engine.toldOf(Self.commit(JournalPoint(sequence: 4, hash: 8))) == [teller, other])
    }
}

extension LoneEngine {
    /// Lets something be committed, and returns who is told of it within a second.
    fileprivate mutating func toldOf(_ commit: SyncInput) -> [PeerID] {
        tell(commit)
        return wait(.seconds(1)).told
    }
}
