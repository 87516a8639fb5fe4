// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import Testing

/// Values of fields as JSON has them, and back.
struct FieldJSONTests {
    private static let place = Kind.place
    private static let deal = Kind.deal

    /// What fields can hold.
    private static let held: [(Kind, String, API.JSON)] = [
        (place, "name", "Bar"), (place, "latitude", .number(55.6761)), (place, "radius_m", 100),
        (place, "approved", true), (deal, "start", "2026-06-20T18:00:00.000Z"), (deal, "quantity", 3),
        (place, "hours", ["friday": [["09:00", "12:00"], ["18:00", "02:00"]], "sunday": [["00:00", "24:00"]]]),
        (Kind.checkIn, "source", "pin"),
    ]

    /// What they cannot.
    private static let refused: [(Kind, String, API.JSON)] = [
        (place, "name", 5), (place, "latitude", 91), (place, "latitude", "x"), (place, "radius_m", -1),
        (place, "approved", "yes"), (place, "approved", 1), (deal, "start", "today"),
        (deal, "start", "1969-01-01T00:00:00Z"),
        (deal, "quantity", 0), (deal, "quantity", .number(1.5)), (deal, "price", -1), (Kind.checkIn, "source", "moon"),
        (place, "categories", "x"), (place, "categories", ["x"]), (place, "hours", ["friday": [["9:00", "12:00"]]]),
        (place, "hours", ["someday": [["09:00", "12:00"]]]), (place, "hours", ["friday": [["09:00"]]]),
        (place, "name", .text(String(repeating: "a", count: 201))), (place, "description", "a\u{0}b"),
    ]

    private func field(_ kind: Kind, _ member: String) throws -> Field {
        try #require(kind.members.first { $0.member == member })
    }

    @Test(arguments: Self.held)
    func `a value is the same when it is read again`(kind: Kind, member: String, json: API.JSON) throws {
        let field = try field(kind, member)
        #expect(field.type.json(of: try field.value(from: json)) == json)
    }

    @Test(arguments: Self.refused)
    func `what a field cannot hold is refused by its name`(kind: Kind, member: String, json: API.JSON) throws {
        let field = try field(kind, member)
        let problem = #expect(throws: API.Problem.self) { try field.value(from: json) }
        #expect(problem?.name == .badRequest && problem?.detail.contains("`\(member)`") == true)
    }

    @Test func `null clears a field, and so does text without a letter`() throws {
        let name = try field(.place, "description")
        #expect(try name.value(from: .null) == .cleared && name.value(from: " \n ") == .cleared)
    }

    @Test func `a name is one line and drives no terminal`() throws {
        let name = try field(.place, "name")
        guard case .text(let text) = try name.value(from: " Bar\u{1B}[31m\u{202E} ") else {
            throw API.Problem(.internal, "")
        }
        #expect(text.hasPrefix("Bar") && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    }

    @Test func `no declared field is left out of the description of its kind`() throws {
        for kind in Kind.all where !kind.calls.isEmpty {
            let members = try #require(kind.recordSchema.members)
            for field in kind.members { #expect(members[field.member] != nil, "\(kind.name).\(field.name)") }
        }
    }
}
