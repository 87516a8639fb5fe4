// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleModel

/// Reads `FIELD=VALUE` as people type it.
enum GivenField {
    /// The two sides of the first equals sign.
    static func split(_ text: String) throws -> (name: String, value: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw ValidationError("Not FIELD=VALUE: '\(text)'.")
        }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    /// A value in JSON; nothing clears the field, and the node says what is wrong with what a field cannot hold.
    static func json(_ text: String, for field: Field) throws -> API.JSON {
        if text.isEmpty { return .null }
        switch field.type {
        case .flag: return text == "true" ? true : text == "false" ? false : .text(text)
        case .number: return Int64(text).map(API.JSON.integer) ?? .text(text)
        case .latitude, .longitude, .metres: return Double(text).map(API.JSON.number) ?? .text(text)
        case .time: return .text(API.text(of: try When.date(text)))
        case .references:
            return .list(text.split(separator: ",").map { .text($0.trimmingCharacters(in: .whitespaces)) })
        case .hours: return try hours(text)
        default: return .text(text)
        }
    }

    /// Opening hours such as `monday 09:00-17:00, friday 18:00-02:00`.
    private static func hours(_ text: String) throws -> API.JSON {
        var days: [String: [API.JSON]] = [:]
        for span in text.split(separator: ",") {
            let words = span.split(separator: " ")
            let times = words.last?.split(separator: "-") ?? []
            guard words.count == 2, times.count == 2 else {
                throw ValidationError("Not opening hours: '\(span)'. Use 'monday 09:00-17:00, friday 18:00-02:00'.")
            }
            let pair = times.map { API.JSON.text(String($0)) }
            days[words[0].lowercased(), default: []].append(.list(pair))
        }
        return .object(days.mapValues(API.JSON.list))
    }
}
