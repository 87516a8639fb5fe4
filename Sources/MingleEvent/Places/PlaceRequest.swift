// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleReplica

/// What a request for places says, by the names of its parameters.
struct PlaceRequest {
    private let parameters: [String: String]

    init(_ parameters: [String: String]) { self.parameters = parameters }

    /// The query for the replica.
    ///
    /// - Parameters:
    ///   - time: When places are open that are asked for as open.
    ///   - zone: The event's time zone.
    /// - Throws: ``API/Problem`` named `badRequest`, or `notFound` for an id of nothing.
    func query(at time: Timestamp, in zone: TimeZone) throws -> PlaceQuery {
        var query = PlaceQuery()
        query.text = parameters["q"] ?? ""
        query.origin = try parameters["near"].map(ListQuery.position)
        query.metres = try parameters["radius_m"].map(ListQuery.metres)
        query.isWide = try flag("wide")
        query.rectangle = try parameters["within"].map(ListQuery.rectangle)
        query.category = try parameters["category"].map(RequestValidation.reference)
        query.highestPrice = try number("price", in: 1...4, "a whole number from 1 to 4")
        query.leastRating = try parameters["rating"].map(rating)
        query.isFavourite = try flag("favourite")
        if try flag("open") { query.opening = PlaceQuery.Opening(time: time, zone: zone) }
        let limits = 1...Int64(PlaceQuery.limit)
        query.limit = Int(
            try number("limit", in: limits, "a whole number from 1 to \(limits.upperBound)") ?? limits.upperBound
        )
        guard query.origin != nil || !query.isWide else { throw problem("`wide` needs `near`.") }
        guard query.origin != nil || query.metres == nil || NearPhrase(query.text) != nil else {
            throw problem("`radius_m` needs `near`, or a `q` such as: coffee near Lyngby.")
        }
        return query
    }

    private func problem(_ words: String) -> API.Problem { API.Problem(.badRequest, words) }

    private func flag(_ name: String) throws -> Bool {
        switch parameters[name] {
        case nil, "false", "0": false
        case "true", "1": true
        default: throw problem("`\(name)` must be true or false.")
        }
    }

    private func number(_ name: String, in range: ClosedRange<Int64>, _ words: String) throws -> Int64? {
        guard let text = parameters[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw problem("`\(name)` must be \(words).") }
        return number
    }

    /// Reads a mean, in thousandths.
    private func rating(_ text: String) throws -> Int64 {
        guard let mean = Double(text), (1...5).contains(mean) else { throw problem("`rating` must be from 1 to 5.") }
        return Int64((mean * 1000).rounded())
    }
}
