// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import TestSupport
import Testing

@testable import MingleReplica

/// Lists of records by words, position, target and author.
struct RecordListTests {
    private struct Fair {
        var event: TestEvent
        let ana, bob: Replica

        init(seed: UInt64, path: String? = nil) throws {
            event = try TestEvent(seed: seed)
            ana = event.founder
            bob = try event.join(path: path)
            try [ana, bob].meet()
        }

        @discardableResult
        func place(
            _ name: String,
            at latitude: Double = 55.78,
            _ longitude: Double = 12.52,
            _ more: [String: Value] = [:],
            time: Int64 = 4000
        ) throws -> Reference {
            let values: [String: Value] = [
                "name": .text(name), "latitude": .number(Int64((latitude * 1e7).rounded())),
                "longitude": .number(Int64((longitude * 1e7).rounded())), "radius": .number(20),
            ]
            let draft = Draft.create(.place, on: .nothing, values: values.merging(more) { $1 })
            return try ana.say(draft, at: time, event.randomness)
        }

        func names(_ query: RecordQuery, at replica: Replica? = nil) throws -> [String] {
            try (replica ?? ana).records(of: .place, query).items.compactMap { record in
                if case .text(let name)? = record.values["name"] { name } else { nil }
            }
        }

        func found(_ words: String, at replica: Replica? = nil) throws -> [String] {
            var query = RecordQuery()
            query.words = words
            return try names(query, at: replica)
        }
    }

    @Test func `words are found by two characters, without marks, with a typing error, and where all are`() throws {
        let fair = try Fair(seed: 3930)
        try fair.place("Café Nørrebro", time: 4000)
        try fair.place("Coffee Collective", time: 4001)
        try fair.place("Smørrebrød & Øl", time: 4002)
        #expect(try fair.found("co") == ["Coffee Collective"])
        #expect(try fair.found("cafe") == ["Café Nørrebro"])
        #expect(try fair.found("cofee") == ["Coffee Collective"])
        #expect(try fair.found("collective cof") == ["Coffee Collective"])
        #expect(try fair.found("smor").count == 1 || fair.found("smør").count == 1)
        #expect(try fair.found("coffee nørrebro").isEmpty)
    }

    @Test(arguments: [
        "", " ", "\u{200b}", "c", "🎉", "שלום עולם", String(repeating: "coffee ", count: 1500), "\u{0}", "%_*\"';--",
    ])
    func `whatever is looked for has an answer`(words: String) throws {
        let fair = try Fair(seed: 3931)
        try fair.place("Coffee 🎉 שלום עולם")
        let found = try fair.found(words)
        let isThere = ["🎉", "שלום עולם"].contains(words) || words.hasPrefix("coffee ")
        #expect(found.count == (isThere ? 1 : 0))
    }

    @Test func `what is hidden is found by its author and moderators, and by nobody else`() throws {
        let fair = try Fair(seed: 3932)
        let place = try fair.place("Secret stand")
        try [fair.ana, fair.bob].meet()
        #expect(try fair.found("secret", at: fair.bob).count == 1)
        try fair.ana.say(.hide(place, because: "rude"), at: 5000, fair.event.randomness)
        try [fair.ana, fair.bob].meet()
        #expect(try fair.found("secret", at: fair.bob).isEmpty && fair.found("secret").count == 1)
    }

    @Test func `an edit is found by its new words, and a recomputed replica finds the same`() throws {
        let fair = try Fair(seed: 3933)
        let place = try fair.place("Bakery")
        try fair.ana.say(
            .edit(place, .place, values: ["name": .text("Brewery"), "address": .text("Hall Seven")]),
            at: 5000,
            fair.event.randomness
        )
        for _ in 0..<2 {
            #expect(try fair.found("bakery").isEmpty && fair.found("seven brewery") == ["Brewery"])
            _ = try fair.ana.recompute { $0.reverse() }
        }
    }

    @Test func `a deleted word is in no file, and a word that another record has stays`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bob.sqlite")
        let fair = try Fair(seed: 3934, path: path)
        let gone = try fair.place("Zuckerwatteschmiede Apfel")
        try fair.place("Apfel", time: 4001)
        // So much that pages are split, and their gaps filled with what was there before.
        for number in 0..<300 { try fair.place("Filler\(number) Apfel", time: 4002 + Int64(number)) }
        try [fair.ana, fair.bob].meet()
        #expect(try fair.found("zuckerwatteschmiede", at: fair.bob).count == 1)
        try fair.ana.say(.delete(gone), at: 9000, fair.event.randomness)
        try [fair.ana, fair.bob].meet()
        #expect(try fair.found("zucker", at: fair.bob).isEmpty && fair.found("apfel", at: fair.bob).count == 40)
        try scrub(fair.bob)
        try fair.bob.checkpoint()
        for file in [path, path + "-wal"] where FileManager.default.fileExists(atPath: file) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            for words in ["zuckerwatte", "Zuckerwatte", "watteschm", "schmiede"] {
                #expect(bytes.range(of: Data(words.utf8)) == nil, "\(words) is in \(file)")
            }
        }
    }

    private func scrub(_ replica: Replica) throws {
        // A reader may be in its way.
        var isDone = false
        for _ in 0..<100 where !isDone { isDone = try replica.scrub() }
        #expect(isDone)
    }

    @Test func `lists by position are exact, also at the date line and at a pole`() throws {
        let fair = try Fair(seed: 3935)
        try fair.place("West", at: 0, 179.999)
        try fair.place("East", at: 0, -179.999, time: 4001)
        try fair.place("Pole", at: 89.9999, 10, time: 4002)
        try fair.place("Across", at: 89.9999, -170, time: 4003)
        try fair.place("Far", at: 10, 0, time: 4004)
        var near = RecordQuery()
        near.circle = try circle(0, 180, 300)
        #expect(try Set(fair.names(near)) == ["West", "East"])
        near.circle = try circle(90, 0, 30)
        #expect(try Set(fair.names(near)) == ["Pole", "Across"])
        var within = RecordQuery()
        within.rectangle = GridRectangle(
            south: -1_000_000,
            west: 1_799_900_000,
            north: 1_000_000,
            east: -1_799_900_000
        )
        #expect(try fair.names(within) == ["East", "West"])
    }

    private func circle(_ latitude: Double, _ longitude: Double, _ metres: Double) throws -> GridCircle {
        let center = try #require(GridPosition(latitudeDegrees: latitude, longitudeDegrees: longitude))
        return try #require(GridCircle(center: center, metres: metres))
    }

    @Test func `the closest come first, and a filter and words narrow them`() throws {
        let fair = try Fair(seed: 3936)
        let drinks = try fair.ana.say(
            .create(.category, on: .nothing, values: ["name": .text("Drinks")]),
            at: 3500,
            fair.event.randomness
        )
        try fair.place("A coffee", at: 55.7801, 12.52, ["categories": .data(drinks.bytes)])
        try fair.place("B coffee", at: 55.7805, 12.52, time: 4001)
        try fair.place("C tea", at: 55.7803, 12.52, ["categories": .data(drinks.bytes)], time: 4002)
        var query = RecordQuery()
        query.circle = try circle(55.78, 12.52, 1000)
        #expect(try fair.names(query) == ["A coffee", "C tea", "B coffee"])
        query.filters = ["categories": .data(drinks.bytes)]
        #expect(try fair.names(query) == ["A coffee", "C tea"])
        query.words = "coffee"
        #expect(try fair.names(query) == ["A coffee"])
    }

    @Test func `pages of a list have each record once, in every order`() throws {
        let fair = try Fair(seed: 3937)
        let place = try fair.place("Stand")
        for number in 0..<23 {
            let comment = Draft.create(.comment, on: .record(place), values: ["text": .text("\(number)")])
            try fair.ana.say(comment, at: 5000 + Int64(number % 4), fair.event.randomness)
        }
        var query = RecordQuery()
        (query.target, query.author, query.limit) = (place, fair.ana.own.person, 5)
        var ids: [Reference] = []
        repeat {
            let page = try fair.ana.records(of: .comment, query)
            ids += page.items.compactMap(\.id)
            query.before = page.next
        } while query.before != nil && ids.count < 100
        #expect(ids.count == 23 && Set(ids).count == 23)
        #expect(throws: ReplicaError.self) {
            query.order = .highest("text")
            _ = try fair.ana.records(of: .comment, query)
        }
    }

    @Test func `of a thousand that fit alike the newest are found, on every node`() throws {
        let fair = try Fair(seed: 3939)
        // The newest come in the middle.
        for number in 0..<120 { try fair.place("Party \(number)", time: 4000 + Int64(number * 7 % 120)) }
        let anew = try fair.event.reader()
        try anew.receiveAll(from: fair.ana)
        _ = try anew.recompute { $0.reverse() }
        let found = try fair.found("party")
        #expect(found.count == 40 && found.first == "Party 17")
        #expect(try fair.found("party", at: anew) == found)
    }

    @Test func `the news tell of check-ins and ratings at a place, and of no comment there`() throws {
        let fair = try Fair(seed: 3940)
        let place = try fair.place("Stand")
        let comment = Draft.create(.comment, on: .record(place), values: ["text": .text("Nice")])
        try fair.ana.say(comment, at: 5000, fair.event.randomness)
        try fair.ana.say(.create(.checkIn, on: .record(place), values: [:]), at: 5001, fair.event.randomness)
        let rating = Draft.set(.rating, on: .record(place), values: ["overall": .number(4)])
        try fair.ana.say(rating, at: 5002, fair.event.randomness)
        try fair.ana.news { reader in
            let items = try reader.happenings(limit: 9).items
            #expect(items.map(\.kind) == [.rating, .checkIn])
            #expect(try reader.moment(standing: items[0].target) == nil)
            #expect(try reader.named(items[0].target)?.kind == .place)
        }
    }

    @Test func `a place tells how it is rated, and what one said oneself`() throws {
        let fair = try Fair(seed: 3938)
        let place = try fair.place("Stand")
        try [fair.ana, fair.bob].meet()
        for (author, stars) in [(fair.ana, 5), (fair.bob, 2), (fair.bob, 4)] as [(Replica, Int64)] {
            let rating = Draft.set(.rating, on: .record(place), values: ["overall": .number(stars)])
            try author.say(rating, at: 6000 + stars, fair.event.randomness)
        }
        try [fair.ana, fair.bob].meet()
        let rated = try #require(try fair.bob.aggregates(on: place, of: .place)["rating"])
        #expect(rated.count == 2 && rated.means["overall"] == 4.5 && rated.mine?["overall"] == .number(4))
        #expect(rated.means["service"] == nil)
    }

    @Test func `what nobody approved is not approved`() throws {
        let fair = try Fair(seed: 3941)
        try fair.place("New")
        try fair.place("Known", at: 55.78, 12.52, ["approved": .number(1)], time: 4001)
        try fair.place("Refused", at: 55.78, 12.52, ["approved": .number(0)], time: 4002)
        var query = RecordQuery()
        query.filters = ["approved": .number(0)]
        #expect(try fair.names(query) == ["Refused", "New"])
        query.filters = ["approved": .number(1)]
        #expect(try fair.names(query) == ["Known"])
    }
}
