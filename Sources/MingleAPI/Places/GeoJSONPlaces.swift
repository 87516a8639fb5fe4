// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Places of a FeatureCollection (RFC 7946): points, and polygons by their centroid.
enum GeoJSONPlaces {
    static func read(_ bytes: [UInt8], into file: inout PlaceFile) throws {
        var objects = ListedObjects(bytes)
        var hasAny = false
        while let object = objects.next() {
            hasAny = true
            guard let feature = try? JSONSerialization.jsonObject(with: Data(object.bytes)) as? [String: Any] else {
                file.leaveOut(object.line, "not valid JSON")
                continue
            }
            do {
                try file.take(place(feature, at: object.line))
            } catch let broken as PlaceFile.Defect {
                file.leaveOut(broken.line, broken.text)
            }
        }
        if let line = objects.brokenLine {
            file.leaveOut(line, "the file ends within an object or a list")
        } else if !hasAny {
            throw API.Problem(.badRequest, "The file is not a FeatureCollection of GeoJSON, or has no features.")
        }
    }

    private static func place(_ feature: [String: Any], at line: Int) throws -> WrittenPlace {
        let properties = feature["properties"] as? [String: Any] ?? [:]
        var place = WrittenPlace(line: line, values: properties.compactMapValues(text))
        place.position = try position(feature["geometry"] as? [String: Any] ?? [:], at: line)
        place.source = source(feature, place.values)
        return place
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        case let list as [String]: list.joined(separator: "|")
        default: nil
        }
    }

    /// What overpass turbo calls `node/123` is known by the same name as in a file of OpenStreetMap.
    private static func source(_ feature: [String: Any], _ values: [String: String]) -> String? {
        if let source = values["source"], !source.isEmpty { return source }
        guard let id = (feature["id"] ?? values["@id"] ?? values["id"]).flatMap(text), !id.isEmpty else { return nil }
        let isOfMap = ["node/", "way/", "relation/"].contains { id.hasPrefix($0) }
        return isOfMap ? "osm:\(id)" : "geojson:\(id)"
    }

    private static func position(
        _ geometry: [String: Any],
        at line: Int
    ) throws -> (latitude: Double, longitude: Double)? {
        let coordinates = geometry["coordinates"]
        switch geometry["type"] as? String {
        case "Point":
            return (coordinates as? [Any]).flatMap(pair).map { ($0.y, $0.x) }
        case "Polygon":
            return (coordinates as? [Any]).flatMap(ring).flatMap(Centroid.of).map { ($0.y, $0.x) }
        case "MultiPolygon":
            let first = (coordinates as? [Any])?.first as? [Any]
            return first.flatMap(ring).flatMap(Centroid.of).map { ($0.y, $0.x) }
        case let other?:
            throw PlaceFile.Defect(
                line: line,
                text: "a \(other.prefix(40)) has no position; a Point or a Polygon has one"
            )
        case nil: return nil
        }
    }

    private static func pair(_ list: Any) -> Centroid.Point? {
        guard let list = list as? [Any], list.count >= 2, let x = list[0] as? NSNumber, let y = list[1] as? NSNumber
        else { return nil }
        return (x.doubleValue, y.doubleValue)
    }

    /// The outer ring of a polygon.
    private static func ring(_ polygon: [Any]) -> [Centroid.Point]? {
        (polygon.first as? [Any])?.compactMap(pair)
    }
}

/// The middle of an outline.
enum Centroid {
    typealias Point = (x: Double, y: Double)

    /// The centroid of the area within a ring, or the mean of its corners where it has no area; nil without corners.
    static func of(_ ring: [Point]) -> Point? {
        guard let origin = ring.first else { return nil }
        var (area, x, y) = (0.0, 0.0, 0.0)
        for (one, other) in zip(ring, ring.dropFirst() + [origin]) {
            let (ax, ay, bx, by) = (one.x - origin.x, one.y - origin.y, other.x - origin.x, other.y - origin.y)
            let cross = ax * by - bx * ay
            (area, x, y) = (area + cross, x + (ax + bx) * cross, y + (ay + by) * cross)
        }
        if abs(area) > 1e-14 { return (origin.x + x / (3 * area), origin.y + y / (3 * area)) }
        let count = Double(ring.count)
        return (ring.reduce(0) { $0 + $1.x } / count, ring.reduce(0) { $0 + $1.y } / count)
    }
}
