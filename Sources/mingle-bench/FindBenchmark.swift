// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// How soon a node finds places, among many people who rate them.
///
/// Each place is in one of some categories of a tree, and has a text, an address and opening hours.
struct FindBenchmark {
    /// Ratings of each person.
    private static let ratingsOfEach = 10
    /// Categories at the top, and below each of these.
    private static let (tops, belows) = (8, 5)

    /// What is looked for.
    private enum Search: String, CaseIterable {
        case anything = "find anything"
        case word = "find a word"
        case wordAnywhere = "find a word anywhere"
        case synonym = "find a synonym"
        case twoWords = "find two words"
        case twoLetters = "find two letters"
        case wrongLetter = "find a wrong letter"
        case category = "find a category"
        case near = "find near 500 m"
        case wide = "find a wide area"
        case area = "find in an area"
        case nearPlace = "find near a place"
        case all = "find open, rated, cheap"
        case suggestion = "suggest"
    }

    let replica: Replica
    /// The middle of all places, and how far from it they are, in parts of a degree.
    let latitude, longitude, reach: Int64
    /// A text that is part of many names.
    let words: [String]

    init(_ replica: Replica, latitude: Int64, longitude: Int64, reach: Int64, words: [String]) {
        self.replica = replica
        (self.latitude, self.longitude, self.reach, self.words) = (latitude, longitude, reach, words)
    }

    /// Makes the tree; returns the categories in which places are.
    static func makeCategories(in replica: Replica, words: [String], at time: Timestamp) throws -> [Reference] {
        var made: [Reference] = []
        for top in 0..<tops {
            let above = try category("\(words[top % words.count]) kinds", in: nil, replica, time)
            for below in 0..<belows {
                made.append(try category("Sort \(top) \(below)", in: above, replica, time))
            }
        }
        return made
    }

    private static func category(
        _ name: String,
        in parent: Reference?,
        _ replica: Replica,
        _ time: Timestamp
    ) throws -> Reference {
        var values: [String: Value] = ["name": .text(name), "synonyms": .text("\(name.split(separator: " ")[0])ish")]
        values["parent"] = parent.map { .data($0.bytes) }
        let drafts = [Draft.create(.category, on: .nothing, values: values)]
        return try replica.author(drafts, at: time, randomness: .system).references[0]
    }

    /// What a person says of some places.
    static func ratings(of places: [Reference], by random: inout SeededGenerator) -> [RecordPayload] {
        Set((0..<ratingsOfEach).compactMap { _ in places.randomElement(using: &random) }).map { place in
            let overall = Int64.random(in: 1...5, using: &random)
            let changes = [
                Change(field: 1, value: .number(overall)), Change(field: 5, value: .number(overall % 4 + 1)),
            ]
            return RecordPayload(kind: Kind.rating.number, target: .record(place), changes: changes)
        }
    }

    /// Milliseconds of each of some searches, by their names.
    func run(_ queries: Int, _ random: inout SeededGenerator) throws -> [String: [Double]] {
        var times: [String: [Double]] = [:]
        for search in Search.allCases {
            times[search.rawValue] = try (0..<queries).map { _ in
                let query = query(search, &random)
                return try Stopwatch.seconds {
                    if search == .suggestion {
                        _ = try replica.suggestPlaces(query.text, near: query.origin)
                    } else {
                        _ = try replica.findPlaces(query)
                    }
                } * 1000
            }
        }
        return times
    }

    private func query(_ search: Search, _ random: inout SeededGenerator) -> PlaceQuery {
        let word = words.randomElement(using: &random) ?? ""
        var query = PlaceQuery()
        query.origin = GridPosition(
            latitude: latitude + Int64.random(in: -reach...reach, using: &random),
            longitude: longitude + Int64.random(in: -reach...reach, using: &random)
        )
        switch search {
        case .anything: query.origin = nil
        case .word: query.text = word
        case .wordAnywhere: (query.text, query.origin) = (word, nil)
        case .synonym: query.text = "\(word)is"
        case .twoWords: query.text = "\(word) \(Int.random(in: 0..<10_000, using: &random))"
        case .twoLetters, .suggestion: query.text = word.prefix(2).lowercased()
        case .wrongLetter: query.text = "x" + word.dropFirst()
        case .category: query.text = "\(word)ish"
        case .near: query.metres = 500
        case .wide: query.isWide = true
        case .area: query.rectangle = query.origin.map { GridRectangle(about: $0, metres: 1000) }
        case .nearPlace: query.text = "\(word)ish near \(word) \(Int.random(in: 0..<10_000, using: &random))"
        case .all:
            (query.leastRating, query.highestPrice) = (3500, 3)
            let noon = Timestamp(milliseconds: 1_781_971_200_000)
            query.opening = PlaceQuery.Opening(time: noon, zone: .gmt)
        }
        return query
    }
}
