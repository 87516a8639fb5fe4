// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel

/// A place as a file writes it: texts by the names that the file has for them.
struct WrittenPlace {
    /// Categories of a place.
    private static let categoryLimit = 3

    /// The line at which it begins.
    let line: Int
    /// What is said of it.
    var values: [String: String]
    /// Degrees, where the format has positions by itself.
    var position: (latitude: Double, longitude: Double)?
    /// What the place is in the file; nil where the file does not say.
    var source: String?

    /// The place as it is imported.
    func place(_ mapping: CategoryMapping) throws(PlaceFile.Defect) -> API.ImportedPlace {
        guard let name = text("name", "title") else { throw defect("no name") }
        let (latitude, longitude) = (
            try degrees(position?.latitude, "latitude", "lat", limit: 90),
            try degrees(position?.longitude, "longitude", "lon", "lng", "long", limit: 180)
        )
        var place = API.ImportedPlace(name: name, latitude: latitude, longitude: longitude)
        if let radius = text("radius_m", "radius") {
            guard let metres = Self.number(radius), (0...Double(Position.metres.upperBound)).contains(metres) else {
                throw defect("the radius \(Self.quoted(radius)) is not a number of metres up to 1 000 000")
            }
            place.radiusM = Int(metres.rounded())
        }
        let categories = mapping.categories(of: values)
        guard categories.count <= Self.categoryLimit else {
            throw defect(
                "\(categories.count) categories (\(categories.joined(separator: ", "))); a place has at most 3"
            )
        }
        if !categories.isEmpty { place.categories = categories }
        (place.address, place.telephone) = (address, text("telephone", "phone", "contact:phone"))
        (place.description, place.source) = (text("description"), source)
        place.hours = hours.flatMap { OpeningHours(written: $0)?.json }
        try requireLimits(place)
        return place
    }

    /// The opening hours as the file has them.
    var hours: String? { text("opening_hours", "hours") }

    private func text(_ names: String...) -> String? {
        for name in names {
            let text = values[name]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            if !text.isEmpty { return text }
        }
        return nil
    }

    private func degrees(_ known: Double?, _ names: String..., limit: Double) throws(PlaceFile.Defect) -> Double {
        var degrees = known
        if degrees == nil {
            let said = names.lazy.compactMap { text($0) }.first
            guard let said else { throw defect("no \(names[0])") }
            degrees = Self.number(said)
            if degrees == nil { throw defect("the \(names[0]) \(Self.quoted(said)) is not a number") }
        }
        guard let degrees, abs(degrees) <= limit else {
            throw defect("the \(names[0]) \(degrees ?? .nan) is not from -\(Int(limit)) to \(Int(limit))")
        }
        return degrees
    }

    private var address: String? {
        if let address = text("address", "addr:full") { return address }
        let street = [text("addr:street"), text("addr:housenumber")].compactMap(\.self).joined(separator: " ")
        let town = [text("addr:postcode"), text("addr:city")].compactMap(\.self).joined(separator: " ")
        let parts = [street, town].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func requireLimits(_ place: API.ImportedPlace) throws(PlaceFile.Defect) {
        let texts = [
            "name": place.name, "address": place.address, "telephone": place.telephone,
            "description": place.description, "source": place.source,
        ]
        for field in Kind.place.fields {
            guard case .text(let limit) = field.type, let text = texts[field.name] ?? nil, text.utf8.count > limit
            else {
                continue
            }
            throw defect("the \(field.name) is longer than \(limit) bytes")
        }
    }

    private func defect(_ text: String) -> PlaceFile.Defect { PlaceFile.Defect(line: line, text: text) }

    /// A number; with a comma as people write it who separate columns by semicolons.
    private static func number(_ text: String) -> Double? {
        Double(text.replacing(",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func quoted(_ text: String) -> String { "'\(text.prefix(40))'" }
}

extension PlaceFile.Defect: Error {}
