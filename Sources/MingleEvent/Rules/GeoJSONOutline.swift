// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI

/// What of GeoJSON (RFC 7946) an outline may be: what has a geometry, bounded in depth and in points.
///
/// Members that it does not know are let be.
enum GeoJSONOutline {
    /// Brackets within brackets; a polygon in a collection has ten.
    static let depthLimit = 16
    /// Positions in all.
    static let pointLimit = 5000

    /// Lists within lists around the positions of each geometry.
    private static let nesting = [
        "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
    ]

    /// Refuses what is no such text, and says what is wrong with it.
    static func require(_ text: String) throws {
        guard depth(of: text) <= depthLimit else { throw problem("has more than \(depthLimit) levels") }
        guard let json = try? API.decode(API.JSON.self, from: Data(text.utf8)) else { throw problem("is not JSON") }
        var points = 0
        try count(json, &points)
        guard points > 0 else { throw problem("has no position") }
    }

    /// The deepest nesting of brackets; those within texts count too, which is no harm.
    private static func depth(of text: String) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private static func count(_ json: API.JSON, _ points: inout Int) throws {
        let type = json["type"]?.text ?? ""
        switch type {
        case "FeatureCollection": for feature in try list("features", of: json) { try count(feature, &points) }
        case "GeometryCollection": for geometry in try list("geometries", of: json) { try count(geometry, &points) }
        case "Feature":
            guard let geometry = json["geometry"] else { throw problem("has a Feature without `geometry`") }
            if geometry != .null { try count(geometry, &points) }
        default:
            guard let depth = nesting[type] else {
                throw problem("has a `type` that is not of GeoJSON: '\(type.prefix(40))'")
            }
            guard let coordinates = json["coordinates"] else { throw problem("has a \(type) without `coordinates`") }
            try count(coordinates, depth: depth, in: type, &points)
        }
    }

    private static func list(_ member: String, of json: API.JSON) throws -> [API.JSON] {
        guard case .list(let list)? = json[member] else { throw problem("has no list `\(member)`") }
        return list
    }

    private static func count(_ json: API.JSON, depth: Int, in type: String, _ points: inout Int) throws {
        guard case .list(let list) = json else { throw problem("has a \(type) whose `coordinates` are no list") }
        if depth > 0 {
            for part in list { try count(part, depth: depth - 1, in: type, &points) }
            return
        }
        // A third number is a height.
        let numbers = list.compactMap(\.double)
        guard numbers.count == list.count, (2...3).contains(list.count), abs(numbers[0]) <= 180, abs(numbers[1]) <= 90
        else { throw problem("has a \(type) with a position that is not [longitude, latitude] in degrees") }
        points += 1
        guard points <= pointLimit else { throw problem("has more than \(pointLimit) positions") }
    }

    private static func problem(_ words: String) -> API.Problem {
        API.Problem(.badRequest, "`outline` must be GeoJSON, and this one \(words).")
    }
}
