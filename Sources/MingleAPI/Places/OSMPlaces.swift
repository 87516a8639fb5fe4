// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML

/// Places of a file of OpenStreetMap: nodes, and ways by their centroid, that have a name and are something.
enum OSMPlaces {
    /// Keys of which a place has at least one.
    fileprivate static let keys: Set<String> = [
        "amenity", "shop", "tourism", "leisure", "craft", "office", "healthcare", "historic",
    ]

    static func read(_ data: Data, into file: inout PlaceFile) throws {
        // The parser traps on names that are not UTF-8, which OpenStreetMap always writes.
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            throw API.Problem(.badRequest, "The file is not XML of OpenStreetMap: it is not text in UTF-8.")
        }
        let (parser, reader) = (XMLParser(stream: InputStream(data: data)), OSMReader())
        parser.delegate = reader
        // A stream that ends early is no error of the parser.
        let isWhole = parser.parse() && reader.isAtEnd
        guard reader.isMap else { throw API.Problem(.badRequest, "The file is not XML of OpenStreetMap.") }
        for place in reader.places { try file.take(place) }
        if !isWhole { file.leaveOut(parser.lineNumber, "not valid XML; what follows is left out") }
    }
}

/// Collects places while a file is read.
private final class OSMReader: NSObject, XMLParserDelegate {
    private(set) var isMap = false
    private(set) var isAtEnd = false
    private(set) var places: [WrittenPlace] = []
    /// Where all nodes are, for the ways.
    private var nodes: [Int64: (latitude: Double, longitude: Double)] = [:]
    private var place: WrittenPlace?
    private var corners: [Int64] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "osm": isMap = true
        case "node":
            begin(name, attributes, parser)
            let (latitude, longitude) = (attributes["lat"], attributes["lon"])
            guard let latitude, let longitude else { return }
            place?.values["latitude"] = latitude
            place?.values["longitude"] = longitude
            guard let id = attributes["id"].flatMap({ Int64($0) }), let north = Double(latitude),
                let east = Double(longitude)
            else { return }
            nodes[id] = (north, east)
        case "way":
            begin(name, attributes, parser)
            corners = []
        case "nd": if let id = attributes["ref"].flatMap({ Int64($0) }) { corners.append(id) }
        case "tag": if let key = attributes["k"], let value = attributes["v"] { place?.values[key] = value }
        default: break
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "osm" { isAtEnd = true }
        guard name == "node" || name == "way", var found = place else { return }
        place = nil
        guard found.values["name"] != nil, found.values.keys.contains(where: OSMPlaces.keys.contains) else { return }
        if name == "way" {
            let ring = corners.compactMap { nodes[$0] }.map { (x: $0.longitude, y: $0.latitude) }
            found.position = Centroid.of(ring).map { ($0.y, $0.x) }
        }
        places.append(found)
    }

    private func begin(_ name: String, _ attributes: [String: String], _ parser: XMLParser) {
        place = WrittenPlace(line: parser.lineNumber, values: [:])
        place?.source = attributes["id"].map { "osm:\(name)/\($0)" }
    }
}
