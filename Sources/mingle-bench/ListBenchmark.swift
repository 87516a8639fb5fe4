// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

/// How soon a node lists and finds places, and how fast it writes its own person's comments.
///
/// All runs in this process, on a new database on the disk. Places lie on a square grid about a town. Each has a name
/// of three words.
struct ListBenchmark {
    /// What was measured.
    struct Result: Encodable {
        let places: Int
        /// Comments a second that were written one by one on one place, each on the disk before the next.
        var commentsPerSecond = 0.0
        /// The same for the last tenth of them: it is to be as fast as the others.
        var lastCommentsPerSecond = 0.0
        /// Milliseconds that lists take, by name: half of them at most, and 99 of 100 at most.
        var median: [String: Double] = [:]
        var p99: [String: Double] = [:]
        /// Resident bytes at most while lists are read.
        var peakMemory = 0
    }

    private static let words = ["Harbour", "Green", "Old", "Little", "Golden", "North", "Blue", "River"]
    private static let trades = ["Coffee", "Bakery", "Kitchen", "Stage", "Market", "Garden", "Cinema", "Noodles"]
    /// The middle of all places, and how far they are apart, in parts of a degree.
    private static let (latitude, longitude, step): (Int64, Int64, Int64) = (557_000_000, 125_000_000, 5_000)
    private static let batch = 50

    private let places: Int
    private let comments: Int
    private let queries: Int
    private let replica: Replica
    private var random = SeededGenerator(seed: 7)

    /// Founds an event in a new file.
    init(places: Int, comments: Int, queries: Int, path: String) throws {
        (self.places, self.comments, self.queries) = (places, comments, queries)
        let (event, secrets) = Secrets.founding(.system)
        replica = try Replica(path: path, event: event, own: secrets.ownDevice(in: event))
        try replica.found("Street fair", secrets: secrets, at: Self.time(0), randomness: .system)
    }

    /// Writes, lists, and measures both.
    mutating func run() throws -> Result {
        var result = Result(places: places)
        let made = try makePlaces()
        let seconds = try comment(on: made)
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
            times.sort()
            result.median[list.rawValue] = times[times.count / 2]
            result.p99[list.rawValue] = times[min(times.count - 1, times.count * 99 / 100)]
        }
        result.peakMemory = try ProcessMemory.peak()
        return result
    }

    // MARK: - Writing

    /// A minute for each record, so that no hour has too many.
    private static func time(_ minute: Int) -> Timestamp {
        Timestamp(milliseconds: 1_781_971_200_000 + Int64(minute) * 60_000)
    }

    private func makePlaces() throws -> Reference {
        let side = Int(Double(places).squareRoot().rounded(.up))
        var first: Reference?
        for start in stride(from: 0, to: places, by: Self.batch) {
            let drafts = (start..<min(start + Self.batch, places)).map { index in
                Draft.create(.place, on: .nothing, values: Self.place(index, side: side))
            }
            let authored = try replica.author(drafts, at: Self.time(start), randomness: .system)
            first = first ?? authored.references.first
        }
        guard let first else { throw BenchError("There is no place to comment on.") }
        return first
    }

    private static func place(_ index: Int, side: Int) -> [String: Value] {
        let (row, column) = (Int64(index / side - side / 2), Int64(index % side - side / 2))
        let name = "\(words[index % words.count]) \(trades[index / words.count % trades.count]) \(index)"
        return [
            "name": .text(name), "latitude": .number(latitude + row * step),
            "longitude": .number(longitude + column * step), "radius": .number(30),
        ]
    }

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
