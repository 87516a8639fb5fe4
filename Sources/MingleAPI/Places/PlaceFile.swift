// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleModel

/// Reads places of a file: GeoJSON (RFC 7946), CSV (RFC 4180) or OpenStreetMap XML.
package struct PlaceFile: Sendable {
    /// Bytes of a file.
    package static let sizeLimit = 50_000_000
    /// Places of a file.
    package static let countLimit = 50_000

    /// How a file is written.
    package enum Format: Sendable {
        case geoJSON
        case csv
        case osm

        /// The format of a file's name; nil for any other.
        package init?(named name: String) {
            switch name.split(separator: ".").last?.lowercased() {
            case "geojson", "json": self = .geoJSON
            case "csv": self = .csv
            case "osm", "xml": self = .osm
            default: return nil
            }
        }
    }

    /// A place, and the line of the file at which it begins.
    package struct Found: Hashable, Sendable {
        package let line: Int
        package let place: API.ImportedPlace
    }

    /// Why a place of the file is none.
    package struct Defect: Hashable, Sendable {
        package let line: Int
        package let text: String

        package init(line: Int, text: String) { (self.line, self.text) = (line, text) }
    }

    /// The places, in the order of the file.
    package private(set) var places: [Found] = []
    /// What was left out, in the order of the file.
    package private(set) var defects: [Defect] = []
    /// Lines of places that come in without their opening hours, as a week does not say the same.
    package private(set) var linesOfOtherHours: [Int] = []

    private let mapping: CategoryMapping
    private var marks = PlaceMarks()

    /// Reads a file; what is wrong with a place is noted, and the rest is read.
    ///
    /// - Throws: `API.Problem` for what holds no places at all, and for more than ``countLimit``.
    package init(_ data: Data, as format: Format, _ mapping: CategoryMapping = .usual) throws {
        self.mapping = mapping
        switch format {
        case .geoJSON: try GeoJSONPlaces.read([UInt8](data), into: &self)
        case .csv: try CSVPlaces.read([UInt8](data), into: &self)
        case .osm: try OSMPlaces.read(data, into: &self)
        }
    }

    /// Takes a place in, or notes why it is none.
    mutating func take(_ written: WrittenPlace) throws {
        do {
            let place = try written.place(mapping)
            if let first = repeated(place, at: written.line) {
                leaveOut(written.line, "the same place as at line \(first)")
            } else {
                places.append(Found(line: written.line, place: place))
                if place.hours == nil, written.hours != nil { linesOfOtherHours.append(written.line) }
            }
        } catch {
            defects.append(error)
        }
        guard places.count <= Self.countLimit else {
            throw API.Problem(.tooLarge, "The file has more than \(Self.countLimit) places. Split it.")
        }
    }

    /// The line of the same place before; nil where there is none.
    private mutating func repeated(_ place: API.ImportedPlace, at line: Int) -> Int? {
        GridPosition(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude).flatMap { position in
            marks.note(PlaceMark(source: place.source, name: place.name, position: position), at: line)
        }
    }

    /// Notes that there is no place at a line.
    mutating func leaveOut(_ line: Int, _ text: String) { defects.append(Defect(line: line, text: text)) }
}
