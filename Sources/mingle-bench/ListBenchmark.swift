// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica

/// How soon a node lists and finds places, and how fast it writes its own person's comments.
///
/// All runs in this process, on a new database on the disk. Places lie on a square grid about a town. Each has a name
/// of three words. People rate some of them.
struct ListBenchmark {
    /// What was measured.
    struct Result: Encodable {
        let places: Int
        let people: Int
        /// Comments a second that were written one by one on one place, each on the disk before the next.
        var commentsPerSecond = 0.0
        /// The same for the last tenth of them: it is to be as fast as the others.
        var lastCommentsPerSecond = 0.0
        /// Milliseconds that lists take, by name: half of them at most, and 99 of 100 at most.
        var median: [String: Double] = [:]
        var p99: [String: Double] = [:]
        /// Resident bytes at most while lists are read.
        var peakMemory = 0

        fileprivate mutating func note(_ times: [Double], of list: String) {
            let sorted = times.sorted()
            median[list] = sorted[sorted.count / 2]
            p99[list] = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        }
    }

    private static let words = ["Harbour", "Green", "Old", "Little", "Golden", "North", "Blue", "River"]
    private static let trades = ["Coffee", "Bakery", "Kitchen", "Stage", "Market", "Garden", "Cinema", "Noodles"]
    /// The middle of all places, and how far they are apart, in parts of a degree.
    private static let (latitude, longitude, step): (Int64, Int64, Int64) = (557_000_000, 125_000_000, 5_000)
    private static let batch = 50

    private let places: Int
    private let people: Int
    private let comments: Int
    private let queries: Int
    private let event: BenchedEvent
    private var replica: Replica { event.replica }
    private var random = SeededGenerator(seed: 7)

    /// Founds an event in a new file.
    init(places: Int, people: Int, comments: Int, queries: Int, path: String) throws {
        (self.places, self.people, self.comments, self.queries) = (places, people, comments, queries)
        event = try BenchedEvent("Street fair", path: path, at: Self.time(0))
    }

    /// Writes, lists, and measures both.
    mutating func run() throws -> Result {
        var result = Result(places: places, people: people)
        let made = try makePlaces()
        var dice = SeededGenerator(seed: 8)
        try event.join(people, at: Self.time(places)) { _ in FindBenchmark.ratings(of: made, by: &dice) }
        guard let first = made.first else { throw BenchError("There is no place to comment on.") }
        let seconds = try comment(on: first)
        result.commentsPerSecond = Double(seconds.count) / seconds.reduce(0, +)
        let last = seconds.suffix(max(1, seconds.count / 10))
        result.lastCommentsPerSecond = Double(last.count) / last.reduce(0, +)
        try ProcessMemory.resetPeak()
        let side = Int64(Double(places).squareRoot())
        for list in List.allCases {
            var times: [Double] = []
            for _ in 0..<queries {
                let asked = Self.query(list, side, &random)
                times.append(try Stopwatch.seconds { _ = try replica.records(of: .place, asked) } * 1000)
            }
            result.note(times, of: list.rawValue)
        }
        let find = FindBenchmark(
            replica,
            latitude: Self.latitude,
            longitude: Self.longitude,
            reach: side / 2 * Self.step,
            words: Self.trades
        )
        for (name, times) in try find.run(queries, &random) { result.note(times, of: name) }
        result.peakMemory = try ProcessMemory.peak()
        return result
    }

    // MARK: - Writing

    /// A minute for each record, so that no hour has too many.
    private static func time(_ minute: Int) -> Timestamp {
        Timestamp(milliseconds: 1_781_971_200_000 + Int64(minute) * 60_000)
    }

    private func makePlaces() throws -> [Reference] {
        let side = Int(Double(places).squareRoot().rounded(.up))
        let categories = try FindBenchmark.makeCategories(in: replica, words: Self.trades, at: Self.time(0))
        var made: [Reference] = []
        for start in stride(from: 0, to: places, by: Self.batch) {
            let drafts = (start..<min(start + Self.batch, places)).map { index in
                Draft.create(.place, on: .nothing, values: Self.place(index, side: side, categories))
            }
            let authored = try replica.author(drafts, at: Self.time(start), randomness: .system)
            made += authored.references
        }
        return made
    }

    private static func place(_ index: Int, side: Int, _ categories: [Reference]) -> [String: Value] {
        let (row, column) = (Int64(index / side - side / 2), Int64(index % side - side / 2))
        let name = "\(words[index % words.count]) \(trades[index / words.count % trades.count]) \(index)"
        return [
            "name": .text(name), "latitude": .number(latitude + row * step),
            "longitude": .number(longitude + column * step), "radius": .number(30),
            "categories": .data(categories[index % categories.count].bytes), "hours": .data(hours),
            "address": .text("Street \(index / 100), number \(index % 100)"),
        ]
    }

    /// Each day from nine to five.
    private static let hours: [UInt8] = {
        let spans = (0...6).compactMap { OpeningHours.Span(day: $0, from: 540, to: 1020) }
        return OpeningHours(spans)?.bytes ?? []
    }()

    private func comment(on place: Reference) throws -> [Double] {
        try (0..<comments).map { index in
            let values: [String: Value] = ["text": .text("The queue is short, comment \(index)")]
            return try Stopwatch.seconds {
                let drafts = [Draft.create(.comment, on: .record(place), values: values)]
                _ = try replica.author(drafts, at: Self.time(places + index), randomness: .system)
            }
        }
    }

    // MARK: - Lists

    private enum List: String, CaseIterable {
        case newest, rectangle, word
        case near = "near 500 m"
        case wideArea = "near 5 km"
        case wordAndNumber = "word and number"
        case twoLetters = "two letters"
        case wrongLetter = "a wrong letter"
    }

    private static func query(_ list: List, _ side: Int64, _ random: inout SeededGenerator) -> RecordQuery {
        let word = trades.randomElement(using: &random) ?? ""
        return switch list {
        case .newest: RecordQuery()
        case .near: near(500, &random, side)
        case .wideArea: near(5000, &random, side)
        case .rectangle: rectangle(&random, side)
        case .word: search(word)
        case .wordAndNumber: search("\(word) \(Int.random(in: 0..<10_000, using: &random))")
        case .twoLetters: search(word.prefix(2).lowercased())
        case .wrongLetter: search("x" + word.dropFirst())
        }
    }

    private static func search(_ words: String) -> RecordQuery {
        var query = RecordQuery()
        query.words = words
        return query
    }

    private static func near(_ metres: Double, _ random: inout SeededGenerator, _ side: Int64) -> RecordQuery {
        var query = RecordQuery()
        query.circle = somewhere(&random, side).flatMap { GridCircle(center: $0, metres: metres) }
        query.limit = 40
        return query
    }

    private static func rectangle(_ random: inout SeededGenerator, _ side: Int64) -> RecordQuery {
        var query = RecordQuery()
        guard let corner = somewhere(&random, side) else { return query }
        query.rectangle = GridRectangle(
            south: corner.latitude,
            west: corner.longitude,
            north: corner.latitude + 10 * step,
            east: corner.longitude + 10 * step
        )
        return query
    }

    private static func somewhere(_ random: inout SeededGenerator, _ side: Int64) -> GridPosition? {
        GridPosition(
            latitude: latitude + Int64.random(in: -side / 2...side / 2, using: &random) * step,
            longitude: longitude + Int64.random(in: -side / 2...side / 2, using: &random) * step
        )
    }
}
