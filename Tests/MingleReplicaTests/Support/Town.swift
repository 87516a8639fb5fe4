// SPDX-License-Identifier: Apache-2.0

import MingleModel

@testable import MingleReplica

/// Two people, of whom one is the founder, and the places and categories that they make.
struct Town {
    var event: TestEvent
    let ana, bob: Replica

    init(seed: UInt64) throws {
        event = try TestEvent(seed: seed)
        ana = event.founder
        bob = try event.join()
        try meet()
    }

    func meet() throws { try [ana, bob].meet() }

    @discardableResult
    func category(
        _ name: String,
        _ more: [String: String] = [:],
        in parent: Reference? = nil,
        at time: Int64 = 3500
    ) throws -> Reference {
        var values = more.mapValues(Value.text)
        values["name"] = .text(name)
        values["parent"] = parent.map { .data($0.bytes) }
        return try ana.say(.create(.category, on: .nothing, values: values), at: time, event.randomness)
    }

    @discardableResult
    func place(
        _ name: String,
        _ categories: [Reference] = [],
        north metres: Double = 0,
        saying more: [String: Value] = [:],
        by author: Replica? = nil,
        at time: Int64 = 4000
    ) throws -> Reference {
        var values: [String: Value] = [
            "name": .text(name), "latitude": .number(557_000_000 + Int64(metres / 111_194.93 * 1e7)),
            "longitude": .number(125_000_000), "radius": .number(20),
        ]
        if !categories.isEmpty { values["categories"] = .data(categories.flatMap(\.bytes)) }
        let draft = Draft.create(.place, on: .nothing, values: values.merging(more) { $1 })
        return try (author ?? ana).say(draft, at: time, event.randomness)
    }

    func rate(_ place: Reference, _ overall: Int64, price: Int64? = nil, by author: Replica) throws {
        var values = ["overall": Value.number(overall)]
        values["price_level"] = price.map(Value.number)
        try author.say(.set(.rating, on: .record(place), values: values), at: 6000, event.randomness)
    }

    func find(
        _ text: String = "",
        at replica: Replica? = nil,
        _ narrow: (inout PlaceQuery) throws -> Void = { _ in }
    ) throws -> FoundPlaces {
        var query = PlaceQuery()
        query.text = text
        try narrow(&query)
        return try (replica ?? ana).findPlaces(query)
    }
}

extension FoundPlaces {
    static func name(_ record: ShownRecord) -> String {
        if case .text(let name)? = record.values["name"] { name } else { "" }
    }

    var names: [String] { places.map(Self.name) }
}
