// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleWire
import Testing

struct ChannelLimitTests {
    @Test func `a record without a fragment closes the channel`() throws {
        for length in 0..<18 {
            var offender = try Offender()
            #expect(offender.channel.receive([0, UInt8(length)]) == [.close(.recordTooShort(length))])
        }
        // An empty fragment is the longest of these records: head and tag.
        var offender = try Offender()
        #expect(try offender.send([Lane.control.rawValue]) == [.close(.recordTooShort(17))])
    }

    @Test func `an unknown lane or a bit without meaning closes the channel`() throws {
        for head: UInt8 in [5, 6, 7, 0x85, 0x08, 0x10, 0x20, 0x40, 0xC0, 0xFF] {
            var offender = try Offender()
            #expect(try offender.send([head, 1]) == [.close(.unknownLane(head))])
        }
    }

    @Test func `a flood of crumbs is refused at the first`() throws {
        for length in [1, 100, 1023] {
            var offender = try Offender()
            let crumb = [Lane.originals.rawValue] + [UInt8](repeating: 0, count: length)
            #expect(try offender.send(crumb) == [.close(.fragmentTooShort(.originals))])
        }
        var offender = try Offender()
        #expect(try offender.send([Lane.originals.rawValue] + [UInt8](repeating: 0, count: 1024)) == [])
    }

    @Test(arguments: Lane.allCases)
    func `a message may be as long as its lane allows and not one byte longer`(_ lane: Lane) throws {
        var limits = ChannelLimits()
        limits.messageLength = PerLane { _ in 100_000 }
        var offender = try Offender(limits: limits)
        let part = [lane.rawValue] + [UInt8](repeating: 7, count: 50_000)
        let last = [lane.rawValue | 0x80] + [UInt8](repeating: 7, count: 50_000)
        #expect(try offender.send(part) == [])
        #expect(try offender.send(last) == [.message(lane, [UInt8](repeating: 7, count: 100_000))])
        #expect(try offender.send(part) == [])
        #expect(try offender.send(last + [7]) == [.close(.messageTooLong(lane))])
    }

    @Test func `all lanes may be in the middle of a message, and no more is kept than their limits`() throws {
        var offender = try Offender()
        let limits = ChannelLimits().messageLength
        let most = Lane.allCases.reduce(0) { $0 + limits[$1] }
        let part = [UInt8](repeating: 0, count: 1 << 15)
        for lane in Lane.allCases {
            for _ in 0..<(limits[lane] / part.count) { #expect(try offender.send([lane.rawValue] + part) == []) }
        }
        let kept = offender.channel.partialBytes
        #expect(kept == most)
        #expect(try offender.send([Lane.originals.rawValue] + part) == [.close(.messageTooLong(.originals))])
    }

    @Test func `the longest record is taken`() throws {
        var offender = try Offender()
        let fragment = [UInt8](repeating: 3, count: 65_518)
        #expect(try offender.send([0x80] + fragment) == [.message(.control, fragment)])
    }

    @Test func `changing any byte of a record closes the channel`() throws {
        let length = 40
        for position in 0..<(length + 19) {
            var offender = try Offender()
            var record = try offender.record([0x80] + [UInt8](repeating: 1, count: length))
            record[position] ^= 0x01
            var outputs = offender.channel.receive(record)
            // A longer length waits for bytes; whatever comes next shows that the record is not genuine.
            if outputs.isEmpty { outputs = offender.channel.receive([UInt8](repeating: 0, count: 1 << 16)) }
            #expect(outputs == [.close(.notAuthentic)], "byte \(position)")
            #expect(offender.channel.receive([1]) == [])
        }
    }

    @Test func `a record that is repeated, left out or reordered closes the channel`() throws {
        for order in [[0, 0], [1], [0, 2], [1, 0]] {
            var offender = try Offender()
            let records = try (0..<3).map { try offender.record([0x80, UInt8($0)]) }
            let outputs = order.flatMap { offender.channel.receive(records[$0]) }
            #expect(outputs.closing == .notAuthentic)
            #expect(outputs.filter { $0 == .close(.notAuthentic) }.count == 1)
        }
    }

    @Test func `the messages before a broken record are delivered, however the stream is cut`() throws {
        var offender = try Offender()
        let stream = try offender.record([0x80, 1]) + offender.record([0x81, 2]) + offender.record([0x05, 3])
        let expected: [ChannelOutput] = [.message(.control, [1]), .message(.deltas, [2]), .close(.unknownLane(5))]
        #expect(offender.channel.receive(stream) == expected)
        var other = try Offender()
        #expect(stream.flatMap { other.channel.receive([$0]) } == expected)
    }

    @Test func `a stream that ends inside a record or a message is truncated`() throws {
        var offender = try Offender()
        let record = try offender.record([0x80, 1])
        #expect(offender.channel.receive(Array(record.dropLast())) == [])
        #expect(offender.channel.receiveEnd() == .truncated)
        var second = try Offender()
        _ = try second.send([0] + [UInt8](repeating: 0, count: 2000))
        #expect(second.channel.receiveEnd() == .truncated)
        var third = try Offender()
        #expect(third.channel.receiveEnd() == nil)
    }
}
