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

    @Test func `who leaves on a device that was retired before goes on to take part`() {
        var removals = Removals()
        removals.note(CutTerms(person: person, device: phone, level: nil, ends: []), own: statement(1, on: laptop))
        removals.note(CutTerms(person: person, level: nil, ends: []), own: statement(1, on: phone))
        #expect(!removals.persons.contains(person))
        #expect(removals.spares(statement(2, on: laptop), of: person))
    }

    @Test func `who leaves on a device that is retired later, by one that had heard, takes no part`() {
        var removals = Removals()
        removals.note(CutTerms(person: person, level: nil, ends: []), own: statement(1, on: phone))
        let end = FrontierEntry(device: phone, journal: .fabric, sequence: 1, tip: 0)
        removals.note(CutTerms(person: person, device: phone, level: nil, ends: [end]), own: statement(1, on: laptop))
        #expect(removals.persons == [person])
    }

    @Test func `who leaves on another device than the retired one takes no part`() {
        var removals = Removals()
        removals.note(CutTerms(person: person, device: phone, level: nil, ends: []), own: statement(1, on: laptop))
        removals.note(CutTerms(person: person, level: nil, ends: []), own: statement(2, on: laptop))
        #expect(removals.persons == [person])
    }

    @Test func `whom others remove takes no part, whatever that person says`() {
        var removals = Removals()
        removals.note(CutTerms(person: person, device: phone, level: nil, ends: []), own: statement(1, on: laptop))
        removals.note(CutTerms(person: person, level: nil, ends: []), own: nil)
        #expect(removals.persons == [person])
    }

    private func statement(_ sequence: UInt32, on device: DeviceName) -> Reference {
        Reference(device: device.raw.prefix, journal: .fabric, sequence: sequence, hash: UInt64(sequence))
    }
}

private func bytes32(_ byte: UInt8) -> Bytes32 {
    Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
}
