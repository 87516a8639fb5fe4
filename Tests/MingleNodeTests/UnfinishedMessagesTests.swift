// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import Testing

@testable import MingleNode

/// Who pays for messages that do not come whole.
struct UnfinishedMessagesTests {
    private static let mebibyte = 1 << 20

    /// Connections by number; what is closed is gone.
    private struct Ledger {
        var messages = UnfinishedMessages(UnfinishedMessages.Limits())
        var closed: [UInt64] = []

        mutating func open(_ number: UInt64, from address: String = "10.0.0.1", person: UInt8? = nil) {
            let id = ConnectionID(number: number)
            messages.open(id, from: address)
            if let person { messages.admit(id, as: ConnectionGateTests.person(person)) }
        }

        /// A connection holds so much of a message that began at some second.
        mutating func hold(_ byteCount: Int, on number: UInt64, at seconds: Int, since beginning: Int? = nil) {
            var load = UnfinishedMessages.Load()
            load.add(byteCount, since: .seconds(beginning ?? seconds))
            closed += messages.hold(load, on: ConnectionID(number: number), at: .seconds(seconds)).map(\.number)
        }
    }

    @Test func `thirteen devices of one person hold what one may, and others are not touched`() {
        var ledger = Ledger()
        for number in 1...13 { ledger.open(UInt64(number), person: 1) }
        ledger.open(14, person: 2)
        ledger.hold(4 * Self.mebibyte, on: 14, at: 0)
        for number in 1...13 { ledger.hold(20_552_089, on: UInt64(number), at: number) }
        #expect(ledger.closed.count == 12 && !ledger.closed.contains(14))
        #expect(ledger.messages.byteCount == 4 * Self.mebibyte + 20_552_089)
    }

    @Test func `a hundred persons who only hold give way to a photo that has just begun`() {
        var ledger = Ledger()
        for number in 1...100 {
            ledger.open(UInt64(number), person: UInt8(number))
            ledger.hold(660_000, on: UInt64(number), at: 0)
        }
        ledger.open(101, person: 101)
        for step in 1...4 { ledger.hold(step * Self.mebibyte, on: 101, at: 30 + step, since: 31) }
        #expect(!ledger.closed.isEmpty && !ledger.closed.contains(101))
    }

    @Test func `a long transfer of many messages is as light as its last one`() {
        var since = UnfinishedSince()
        for number in 0..<600 {
            let load = since.note([(.originals, UInt64(number), 250_000)], at: .seconds(number))
            #expect(load.weight(at: .seconds(number)) == 250_000 * 1000)
        }
        // One message that does not end grows heavier, but not while it is not read.
        _ = since.note([(.originals, 600, 1000)], at: .seconds(600))
        since.pause(at: .seconds(601))
        let load = since.note([(.originals, 600, 2000), (.control, 0, 10)], at: .seconds(701))
        #expect(load.byteCount == 2010 && load.weight(at: .seconds(701)) == 2000 * 2000 + 10 * 1000)
    }

    @Test func `those who are not let in share eight mebibytes, and the heaviest address goes`() {
        var ledger = Ledger()
        for number in 1...90 { ledger.open(UInt64(number), from: number <= 45 ? "10.0.0.1" : "10.0.0.\(number)") }
        ledger.open(91, person: 1)
        ledger.hold(20 * Self.mebibyte, on: 91, at: 0)
        for number in 1...90 { ledger.hold(128 << 10, on: UInt64(number), at: 1) }
        #expect(ledger.closed.count == 26 && ledger.closed.allSatisfy { $0 <= 45 })
    }

    @Test func `what ends or is finished counts no more`() {
        var ledger = Ledger()
        for number in 1...1000 {
            ledger.open(UInt64(number), person: 1)
            ledger.hold(20 * Self.mebibyte, on: UInt64(number), at: number)
            if number.isMultiple(of: 2) {
                ledger.hold(0, on: UInt64(number), at: number)
            } else {
                ledger.messages.leave(ConnectionID(number: UInt64(number)))
            }
        }
        #expect(ledger.closed == [] && ledger.messages.byteCount == 0)
    }
}

struct LeastRateTests {
    @Test(arguments: [1, 1024, 4000]) func `a message that comes too slowly is given up`(_ bytesPerSecond: Int) {
        var rate = LeastRate()
        var seconds = 0
        // What came at once before buys no more than the patience.
        rate.note(20 << 20, isUnfinished: true, at: .zero)
        while !rate.isTooSlow(at: .seconds(seconds)), seconds < 10_000 {
            seconds += 1
            rate.note(bytesPerSecond, isUnfinished: true, at: .seconds(seconds))
        }
        #expect(seconds >= 20 && seconds <= 20 * 4096 / (4096 - bytesPerSecond) + 2)
    }

    @Test func `a message at four kibibytes a second and a connection without any are not given up`() {
        var rate = LeastRate()
        for second in 0..<1000 { rate.note(4096, isUnfinished: true, at: .seconds(second)) }
        #expect(!rate.isTooSlow(at: .seconds(1010)))
        rate.note(1, isUnfinished: false, at: .seconds(1010))
        #expect(!rate.isTooSlow(at: .seconds(10_000)))
    }
}

struct HungUpTests {
    private static let event = EventID(Bytes32([UInt8](repeating: 1, count: 32)) ?? .zero)

    @Test func `each offender is told of once a minute and remembered for ten`() throws {
        var hungUp = HungUp()
        var told = 0
        for second in 0..<120 {
            let offender = HungUp.Offender.person(ConnectionGateTests.person(1), Self.event)
            if hungUp.note(offender, from: "10.0.0.1", .overloaded, at: .seconds(second)) != nil { told += 1 }
        }
        #expect(told == 2 && hungUp.count == 120)
        #expect(try #require(hungUp.recent(at: .seconds(120)).first).1.count == 120)
        #expect(hungUp.recent(at: .seconds(119 + 601)).isEmpty)
    }

    @Test func `no more than 64 are kept in mind, strangers share a line a minute and displace nobody who was let in`()
    {
        var hungUp = HungUp()
        let person = HungUp.Offender.person(ConnectionGateTests.person(1), Self.event)
        var told = hungUp.note(person, from: "10.0.0.1", .overloaded, at: .zero) == nil ? 0 : 1
        for number in 0..<600 {
            let stranger = HungUp.stranger(from: "10.0.\(number / 250).\(number % 250)")
            if hungUp.note(stranger, from: "", .tooSlow, at: .seconds(number)) != nil { told += 1 }
        }
        let recent = hungUp.recent(at: .seconds(600))
        #expect(told == 11 && recent.count == 64 && recent.contains { $0.0 == person })
    }

    @Test func `all addresses of a network of 64 bits are one stranger`() {
        #expect(HungUp.stranger(from: "2001:db8:1:2::7") == HungUp.stranger(from: "2001:db8:1:2:aaaa:bbbb:cccc:1"))
        #expect(HungUp.stranger(from: "2001:db8:1:3::7") != HungUp.stranger(from: "2001:db8:1:2::7"))
        #expect(HungUp.stranger(from: "10.0.0.1") != HungUp.stranger(from: "10.0.0.2"))
    }
}
