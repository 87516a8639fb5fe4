// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleWire
import TestSupport
import Testing

struct ChannelMessageTests {
    @Test(arguments: UInt64(0)..<100)
    func `what is queued arrives whole and in its lane's order, however the stream is cut`(_ seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        var limits = ChannelLimits()
        limits.sentFragmentLength = Int.random(in: 1...70_000, using: &numbers)
        limits.rekeying = RekeyLimits(messages: Int.random(in: 1...20, using: &numbers), bytes: 100_000)
        var pair = OpenPair(limits: limits)
        var sent = PerLane { _ in [[UInt8]]() }
        var stream: [UInt8] = []
        for _ in 0..<Int.random(in: 1...12, using: &numbers) {
            let lane = Lane.allCases.randomElement(using: &numbers) ?? .control
            let message = numbers.bytes([1, 100, 5000, 200_000].randomElement(using: &numbers) ?? 1)
            #expect(pair.initiator.enqueue(message, on: lane) == .accepted)
            sent[lane].append(message)
            guard Bool.random(using: &numbers) else { continue }
            let budget = Int.random(in: 0...100_000, using: &numbers)
            let records = pair.initiator.nextRecords(upTo: budget)
            #expect(records.count <= budget)
            stream += records
        }
        while case let records = pair.initiator.nextRecords(upTo: 1043), !records.isEmpty { stream += records }
        let isDone = pair.initiator.hasNothingToSend
        #expect(isDone)
        let outputs = Self.deliver(stream, to: &pair.responder, &numbers)
        for lane in Lane.allCases { #expect(outputs.messages(lane) == sent[lane]) }
        let (left, end) = (pair.responder.partialBytes, pair.responder.receiveEnd())
        #expect((left, end) == (0, nil))
    }

    private static func deliver(
        _ stream: [UInt8],
        to channel: inout SecureChannel,
        _ numbers: inout SplitMix
    ) -> [ChannelOutput] {
        var outputs: [ChannelOutput] = []
        var position = 0
        while position < stream.count {
            let longest = min([1, 3, 2000, 150_000].randomElement(using: &numbers) ?? 1, stream.count - position)
            let count = Int.random(in: 1...longest, using: &numbers)
            outputs += channel.receive(Array(stream[position..<(position + count)]))
            position += count
        }
        return outputs
    }

    @Test func `a comment overtakes a chunk that is on its way, at the next fragment`() {
        var pair = OpenPair()
        let chunk = [UInt8](repeating: 1, count: 4 << 20)
        #expect(pair.initiator.enqueue(chunk, on: .originals) == .accepted)
        let begun = pair.initiator.nextRecords(upTo: 128 << 10)
        #expect(pair.responder.receive(begun) == [])
        #expect(pair.initiator.enqueue([2, 2, 2], on: .control) == .accepted)
        let next = pair.initiator.nextRecords(upTo: 40 << 10)
        #expect(pair.responder.receive(next).messages(.control) == [[2, 2, 2]])
        var outputs: [ChannelOutput] = []
        while case let records = pair.initiator.nextRecords(upTo: 1 << 20), !records.isEmpty {
            outputs += pair.responder.receive(records)
        }
        #expect(outputs == [.message(.originals, chunk)])
    }

    @Test func `lanes leave in their order, whatever the order of queueing`() {
        var pair = OpenPair()
        for lane in Lane.allCases.reversed() {
            #expect(pair.initiator.enqueue([lane.rawValue], on: lane) == .accepted)
        }
        let outputs = pair.responder.receive(pair.initiator.nextRecords(upTo: 1 << 16))
        #expect(outputs == Lane.allCases.map { .message($0, [$0.rawValue]) })
    }

    @Test func `a fragment is at most as long as the limits say`() {
        var limits = ChannelLimits()
        limits.sentFragmentLength = 2000
        var pair = OpenPair(limits: limits)
        #expect(pair.initiator.enqueue([UInt8](repeating: 0, count: 6000), on: .deltas) == .accepted)
        #expect(pair.initiator.nextRecords(upTo: 2019 * 2).count == 2019 * 2)
        #expect(pair.initiator.nextRecords(upTo: 1 << 20).count == 2019)
        #expect(pair.initiator.nextRecords(upTo: 1 << 20).isEmpty)
    }

    @Test func `both directions work at once and count what went through each lane`() {
        var pair = OpenPair()
        _ = pair.initiator.enqueue([UInt8](repeating: 0, count: 70_000), on: .previews)
        _ = pair.responder.enqueue([1, 2], on: .control)
        _ = pair.responder.receive(pair.initiator.nextRecords(upTo: 1 << 20))
        _ = pair.initiator.receive(pair.responder.nextRecords(upTo: 1 << 20))
        let (one, other) = (pair.initiator.counters, pair.responder.counters)
        let sender = LaneCounters(bytesIn: 0, bytesOut: 70_000, messagesIn: 0, messagesOut: 1)
        #expect(one[.previews] == sender)
        #expect(other[.previews] == LaneCounters(bytesIn: 70_000, bytesOut: 0, messagesIn: 1, messagesOut: 0))
        #expect(one[.control] == LaneCounters(bytesIn: 2, bytesOut: 0, messagesIn: 1, messagesOut: 0))
        #expect(one[.originals] == LaneCounters())
    }

    @Test func `a full lane says so, and says when it has room again`() {
        var limits = ChannelLimits()
        limits.queuedBytes = PerLane { _ in 10_000 }
        var pair = OpenPair(limits: limits)
        let message = [UInt8](repeating: 0, count: 4000)
        let results = (0..<3).map { _ in pair.initiator.enqueue(message, on: .deltas) }
        #expect(results == [.accepted, .accepted, .full])
        #expect(pair.initiator.enqueue(message, on: .control) == .accepted)
        #expect(pair.initiator.takeLanesWithRoom() == [])
        _ = pair.initiator.nextRecords(upTo: 4019 * 2)
        #expect(pair.initiator.takeLanesWithRoom() == [.deltas])
        #expect(pair.initiator.takeLanesWithRoom() == [])
        #expect(pair.initiator.enqueue(message, on: .deltas) == .accepted)
    }

    @Test(arguments: Lane.allCases, [1, 50, 127])
    func `whoever stops after a thousand small messages hears that they have left`(lane: Lane, length: Int) {
        var pair = OpenPair()
        var told: [Lane] = []
        let message = [UInt8](repeating: 0, count: length)
        for _ in 0..<1024 {
            #expect(pair.initiator.enqueue(message, on: lane) == .accepted)
            _ = pair.initiator.nextRecords(upTo: 1 << 16)
            told += pair.initiator.takeLanesWithRoom()
        }
        #expect(Set(told) == [lane])
        // Nor does it hear it all the time.
        #expect(told.count <= 4)
    }

    @Test func `small messages that wait are no room`() {
        var pair = OpenPair()
        for _ in 0..<4096 { #expect(pair.initiator.enqueue([1], on: .control) == .accepted) }
        #expect(pair.initiator.enqueue([1], on: .control) == .full)
        #expect(pair.initiator.takeLanesWithRoom() == [])
        _ = pair.initiator.nextRecords(upTo: 2049 * 20)
        #expect(pair.initiator.takeLanesWithRoom() == [.control])
    }

    @Test func `a lane holds only so many messages, and one of any length if it is empty`() {
        var limits = ChannelLimits()
        limits.queuedMessages = PerLane { _ in 2 }
        limits.queuedBytes = PerLane { _ in 10 }
        var pair = OpenPair(limits: limits)
        let results = (0..<3).map { _ in pair.initiator.enqueue([1], on: .control) }
        #expect(results == [.accepted, .accepted, .full])
        #expect(pair.initiator.enqueue([UInt8](repeating: 0, count: 100), on: .deltas) == .accepted)
        #expect(pair.initiator.enqueue([1], on: .deltas) == .full)
    }

    @Test func `an empty message and one above its lane's limit are never queued`() {
        var pair = OpenPair()
        let longest = [UInt8](repeating: 0, count: 1 << 20)
        #expect(pair.initiator.enqueue([], on: .control) == .refused)
        #expect(pair.initiator.enqueue(longest + [0], on: .control) == .refused)
        #expect(pair.initiator.enqueue(longest, on: .control) == .accepted)
    }

    @Test func `before the handshake and after the end nothing is queued`() {
        var channel = Sample.initiator()
        #expect(channel.enqueue([1], on: .control) == .closed)
        var pair = OpenPair()
        _ = pair.initiator.receiveEnd()
        #expect(pair.initiator.enqueue([1], on: .control) == .closed)
        #expect(pair.initiator.nextRecords(upTo: 1 << 20).isEmpty)
    }
}
