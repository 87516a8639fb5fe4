// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleAPI
package import MingleModel

/// Turns what people type into values of records, or says what is wrong with it.
package enum RequestValidation {
    package static func name(_ text: String) throws -> String { try line(text, "name", limit: 100) }
    package static func title(_ text: String) throws -> String { try line(text, "title", limit: 200) }

    /// A last name, or none.
    package static func lastName(_ text: String) throws -> String? {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return name.isEmpty ? nil : try line(name, "last_name", limit: 100)
    }

    /// An address for mail, or none: nothing is sent to it, so only its form is looked at.
    package static func email(_ text: String) throws -> String? {
        let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !address.isEmpty else { return nil }
        let sides = try line(address, "email", limit: 254).split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else {
            throw API.Problem(
                .badRequest,
                "Not an address for e-mail: '\(address.prefix(60))'. Use one like ana@example.org."
            )
        }
        return address
    }

    /// What is said of a photo, which nobody need do.
    package static func caption(_ text: String) throws -> String {
        try limited(text.trimmingCharacters(in: .whitespacesAndNewlines), "title", 1000)
    }

    /// Why something is hidden, which nobody need say.
    package static func reason(_ text: String) throws -> String {
        let reason = try limited(text.trimmingCharacters(in: .whitespacesAndNewlines), "reason", 500)
        // By these words a node knows what hides until a moderator has looked at it.
        guard reason != ReportRule.hidingReason else {
            throw API.Problem(
                .badRequest,
                "\"\(reason)\" is reserved for what Mingle hides after reports. Use words of your own, or leave out the reason."
            )
        }
        return reason
    }

    /// What somebody adds to a report, which nobody need do.
    package static func remark(_ text: String) throws -> String {
        try limited(text.trimmingCharacters(in: .whitespacesAndNewlines), "text", 1000)
    }

    /// How many people's reports hide something; 0: no number does.
    package static func threshold(_ number: Int) throws -> Int64 {
        guard (0...1000).contains(number) else {
            throw API.Problem(.badRequest, "Not a valid number of reports: \(number). Use 1 to 1000, or 0 for never.")
        }
        return Int64(number)
    }

    /// Reads why something is reported.
    package static func report(_ word: String) throws -> ReportReason {
        guard let reason = ReportReason(word: word) else {
            let words = ReportReason.allCases.map(\.word).joined(separator: ", ")
            throw API.Problem(.badRequest, "Not a reason to report: '\(word.prefix(60))'. Use one of: \(words).")
        }
        return reason
    }

    /// A distance in metres for people: to the metre below a kilometre, to the tenth of a kilometre below ten.
    package static func distance(_ metres: Double) -> String {
        if metres < 1000 { return "\(Int(metres)) m" }
        if metres < 10_000 { return "\((metres / 100).rounded() / 10) km" }
        return "\(Int(min(metres, 1e8) / 1000)) km"
    }

    /// Reads the name of a level that somebody can be put at.
    package static func level(_ word: String) throws -> Level {
        guard let level = Level(word: word), level < .founder else {
            let words = Level.allCases.dropFirst().map(\.word).joined(separator: ", ")
            throw API.Problem(.badRequest, "Not a level: '\(word.prefix(60))'. Use one of: \(words).")
        }
        return level
    }

    /// Reads the id of a record.
    package static func reference(_ text: String) throws -> Reference {
        guard let reference = Reference(text) else {
            throw API.Problem(.notFound, "There is nothing with the id \(text.prefix(60)) here.")
        }
        return reference
    }

    /// Reads the id of a person.
    package static func person(_ text: String) throws -> PersonID {
        guard let person = PersonID(text: text) else {
            throw API.Problem(.notFound, "There is nobody with the id \(text.prefix(60)) here.")
        }
        return person
    }

    private static let longestMoment = Kind.moment.shownIf.reduce(Int64.max) { longest, rule in
        if case .span(_, _, let span) = rule { min(longest, span) } else { longest }
    }

    /// When a moment may be, in milliseconds since 1970: up to the last that RFC 3339 can say.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Refuses times that a moment cannot have, and an end that does not come after the start.
    package static func requireOrder(start: Date, end: Date) throws {
        guard times.contains(start.milliseconds), times.contains(end.milliseconds) else {
            throw API.Problem(.badRequest, "The times of a moment must lie between the years 1970 and 9999.")
        }
        guard start.milliseconds < end.milliseconds else {
            throw API.Problem(.badRequest, "The moment ends before it starts. Choose a later end.")
        }
        // Nobody would see a longer one.
        guard end.milliseconds - start.milliseconds <= Self.longestMoment else {
            throw API.Problem(.badRequest, "A moment lasts at most 366 days. Choose an earlier end.")
        }
    }

    /// The fields of a moment that are given.
    package static func moment(_ new: API.NewMoment) throws -> [String: Value] {
        var values: [String: Value] = [:]
        if let title = new.title { values["title"] = .text(try self.title(title)) }
        if let description = new.description {
            values["description"] =
                description.isEmpty ? .cleared : .text(try limited(description, "description", 4000))
        }
        if let start = new.start { values["start"] = .number(start.milliseconds) }
        if let end = new.end { values["end"] = .number(end.milliseconds) }
        if let place = new.place { values.merge(try self.place(place)) { _, place in place } }
        return values
    }

    /// The fields of a moment that say where it is: what is not known of the place is cleared.
    package static func place(_ place: API.NewPlace) throws -> [String: Value] {
        var values: [String: Value] = [:]
        for name in ["place_name", "latitude", "longitude", "radius"] { values[name] = .cleared }
        if let name = place.name { values["place_name"] = .text(try line(name, "name of the place", limit: 200)) }
        if let latitude = place.latitude, let longitude = place.longitude {
            values.merge(try position(latitude: latitude, longitude: longitude)) { _, position in position }
        } else if place.latitude != nil || place.longitude != nil {
            throw API.Problem(.badRequest, "The position of a place needs a latitude and a longitude.")
        }
        guard let radius = place.radiusM else { return values }
        guard place.latitude != nil else {
            throw API.Problem(.badRequest, "A radius needs a position: give a latitude and a longitude too.")
        }
        guard (1...Int(Position.metres.upperBound)).contains(radius) else {
            throw API.Problem(.badRequest, "The radius of a place must be 1 to 1 000 000 metres.")
        }
        values["radius"] = .number(Int64(radius))
        return values
    }

    /// The fields of a check-in.
    package static func position(_ position: API.Envelope.Position) throws -> [String: Value] {
        if position.latitude == nil, position.longitude == nil { return [:] }
        guard let latitude = position.latitude, let longitude = position.longitude else {
            throw API.Problem(.badRequest, "A position needs a latitude and a longitude.")
        }
        var values = try self.position(latitude: latitude, longitude: longitude)
        if let accuracy = position.accuracyM, accuracy.isFinite {
            // Within the limits first: a number of any size may come, and not every one fits a whole number.
            let metres = min(max(0, accuracy), Double(Position.metres.upperBound))
            values["accuracy"] = .number(Int64(metres.rounded()))
        }
        return values
    }

    /// The fields of a position in degrees.
    package static func position(latitude: Double, longitude: Double) throws -> [String: Value] {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw API.Problem(.badRequest, "A latitude must be -90 to 90 degrees, a longitude -180 to 180 degrees.")
        }
        return [
            "latitude": .number(Int64((latitude * Position.partsPerDegree).rounded())),
            "longitude": .number(Int64((longitude * Position.partsPerDegree).rounded())),
        ]
    }

    /// A text that is shown beside others, and said again by whoever means it: one line, and nothing that drives a
    /// terminal.
    private static func line(_ text: String, _ what: String, limit: Int) throws -> String {
        try trimmed(try trimmed(text, what, limit: limit).printable(), what, limit: limit)
    }

    private static func trimmed(_ text: String, _ what: String, limit: Int) throws -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw API.Problem(.badRequest, "The \(what) is empty.") }
        return try limited(trimmed, what, limit)
    }

    private static func limited(_ text: String, _ what: String, _ limit: Int) throws -> String {
        guard text.utf8.count <= limit else {
            throw API.Problem(
                .badRequest,
                "The \(what) is too long. At most \(limit) English letters fit (\(limit) bytes), and fewer accented letters or "
                    + "emoji."
            )
        }
        guard !text.utf8.contains(0) else {
            throw API.Problem(.badRequest, "The \(what) contains a zero character. Remove that character.")
        }
        return text
    }
}
