// SPDX-License-Identifier: Apache-2.0

import MingleWire
import Testing

/// How much the other side may send before it is let in, and after.
struct ChannelAdmittanceTests {
    private static let greeting = ChannelLimits.greetingLength
    private static let fabric = ChannelLimits.fabricMessageLength

    /// Whether a channel that is let in so far gets a message of so many bytes on a lane.
    private static func passes(_ byteCount: Int, _ lane: Lane, _ admittance: Admittance) throws -> Bool {
        var pair = OpenPair()
        pair.responder.admit(to: admittance)
        #expect(pair.initiator.enqueue([UInt8](repeating: 1, count: byteCount), on: lane) == .accepted)
        var outputs: [ChannelOutput] = []
        while !pair.initiator.hasNothingToSend {
            outputs += pair.responder.receive(pair.initiator.nextRecords(upTo: 1 << 20))
        }
        return outputs.messages(lane).count == 1
    }

    @Test(arguments: [
        (greeting, Lane.control, Admittance.none, true), (greeting + 1, .control, .none, false),
        (1, .deltas, .none, false), (1, .originals, .none, false),
        (fabric, .control, .fabric, true), (fabric, .deltas, .fabric, true), (fabric + 1, .deltas, .fabric, false),
        (1, .thumbnails, .fabric, false), (4 << 20, .originals, .all, true),
    ]) func `a message passes as far as its sender is let in`(
        _ byteCount: Int,
        _ lane: Lane,
        _ admittance: Admittance,
        _ passes: Bool
    ) throws {
        #expect(try Self.passes(byteCount, lane, admittance) == passes)
    }

    @Test func `what has come of a record counts as unfinished`() throws {
        var pair = OpenPair()
        #expect(pair.initiator.enqueue([UInt8](repeating: 1, count: 1000), on: .control) == .accepted)
        let record = pair.initiator.nextRecords(upTo: 1 << 16)
        _ = pair.responder.receive(Array(record.dropLast()))
        #expect(pair.responder.partialBytes == record.count - 1)
        _ = pair.responder.receive(Array(record.suffix(1)))
        #expect(pair.responder.partialBytes == 0)
    }
}
