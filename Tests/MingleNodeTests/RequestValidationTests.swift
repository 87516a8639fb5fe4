// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleMedia
import MingleModel
import MingleReplica
import NodeTestSupport
import SystemPackage
import Testing

@testable import MingleNode

struct RequestValidationTests {
    /// What is said of a bad request; nothing if `body` finds it a good one.
    private func refusal<Value>(_ body: () throws -> Value) -> String {
        do {
            _ = try body()
            return ""
        } catch let problem as API.Problem where problem.name == .badRequest {
            return problem.detail
        } catch {
            Issue.record(error)
            return ""
        }
    }

    private func place(_ change: (inout API.NewPlace) -> Void = { _ in }) -> API.NewPlace {
        var place = API.NewPlace(name: "Plaza", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        change(&place)
        return place
    }

    @Test(arguments: ["", " ", "\n\t\r", "\u{A0}\u{2003}\u{3000}"])
    func `what is empty is refused and named`(text: String) throws {
        #expect(refusal { try RequestValidation.title(text) }.contains("title is empty"))
        #expect(refusal { try RequestValidation.name(text) }.contains("name is empty"))
        #expect(
            refusal { try RequestValidation.place(place { $0.name = text }) }.contains("name of the place is empty")
        )
    }

    @Test func `a disk that is full is called so, whoever met it`() {
        #expect(API.Problem(Errno.noSpace).name == .noSpace)
        #expect(API.Problem(Errno.diskQuotaExceeded).name == .noSpace)
        #expect(API.Problem(ReplicaError.noSpace(path: "x")).name == .noSpace)
        #expect(API.Problem(BlobStoreError.noSpace(path: "x")).name == .noSpace)
    }

    @Test func `a database that fails is the node's failure, and no mistake of who asked`() {
        let problem = API.Problem(ReplicaError.failed(path: "x", detail: "disk I/O error"))
        #expect(problem.status == 500 && problem.name.exitCode == 1 && problem.detail.contains("disk I/O error"))
    }

    // It would count as what nodes hide by themselves, which waits for a moderator.
    @Test func `nobody hides something with the words that nodes hide with by themselves`() throws {
        #expect(refusal { try RequestValidation.reason(" Several people reported it. ") }.contains("of your own"))
        #expect(try RequestValidation.reason("Several people reported it") == "Several people reported it")
    }

    @Test func `a zero character is refused wherever it stands`() throws {
        for text in ["\0", "a\0", "\0b", "a\0b"] {
            #expect(refusal { try RequestValidation.title(text) }.contains("zero"))
            #expect(refusal { try RequestValidation.caption(text) }.contains("zero"))
            #expect(refusal { try RequestValidation.place(place { $0.name = text }) }.contains("zero"))
            var moment = API.NewMoment()
            moment.description = text
            #expect(refusal { try RequestValidation.moment(moment) }.contains("zero"))
        }
    }

    @Test func `white space around goes, within it stays`() throws {
        #expect(try RequestValidation.caption(" \n a  b\n c \t") == "a  b\n c")
    }

    // The title has to be typed again to leave an event, and is shown in tables and on one line.
    @Test func `titles and names stand on one line, and drive no terminal`() throws {
        #expect(try RequestValidation.title(" \n a  b\n\u{1b}[31m\tc\u{202e} ") == "a  b  [31m c")
        #expect(try RequestValidation.name("\u{202e}Gil\u{2028}") == "Gil")
        #expect(try RequestValidation.place(place { $0.name = "Pla\nza" })["place_name"] == .text("Pla za"))
        #expect(refusal { try RequestValidation.name("\u{202e}\u{1b}") }.contains("name is empty"))
    }

    @Test func `a text is as long as its field allows, in bytes`() throws {
        let limits: [(Kind, String, (String) throws -> String)] = [
            (.profile, "name", RequestValidation.name), (.moment, "title", RequestValidation.title),
            (.event, "title", RequestValidation.title),
            (.photo, "title", RequestValidation.caption),
        ]
        for (kind, name, read) in limits {
            guard case .text(let limit)? = kind.field(named: name)?.type else { throw TooLate(what: name) }
            let longest = String(repeating: "é", count: limit / 2)
            #expect(try read(longest) == longest && read("  \(longest)  ") == longest)
            #expect(refusal { try read(longest + "a") }.contains("\(limit) bytes"))
        }
    }

    @Test(arguments: ["", "x", "é", "mingle", String(repeating: "a", count: 10_000)])
    func `an id that is none is not found, and is not repeated at length`(id: String) throws {
        let problem = try #require(throws: API.Problem.self) { try RequestValidation.reference(id) }
        #expect(problem.name == .notFound && problem.detail.utf8.count < 200)
    }

    @Test func `a moment ends after it starts`() throws {
        let start = Date(milliseconds: 1000)
        #expect(throws: Never.self) { try RequestValidation.requireOrder(start: start, end: Date(milliseconds: 1001)) }
        for end: Int64 in [1000, 999, 0] {
            #expect(
                refusal { try RequestValidation.requireOrder(start: start, end: Date(milliseconds: end)) }.contains(
                    "before it starts"
                )
            )
        }
    }

    @Test(arguments: [-62_135_769_600_000, -1, 253_402_300_800_000, .max])
    func `a moment is at no time that nobody could read again`(milliseconds: Int64) {
        let far = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let near = Date(milliseconds: 1000)
        #expect(refusal { try RequestValidation.requireOrder(start: far, end: near) }.contains("1970 and 9999"))
        #expect(refusal { try RequestValidation.requireOrder(start: near, end: far) }.contains("1970 and 9999"))
    }

    @Test func `a moment's fields are those that are given`() throws {
        #expect(try RequestValidation.moment(API.NewMoment()).isEmpty)
        var moment = API.NewMoment()
        (moment.title, moment.description, moment.place) = (" Dinner ", "", place())
        #expect(
            try RequestValidation.moment(moment) == [
                "title": .text("Dinner"), "description": .cleared, "place_name": .text("Plaza"),
                "latitude": .number(404_155_000), "longitude": .number(-37_074_000), "radius": .number(100),
            ]
        )
        moment.description = String(repeating: "d", count: 4001)
        #expect(refusal { try RequestValidation.moment(moment) }.contains("description is too long"))
    }

    @Test(arguments: [(1, true), (1_000_000, true), (0, false), (-1, false), (1_000_001, false), (.max, false)])
    func `a place has a radius of 1 m to 1000 km`(radius: Int, isAllowed: Bool) throws {
        let place = place { $0.radiusM = radius }
        if isAllowed {
            #expect(try RequestValidation.place(place)["radius"] == .number(Int64(radius)))
        } else {
            #expect(refusal { try RequestValidation.place(place) }.contains("radius"))
        }
    }

    @Test(
        arguments: [
            (90.000_001, 0), (-91, 0), (0, 180.1), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity),
            (1e300, 0),
        ] as [(Double, Double)]
    )
    func `a position that is nowhere is refused`(latitude: Double, longitude: Double) throws {
        #expect(
            refusal { try RequestValidation.position(latitude: latitude, longitude: longitude) }.contains(
                "latitude must be"
            )
        )
        #expect(
            refusal {
                try RequestValidation.position(
                    API.Envelope.Position(latitude: latitude, longitude: longitude, accuracyM: nil)
                )
            }.contains("latitude must be")
        )
        #expect(
            refusal { try RequestValidation.place(place { ($0.latitude, $0.longitude) = (latitude, longitude) }) }
                .contains(
                    "latitude must be"
                )
        )
    }

    @Test func `the corners of the world are somewhere`() throws {
        for (latitude, longitude) in [(90.0, 180.0), (-90.0, -180.0), (0.0, 0.0)] {
            let values = try RequestValidation.position(latitude: latitude, longitude: longitude)
            for (name, value) in values { #expect(Kind.checkIn.field(named: name)?.type.admits(value) == true) }
            #expect(values["latitude"] == .number(Int64(latitude) * 10_000_000))
        }
    }

    @Test(
        arguments: [
            (12.4, 12), (12.5, 13), (-3, 0), (0, 0), (1_000_000, 1_000_000), (2e6, 1_000_000), (1e18, 1_000_000),
            (1e300, 1_000_000), (-1e300, 0), (.infinity, nil), (.nan, nil), (nil, nil),
        ] as [(Double?, Int64?)]
    )
    func `an accuracy is whole metres, whatever a device says`(accuracy: Double?, metres: Int64?) throws {
        let position = API.Envelope.Position(latitude: 1, longitude: 2, accuracyM: accuracy)
        #expect(try RequestValidation.position(position)["accuracy"] == metres.map(Value.number))
    }
}
