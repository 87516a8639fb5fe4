// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import Testing

/// Schemas that follow from the types of the API.
struct SchemaTests {
    private struct Inner: Codable { var radiusM: Int }

    private struct Outer: Codable {
        var title: String
        var note: String?
        var at: Date?
        var count: Int?
        var inner: [Inner]
        var byName: [String: Int]?
    }

    private let outer = API.Schema(of: Outer.self)

    @Test func `members have the names that JSON has, and those that may be missing are not required`() throws {
        guard case .object(let members, let required) = outer.resolved else {
            Issue.record("an object")
            return
        }
        #expect(members.keys.sorted() == ["at", "by_name", "count", "inner", "note", "title"])
        #expect(required == ["title", "inner"])
        #expect(
            members["at"] == .nullable(.text(format: "date-time")) && members["by_name"] == .nullable(.map(.integer()))
        )
    }

    @Test func `an unknown member is found at any depth, with those that are known`() throws {
        let value: API.JSON = ["title": "T", "inner": [["radius_m": 1], ["radius": 2]]]
        let found = try #require(outer.unknownMember(in: value))
        #expect(found.name == "inner.radius" && found.known == ["radius_m"])
        #expect(outer.unknownMember(in: ["title": 5, "inner": "x"]) == nil)
    }

    @Test func `JSON of any shape is read and written as it is`() throws {
        let text = #"{"a":[1,2.5,true,null,"x",{"snake_case":{}}],"b":-9007199254740993}"#
        let value = try API.decode(API.JSON.self, from: Data(text.utf8))
        #expect(String(decoding: try API.encode(value), as: UTF8.self) == text)
        #expect(value["a"] == [1, .number(2.5), true, .null, "x", ["snake_case": [:]]])
    }
}
