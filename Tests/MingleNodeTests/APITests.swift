// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleNode
import Testing

struct APITests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try API.encode(value), as: UTF8.self)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try API.decode(type, from: Data(text.utf8))
    }

    // MARK: - Problems

    @Test(arguments: API.Problem.Name.allCases)
    func `a problem survives its form`(name: API.Problem.Name) throws {
        let problem = API.Problem(name, "What happened: \"é\" / \n")
        let read = try API.decode(API.Problem.self, from: API.encode(problem))
        #expect(read == problem && read.name == name)
        #expect(read.type == "/problems/\(name.rawValue)" && (400..<600).contains(read.status))
        #expect(!read.title.isEmpty && name.exitCode > 0)
    }

    @Test func `a problem is what RFC 9457 calls one`() throws {
        let problem = API.Problem(.noEvent, "None yet.")
        #expect(
            try text(problem)
                == #"{"detail":"None yet.","status":409,"title":"No event yet","type":"/problems/no-event"}"#
        )
    }

    @Test func `the documented names are those that there are`() {
        #expect(
            API.Problem.Name.allCases.map(\.rawValue) == [
                "no-event", "not-found", "bad-request", "bad-invitation", "not-allowed", "not-a-picture",
                "method-not-allowed", "too-large", "no-space", "damaged", "conflict", "unavailable", "too-many",
                "insecure-host", "internal",
            ]
        )
    }

    @Test(arguments: ["/problems/of-the-future", "about:blank", "", "/problems/"])
    func `a problem that this version does not know is an internal one`(type: String) throws {
        let problem = try decode(API.Problem.self, #"{"type":"\#(type)","title":"T","status":418,"detail":"D"}"#)
        #expect(problem.name == .internal && problem.status == 418)
    }

    // MARK: - Times

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (999, "1970-01-01T00:00:00.999Z"),
            (1_753_600_000_123, "2025-07-27T07:06:40.123Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `a time is written as RFC 3339 has it, with milliseconds`(milliseconds: Int64, text: String) throws {
        #expect(try self.text([Date(milliseconds: milliseconds)]) == "[\"\(text)\"]")
        #expect(try decode([Date].self, "[\"\(text)\"]").map(\.milliseconds) == [milliseconds])
    }

    @Test func `a time after the year 9999 is its end, since no form has more`() throws {
        let text = String(decoding: try API.encode([Date(milliseconds: .max)]), as: UTF8.self)
        #expect(text == #"["9999-12-31T23:59:59.999Z"]"#)
    }

    @Test func `every millisecond survives its form`() throws {
        let times =
            (0..<1000).map { 1_753_600_000_000 + Int64($0) }
            + (0..<500).map { Int64($0) * 7_919_737_123 % 4_000_000_000_000 }
        let dates = times.map { Date(milliseconds: $0) }
        #expect(dates.map(\.milliseconds) == times)
        #expect(try API.decode([Date].self, from: API.encode(dates)).map(\.milliseconds) == times)
    }

    @Test(
        arguments: [
            ("2025-07-27T07:06:40Z", 1_753_600_000_000), ("2025-07-27T09:06:40+02:00", 1_753_600_000_000),
            ("2025-07-27T09:06:40.500+02:00", 1_753_600_000_500),
        ] as [(String, Int64)]
    )
    func `times of other places and without fractions are read`(text: String, milliseconds: Int64) throws {
        #expect(try decode([Date].self, "[\"\(text)\"]").map(\.milliseconds) == [milliseconds])
    }

    @Test(arguments: ["", "today", "2025-07-27", "2025-13-01T00:00:00Z", "2025-07-27 07:06:40", "1753600000"])
    func `what is no time is refused`(text: String) {
        #expect(throws: (any Error).self) { try decode([Date].self, "[\"\(text)\"]") }
    }

    // MARK: - Names

    @Test func `members are in snake case, and come back from it`() throws {
        let place = API.Place(id: nil, name: "Plaza/Mayor", latitude: 1.5, longitude: -2, radiusM: 100)
        #expect(try text(place) == #"{"latitude":1.5,"longitude":-2,"name":"Plaza/Mayor","radius_m":100}"#)
        let read = try decode(API.Place.self, #"{"name":"P","latitude":1,"longitude":2,"radius_m":3,"unknown":[]}"#)
        #expect(read.radiusM == 3 && read.id == nil)
        let terms = try decode(API.Envelope.InvitationTerms.self, #"{"expires_in_seconds":60,"uses":null}"#)
        #expect(terms.expiresInSeconds == 60 && terms.uses == nil)
        let position = try decode(API.Envelope.Position.self, #"{"latitude":1,"longitude":2,"accuracy_m":3.5}"#)
        #expect(position.accuracyM == 3.5)
    }

    @Test func `a change of a moment names any of its fields`() throws {
        let change = try decode(API.NewMoment.self, #"{"title":"T","start":"2025-07-27T07:06:40Z"}"#)
        #expect(change.title == "T" && change.start?.milliseconds == 1_753_600_000_000)
        #expect(change.end == nil && change.place == nil && change.cover == nil && change.description == nil)
    }
}
