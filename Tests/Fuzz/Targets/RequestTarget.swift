// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI

@testable import MingleModel

/// Bodies and headers of HTTP requests: the API's JSON with what becomes of it, and byte ranges.
///
/// Uploads are bare bodies, so that their content is ``PictureTarget``'s. What is read is written and read again as the
/// same, values are within their limits, and ranges lie within the file.
enum RequestTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.byte()
        switch kind % 6 {
        case 0: range(&input)
        case 1: try moment(Data(input.rest()))
        case 2: try position(Data(input.rest()))
        case 3: record(&input)
        case 4: try check(API.Envelope.InvitationTerms.self, Data(input.rest()))
        default: _ = try RequestValidation.reference(String(decoding: input.rest(), as: UTF8.self))
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
        for case .number(let number) in try RequestValidation.moment(new).values {
            require(number >= -1_800_000_000, "times are not negative and positions are on the globe")
        }
    }

    private static func position(_ data: Data) throws {
        let values = try RequestValidation.position(API.decode(API.Envelope.Position.self, from: data))
        guard case .number(let latitude)? = values["latitude"], case .number(let longitude)? = values["longitude"]
        else { fatalError("broken: a position has both degrees") }
        require(abs(latitude) <= 900_000_000 && abs(longitude) <= 1_800_000_000, "a position is on the globe")
    }

    private static func check<Value: Codable>(_ type: Value.Type, _ data: Data) throws {
        let encoded = try API.encode(API.decode(type, from: data))
        let again = try API.encode(API.decode(type, from: encoded))
        require(encoded == again, "a value is read as it was written")
    }

    static var seeds: [[UInt8]] {
        let start = #""start":"2026-06-01T18:30:00Z","end":"2026-06-01T20:30:00.250Z""#
        let place = #""place":{"name":"Barn","latitude":47.5,"longitude":13.6,"radius_m":150}"#
        let texts: [(head: [UInt8], text: String)] = [
            ([0, 0, 200, 4], "bytes=0-99"), ([0, 0, 9, 0], "bytes=-5"), ([0, 1, 0, 0], "bytes=7-"),
            ([1], #"{"title":"Toast","description":"By the lake",\#(start),\#(place)}"#),
            ([2], #"{"latitude":47.5,"longitude":-13.6,"accuracy_m":12.5}"#),
            ([3], #"{"text":"See you \u00e0 8"}"#), ([4], #"{"expires_in_seconds":3600,"uses":4}"#),
            ([5], "\(Reference(device: 1, journal: .content, sequence: 2, hash: 3))"),
        ]
        return texts.map { joined($0.head, Array($0.text.utf8)) }
    }
}

// What of the node is built into the fuzzer stands alone but for this.
extension API.Problem.Name {
    init(_ error: any Error) { self = .internal }
}
