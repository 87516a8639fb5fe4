// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

/// What follows from the declarations — tables, merging, API — relies on these.
struct KindTests {
    @Test func `no two kinds share a number or a name`() {
        #expect(Set(Kind.all.map(\.number)).count == Kind.all.count)
        #expect(Set(Kind.all.map(\.name)).count == Kind.all.count)
    }

    @Test func `kinds keep the numbers that the protocol gave them`() {
        let numbers = Dictionary(uniqueKeysWithValues: Kind.all.map { ($0.name, $0.number) })
        #expect(
            numbers == [
                "event": 1, "profile": 2, "profile_picture": 3, "place": 4, "moment": 5, "participation": 6,
                "check_in": 7, "photo": 8, "comment": 9, "fave": 10, "invite": 20,
                "report": 21, "bookmark": 22, "connection": 23, "rating": 24, "category": 25, "ownership": 26,
                "favourite": 27, "friendship": 28, "deal": 29, "deal_use": 30, "deal_confirmation": 31,
                "place_page": 32, "reading": 33, "claim": 34, "feedback": 35, "site_plan": 36, "vote": 37, "theme": 38,
            ]
        )
    }

    @Test(arguments: Kind.all)
    func `a kind is found by its number`(kind: Kind) { #expect(Kind.numbered(kind.number) == kind) }

    @Test(arguments: [0, 11, 1000, .max] as [UInt32])
    func `a number of no kind finds none`(number: UInt32) { #expect(Kind.numbered(number) == nil) }

    @Test(arguments: Kind.all)
    func `fields stand in order of number, each with a name of its own`(kind: Kind) {
        let numbers = kind.fields.map(\.number)
        #expect(!numbers.isEmpty && numbers == Set(numbers).sorted() && numbers[0] > 0)
        #expect(Set(kind.fields.map(\.name)).count == kind.fields.count)
        for field in kind.fields {
            #expect(kind.field(field.number) == field && kind.field(named: field.name) == field)
            // The name becomes a column and a member of JSON without being quoted.
            #expect(field.name.allSatisfy { $0 == "_" || ($0.isASCII && $0.isLowercase) })
        }
        #expect(kind.field(0) == nil && kind.field(named: "") == nil)
    }

    @Test(arguments: Kind.all)
    func `a record of any kind but one has something without which it is not shown`(kind: Kind) {
        let needsOne = kind.shownIf.contains { if case .anyOf = $0 { true } else { false } }
        // That somebody was somewhere says enough.
        #expect(kind == .checkIn || needsOne || kind.fields.contains { $0.isRequired })
    }

    @Test(arguments: Kind.all)
    func `what a record hangs on is of a kind that there is`(kind: Kind) {
        #expect((kind.trait == nil) == kind.parents.isEmpty && kind.parents.allSatisfy { $0.identity == .delta })
        #expect(kind.parents.allSatisfy { $0.children.contains(kind) })
    }

    @Test(arguments: Kind.all)
    func `a kind's rules speak of its own fields`(kind: Kind) {
        var names = [kind.onOff, kind.heldBack].compactMap(\.self)
        for rule in kind.shownIf {
            switch rule {
            case .anyOf(let fields): names += fields
            case .span(let from, let to, _): names += [from, to]
            case .creator, .owner, .mutual: break
            }
        }
        for case .mean(let name) in kind.shows { names.append(name) }
        #expect(names.allSatisfy { kind.field(named: $0) != nil })
    }

    @Test(arguments: Kind.all)
    func `only records that a delta made have fields that others write`(kind: Kind) {
        #expect(kind.identity == .delta || kind.sharedFields.isEmpty)
    }

    @Test(arguments: Kind.all)
    func `only numbers are merged to the largest, and a switch is a required flag`(kind: Kind) {
        for field in kind.fields where field.merge == .maximum {
            switch field.type {
            case .number, .time: break
            default: Issue.record("\(kind.name).\(field.name) has another type")
            }
        }
        if let name = kind.onOff {
            let field = kind.field(named: name)
            #expect(field?.type == .flag && field?.isRequired == true)
        }
    }

    @Test(arguments: Kind.all)
    func `a header can list the media of any record`(kind: Kind) {
        #expect(kind.fields.count { $0.type == .media } <= 8)
        #expect(kind.fields.count <= 64)
    }

    @Test func `participation takes exactly the three states`() {
        let field = Kind.participation.fields[0]
        for state in ParticipationState.allCases { #expect(field.type.admits(.number(state.rawValue))) }
        #expect(!field.type.admits(.number(0)) && !field.type.admits(.number(4)))
    }

    // MARK: - Types

    @Test func `a text is measured in bytes and has no zero in it`() {
        let type = FieldType.text(limit: 4)
        #expect(type.admits(.text("")) && type.admits(.text("abcd")) && type.admits(.text("éé")))
        #expect(!type.admits(.text("abcde")) && !type.admits(.text("ééé")))
        #expect(!type.admits(.text("a\0b")))
    }

    @Test func `a number lies within its range`() {
        let type = FieldType.number(-5...7)
        #expect(type.admits(.number(-5)) && type.admits(.number(7)))
        #expect(!type.admits(.number(-6)) && !type.admits(.number(8)) && !type.admits(.number(.max)))
    }

    @Test func `a reference is one of 21 bytes that names a journal`() {
        let reference = Reference(device: 1, journal: .content, sequence: 2, hash: 3).bytes
        #expect(FieldType.reference.admits(.data(reference)))
        #expect(!FieldType.reference.admits(.data(Array(reference.dropLast()))))
        #expect(!FieldType.reference.admits(.data(reference + [0])))
        var nowhere = reference
        nowhere[8] = 2
        #expect(!FieldType.reference.admits(.data(nowhere)))
    }

    @Test func `no type admits another type's value, and all admit none`() {
        let media = Media(root: .zero, size: 1, key: [], type: "")
        let reference = Reference(device: 1, journal: .content, sequence: 2, hash: 3).bytes
        let types: [FieldType] = [.text(limit: 9), .number(0...9), .reference, .media]
        let values: [Value] = [.text("a"), .number(1), .data(reference), .media(media)]
        for (index, type) in types.enumerated() {
            #expect(type.admits(.cleared))
            for (other, value) in values.enumerated() { #expect(type.admits(value) == (index == other)) }
        }
    }
}
