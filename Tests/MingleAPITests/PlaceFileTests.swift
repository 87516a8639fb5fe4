// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import Testing

@testable import MingleAPI

/// Places of files.
struct PlaceFileTests {
    private func read(_ text: String, as format: PlaceFile.Format, mapping: String? = nil) throws -> PlaceFile {
        let mapping = try mapping.map { try CategoryMapping(Data($0.utf8)) } ?? .usual
        return try PlaceFile(Data(text.utf8), as: format, mapping)
    }

    private func names(_ file: PlaceFile) -> [String] { file.places.map(\.place.name) }

    private func defects(_ file: PlaceFile) -> [String] { file.defects.map { "\($0.line): \($0.text)" } }

    // MARK: - CSV

    @Test func `quotes, line ends, separators and a byte order mark are read as RFC 4180 has them`() throws {
        let file = try read(
            "\u{feff}name,latitude,longitude,description\r\n\"Ana's \"\"best\"\", since 1990\",55.6,12.5,\"two\nlines\"\r\n\r\n"
                + "Plain,1,2,\r\n",
            as: .csv
        )
        #expect(names(file) == [#"Ana's "best", since 1990"#, "Plain"] && file.defects.isEmpty)
        #expect(file.places.map(\.line) == [2, 5] && file.places[0].place.description == "two\nlines")
        let german = try read("Name;Lat;Lon;Category;Id\nBar;55,61;12,5;Bars|Cafés;7\n", as: .csv).places[0].place
        #expect(german.latitude == 55.61 && german.categories == ["Bars", "Cafés"] && german.source == "csv:7")
    }

    @Test func `a broken line is named, and the rest is read`() throws {
        let lines = [
            "name,latitude,longitude", "Good,1,2", "Short,1", "\"Text\" behind,1,2", ",1,2", "North,,2", "Far,95,2",
            "Word,1,east", "Good too,3,4", "\"Open,1,2", "Last,5,6",
        ]
        let file = try read(lines.joined(separator: "\n"), as: .csv)
        #expect(names(file) == ["Good", "Good too", "Last"])
        #expect(
            defects(file) == [
                "3: 2 fields where the first line has 3", "4: text behind a closed quote", "5: no name",
                "6: no latitude",
                "7: the latitude 95.0 is not from -90 to 90", "8: the longitude 'east' is not a number",
                "10: a quote is not closed",
            ]
        )
        let broken = Array("name,latitude,longitude\n".utf8) + [0xFF] + Array(",1,2\nB,1,2".utf8)
        let other = try PlaceFile(Data(broken), as: .csv)
        #expect(names(other) == ["B"] && defects(other) == ["2: not UTF-8"])
        #expect(throws: API.Problem.self) { try read("a,b\n1,2", as: .csv) }
        #expect(throws: API.Problem.self) { try read("", as: .csv) }
    }

    @Test func `a place has none to three categories, and no text is longer than its field`() throws {
        let long = String(repeating: "x", count: 201)
        let file = try read(
            "name,latitude,longitude,category\nNone,1,2,\nThree,1,2,A|B|C\nFour,1,2,A|B|C|D\n\(long),1,2,A",
            as: .csv
        )
        #expect(file.places.map(\.place.categories) == [nil, ["A", "B", "C"]])
        #expect(
            defects(file) == [
                "4: 4 categories (A, B, C, D); a place has at most 3", "5: the name is longer than 200 bytes",
            ]
        )
    }

    @Test func `what a file has twice comes in once, by its source or by its name within 25 metres`() throws {
        let lines = [
            "name,latitude,longitude,id", "Bar,1,2,1", "Tavern,5,6,1", "BÁR,1.0001,2,", "Bar,1.001,2,", "Bar,1,2,2",
        ]
        let file = try read(lines.joined(separator: "\n"), as: .csv)
        #expect(file.places.map(\.line) == [2, 5, 6])
        #expect(defects(file) == ["3: the same place as at line 2", "4: the same place as at line 2"])
    }

    @Test(arguments: [
        ("24/7", "Mo 0-1440 Tu 0-1440 We 0-1440 Th 0-1440 Fr 0-1440 Sa 0-1440 Su 0-1440"),
        ("Mo,We 09:00-12:00,14:00-18:00", "Mo 540-720 Mo 840-1080 We 540-720 We 840-1080"),
        ("Fr-Su 18:00 – 02:00; PH off", "Fr 1080-1560 Sa 1080-1560 Su 1080-1560"),
        ("9:00-17:00; Tu-Su off; Su 10:00-24:00", "Mo 540-1020 Su 600-1440"),
        ("Sa-Mo 08:00-09:00, We 10:00-11:00", "Mo 480-540 We 600-660 Sa 480-540 Su 480-540"),
        ("Mo-Fr", nil), ("Apr-Oct Mo 09:00-17:00", nil), ("Mo sunrise-sunset", nil), ("Mo 09:00+", nil),
        ("Mo off", nil), ("Mo 25:00-26:00", nil), ("Mo 09:00-17:00 \"maybe\"", nil), (";,", nil),
    ])
    func `opening hours are read where a week says all of them`(written: String, week: String?) {
        let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        let hours = OpeningHours(written: written)?.spans.map { span in
            "\(days[span.day]) \(span.minutes.lowerBound)-\(span.minutes.upperBound)"
        }
        #expect(hours?.joined(separator: " ") == week)
    }

    @Test func `a place comes in without hours that a week does not say, and the file tells of which`() throws {
        let rows = ["name,lat,lon,opening_hours", "A,1,2,Mo 09:00-17:00", "B,1,3,sunrise-sunset", "C,1,4,"]
        let file = try read(rows.joined(separator: "\n"), as: .csv)
        #expect(file.places.map(\.place.hours) == [["monday": [["09:00", "17:00"]]], nil, nil])
        #expect(file.linesOfOtherHours == [3] && file.defects.isEmpty)
    }

    // MARK: - GeoJSON

    @Test func `points and polygons of a collection are places, and others are named`() throws {
        let square = "[[[0,0],[2,0],[2,4],[0,4],[0,0]]]"
        let file = try read(
            """
            {"type": "FeatureCollection", "crs": {"properties": {"name": "x"}}, "features": [
            {"type": "Feature", "id": "node/7", "geometry": {"type": "Point", "coordinates": [12.5, 55.6]},
             "properties": {"name": "Café } ] \\" {", "amenity": "cafe", "phone": "123", "height": 3}},
            {"type": "Feature", "properties": {"name": "Square"}, "geometry": {"type": "Polygon", "coordinates": \(square)}},
            {"type": "Feature", "properties": {"name": "Road"}, "geometry": {"type": "LineString", "coordinates": []}},
            {"type": "Feature", "properties": {"name": "Nowhere"}, "geometry": null},
            {"type": "Feature", "properties": {"name": }, "geometry": {}},
            {"type": "Feature", "id": 5, "properties": {"name": "Last"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}
            ]}
            """,
            as: .geoJSON
        )
        #expect(names(file) == ["Café } ] \" {", "Square", "Last"])
        let places = file.places.map(\.place)
        #expect(places[0].source == "osm:node/7" && places[0].categories == ["Café"] && places[0].telephone == "123")
        #expect(places[0].latitude == 55.6 && places[0].longitude == 12.5)
        #expect(places[1].latitude == 2 && places[1].longitude == 1 && places[2].source == "geojson:5")
        #expect(
            defects(file) == [
                "5: a LineString has no position; a Point or a Polygon has one", "6: no latitude", "7: not valid JSON",
            ]
        )
    }

    @Test func `a collection that is cut off gives what is whole, and other JSON is refused`() throws {
        let whole = #"{"features":[{"properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1,2]}},"#
        let file = try read(whole + "\n{\"properties\":{", as: .geoJSON)
        #expect(names(file) == ["A"] && defects(file) == ["2: the file ends within an object or a list"])
        for text in ["[1,2]", "{}", "none", #"{"features":[]}"#] {
            #expect(throws: API.Problem.self, "\(text)") { try read(text, as: .geoJSON) }
        }
        let deep = String(repeating: "[", count: 200_000)
        #expect(try defects(read("{\"a\":" + deep, as: .geoJSON)).count == 1)
    }

    // MARK: - OpenStreetMap

    @Test func `named nodes and ways that are something are places, known by their ids`() throws {
        let file = try read(
            """
            <?xml version="1.0"?>
            <osm version="0.6">
            <node id="1" lat="1" lon="2"><tag k="name" v="A &amp; B"/><tag k="amenity" v="bar"/>
            <tag k="addr:street" v="Main"/><tag k="addr:housenumber" v="3"/><tag k="addr:city" v="Town"/></node>
            <node id="2" lat="0" lon="0"/><node id="3" lat="0" lon="2"/><node id="4" lat="2" lon="2"/><node id="5" lat="2" lon="0"/>
            <node id="6" lat="1" lon="1"><tag k="name" v="A village"/></node>
            <node id="7" lat="99" lon="1"><tag k="name" v="Off"/><tag k="shop" v="toys"/></node>
            <way id="9"><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="5"/><nd ref="2"/>
            <tag k="name" v="Park"/><tag k="leisure" v="park"/></way>
            <way id="10"><nd ref="77"/><tag k="name" v="Elsewhere"/><tag k="shop" v="toys"/></way>
            </osm>
            """,
            as: .osm
        )
        #expect(names(file) == ["A & B", "Park"])
        let places = file.places.map(\.place)
        #expect(places.map(\.source) == ["osm:node/1", "osm:way/9"] && places[0].address == "Main 3, Town")
        #expect(places.map(\.categories) == [["Bar"], ["Park"]] && places[1].latitude == 1 && places[1].longitude == 1)
        #expect(defects(file).count == 2 && defects(file)[1].hasSuffix(": no latitude"))
    }

    @Test func `what is not well formed ends there, and entities make nothing grow`() throws {
        let node = #"<node id="1" lat="1" lon="2"><tag k="name" v="A"/><tag k="shop" v="x"/></node>"#
        let cut = try read("<osm>\(node)<node", as: .osm)
        #expect(names(cut) == ["A"] && cut.defects.count == 1)
        #expect(throws: API.Problem.self) { try read("<html></html>", as: .osm) }
        let entities = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        let bomb =
            "<!DOCTYPE osm [<!ENTITY e0 \"ha\">\(entities)]><osm><node id=\"1\" lat=\"1\" lon=\"2\">"
            + "<tag k=\"name\" v=\"&e9;\"/><tag k=\"shop\" v=\"x\"/></node></osm>"
        let blown = try? read(bomb, as: .osm)
        #expect(blown?.places.isEmpty ?? true)
    }

    @Test func `a map that is not text in UTF-8 is refused`() {
        for bytes: [UInt8] in [[0x3c, 0xff, 0xff, 0x61, 0, 0x2e], Array("<osm>".utf8) + [0], [0xff, 0xfe, 0x3c, 0]] {
            #expect(throws: API.Problem.self) { try PlaceFile(Data(bytes), as: .osm) }
        }
    }

    // MARK: - Categories

    @Test func `a mapping goes before the usual table and says what a new category is made of`() throws {
        let mapping = try CategoryMapping(
            Data(#"{"amenity=cafe":{"name":"Coffee","parent":"Treats","synonyms":"espresso"},"craft=*":"Craft"}"#.utf8)
        )
        #expect(mapping.categories(of: ["amenity": "cafe", "craft": "potter", "name": "X"]) == ["Coffee", "Craft"])
        #expect(mapping.categories(of: ["amenity": "bar", "shop": "toys"]) == ["Bar", "Shop"])
        #expect(mapping.categories(of: ["amenity": "bench"]) == [])
        let known = mapping.known(of: ["Coffee", "Bar"])
        #expect(
            known.map(\.name) == ["Bar", "Coffee"] && known[1].parent == "Treats" && known[1].synonyms == "espresso"
        )
        for text in ["[]", #"{"cafe":"Café"}"#, #"{"a=b":1}"#] {
            #expect(throws: API.Problem.self, "\(text)") { try CategoryMapping(Data(text.utf8)) }
        }
    }
}
