// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import Testing

@testable import MingleSimulator

/// What is expected of people who said something of their own part.
@Suite struct RemovalsTests {
    private let person = PersonID(bytes32(1))
    private let phone = DeviceName(bytes32(2))
    private let laptop = DeviceName(bytes32(3))
    private let tablet = DeviceName(bytes32(4))

    @Test func `who leaves on a device that was retired before goes on to take part`() {
        var removals = Removals()
        removals.note(
            statement(1, on: laptop),
            CutTerms(person: person, device: phone, level: nil, ends: []),
            own: true
        )
        removals.note(statement(1, on: phone), CutTerms(person: person, level: nil, ends: []), own: true)
        #expect(!removals.persons.contains(person))
        #expect(removals.spares(statement(2, on: laptop), of: person))
    }

    @Test func `who leaves on a device that is retired later, by one that had heard, takes no part`() {
        var removals = Removals()
        removals.note(statement(1, on: phone), CutTerms(person: person, level: nil, ends: []), own: true)
        let end = FrontierEntry(device: phone, journal: .fabric, sequence: 1, tip: 0)
        removals.note(
            statement(1, on: laptop),
            CutTerms(person: person, device: phone, level: nil, ends: [end]),
            own: true
        )
        #expect(removals.persons == [person])
    }

    @Test func `who leaves on another device than the retired one takes no part`() {
        var removals = Removals()
        removals.note(
            statement(1, on: laptop),
            CutTerms(person: person, device: phone, level: nil, ends: []),
            own: true
        )
        removals.note(statement(2, on: laptop), CutTerms(person: person, level: nil, ends: []), own: true)
        #expect(removals.persons == [person])
    }

    @Test func `whom others remove takes no part, whatever that person says`() {
        var removals = Removals()
        removals.note(
            statement(1, on: laptop),
            CutTerms(person: person, device: phone, level: nil, ends: []),
            own: true
        )
        removals.note(statement(1, on: tablet), CutTerms(person: person, level: nil, ends: []), own: false)
        #expect(removals.persons == [person])
    }

    @Test func `a removal that another replaced takes nothing any more`() {
        var removals = Removals()
        let removal = statement(1, on: tablet)
        removals.note(removal, CutTerms(person: person, level: nil, ends: []), own: false)
        #expect(!removals.spares(statement(2, on: phone), of: person))
        let end = FrontierEntry(device: phone, journal: .fabric, sequence: 2, tip: 0)
        let rescue = CutTerms(person: person, level: nil, ends: [end], overwrites: [removal])
        removals.note(statement(2, on: tablet), rescue, own: false)
        #expect(removals.persons == [person] && removals.spares(statement(2, on: phone), of: person))
        #expect(!removals.spares(statement(3, on: phone), of: person))
    }

    /// Found by the simulator, seed 20013 with `--peers 6`, while nodes looked at keys less often.
    @Test func `a retirement of which nobody hears takes nothing, and the leaving of that person's does`() {
        var removals = Removals()
        let retirement = statement(2, on: laptop)
        removals.note(retirement, CutTerms(person: person, device: phone, level: nil, ends: []), own: true)
        let ends = [phone, tablet].map { FrontierEntry(device: $0, journal: .fabric, sequence: 2, tip: 0) }
        removals.note(statement(2, on: tablet), CutTerms(person: person, level: nil, ends: ends), own: true)
        #expect(!removals.spares(statement(2, on: phone), of: person))
        removals.settleRetirements { $0 == retirement }
        #expect(!removals.spares(statement(2, on: phone), of: person))
        removals.settleRetirements { _ in false }
        #expect(removals.spares(statement(2, on: phone), of: person) && removals.persons == [person])
        #expect(!removals.spares(statement(3, on: phone), of: person))
        #expect(removals.retired == [phone])
    }

    private func statement(_ sequence: UInt32, on device: DeviceName) -> Reference {
        Reference(device: device.raw.prefix, journal: .fabric, sequence: sequence, hash: UInt64(sequence))
    }
}

private func bytes32(_ byte: UInt8) -> Bytes32 {
    Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
}
