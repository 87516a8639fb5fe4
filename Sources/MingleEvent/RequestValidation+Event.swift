// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel

/// What founders set in an event.
extension RequestValidation {
    /// The fields of an event that are given.
    package static func event(_ change: API.Envelope.EventChange) throws -> [String: Value] {
        var values: [String: Value] = [:]
        if let title = change.title { values["title"] = .text(try self.title(title)) }
        if let number = change.reportThreshold { values["report_threshold"] = .number(try threshold(number)) }
        if let words = change.areas { values["areas"] = .number(Area.bits(of: try areas(words))) }
        if let name = change.timeZone { values["time_zone"] = try timeZone(name) }
        if let code = change.currency { values["currency"] = try currency(code) }
        if let word = change.whoInvites { values["who_invites"] = .number(try whoInvites(word).rawValue) }
        return values
    }

    /// Reads what a new event begins with.
    package static func preset(_ word: String) throws -> EventPreset {
        guard let preset = EventPreset(rawValue: word) else {
            throw problem("preset", word, EventPreset.allCases.map(\.rawValue))
        }
        return preset
    }

    /// Reads the areas that are to be on.
    package static func areas(_ words: [String]) throws -> Set<Area> {
        Set(
            try words.map { word in
                guard let area = Area.allCases.first(where: { $0.word == word }) else {
                    throw problem("area", word, Area.allCases.map(\.word))
                }
                return area
            }
        )
    }

    private static func whoInvites(_ word: String) throws -> WhoInvites {
        guard let rule = WhoInvites.allCases.first(where: { $0.word == word }) else {
            throw problem("rule for invitations", word, WhoInvites.allCases.map(\.word))
        }
        return rule
    }

    private static func timeZone(_ name: String) throws -> Value {
        if name.isEmpty { return .cleared }
        guard TimeZone(identifier: name) != nil, name.utf8.count <= 64 else {
            throw API.Problem(
                .badRequest,
                "Not a time zone: '\(name.prefix(60))'. Use a name such as Europe/Copenhagen."
            )
        }
        return .text(name)
    }

    private static func currency(_ code: String) throws -> Value {
        if code.isEmpty { return .cleared }
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw API.Problem(
                .badRequest,
                "Not a currency: '\(code.prefix(60))'. Use three capital letters such as DKK."
            )
        }
        return .text(code)
    }

    private static func problem(_ what: String, _ word: String, _ words: [String]) -> API.Problem {
        let list = words.joined(separator: ", ")
        return API.Problem(.badRequest, "Not a valid \(what): '\(word.prefix(60))'. Use one of: \(list).")
    }
}
