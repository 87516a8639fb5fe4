// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI

@testable import MingleModel

/// HTTP requests and files: the API's JSON with what becomes of it, byte ranges, files of places, contacts.
///
/// Uploads are bare bodies, so that their content is ``PictureTarget``'s. What is read is written and read again as the
/// same, values are within their limits, and ranges lie within the file.
enum RequestTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.byte()
        switch kind % 10 {
        case 0: range(&input)
        case 1: try moment(Data(input.rest()))
        case 2: try position(Data(input.rest()))
        case 3: record(&input)
        case 4: try check(API.Envelope.InvitationTerms.self, Data(input.rest()))
        case 5: _ = try RequestValidation.reference(String(decoding: input.rest(), as: UTF8.self))
        case 6: try places(.geoJSON, Data(input.rest()))
        case 7: try places(.csv, Data(input.rest()))
        case 8: try places(.osm, Data(input.rest()))
        default: try contact(input.rest())
        }
    }

    private static func range(_ input: inout FuzzInput) {
        let size = Int64(input.number()) << (input.byte() % 40)
        let header = String(decoding: input.rest(), as: UTF8.self)
        guard case .part(let range) = ByteRange(header, size: size) else { return }
        require(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "a range lies within the file")
    }

    private static func record(_ input: inout FuzzInput) {
        let kinds = Kind.all.filter { !$0.members.isEmpty }
        let kind = kinds[Int(input.byte()) % kinds.count]
        guard let body = try? API.decode(API.JSON.self, from: Data(input.rest())) else { return }
        for field in kind.members {
            guard let value = try? field.value(from: body[field.member] ?? body) else { continue }
            require(field.type.admits(value), "a value is one that its field can hold")
        }
    }

    private static func moment(_ data: Data) throws {
        let new = try API.decode(API.NewMoment.self, from: data)
        _ = try? API.encode(new)
        if let start = new.start, let end = new.end { try RequestValidation.requireOrder(start: start, end: end) }
        let values = try RequestValidation.moment(new)
        // Without both times, the service compares with those that it has.
        guard new.start != nil, new.end != nil else { return }
        for case .number(let number) in values.values {
            require(number >= -1_800_000_000, "times are not negative and positions are on the globe")
        }
    }

    private static func position(_ data: Data) throws {
        let values = try RequestValidation.position(API.decode(API.Envelope.Position.self, from: data))
        guard case .number(let latitude)? = values["latitude"], case .number(let longitude)? = values["longitude"]
        else { return require(values.isEmpty, "a position has both degrees, or there is none") }
        require(abs(latitude) <= 900_000_000 && abs(longitude) <= 1_800_000_000, "a position is on the globe")
    }

    private static func places(_ format: PlaceFile.Format, _ data: Data) throws {
        for place in try PlaceFile(data, as: format).places.map(\.place) {
            require(!place.name.isEmpty, "a place has a name")
            require(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "a place is on the globe")
        }
    }

    private static func contact(_ bytes: [UInt8]) throws {
        let card = try VCard(bytes)
        for text in [card.name, card.lastName, card.email].compactMap(\.self) {
            require(!text.isEmpty && text.count <= VCard.textLimit, "a contact's texts are within their limit")
            require(!text.contains(where: \.isNewline), "a contact's texts are one line each")
        }
        require(card.picture.map { $0.count <= VCard.pictureLimit } ?? true, "a contact's picture is within its limit")
    }

    private static func check<Value: Codable>(_ type: Value.Type, _ data: Data) throws {
        let encoded = try API.encode(API.decode(type, from: data))
        let again = try API.encode(API.decode(type, from: encoded))
        require(encoded == again, "a value is read as it was written")
    }

    static var seeds: [[UInt8]] {
        let start = #""start":"2026-06-01T18:30:00Z","end":"2026-06-01T20:30:00.250Z""#
        let place = #""place":{"name":"Barn","latitude":47.5,"longitude":13.6,"radius_m":150}"#
        let geometry = #""geometry":{"type":"Point","coordinates":[13.6,47.5]}"#
        let feature = #"{"type":"Feature","properties":{"name":"Bar","amenity":"bar"},\#(geometry)}"#
        let node = #"<node id="1" lat="47.5" lon="13.6"><tag k="name" v="Bar"/><tag k="amenity" v="bar"/></node>"#
        let texts: [(head: [UInt8], text: String)] = [
            ([0, 0, 200, 4], "bytes=0-99"), ([0, 0, 9, 0], "bytes=-5"), ([0, 1, 0, 0], "bytes=7-"),
            ([1], #"{"title":"Toast","description":"By the lake",\#(start),\#(place)}"#),
            ([2], #"{"latitude":47.5,"longitude":-13.6,"accuracy_m":12.5}"#),
            ([3], #"{"text":"See you \u00e0 8"}"#), ([4], #"{"expires_in_seconds":3600,"uses":4}"#),
            ([5], "\(Reference(device: 1, journal: .content, sequence: 2, hash: 3))"),
            ([6], #"{"type":"FeatureCollection","features":[\#(feature)]}"#),
            ([7], "name,lat,lon,category\nBar,47.5,13.6,bar\n"), ([8], "<osm>\(node)</osm>"),
            (
                [9],
                "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Berg;Ana;;;\r\nitem1.EMAIL;TYPE=PREF:a@b.org\r\n"
                    + "PHOTO;ENCODING=b;TYPE=JPEG:/9j/\r\n 4AAQ\r\nEND:VCARD\r\n"
            ),
        ]
        return texts.map { joined($0.head, Array($0.text.utf8)) }
    }
}

// What of the node is built into the fuzzer stands alone but for this.
extension API.Problem.Name {
    init(_ error: any Error) { self = .internal }
}
